#!/usr/bin/env bash
# Rules on raw columns as code: each language that is here must say of every sample of another file
# what `ireland predict` says: columns in another order, unseen texts, missing values, odd names.
. "$(dirname "$0")/../shell.sh"
begin raw-export

# make ROWS SEED WIDER: mixed columns with missing cells and a label that they decide, mostly.
make() {
  awk -v n="$1" -v seed="$2" -v wider="$3" 'BEGIN {
    srand(seed)
    split("it'"'"'s|\"a,b\"|\"say \"\"no\"\"\"|back\\slash|\"two\nlines\"|plain", kinds, "|")
    if (!wider) print "age,bmi,\"kind \"\"of\"\" it'"'"'s\",flag,smoker,y"
    else print "y,smoker,extra,flag,\"kind \"\"of\"\" it'"'"'s\",bmi,age"
    for (i = 0; i < n; i++) {
      age = int(20 + 60 * rand() * (wider ? 2 : 1)); bmi = 15 + int(2500 * rand()) / 100
      kind = int(6 * rand()) + 1; flag = int(2 * rand()); smoker = rand() < 0.5 ? "yes" : "no"
      y = (age > 50 && kind < 3) || (flag == 0 && bmi <= 22) || (kind == 5 && smoker == "yes")
      if (rand() < 0.05) y = !y
      text = kinds[kind]; if (wider && rand() < 0.1) text = "unseen"
      if (rand() < 0.1) age = ""; if (rand() < 0.1) bmi = ""; if (rand() < 0.1) text = ""
      if (rand() < 0.1) flag = ""; if (rand() < 0.1) smoker = ""
      if (!wider) printf "%s,%s,%s,%s,%s,%d\n", age, bmi, text, flag, smoker, y
      else printf "%d,%s,%d,%s,%s,%s,%s\n", y, smoker, i, flag, text, bmi, age
    }
  }'
}
make 600 1 0 >"$dir/train.csv"
make 500 2 1 >"$dir/rows.csv"

# A harness per language: reads rows.csv, asks the rule, prints 0 or 1 per row.
cat >"$dir/main.tail.c" <<'C'
static const char *const names[] = {"y", "smoker", "extra", "flag", "kind \"of\" it's", "bmi", "age"};
static char cells[7][64];
static int read_cell(FILE *f, char *cell) { /* what ended it */
  int c = getc(f), n = 0, quoted = c == '"';
  if (quoted) c = getc(f);
  for (; c != EOF; c = getc(f)) {
    if (quoted && c == '"' && (c = getc(f)) != '"') quoted = 0;
    if (!quoted && (c == ',' || c == '\n')) break;
    cell[n++] = (char)c;
  }
  cell[n] = 0;
  return c;
}
int main(int n, char **v) {
  FILE *f = fopen(v[n - 1], "r");
  int c = 0;
  for (int i = 0; i < 7; i++) c = read_cell(f, cells[i]);
  while (c != EOF) {
    double number[16];
    const char *text[16];
    for (int i = 0; i < 7; i++) c = read_cell(f, cells[i]);
    if (c == EOF) break;
    for (int k = 0; rule_numbers[k]; k++)
      for (int i = 0; i < 7; i++)
        if (!strcmp(names[i], rule_numbers[k])) number[k] = *cells[i] ? strtod(cells[i], 0) : NAN;
    for (int k = 0; rule_texts[k]; k++)
      for (int i = 0; i < 7; i++)
        if (!strcmp(names[i], rule_texts[k])) text[k] = *cells[i] ? cells[i] : 0;
    printf("%d\n", rule_predict(number, text));
  }
  return 0;
}
C
cat >"$dir/main.tail.py" <<'P'
import csv, sys
for row in csv.DictReader(open(sys.argv[1], newline="")):
    print(predict({k: v if v != "" else None for k, v in row.items()}))
P
cat >"$dir/main.tail.js" <<'J'
const rows = [[""]];
let quoted = false;
const source = require("fs").readFileSync(process.argv[2], "utf8");
for (let i = 0; i < source.length; i++) {
  const row = rows[rows.length - 1], c = source[i];
  if (quoted && c === '"' && source[i + 1] === '"') { row[row.length - 1] += c; i++; }
  else if (c === '"') quoted = !quoted;
  else if (!quoted && c === ",") row.push("");
  else if (!quoted && c === "\n") rows.push([""]);
  else row[row.length - 1] += c;
}
for (const cells of rows.slice(1, -1))
  console.log(predict(Object.fromEntries(rows[0].map((name, i) => [name, cells[i] === "" ? null : cells[i]]))));
J
cat >"$dir/main.tail.r" <<'R'
d <- read.csv(commandArgs(TRUE)[1], check.names = FALSE, na.strings = "", stringsAsFactors = FALSE)
writeLines(as.character(predict_rule(d)))
R

# all NAME OPTION...: learns with the options, exports, compares.
all() {
  local name=$1
  shift
  "$ireland" fit "$dir/train.csv" -K 4 -M 3 --quiet "$@" -o "$dir/rule.json" >/dev/null || echo "fit failed"
  "$ireland" predict "$dir/rule.json" "$dir/rows.csv" --decide | awk -F '\t' 'NR > 1 { print $2 }' >"$dir/expected"
  for language in c python sql r javascript text; do "$ireland" export "$dir/rule.json" --to $language -o "$dir/rule.$language"; done
  { printf '#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n'; cat "$dir/rule.c" "$dir/main.tail.c"; } >"$dir/main.c"
  ${CC:-cc} -Wall -Wextra -Wno-parentheses -Wno-maybe-uninitialized "$dir/main.c" -o "$dir/main" && "$dir/main" "$dir/rows.csv" >"$dir/got"
  agree "C, $name"
  if command -v python3 >/dev/null; then
    cat "$dir/rule.python" "$dir/main.tail.py" >"$dir/main.py"
    python3 "$dir/main.py" "$dir/rows.csv" >"$dir/got"
    agree "Python, $name"
  else skip "Python" "needs python3"; fi
  if command -v node >/dev/null; then
    cat "$dir/rule.javascript" "$dir/main.tail.js" >"$dir/main.js"
    node "$dir/main.js" "$dir/rows.csv" >"$dir/got"
    agree "JavaScript, $name"
  else skip "JavaScript" "needs node"; fi
  if command -v Rscript >/dev/null; then
    cat "$dir/rule.r" "$dir/main.tail.r" >"$dir/main.r"
    Rscript "$dir/main.r" "$dir/rows.csv" >"$dir/got"
    agree "R, $name"
  else skip "R" "needs Rscript"; fi
  if command -v sqlite3 >/dev/null; then
    { echo 'CREATE TABLE t (y INTEGER, smoker TEXT, extra INTEGER, flag INTEGER, "kind ""of"" it'"'"'s" TEXT, bmi REAL, age REAL);'
      echo .mode csv; echo ".import --skip 1 $dir/rows.csv t"
      for c in smoker flag '"kind ""of"" it'"'"'s"' bmi age; do echo "UPDATE t SET $c = NULL WHERE $c = '';"; done
      printf 'SELECT '; cat "$dir/rule.sql"; echo 'FROM t ORDER BY rowid;'; } >"$dir/main.sql"
    sqlite3 <"$dir/main.sql" | tr -d '\r' >"$dir/got"
    agree "SQL, $name"
  else skip "SQL" "needs sqlite3"; fi
}
all plain
all negations --negations
all imputed --missing impute --negations
all mdl --cuts mdl --negations --type flag=category
all boundaries --cuts all --negations --forbid 'age >' --forbid flag
all weighted --weights unit --negations --only 'flag,smoker,kind "of" it'"'"'s'

# Half of the samples must be cases and controls each, or the comparisons say little.
cases=$(grep -c 1 "$dir/expected")
if [ "$cases" -gt 50 ] && [ "$cases" -lt 450 ]; then pass "both classes"; else fail "both classes" "$cases of 500"; fi
finish
