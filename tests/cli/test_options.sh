#!/usr/bin/env bash
# No option without effect: the walk of option_walk.py over option x command x input, and mixes of options that exclude each other.
. "$(dirname "$0")/../shell.sh"
begin options
subject=(fit)
printf 'a,b,c,y\n1,0,1,1\n1,1,0,1\n0,1,1,0\n0,0,1,0\n1,1,1,1\n' >"$dir/d.csv"

# refuses NAME PART OPTIONS...: exit code 2 and a sentence that names the option and what stands against it.
refuses() {
  local name=$1 part=$2
  shift 2
  expect "$name" 2 "$part" "$dir/d.csv" "$@"
}

refuses sample-without-paper "option paper_sample has no effect without profile paper" --paper-sample 5
for option in binary plain no-start; do
  refuses "$option-without-bp" "option ${option/-/_} has no effect without method bp1 to bp6" --$option
done
refuses complexity-without-brcg "option complexity has no effect without method brcg" --complexity 3
for option in 'penalty 0.1' 'min-sensitivity 0.5' 'loss hamming' 'max-literals 2' 'checkpoint c'; do
  name=${option% *}
  refuses "$name-bp" "option ${name/-/_} has no effect with methods bp1 to bp6" --method bp2 --$name ${option#* }
done
for option in 'penalty 0.1' 'min-specificity 0.5' 'loss weighted' 'budgets 0.1' 'effort quick'; do
  name=${option% *}
  refuses "$name-brcg" "option ${name/-/_} has no effect with method brcg" --method brcg --$name ${option#* }
done
run fit "$dir/d.csv" -M 2 --quiet --save-pool "$dir/pool.json"
for option in 'budgets 0.1' 'profile paper' 'prove '; do
  name=${option% *}
  refuses "$name-pool" "option $name has no effect with option pool" --pool "$dir/pool.json" --$name ${option#* }
done
refuses literals-pool "more than M" --pool "$dir/pool.json" -M 1
refuses negations-pool "made without negations" --pool "$dir/pool.json" --negations
for option in 'all-optimal 3' 'within 0.1' 'certificate c'; do
  name=${option% *}
  refuses "$name-without-proof" "option ${name/-/_} has no effect without option prove" --$name ${option#* }
done
refuses quick-proof "option prove has no effect with effort quick" --effort quick --prove
refuses proof-plain "option prove has no effect with options plain and no_start" --method bp1 --plain --prove
refuses profile-brcg "option profile has no effect with method brcg" --method brcg --profile paper
refuses equivalent-hamming "option equivalent has no effect with the Hamming loss" --loss hamming --equivalent 0.1
refuses positive-rest "option positive has no effect with option vs_rest" --positive 1 --vs-rest 0

# ---- values ----
refuses words "option K takes a whole number from 1 to 64, not 'two'" -K two
refuses too-many "option K takes a whole number from 1 to 64, not '100'" -K 100
refuses method-near "ireland, brcg, bp1, bp2, bp3, bp4, bp5 or bp6, not 'irland'; did you mean ireland?" --method irland
refuses loss-near "weighted or hamming, not 'haming'; did you mean hamming?" --loss haming
refuses nothing-near "option effort takes full or quick, not 'xyz'" --effort xyz

# ---- other commands ----
subject=()
expect other-command 2 "option --prove has no effect on info; it is for fit, cv, clause, curve" info "$dir/d.csv" --prove
expect budget-count 2 "option budget has no effect with option budget_count" clause "$dir/d.csv" --budget 0.5 --budget-count 1
expect form-sp 2 "option weights has no effect with form sp" model "$dir/d.csv" --form sp --weights unit -o "$dir/m.mps"
expect form-sp-K 0 "warning: option K has no effect with form sp" model "$dir/d.csv" --form sp -K 2 -M 2 -o "$dir/m.mps"
expect form-bp-budget 0 "warning: option budget has no effect with form bp1" model "$dir/d.csv" --form bp1 --budget 0.5 -o "$dir/m.mps"
expect form-bp 2 "option pool has no effect without form mp" model "$dir/d.csv" --form bp1 --pool "$dir/pool.json" -o "$dir/m.mps"
expect plot-json 2 "option --plot has no effect with --json" curve "$dir/d.csv" --plot --json
expect export-json 2 "option --json has no effect on export" export "$dir/pool.json" --to c --json
printf 'NAME m\nROWS\n N cost\n L row\nCOLUMNS\n x cost -1 row 1\nRHS\n rhs row 2\nENDATA\n' >"$dir/lp.mps"
for option in '--relax ' '--node-limit 3'; do
  expect "lp${option% *}" 2 "has no effect on a model without integers" solve "$dir/lp.mps" $option
done
expect lp--memory-limit 0 optimal solve "$dir/lp.mps" --memory-limit 100
run help fit && cp "$dir/out" "$dir/expected"
run fit --help && cp "$dir/out" "$dir/got"
agree help-of-a-command

# ---- the walk ----
if ! command -v python3 >/dev/null; then skip walk "python3 is missing"; finish; fi
if python3 "$(dirname "$0")/option_walk.py" "$ireland" "$dir/walk" >"$dir/log" 2>&1; then pass walk; else fail walk "$(cat "$dir/log")"; fi
finish
