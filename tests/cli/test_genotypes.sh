#!/usr/bin/env bash
# Genotypes: the same rule from .bed, .vcf, .vcf.gz, .bcf and .raw; PLINK's options against plink itself; broken files.
. "$(dirname "$0")/../shell.sh"
begin genotypes
here=$(cd "$(dirname "$0")/.." && pwd)
make_genotypes() { python3 "$here/support/make_genotypes.py" "$@"; }
if ! command -v python3 >/dev/null; then
  skip all "python3 is not there"
  finish
fi
cd "$dir" || exit 1

# ---- the same rule from every format ---------------------------------------------------------------
make_genotypes a --people 203 --variants 60 --dosage
bcf=a.bcf # nothing if this build does not read it
"$ireland" info a.bcf >out 2>&1 || { grep -q 'this build reads no BCF' out && bcf=; }
# of_bcftools NAME: is there a bcftools, and is what it writes read? Otherwise NAME is skipped.
of_bcftools() {
  if [ -z "$bcf" ]; then skip "$1" "this build reads no BCF"; return 1; fi
  command -v bcftools >/dev/null || { skip "$1" "bcftools is not installed"; return 1; }
}
# same NAME WORDS...: the rule of every format with these words, labels of .vcf and .bcf from a file. Its target is called otherwise there.
same() {
  local name=$1 file what=
  shift
  for file in a.bed a.raw a.vcf a.vcf.gz $bcf; do
    local words=()
    case $file in *cf*) words=(--pheno a.pheno) ;; esac
    "$ireland" fit $file -K 2 -M 2 --quiet -o got.json "${words[@]}" "$@" >out 2>err || what="$what $file: $(cat err)"
    sed -i 's/"target": "ill"/"target": "phenotype"/' got.json
    [ $file = a.bed ] && cp got.json first.json
    cmp -s got.json first.json || what="$what $file differs"
  done
  if [ -z "$what" ]; then pass "$name"; else fail "$name" "$what"; fi
}
same same_rule
same same_negations --negations
same same_filters --maf 0.2 --geno 0.03 --mind 0.05 --hwe 0.001
same same_prove --prove
same same_het --het --negations
if of_bcftools bcf_of_bcftools; then
  bcftools view -Ou -o b.bcf a.vcf 2>/dev/null
  "$ireland" convert a.vcf x.csv --quiet && "$ireland" convert b.bcf y.csv --quiet && cmp -s x.csv y.csv && pass bcf_of_bcftools || fail bcf_of_bcftools "$(cmp x.csv y.csv 2>&1)"
fi
# shown NAME WANTED WORDS...: standard output of ireland is that.
shown() {
  local name=$1 wanted=$2
  shift 2
  "$ireland" "$@" >out 2>err
  if [ "$(cat out)" = "$wanted" ]; then pass "$name"; else fail "$name" "$(cat out err)"; fi
}
# csv NAME WANTED WORDS...: the table that convert makes.
csv() {
  local name=$1 wanted=$2
  shift 2
  rm -f out.csv
  "$ireland" convert "$@" out.csv --quiet 2>err
  if [ "$(cat out.csv 2>/dev/null)" = "$wanted" ]; then pass "$name"; else fail "$name" "$(cat out.csv err 2>/dev/null)"; fi
}
"$ireland" convert a.vcf x.csv --dosage 0.5 --quiet 2>err
"$ireland" convert a.vcf y.csv --quiet 2>>err
"$ireland" convert ${bcf:-a.vcf} z.csv --dosage 0.1 --quiet 2>>err
"$ireland" convert a.vcf.gz v.csv --dosage 0.1 --quiet 2>>err
if cmp -s x.csv y.csv && cmp -s z.csv v.csv && ! cmp -s y.csv z.csv; then pass dosages; else fail dosages "$(cat err)"; fi

# ---- rules as scripts -------------------------------------------------------------------------------
# scripts NAME WORDS...: what plink2, bcftools and R say by the rule's code is what predict says.
scripts() {
  local name=$1
  shift
  "$ireland" fit a.vcf --pheno a.pheno --quiet -o s.json "$@" >out 2>err
  "$ireland" predict s.json a.vcf --quiet --decide 2>/dev/null | cut -f 2 >wanted
  "$ireland" export s.json --to bcftools -o s.sh && "$ireland" export s.json --to plink2 -o p.sh && "$ireland" export s.json --to r -o s.R
  if command -v bcftools >/dev/null; then
    sh s.sh a.vcf.gz 2>err | cut -f 2 >got
    if cmp -s wanted got; then pass "bcftools_$name"; else fail "bcftools_$name" "$(cmp wanted got 2>&1; cat err)"; fi
  else skip "bcftools_$name" "bcftools is not installed"; fi
  if command -v plink2 >/dev/null; then
    sh p.sh --bfile a 2>err | cut -f 2 >got
    if cmp -s wanted got; then pass "plink2_$name"; else fail "plink2_$name" "$(cmp wanted got 2>&1; cat err)"; fi
  else skip "plink2_$name" "plink2 is not installed"; fi
  if command -v Rscript >/dev/null; then
    echo 'd <- read.table("a.raw", header = TRUE, check.names = FALSE)
cat("predicted", 1 + predict_rule(d), sep = "\n")' >>s.R
    Rscript s.R >got 2>err
    if cmp -s wanted got; then pass "r_$name"; else fail "r_$name" "$(cmp wanted got 2>&1; cat err)"; fi
  else skip "r_$name" "R is not installed"; fi
}
scripts plain -K 2 -M 2
scripts het -K 3 -M 3 --het --negations
sed 's/\trs[0-9]*\t/\t.\t/' a.vcf >nameless.vcf
"$ireland" fit nameless.vcf --pheno a.pheno --quiet -K 2 -M 2 -o s.json >out 2>err
"$ireland" export s.json --to bcftools -o s.sh
if ! command -v bcftools >/dev/null; then skip bcftools_places "bcftools is not installed"
elif cmp -s <("$ireland" predict s.json nameless.vcf --quiet --decide | cut -f 2) <(sh s.sh nameless.vcf | cut -f 2); then pass bcftools_places
else fail bcftools_places "$(sh s.sh nameless.vcf 2>&1 | head -3)"; fi
printf 'x,y\n1,1\n0,0\n' >x.csv
"$ireland" fit x.csv -K 1 -M 1 --quiet -o x.json >out 2>err
"$ireland" export x.json --to plink2 >out 2>err
if [ $? = 3 ] && grep -q "'x' asks for no count of alleles" err; then pass no_variants_no_script; else fail no_variants_no_script "$(cat err)"; fi
"$ireland" fit x.csv -K 1 -M 1 --het >out 2>err
if [ $? = 2 ] && grep -q 'het has no effect on x.csv' err; then pass het_needs_snps; else fail het_needs_snps "$(cat err)"; fi

# ---- one literal per group ----------------------------------------------------------------------------
python3 "$here/cli/one_per_brute.py" "$ireland" groups "${IRL_FUZZ_SEED:-1}" "${IRL_FUZZ_ROUNDS:-8}" >out 2>err
if [ $? = 0 ]; then pass one_per_by_brute_force; else fail one_per_by_brute_force "$(cat out err)"; fi
# groups NAME PART: lines of a file of groups that are refused with that part.
groups() {
  "$ireland" fit a.bed -K 1 -M 2 --one-per w.groups >out 2>err
  if [ $? = 3 ] && grep -q -- "$2" err; then pass "$1"; else fail "$1" "$(cat err)"; fi
}
printf 'rs1 A\nrs2\n' >w.groups; groups group_without "w.groups:2:1: there is no group after 'rs2'"
printf 'rs1 A\nrs2 B C\n' >w.groups; groups group_more 'w.groups:2:1: a line has a column and its group'
printf 'rs1 A\nrs2 B\nrs1 B\n' >w.groups; groups group_twice "w.groups:3:1: a second group for the column 'rs1_"
printf 'rsx A\n' >w.groups; groups group_none 'w.groups: none of the columns of a.bed is in a group'
printf 'rs1 A\nrs2 A\n' >w.groups
"$ireland" fit a.bed --one-per w.groups --method bp1 >out 2>err
if [ $? = 2 ] && grep -q 'one_per has no effect with methods bp1' err; then pass group_method; else fail group_method "$(cat err)"; fi

# ---- decimal commas ------------------------------------------------------------------------------------
awk 'BEGIN { print "a;b;y"; for (i = 0; i < 40; i++) printf "%d,%d;%d;%d\n", i / 4, 25 * (i % 4), i % 3, (i > 20) != (i % 11 == 0) }' >comma.csv
sed 's/,/./' comma.csv >point.csv
"$ireland" convert point.csv point.irb --quiet && "$ireland" convert comma.csv comma.irb 2>err
if cmp -s point.irb comma.irb && grep -q 'comma.csv: numbers are read with a decimal comma' err; then pass decimal_found; else fail decimal_found "$(cat err)"; fi
"$ireland" convert comma.csv comma.irb --decimal comma 2>err
if cmp -s point.irb comma.irb && ! grep -q 'decimal comma' err; then pass decimal_said; else fail decimal_said "$(cat err)"; fi
"$ireland" convert comma.csv comma.irb --decimal point >out 2>err
if [ $? = 3 ] && grep -q 'decimal comma' err; then pass decimal_point; else fail decimal_point "$(cat err)"; fi
printf 'a;y\n1,234;0\n2,345;1\n' >comma.csv
"$ireland" convert comma.csv comma.irb >out 2>err
if [ $? = 3 ] && grep -q 'comma.csv:2:1: .*has a comma' err; then pass decimal_or_thousands; else fail decimal_or_thousands "$(cat err)"; fi

# ---- lines written here ------------------------------------------------------------------------------
vcf() { # vcf LINE...: fields with blanks between; samples p1 to p4
  printf '##fileformat=VCFv4.2\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\tp1\tp2\tp3\tp4\n' >t.vcf
  for line; do echo "$line" | tr ' ' '\t' >>t.vcf; done
}
printf 'IID,ill\np1,2\np2,1\np3,2\np4,1\n' >t.pheno
vcf '1 100 rs1 G A . PASS . GT 0/0 0|1 1/1 ./.' 'chrX 200 . T C . q10 . GT:DP 0:3 1:9 .:2 1|0:3' 'chrX 200 . TA C . PASS . DP:GT 3:0 9:1 2:1 3:0' \
  '2 300 rs3 A C,G,* . . . GT 1/2 0/1 2/2 3/0' '2 301 rs4 A . . PASS . GT 0/0 0/0 0/0 0/0'
table='rs1_A,chrX:200_C,chrX:200:TA:C_C,rs3_C,rs3_G,ill
0,0,0,1,1,2
1,2,2,1,0,1
2,,2,0,2,2
,1,0,0,0,1'
csv calls_of_all_kinds "$table" t.vcf --pheno t.pheno
tr '\n' '\r' <t.vcf | sed 's/\r/\r\n/g' >crlf.vcf
csv line_ends_of_windows "$table" crlf.vcf --pheno t.pheno
csv only_pass "rs1_A,chrX:200_C,rs3_C,rs3_G,ill
0,0,1,1,2
1,2,1,0,1
2,2,0,2,2
,0,0,0,1" t.vcf --pheno t.pheno --vcf-filter
csv region "rs3_C,rs3_G,ill
1,1,2
1,0,1
0,2,2
0,0,1" t.vcf --pheno t.pheno --region 2:300
csv chromosome_by_any_name "chrX:200_C,chrX:200:TA:C_C,ill
0,0,2
2,2,1
,2,2
1,0,1" t.vcf --pheno t.pheno --chr 23
printf 'p1\np2\n' >t.keep
csv keep_by_one_name "rs1_A,chrX:200_C,chrX:200:TA:C_C,rs3_C,rs3_G,ill
0,0,0,1,1,2
1,2,2,1,0,1" t.vcf --pheno t.pheno --keep t.keep
echo '{"target": "ill", "positive": "2", "negative": "1", "clauses": [["rs1_A:dom"]]}' >rule.json
"$ireland" predict rule.json t.vcf --quiet >out 2>err
if [ "$(grep -c '^p[1-4]' out)" = 4 ]; then pass predict_without_phenotypes; else fail predict_without_phenotypes "$(cat out err)"; fi

# Dosages of calls of one allele are from 0 to 1 and count twice, as the calls do; those of BCF, too.
ds='X 200 rsx G A . PASS . GT:DS 0:0.1 1:0.9 0/1:1.2 1/1:1.9'
vcf '1 100 rs1 G A . PASS . DS 0.2 0.8 1.79 2'
csv dosage_within 'rs1_A,ill
0,2
1,1
,2
2,1' t.vcf --pheno t.pheno --dosage 0.2
vcf '1 100 rs1 G A . PASS . GT:DS 0/0:0.1 0|1:1.3 1/1:1.9 ./.:1' "$ds" 'MT 300 rsm G A . PASS . DS 0 1 1.6 2'
table='rs1_A,rsx_A,rsm_A,ill
0,0,0,2
1,2,1,1
2,1,2,2
1,2,2,1'
csv haploid_dosages "$table" t.vcf --pheno t.pheno --dosage 0.5
csv haploid_dosages_cut "$(sed '2,$s/^1,2,1,1/,2,1,1/; 4s/,2,2$/,,2/' <<<"$table")" t.vcf --pheno t.pheno --dosage 0.2
if of_bcftools haploid_dosages_bcf; then
  sed -i 's/^##file.*/&\n##contig=<ID=1>\n##contig=<ID=X>\n##contig=<ID=MT>\n##FILTER=<ID=PASS,Description="p">\n##FORMAT=<ID=GT,Number=1,Type=String,Description="g">\n##FORMAT=<ID=DS,Number=A,Type=Float,Description="d">/' t.vcf
  bcftools view -Ob -o t.bcf t.vcf 2>/dev/null
  csv haploid_dosages_bcf "$table" t.bcf --pheno t.pheno --dosage 0.5
fi

# ---- PLINK's words --------------------------------------------------------------------------------
awk '{ $6 -= 1; print }' a.fam >z.fam; cp a.bim z.bim; cp a.bed z.bed
"$ireland" fit --bfile a -K 1 -M 2 --quiet >x 2>err && "$ireland" fit --bfile z --1 -K 1 -M 2 --quiet >y 2>>err
if [ -s x ] && cmp -s x y; then pass zero_one; else fail zero_one "$(cat err; diff x y)"; fi
"$ireland" fit --bfile z -K 1 -M 1 >out 2>err
if [ $? = 3 ] && grep -q -- '--1' err; then pass says_one; else fail says_one "$(cat err)"; fi
"$ireland" convert --bfile a x.csv --quiet && "$ireland" convert a.bed y.csv --quiet && cmp -s x.csv y.csv && pass bfile || fail bfile "$(cmp x.csv y.csv 2>&1)"
"$ireland" fit a.bed -K 1 -M 1 -o r.json --quiet >out && "$ireland" evaluate r.json --bfile a --quiet >x && "$ireland" evaluate r.json a.bed --quiet >y && cmp -s x y && pass bfile_second || fail bfile_second "$(cat x y)"
for word in --assoc --out --allow-no-sex --mpheno --pfile --indep-pairwise --r2 --snps-only --pca --filter-males; do
  "$ireland" fit a.bed $word 1 >out 2>err
  if [ $? = 2 ] && grep -q "plink's; here" err; then pass "answers$word"; else fail "answers$word" "$(cat err)"; fi
done
if command -v plink1.9 >/dev/null; then
  python3 "$here/cli/plink_filters.py" "$ireland" filters "${IRL_FUZZ_SEED:-1}" "${IRL_FUZZ_ROUNDS:-5}" >out 2>err
  if [ $? = 0 ]; then pass filters_of_plink; else fail filters_of_plink "$(cat out err)"; fi
else
  skip filters_of_plink "plink1.9 is not installed"
fi

# ---- names as plink writes them ----------------------------------------------------------------------
# plink --recode vcf calls the samples FID_IID; files of FID and IID match them, and so do those of the names as they are.
if command -v plink1.9 >/dev/null; then
  plink1.9 --bfile a --recode vcf --out named >/dev/null 2>&1
  awk '{ print $1, $2, $6 }' a.fam >n.pheno
  awk 'NR % 3 { print $1, $2 }' a.fam >n.keep
  "$ireland" convert named.vcf got.csv --pheno n.pheno --keep n.keep --covar a.covar --quiet 2>err &&
    "$ireland" convert a.bed wanted.csv --keep n.keep --covar a.covar --quiet 2>>err
  if grep -q "^#CHROM.*$(awk 'NR == 1 { print $1 "_" $2 }' a.fam)" named.vcf && [ "$(wc -l <got.csv)" = "$(($(wc -l <n.keep) + 1))" ] && cmp -s <(awk -F, '{ print $NF }' got.csv | tail -n +2) <(awk -F, '{ print $NF }' wanted.csv | tail -n +2); then pass names_of_plink; else fail names_of_plink "$(cat err; head -2 got.csv wanted.csv)"; fi
else
  skip names_of_plink "plink1.9 is not installed"
fi
vcf '1 100 rs1 G A . PASS . GT 0/0 0|1 1/1 ./.'; sed -i 's/p1\tp2\tp3\tp4/f_p1\tf_p2\tp3\tg_h_p4/' t.vcf
printf 'f p1 2\nf p2 1\nx p3 2\ng h_p4 1\n' >w.pheno
csv joined_names 'rs1_A,phenotype
0,2
1,1
2,2
,1' t.vcf --pheno w.pheno

# ---- what is wrong ----------------------------------------------------------------------------------
# refused NAME PART WORDS...: exit code 3, one line with that part.
refused() {
  local name=$1 part=$2 code
  shift 2
  "$ireland" convert "$@" out.irb >out 2>err
  code=$?
  if [ $code != 3 ]; then fail "$name" "exit code $code: $(cat err)"
  elif ! tail -n 1 err | grep -q -- "$part"; then fail "$name" "text: $(cat err)"
  else pass "$name"; fi
}
good='1 100 rs1 G A . PASS . GT 0/0 0|1 1/1 ./.'
vcf "${good/GT/DP}"; refused no_gt 't.vcf:3:24: FORMAT has no GT' t.vcf
vcf "$good" "$good"; refused variant_twice "t.vcf:4:1: variant 'rs1' with allele A is there twice" t.vcf
vcf "${good/0\/0/0\/0\/0}"; refused ploidy 't.vcf:3:.*more than two alleles' t.vcf
vcf "${good/0\/0/0}"; refused mixed_ploidy 't.vcf:3:29: this call has one allele where others have two' t.vcf
sed -i 's/^##file.*/&\n##contig=<ID=1>\n##FORMAT=<ID=GT,Number=1,Type=String,Description="g">/' t.vcf
if of_bcftools mixed_ploidy_bcf; then
  bcftools view -Ob -o t.bcf t.vcf 2>/dev/null; refused mixed_ploidy_bcf 't.bcf: record 1: this call has one allele where others have two' t.bcf
fi
vcf "${ds/1:0.9/1:1.9}"; refused haploid_dosage 't.vcf:3:.*the dosage of a call of one allele is not from 0 to 1' t.vcf --dosage 0.5
printf 'x y\n' >w.genes
"$ireland" fit a.bed -K 2 -M 2 --genes w.genes >out 2>err
if [ $? = 3 ] && [ "$(cat err)" = "w.genes: there are no genes: lines of BED (chromosome, start, end, name) or GFF, with tabs between, are read" ]; then pass genes_before_search; else fail genes_before_search "$(cat err)"; fi
vcf "${good/0\/0/0\/5}"; refused unknown_allele 't.vcf:3:.*an allele that the line does not have' t.vcf
vcf "${good/0\/0/x}"; refused no_call 't.vcf:3:.*no call' t.vcf
vcf "$good 0/0"; refused too_many 't.vcf:3:.*as many samples' t.vcf
vcf "${good/ .\/./}"; refused too_few 't.vcf:3:.*as many samples' t.vcf
vcf "${good/100/1e2}"; refused position 't.vcf:3:3: the position' t.vcf
vcf; refused no_variants 'there are no variants' t.vcf
vcf "$good"; refused nothing_left 'no variant is one of those' t.vcf --chr 7
vcf "$good"; sed -i 's/p2/p1/' t.vcf; refused sample_twice "person 2, 'p1', is there twice" t.vcf
vcf "$good"; sed -i 1d t.vcf; refused no_version 't.vcf:1:1: this is no VCF' t.vcf
vcf "$good"; sed -i 2d t.vcf; refused no_header 't.vcf:2:1: there is no header' t.vcf
vcf "$good"; { cat t.vcf; sed 's/p4/p4\tp5/' t.vcf; } >s.vcf; refused joined_by_cat 's.vcf:5:1: there is a second header line #CHROM' s.vcf
vcf "$good"; cut -f 1-8 t.vcf >s.vcf; refused sites_alone 's.vcf:2:1: there are no samples' s.vcf
vcf "$good"
printf 'FID IID x\nf p9 2\nf p8 1\n' >w.pheno; refused nobody_matches 'w.pheno:1:1: nobody here is in t.vcf' t.vcf --pheno w.pheno
printf 'p1 p1 2\np2 p2 3.5\n' >w.pheno; refused quantity 'w.pheno:2:1: the phenotype .3.5. is not' t.vcf --pheno w.pheno
printf 'p1 p1 2\np1 p1 2\n' >w.pheno; refused person_twice "w.pheno:2:1: 'p1' is there twice" t.vcf --pheno w.pheno
printf 'FID IID x\np1 p1 2\np1 p1 3\n' >w.covar; refused covariates_twice "w.covar:3:1: 'p1' is there twice" t.vcf --pheno t.pheno --covar w.covar
printf 'p1 p1 2\np2 p2 2\n' >w.pheno; refused one_class 'only one class' t.vcf --pheno w.pheno
awk '$6 == 2' a.fam >w.keep; refused one_class_left "a.fam:1:1: there is only one class: every phenotype is 2 among the $(grep -c . w.keep) of 203 people" a.bed --keep w.keep
refused one_class_of_file 'a.pheno:1:1: there is only one class: every phenotype is 2 among' a.vcf --pheno a.pheno --keep w.keep
printf 'FID IID x\np1 p1 2\n' >w.pheno; refused no_such_name "no phenotype 'y'; there are x" t.vcf --pheno w.pheno --pheno-name y
refused no_such_covariate "a.covar:1:1: there is no covariate 'pup'; there are pop, age, smoker" a.bed --covar a.covar --covar-name age,pup
# A covariate without any value is left out, so that --missing drop leaves out nobody for it.
awk 'NR == 1 { print $0 " none" } NR > 1 { print $0 " NA" }' a.covar >w.covar
"$ireland" info a.bed --covar w.covar --missing drop --chr 1 >out 2>err
if [ $? = 0 ] && grep -q "w.covar: column 'none' has no value at all and is left out" err; then pass empty_covariate; else fail empty_covariate "$(cat err)"; fi
vcf "$good"; sed -i 's/p1\tp2/p1\tf_p1/' t.vcf
printf 'f p1 2\nx p3 1\n' >w.pheno; refused ambiguous_name "w.pheno:1:1: t.vcf has the samples 'p1' and 'f_p1', and family 'f', name 'p1' may be either" t.vcf --pheno w.pheno
printf 'f p1\n' >w.keep; refused ambiguous_keep 'w.keep:1:1: t.vcf has the samples' t.vcf --pheno t.pheno --keep w.keep
vcf "$good"; sed -i 's/p1\tp2/a_b_c\tp2/' t.vcf
printf 'a_b c 2\na b_c 1\n' >w.pheno; refused one_name_of_two "w.pheno:2:1: 'a_b_c' is there twice" t.vcf --pheno w.pheno
vcf "$good"
printf 'p9 p9\n' >w.keep; refused keep_nobody 'nobody here is in' t.vcf --pheno t.pheno --keep w.keep
printf 'IID,ill\np1,2\np2,1\np7,1\n' >w.pheno
"$ireland" info t.vcf --pheno w.pheno >out 2>err
if grep -q 'w.pheno: 1 people are not in t.vcf: p7' err && grep -q 'w.pheno: 2 people of t.vcf are not there: p3, p4' err; then pass people_listed; else fail people_listed "$(cat err)"; fi
"$ireland" fit t.vcf -K 1 -M 1 >out 2>err
if [ $? = 3 ] && grep -q -- '--pheno' err; then pass asks_for_phenotypes; else fail asks_for_phenotypes "$(cat err)"; fi
for file in a.vcf.gz $bcf; do
  size=$(stat -c %s $file)
  head -c $((size - 28)) $file >cut.${file#a.}; refused "cut_$file" 'cut off' cut.${file#a.}
  head -c $((size / 2)) $file >cut.${file#a.}; refused "half_$file" 'cut off' cut.${file#a.}
done
bcf_header() { # bcf_header LINES SIZE: lines of contigs; SIZE stands for their length if given
  python3 - "$1" "${2:-}" <<'END'
import struct, sys
text = b"##fileformat=VCFv4.2\n" + b"".join(b"##contig=<ID=c%06d>\n" % i for i in range(int(sys.argv[1])))
text += b"#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\ta\tb\n\0"
open("h.bcf", "wb").write(b"BCF\2\2" + struct.pack("<I", int(sys.argv[2] or len(text))) + text)
END
}
if [ -n "$bcf" ]; then
  cp a.vcf n.bcf; refused bcf_is_text 'this is no BCF' n.bcf
  bcf_header 200000; refused bcf_many_contigs 'h.bcf: there are no variants' h.bcf
  bcf_header 2 1073741824; refused bcf_large_header 'h.bcf: the header is damaged, or the file was cut off' h.bcf --memory-limit 50
  bcf_header 2; printf '\1\2\3' >>h.bcf; refused bcf_cut_record 'h.bcf: record 1: it is damaged, or the file was cut off' h.bcf
  bcf_header 2; gzip -c h.bcf >g.bcf; refused bcf_gzip 'g.bcf: BCF is compressed by bgzip, not gzip' g.bcf
  mkfifo p.bcf; cat h.bcf >p.bcf & refused bcf_pipe 'p.bcf: BCF is not read from a pipe' p.bcf; wait; rm p.bcf
else
  refused bcf_without_htslib 'a.bcf: this build reads no BCF: convert it with bcftools view' a.bcf
fi
printf 'FID IID PAT MAT SEX PHENOTYPE rs1_AAAA( rs2_A(/G)\nf a 0 0 1 2 0 1\nf b 0 0 1 1 1 0\n' >t.raw
csv raw_open_bracket 'rs1_AAAA(,rs2_A,phenotype
0,1,2
1,0,1' t.raw
printf 'FID IID PAT MAT SEX PHENOTYPE rs1_A\nf a 0 0 1 2 3\n' >t.raw; refused raw_cell 't.raw:2:13: this is not 0, 1, 2 or NA' t.raw
printf 'FID IID PAT MAT SEX PHENOTYPE rs1_A\nf a 0 0 1 2\n' >t.raw; refused raw_short 't.raw:2:12: the line has fewer' t.raw
printf 'FID IID rs1_A\nf a 1\n' >t.raw; refused raw_header 't.raw:1:9: a .raw file begins' t.raw
"$ireland" info a.bed --chr 1 --from-bp 9 --to-bp 3 >out 2>err
if [ $? = 2 ] && grep -q 'to_bp is before from_bp' err; then pass order_of_places; else fail order_of_places "$(cat err)"; fi
finish
