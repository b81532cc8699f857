#!/usr/bin/env bash
# Every command of the tutorial (src/doc/genetics.md), in its order, and what its text says of them; strata against brute force; r2 against plink.
. "$(dirname "$0")/../shell.sh"
begin genetics
here=$(cd "$(dirname "$0")/.." && pwd)
if ! command -v python3 >/dev/null; then
  skip all "python3 is not there"
  finish
fi
cd "$dir" || exit 1
python3 "$here/support/make_genotypes.py" study --people 400 --variants 120 --seed 4
printf '1\t0\t30000\tALPHA\n2\t20000\t60000\tBETA\n3\t0\t90000\tGAMMA\n4\t0\t120000\tDELTA\n' >genes.bed
awk '{ print $2, "GENE" int(NR / 10) }' study.bim >study.groups
n=0
while read -r line; do
  n=$((n + 1))
  # shellcheck disable=SC2086
  "$ireland" ${line#ireland } >"out$n" 2>"err$n"
  code=$?
  if [ $code = 0 ] && [ -s "out$n" ]; then pass "command_$n"; else fail "command_$n" "$line: exit code $code: $(cat "err$n")"; fi
done < <(awk '/^```/ { inside = !inside; next } inside && /^ireland/' "$here/../src/doc/genetics.md")
[ $n -ge 14 ] && pass commands_found || fail commands_found "$n"
has() { if grep -q -- "$2" "$3"; then pass "$1"; else fail "$1" "no '$2' in $3: $(cat "$3")"; fi; }
has info_sexes '^sexes' out1
has info_chromosomes '^chromosome' out1
cmp -s <(sed 's/ill =/phenotype =/; /^sexes/d' out1) <(sed '/^sexes/d' out3) && pass info_same || fail info_same "$(diff out1 out3)"
has proven '^optimal among all' out7
has planted "$(head -n 1 study.planted | cut -d ' ' -f 1)" out7
has partners 'in LD:' out7
has gene 'ALPHA\|BETA\|GAMMA\|DELTA' out7
has page '^  "variants": ' rule.html
has valid '^valid' out8
has p_value 'p-value of the whole search' out9
has strata_named 'errors balanced within strata of pop' out12
has strata_valid '^valid' out13
has het_named '3 of\|of at most 2 of 360 literals' out17
has groups_named 'at most one of each of 13 groups .* in a clause' out19
has groups_valid '^valid' out20
has script_plink 'plink2 "$@"' out21
has script_bcftools 'bcftools query' out22

# genotypes_of NAME PAGE: what the page shows, if there is a browser to ask.
genotypes_of() {
  [ -n "$browser" ] || { skip "$1" "needs chromium"; return; }
  dir=. browse "$2"
  python3 "$here/cli/page_genotypes.py" dom study.raw >out 2>err
  if [ $? = 0 ]; then pass "$1"; else fail "$1" "$(cat out err)"; fi
}
"$ireland" fit study.bed -K 3 -M 2 --ld-r2 0.4 --quiet --report ld.html >out 2>err
genotypes_of page_of_variants ld.html
"$ireland" fit study.vcf --pheno study.pheno -K 2 -M 3 --negations --quiet --report not.html >out 2>err
genotypes_of page_with_negations not.html
python3 "$here/cli/strata_brute.py" "$ireland" brute "${IRL_FUZZ_SEED:-1}" "${IRL_FUZZ_ROUNDS:-6}" >out 2>err
if [ $? = 0 ]; then pass strata_by_brute_force; else fail strata_by_brute_force "$(cat out err)"; fi

if command -v plink1.9 >/dev/null; then
  plink1.9 --bfile study --r2 --ld-window 99999 --ld-window-kb 1000 --ld-window-r2 0.1 --out p >/dev/null 2>&1
  "$ireland" fit study.bed -K 2 -M 2 --ld-r2 0.1 --json --quiet >r2.json 2>err
  python3 - <<'P' >out 2>&1
import json
table = {}
for line in open("p.ld"):
    f = line.split()
    if f[0] != "CHR_A":
        table[f[2], f[5]] = table[f[5], f[2]] = float(f[6])
n = 0
for v in json.load(open("r2.json"))["variants"]:
    own = v["name"].rsplit("_", 1)[0]
    wanted = sorted((r for (a, b), r in table.items() if a == own), reverse=True)
    assert len(wanted) == v["linked"], (own, len(wanted), v["linked"])
    for p in v["ld"]:
        assert abs(table[own, p["name"].rsplit("_", 1)[0]] - p["r2"]) < 1e-5, (own, p)
        n += 1
assert n
P
  if [ $? = 0 ]; then pass r2_of_plink; else fail r2_of_plink "$(cat out)"; fi
else
  skip r2_of_plink "plink1.9 is not installed"
fi
# A covariate tells cases apart; missing values and categories are read.
awk 'NR == 1 { print "IID", "group" } NR > 1 { print $2, ($3 == 2 ? "x" : NR % 9 ? "y" : "NA") }' study.pheno >group.covar
"$ireland" fit study.vcf --pheno study.pheno --covar group.covar -K 1 -M 1 --quiet >out 2>err
has covariate 'group = x' out
finish
