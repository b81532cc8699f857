#!/usr/bin/env bash
# PLINK's files: cell by cell what `plink1.9 --recode A` says of them, and what is wrong with broken
# ones.
. "$(dirname "$0")/../shell.sh"
begin plink

# compare NAME STEM: the .csv that ireland makes of STEM.bed against STEM.raw.
compare() {
  local name=$1 stem=$2 what
  what=$("$ireland" convert "$2.bed" "$dir/out.csv" --quiet 2>&1) || {
    fail "$name" "$what"
    return
  }
  awk '
    NR == 1 {
      for (j = 7; j <= NF; j++) printf "%s,", $j
      print "phenotype"
    }
    NR > 1 && ($6 == 1 || $6 == 2) {
      line = ""
      for (j = 7; j <= NF; j++) line = line ($j == "NA" ? "" : $j) ","
      print line $6
    }
  ' "$stem.raw" >"$dir/wanted.csv"
  what=$(cmp "$dir/wanted.csv" "$dir/out.csv" 2>&1) && what=same
  if [ "$what" = same ]; then pass "$name"; else fail "$name" "$what"; fi
}

# refused NAME PLACE PART: converting broken.bed fails with 3, one line, that place and that part.
refused() {
  local name=$1 place=$2 part=$3 code
  rm -f "$dir"/out.irb*
  "$ireland" convert "$dir/broken.bed" "$dir/out.irb" >"$dir/out" 2>"$dir/err"
  code=$?
  if [ $code != 3 ]; then fail "$name" "exit code $code"
  elif [ -s "$dir/out" ]; then fail "$name" "something on standard output"
  elif [ "$(grep -c '' "$dir/err")" != 1 ]; then fail "$name" "not one line: $(cat "$dir/err")"
  elif [[ $(cat "$dir/err") != "$dir/$place: "* ]]; then fail "$name" "place: $(cat "$dir/err")"
  elif ! grep -q -- "$part" "$dir/err"; then fail "$name" "text: $(cat "$dir/err")"
  elif ls "$dir"/out.irb* >/dev/null 2>&1; then fail "$name" "a file was left"
  else pass "$name"; fi
}

# ---- files written here, byte by byte: five people, two variants ---------------------------------
good() {
  printf 'f1 p1 0 0 1 2\nf2 p2 0 0 2 1\nf3 p3 0 0 1 2\nf4 p4 0 0 2 1\nf5 p5 0 0 1 -9\n' >"$dir/broken.fam"
  printf '1\trs1\t0\t100\tA\tG\n1\t.\t0\t200\tC\tT\n' >"$dir/broken.bim"
  printf '\x6c\x1b\x01\xe4\x03\x1b\x00' >"$dir/broken.bed"
}
# 0xe4 = 11 10 01 00: two, missing, one, none. 0x1b the other way round.
good
"$ireland" convert "$dir/broken.bed" "$dir/hand.csv" 2>"$dir/err"
if [ "$(cat "$dir/hand.csv")" = "rs1_A,1:200_C,phenotype
2,0,2
,1,1
1,,2
0,2,1" ]; then pass written_by_hand; else fail written_by_hand "$(cat "$dir/hand.csv")"; fi
if grep -q 'broken.fam: 1 of 5 people' "$dir/err"; then pass people_left_out; else fail people_left_out "$(cat "$dir/err")"; fi
# Prediction leaves nobody out.
echo '{"target": "phenotype", "positive": "2", "negative": "1", "clauses": [["rs1_A:dom"]]}' >"$dir/rule.json"
"$ireland" predict "$dir/rule.json" "$dir/broken.bed" >"$dir/out" 2>"$dir/err"
if [ "$(sed 1d "$dir/out" | wc -l)" = 5 ] && grep -q 'the labels are not used' "$dir/err"; then pass all_predicted; else fail all_predicted "$(cat "$dir/out" "$dir/err")"; fi
printf '\n \n' >>"$dir/broken.fam"
printf '\r\n\n' >>"$dir/broken.bim"
if "$ireland" info "$dir/broken.bed" >"$dir/out" 2>"$dir/err"; then pass blank_lines_at_the_end; else fail blank_lines_at_the_end "$(cat "$dir/err")"; fi

good; printf '\x6c\x1c\x01\xe4\x03\x1b\x00' >"$dir/broken.bed"; refused magic broken.bed 'offset 0'
good; : >"$dir/broken.bed"; refused empty_bed broken.bed 'offset 0'
good; printf '\x6c\x1b\x00\xe4\x03\x1b\x00' >"$dir/broken.bed"; refused individual_major broken.bed 'offset 2'
good; printf '\x6c\x1b\x01\xe4\x03\x1b' >"$dir/broken.bed"; refused short_bed broken.bed 'offset 6.* 7'
good; printf '\x6c\x1b\x01\xe4\x03\x1b\x00\x00' >"$dir/broken.bed"; refused long_bed broken.bed 'offset 7'
good; rm "$dir/broken.bim"; refused no_bim broken.bim 'No such file'
good; rm "$dir/broken.fam"; refused no_fam broken.fam 'No such file'
good; : >"$dir/broken.fam"; refused empty_fam broken.fam:1:1 phenotype
good; : >"$dir/broken.bim"; refused empty_bim broken.bim:1:1 'no variants'
good; sed -i '2s/.*/f2 p2 0 0 2/' "$dir/broken.fam"; refused five_fields broken.fam:2:1 'six fields'
good; sed -i '2s/$/ x/' "$dir/broken.fam"; refused seven_fields broken.fam:2:1 'six fields'
good; sed -i '2s/\t200//' "$dir/broken.bim"; refused bim_fields broken.bim:2:1 'six fields'
good; sed -i '2G' "$dir/broken.bim"; echo "1 x 0 1 A C" >>"$dir/broken.bim"; refused bim_gap broken.bim:3:1 'six fields'
good; sed -i '3s/2$/3.5/' "$dir/broken.fam"; refused phenotype broken.fam:3:13 phenotype
good; sed -i 's/[12]$/0/' "$dir/broken.fam"; refused no_phenotypes broken.fam:1:1 phenotype
good; sed -i 's/1$/2/' "$dir/broken.fam"; refused one_class broken.fam:1:1 'one class'
good; printf '1\trs1\t0\t100\tA\tG\n1\trs1\t0\t200\tA\tT\n' >"$dir/broken.bim"; refused twice broken.bim:2:1 "'rs1_A' is there twice"
good; printf '1\trs\0001\t0\t100\tA\tG\n1\trs1\t0\t200\tA\tT\n' >"$dir/broken.bim"; refused nul broken.bim:1:1 'six fields'

# ---- the same rule from .bed, .irb and .csv, with every option for columns and literals (W1, W2, W3) ----
good
awk 'BEGIN {
  srand(5)
  for (i = 1; i <= 60; i++) print "f", i, 0, 0, 1, (i % 3 ? 1 : 2)
}' >"$dir/same.fam"
printf '1 rs%d 0 100 A G\n' 1 2 3 4 5 6 >"$dir/same.bim"
printf '\x6c\x1b\x01' >"$dir/same.bed"
LC_ALL=C awk 'BEGIN { srand(7); for (i = 0; i < 90; i++) printf "\\x%02x", int(256 * rand()) }' | xargs -0 printf >>"$dir/same.bed"
"$ireland" convert "$dir/same.bed" "$dir/same.irb" --quiet
"$ireland" convert "$dir/same.irb" "$dir/same.csv" --quiet
printf 'rs%d_A,snp\n' 1 2 3 4 5 6 >"$dir/same.types"
same_rule() {
  local name=$1 file what=
  shift
  for file in same.bed same.irb same.csv; do
    rm -f "$dir/same.json"
    "$ireland" fit "$dir/$file" -K 2 -M 2 --quiet -o "$dir/same.json" "$@" $([ $file = same.csv ] && echo --types "$dir/same.types") >"$dir/out" 2>"$dir/err" || what="$file: $(cat "$dir/err")"
    [ $file = same.bed ] && cp "$dir/same.json" "$dir/first.json"
    # The scope repeats the types that were given.
    [ "$(grep -v '"types":' "$dir/first.json")" = "$(grep -v '"types":' "$dir/same.json")" ] || what="$file differs: $(cat "$dir/same.json")"
  done
  if [ -z "$what" ]; then pass "$name"; else fail "$name" "$what"; fi
}
same_rule same_plain
same_rule same_negations --negations
same_rule same_positive --positive 1 --negations
same_rule same_only --only rs1_A,rs3_A
same_rule same_ignore --ignore rs2_A --negations
same_rule same_forbid --forbid 'rs1_A:dom,!rs2_A:rec' --negations
same_rule same_impute --missing impute --negations
"$ireland" fit "$dir/same.bed" -K 1 -M 2 --negations --prove --certificate "$dir/proof" -o "$dir/same.json" --quiet >"$dir/out" 2>"$dir/err"
for file in same.bed same.irb same.csv; do
  "$ireland" verify "$dir/same.json" "$dir/$file" --certificate "$dir/proof" $([ $file = same.csv ] && echo --types "$dir/same.types") >"$dir/out" 2>"$dir/err"
  if [ $? = 0 ] || grep -q 'option type' "$dir/err"; then pass "verify_$file"; else fail "verify_$file" "$(cat "$dir/out" "$dir/err")"; fi
done
for o in "--only rs9" "--forbid rs1_A" "--weight-column x"; do
  # shellcheck disable=SC2086
  "$ireland" fit "$dir/same.bed" -K 1 -M 1 $o >"$dir/out" 2>"$dir/err"
  if [ $? = 3 ]; then pass "wrong${o// /_}"; else fail "wrong${o// /_}" "$(cat "$dir/err")"; fi
done

# ---- against plink itself ------------------------------------------------------------------------
if ! command -v plink1.9 >/dev/null; then
  skip against_plink "plink1.9 is not installed"
  finish
fi

# random PEOPLE VARIANTS SEED: genotypes with 10 % missing, phenotypes 1, 2, 0 and -9; every ninth
# variant is monomorphic, one has no calls at all.
random() {
  awk -v n="$1" -v m="$2" -v seed="$3" -v stem="$dir/random" 'BEGIN {
    srand(seed)
    split("A C G T", base, " ")
    for (j = 1; j <= m; j++) {
      print 1 + j % 22, "rs" j, 0, 100 * j >(stem ".map")
      a[j] = base[1 + int(4 * rand())]
      do b[j] = base[1 + int(4 * rand())]; while (b[j] == a[j])
      p[j] = j % 9 ? rand() : 1
    }
    for (i = 1; i <= n; i++) {
      r = rand()
      phenotype = i == 1 || r < 0.4 ? 2 : i == 2 || r < 0.8 ? 1 : r < 0.9 ? 0 : -9
      line = "F" i " P" i " 0 0 " 1 + i % 2 " " phenotype
      for (j = 1; j <= m; j++)
        if (rand() < 0.1 || j == 5) line = line " 0 0"
        else line = line " " (rand() < p[j] ? a[j] : b[j]) " " (rand() < p[j] ? a[j] : b[j])
      print line >(stem ".ped")
    }
  }'
  plink1.9 --file "$dir/random" --make-bed --out "$dir/random" >"$dir/plink.log" 2>&1 &&
    plink1.9 --bfile "$dir/random" --recode A --out "$dir/random" >>"$dir/plink.log" 2>&1
}
for size in "4 3 1" "5 10 2" "6 40 3" "67 100 4" "129 65 5" "300 30 6"; do
  name="random_${size// /_}"
  # shellcheck disable=SC2086
  if random $size; then compare "$name" "$dir/random"; else skip "$name" "plink1.9 failed: $(tail -n 1 "$dir/plink.log")"; fi
done

example=../shared/datasets/plink/example
if [ -f $example.bed ]; then
  cp $example.bed $example.bim $example.fam "$dir"
  plink1.9 --bfile "$dir/example" --recode A --out "$dir/example" >"$dir/plink.log" 2>&1
  compare example "$dir/example"
else
  skip example "$example.bed is not there"
fi
finish
