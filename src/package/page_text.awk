# The style and the script of the page as C, a string for each line: awk -f page_text.awk FILES >page_text.c
# Files of style (.css) come first, then scripts (.js), which are put together in the order in which they are given. Comments on
# lines of their own and the space before a line are left out.
function begin(name) { printf "%s\nconst char *const %s[] = {\n", part ? "  NULL};\n" : "#include \"report/page.h\"\n", name; part = name }
FNR == 1 {
  name = FILENAME ~ /\.css$/ ? "irl_page_style" : "irl_page_script"
  if (part != name) begin(name)
}
/^ *\/\*/ { inside = 1 }
!inside && NF {
  sub(/^ +/, "")
  gsub(/\\/, "&&")
  gsub(/"/, "\\\"")
  print "  \"" $0 "\\n\","
}
/\*\/ *$/ { inside = 0 }
END { print "  NULL};" }
