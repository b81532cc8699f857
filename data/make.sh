#!/usr/bin/env bash
# Makes the example data of this folder again: data/make.sh IRELAND FOLDER
set -eu
ireland=${1:?usage: data/make.sh IRELAND FOLDER}
out=${2:?usage: data/make.sh IRELAND FOLDER}
mkdir -p "$out"

"$ireland" generate -N 200 -J 30 -K 3 -M 3 --exact-size --seed 11 --quiet -o "$out/planted_clean.csv" --rule "$out/planted_clean.json"
"$ireland" generate -N 400 -J 30 -K 3 -M 3 --exact-size --noise 0.05 --seed 12 --quiet -o "$out/planted_noisy.csv" --rule "$out/planted_noisy.json"

# Tic-tac-toe: every board at which a game can end, x moving first; one column per square and mark.
awk 'BEGIN {
  split("tl tm tr ml mm mr bl bm br", square); split("x o b", mark)
  split("123 456 789 147 258 369 159 357", line)
  for (s = 1; s <= 9; s++) for (m = 1; m <= 3; m++) printf "%s_%s,", square[s], mark[m]
  print "x_wins"
  for (code = 0; code < 19683; code++) {
    rest = code; n[1] = n[2] = n[3] = 0
    for (s = 9; s >= 1; s--) { board[s] = rest % 3 + 1; n[board[s]]++; rest = int(rest / 3) }
    wins[1] = wins[2] = 0
    for (l = 1; l <= 8; l++) {
      a = board[substr(line[l], 1, 1)]; b = board[substr(line[l], 2, 1)]; c = board[substr(line[l], 3, 1)]
      if (a == b && b == c && a < 3) wins[a] = 1
    }
    if (wins[1] ? wins[2] || n[1] != n[2] + 1 : wins[2] ? n[1] != n[2] : n[3] > 0 || n[1] != 5) continue
    for (s = 1; s <= 9; s++) for (m = 1; m <= 3; m++) printf "%d,", board[s] == m
    print wins[1]
  }
}' >"$out/tic_tac_toe.csv"

# The three monks problems, without noise, over all 432 robots; one column per attribute and value.
for problem in 1 2 3; do
  awk -v problem=$problem 'BEGIN {
    split("3 3 2 3 4 2", size)
    for (i = 1; i <= 6; i++) for (v = 1; v <= size[i]; v++) printf "a%d=%d,", i, v
    print "y"
    for (code = 0; code < 432; code++) {
      rest = code; ones = 0
      for (i = 6; i >= 1; i--) { a[i] = rest % size[i] + 1; rest = int(rest / size[i]); ones += a[i] == 1 }
      if (problem == 1) y = a[1] == a[2] || a[5] == 1
      if (problem == 2) y = ones == 2
      if (problem == 3) y = (a[5] == 3 && a[4] == 1) || (a[5] != 4 && a[2] != 3)
      for (i = 1; i <= 6; i++) for (v = 1; v <= size[i]; v++) printf "%d,", a[i] == v
      print y + 0
    }
  }' >"$out/monks$problem.csv"
done
