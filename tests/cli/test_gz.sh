#!/usr/bin/env bash
# Compressed files, in every format that is read: the same answer as from the plain file. Damaged ones, ones that grow without end, and
# files of other formats: a sentence, exit code 3, little memory.
. "$(dirname "$0")/../shell.sh"
begin gz

run info "$dir/none.csv.gz"
if ! command -v gzip >/dev/null; then
  skip "compressed files" "this machine has no gzip"
  finish
fi
cp data/monks1.csv "$dir/m.csv"
gzip -nk "$dir/m.csv"
run info "$dir/m.csv.gz"
if grep -q 'without zlib' "$dir/err"; then
  expect "without zlib a sentence" 3 "decompress it first" info "$dir/m.csv.gz"
  finish
fi

# same NAME COMMAND FILE: the command says the same of FILE and FILE.gz.
same() {
  local name=$1
  shift
  "$ireland" "$@" >"$dir/expected" 2>&1
  gzip -nkf "${@: -1}"
  "$ireland" "${@:1:$#-1}" "${@: -1}.gz" 2>&1 | sed 's/\.gz//g' >"$dir/got"
  agree "$name"
}

"$ireland" convert "$dir/m.csv" "$dir/m.irb" 2>/dev/null
"$ireland" convert "$dir/m.csv" "$dir/m.svm" 2>/dev/null
"$ireland" convert "$dir/m.csv" "$dir/m.tsv" 2>/dev/null
printf '@relation x\n@attribute a numeric\n@attribute b {u,v}\n@attribute y {0,1}\n@data\n1,u,0\n2.5,v,1\n?,u,1\n4,v,0\n' >"$dir/a.arff"
for file in m.csv m.tsv m.irb m.svm a.arff; do same "info $file.gz" info "$dir/$file"; done
"$ireland" fit "$dir/m.csv" -K 2 -M 2 -o "$dir/r.json" >/dev/null 2>&1
gzip -nk "$dir/r.json"
"$ireland" predict "$dir/r.json" "$dir/m.csv" >"$dir/expected" 2>&1
"$ireland" predict "$dir/r.json.gz" "$dir/m.csv.gz" >"$dir/got" 2>&1
agree "a compressed rule on compressed data"
"$ireland" model "$dir/m.csv" --form sp -M 2 -o "$dir/sp.mps" >/dev/null 2>&1
same "solve sp.mps.gz" solve --relax "$dir/sp.mps"
"$ireland" model "$dir/m.csv" --form sp -M 2 -o "$dir/sp.lp" >/dev/null 2>&1
same "solve sp.lp.gz" solve --relax "$dir/sp.lp"

# PLINK: three files, of which any may be compressed.
printf 'f a 0 0 0 1\nf b 0 0 0 2\nf c 0 0 0 1\nf d 0 0 0 2\nf e 0 0 0 2\nf g 0 0 0 1\n' >"$dir/p.fam"
printf '1 rs1 0 1 A G\n' >"$dir/p.bim"
printf '\x6c\x1b\x01\xdc\x0f' >"$dir/p.bed"
"$ireland" info "$dir/p.bed" >"$dir/expected" 2>&1
gzip -n "$dir/p.bim"
"$ireland" info "$dir/p.bed" >"$dir/got" 2>&1
agree "a compressed .bim"
gzip -n "$dir/p.bed" "$dir/p.fam"
"$ireland" info "$dir/p.bed.gz" 2>&1 | sed 's/\.gz//g' >"$dir/got"
agree "all three compressed"

# ---- by content, not by name -----------------------------------------------------------------------
"$ireland" info "$dir/m.csv" >"$dir/expected"
cp "$dir/m.csv.gz" "$dir/plain_name.csv"
"$ireland" info "$dir/plain_name.csv" >"$dir/got" 2>&1
agree "compressed under a plain name"
"$ireland" info - <"$dir/m.csv.gz" >"$dir/got" 2>&1
agree "compressed in a pipe"
cp "$dir/m.csv" "$dir/not_compressed.csv.gz"
"$ireland" info "$dir/not_compressed.csv.gz" >"$dir/got" 2>&1
agree "plain under a compressed name"
{ head -n 200 "$dir/m.csv" | gzip -n; tail -n +201 "$dir/m.csv" | gzip -n; head -c 20 /dev/zero; } >"$dir/members.csv.gz"
"$ireland" info "$dir/members.csv.gz" >"$dir/got" 2>&1
agree "several members and padding"

# ---- damaged, and growing without end --------------------------------------------------------------
head -c 100 "$dir/m.csv.gz" >"$dir/cut.csv.gz"
expect "cut off" 3 "cut.csv.gz: the compressed file ends early" info "$dir/cut.csv.gz"
{ head -c 60 "$dir/m.csv.gz"; printf XXXX; tail -c +65 "$dir/m.csv.gz"; } >"$dir/damaged.csv.gz"
expect "damaged" 3 "damaged.csv.gz: the compressed file is damaged" info "$dir/damaged.csv.gz"
{ cat "$dir/m.csv.gz"; echo more; } >"$dir/more.csv.gz"
expect "something after it" 3 "something follows the compressed data" info "$dir/more.csv.gz"
gzip -nc "$dir/m.csv.gz" >"$dir/twice.csv.gz"
expect "twice" 3 "compressed twice" info "$dir/twice.csv.gz"
printf '' | gzip -n >"$dir/empty.csv.gz"
expect "nothing in it" 3 "empty.csv.gz:1:1: the file is empty" info "$dir/empty.csv.gz"
printf 'a,b\n0,x\n' | gzip -n >"$dir/place.csv.gz"
expect "places are those of the text" 3 "place.csv.gz:" fit "$dir/place.csv.gz"
expect "not written" 3 "read, not written" convert "$dir/m.csv" "$dir/out.csv.gz"
# A table of few ones among zeros becomes 500 times as large, and is read; the memory limit holds for what comes out of the file.
awk 'BEGIN { for (j = 1; j <= 500; j++) printf "f%d,", j; print "y"
  for (j = 1; j <= 500; j++) zeros = zeros "0,"; for (i = 0; i < 100000; i++) print (i % 997 ? "0," : "1,") substr(zeros, 3) i % 2 }' | gzip -n9 >"$dir/sparse.csv.gz"
expect "a sparse table" 0 "samples   100000" info "$dir/sparse.csv.gz"
gzip -dc "$dir/sparse.csv.gz" | tail -n +2 | tr -d '\n' | gzip -n >"$dir/bomb.csv.gz"
for command in info "evaluate $dir/r.json" solve; do
  # shellcheck disable=SC2086
  expect "$command: a file that grows beyond the memory limit" 4 "take more memory than the limit of 50 MB" $command "$dir/bomb.csv.gz" --memory-limit 50
done

if command -v bgzip >/dev/null; then
  # Without its empty block at the end a file of bgzip has lost others, too, however whole its last one is.
  for file in m.csv m.svm; do
    bgzip -c "$dir/$file" >"$dir/b.$file.gz"
    expect "bgzip of $file" 0 "samples" info "$dir/b.$file.gz"
    head -c -28 "$dir/b.$file.gz" >"$dir/cut.$file.gz"
    expect "cut bgzip of $file" 3 "$dir/cut.$file.gz: the file does not end with the empty block of bgzip: it was cut off" info "$dir/cut.$file.gz"
    expect "cut bgzip of $file, in pieces" 3 "it was cut off" predict "$dir/r.json" "$dir/cut.$file.gz"
  done
else
  skip "cut bgzip" "bgzip is not installed"
fi

# ---- other formats ---------------------------------------------------------------------------------
other() { # other NAME BYTES SENTENCE
  printf "$2" >"$dir/$1"
  expect "$1" 3 "$dir/$1: $3" info "$dir/$1"
}
other book.xlsx 'PK\3\4\24\0\6\0\0\0\0\0[Content_Types].xml' "this is an Excel workbook (.xlsx): save the sheet as CSV"
other book.csv 'PK\3\4\24\0\6\0\0\0\0\0[Content_Types].xml' "this is an Excel workbook (.xlsx): save the sheet as CSV"
other sheet.ods 'PK\3\4\24\0mimetypeapplication/vnd.oasis.opendocument.spreadsheet' "this is an OpenDocument spreadsheet"
other all.zip 'PK\3\4\24\0data.csv' "this is a zip archive: unpack it first"
other old.xls '\320\317\21\340\241\261\32\341\0' "this is an old Excel workbook"
other table.parquet 'PAR1\25\0\25\0' "this is a Parquet file: save the table as CSV"
other base.sqlite 'SQLite format 3\0' "this is an SQLite database: save the table as CSV"
other wide.csv '\377\376a\0,\0' "this text is UTF-16: save it as UTF-8"
other wide_big.csv '\376\377\0a\0,' "this text is UTF-16: save it as UTF-8"
other table.csv.bz2 'BZh91AY&SY' "this file is compressed by bzip2"
other table.csv.xz '\3757zXZ\0' "this file is compressed by xz"
other table.csv.zst '\50\265\57\375' "this file is compressed by zstd"
other table.sav '$FL2@(#) SPSS\0' "this is an SPSS file: save the table as CSV"
other table.zsav '$FL3@(#) SPSS\0' "this is an SPSS file: save the table as CSV"
other table.dta '<stata_dta><header>\0' "this is a Stata file: save the table as CSV"
other table.sas7bdat '\0\0\0\0\0\0\0\0\0\0\0\0\302\352\201\140\0' "this is a SAS file: save the table as CSV"
other geno.pgen '\154\033\020\0\0' "this is a .pgen file of plink2: 'plink2 --pfile PREFIX --make-bed'"
other geno.bgen '\24\0\0\0\24\0\0\0\5\0\0\0\5\0\0\0bgen\0\0' "this is a BGEN file: 'plink2 --bgen FILE"
printf 'X\n\0\0\0\3\0' | gzip -n >"$dir/table.rds"
expect "table.rds" 3 "$dir/table.rds: this is a file of R (.rds): save the table with write.csv" info "$dir/table.rds"
printf 'PAR1,y\n0,1\n1,0\n' >"$dir/par1.csv"
expect "a column called PAR1" 0 "samples   2" info "$dir/par1.csv"
finish
