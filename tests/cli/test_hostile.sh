#!/usr/bin/env bash
# Names that are code in one language or another stay data in all of them; data at the edges of what there can be.
. "$(dirname "$0")/../shell.sh"
begin hostile
export OMP_WAIT_POLICY=passive

# ---- names ---------------------------------------------------------------------------------------
# Each name is a column that decides the label: y = name 1 and name 2, or name 3, ...
if command -v python3 >/dev/null; then
  cat >"$dir/names.py" <<'PY'
import csv, json, random, sys
names = ['"; DROP TABLE x; --', "'); import os; os.abort() #", '*/ int z; /*', '</script><script>alert(1)</script>', ']]> <!-- -->',
         'two\nlines', 'back\\slash\\', '%s%n%d', '${HOME} $(false) `false`', 'caf\u00e9 \u2028 \U0001F600', '??/ trigraph ??)', 'tab\there', "it's", 'a"b', '//',
         '<svg onload=alert(1)>', '&lt;', 'x' * 10000, '{0}', '__proto__']
random.seed(3)
with open(sys.argv[1], 'w', newline='') as f:
    w = csv.writer(f)
    w.writerow(names + ['y'])
    for _ in range(300):
        row = [random.randint(0, 1) for _ in names]
        w.writerow(row + [int(any(all(row[i:i + 2]) for i in range(0, len(names), 2)))])
json.dump({'clauses': [[a, '!' + b] for a, b in zip(names[::2], names[1::2])]}, open(sys.argv[2], 'w'))
PY
  python3 "$dir/names.py" "$dir/n.csv" "$dir/rule.json" || exit 1
  run predict "$dir/rule.json" "$dir/n.csv"
  check predict [ $code = 0 ]
  awk 'NR > 1 { print $2 }' "$dir/out" >"$dir/expected"
  check both-classes [ "$(sort -u "$dir/expected" | wc -l)" = 2 ]
  for language in c python r javascript text; do
    run export "$dir/rule.json" --to $language -o "$dir/rule.$language"
    check "export-$language" [ $code = 0 ]
  done
  # Databases read a backslash in a name in different ways: such a name is refused, the others are code as ever.
  run export "$dir/rule.json" --to sql -o "$dir/rule.sql"
  check "export-sql-backslash" [ $code = 3 ]
  sed 's/back\\\\slash\\\\/backslash/g' "$dir/rule.json" >"$dir/sql.json"
  run export "$dir/sql.json" --to sql -o "$dir/rule.sql"
  check "export-sql" [ $code = 0 ]

  python3 - "$dir/n.csv" >"$dir/cells" <<'PY'
import csv, sys
rows = list(csv.reader(open(sys.argv[1], newline='')))
for row in rows[1:]: print(' '.join(row[:-1]))
PY
  { echo '#include <stdio.h>'; echo '#include <string.h>'; cat "$dir/rule.c"
    python3 - "$dir/n.csv" <<'PY'
import csv, sys
names = next(csv.reader(open(sys.argv[1], newline='')))[:-1]
print('static const char *const names[] = {%s};' % ',\n'.join('"' + ''.join('\\%03o' % b for b in n.encode()) + '"' for n in names))
PY
    cat <<'C'
int main(void) {
  enum { N = sizeof names / sizeof *names, M = sizeof rule_features / sizeof *rule_features };
  int cells[N], x[M];
  for (;;) {
    for (unsigned i = 0; i < N; i++)
      if (scanf("%d", &cells[i]) != 1) return 0;
    for (unsigned i = 0; i < M; i++) {
      x[i] = -1;
      for (unsigned j = 0; j < N; j++)
        if (!strcmp(names[j], rule_features[i])) x[i] = cells[j];
      if (x[i] < 0) return 1;
    }
    printf("%d\n", rule_predict(x));
  }
}
C
  } >"$dir/main.c"
  "$cc" -Wall -Wextra -Werror -Wno-parentheses -Wno-overlength-strings "$dir/main.c" -o "$dir/main" 2>"$dir/err" && "$dir/main" <"$dir/cells" >"$dir/got"
  agree "C"
  { cat "$dir/rule.python"; echo 'import csv, sys
for row in csv.DictReader(open(sys.argv[1], newline="")): print(predict({k: int(v) for k, v in row.items()}))'; } >"$dir/main.py"
  python3 "$dir/main.py" "$dir/n.csv" >"$dir/got" 2>"$dir/err"
  agree "Python"
  python3 -c 'import csv, json, sys; json.dump(list(csv.DictReader(open(sys.argv[1], newline=""))), open(sys.argv[2], "w"))' "$dir/n.csv" "$dir/rows.json"
  if command -v node >/dev/null; then
    { cat "$dir/rule.javascript"; echo 'for (const row of JSON.parse(require("fs").readFileSync(process.argv[2], "utf8"))) {
  const x = Object.create(null);
  for (const name of Object.keys(row)) x[name] = +row[name];
  console.log(predict(x));
}'; } >"$dir/main.js"
    node "$dir/main.js" "$dir/rows.json" >"$dir/got" 2>"$dir/err"
    agree "JavaScript"
  else skip "JavaScript" "needs node"; fi
  cat >"$dir/sql.py" <<'PY'
import csv, sqlite3, sys
rows = list(csv.reader(open(sys.argv[1], newline='')))
db = sqlite3.connect(':memory:')
db.execute('CREATE TABLE x (secret INTEGER)')
db.execute('CREATE TABLE t (%s)' % ', '.join('"%s" INTEGER' % n.replace('"', '""') for n in rows[0]))
db.executemany('INSERT INTO t VALUES (%s)' % ', '.join('?' * len(rows[0])), rows[1:])
for row in db.execute('SELECT ' + open(sys.argv[2]).read() + ' FROM t ORDER BY rowid'): print(row[0])
db.execute('SELECT secret FROM x')
PY
  sed '1,2s/back\\slash\\/backslash/' "$dir/n.csv" >"$dir/sql.csv"
  python3 "$dir/sql.py" "$dir/sql.csv" "$dir/rule.sql" >"$dir/got" 2>"$dir/err"
  agree "SQL"
  if command -v Rscript >/dev/null; then
    { cat "$dir/rule.r"; echo "cells <- as.data.frame(as.matrix(read.table('$dir/cells')))"
      python3 - "$dir/n.csv" <<'PY'
import csv, sys
names = next(csv.reader(open(sys.argv[1], newline='')))[:-1]
print('names(cells) <- c(%s)' % ',\n'.join('"%s"' % ''.join(c if c.isalnum() and ord(c) < 128 else '\\U{%X}' % ord(c) for c in n) for n in names))
PY
      echo "cat(predict_rule(cells), sep = '\n')"; } >"$dir/main.R"
    LC_ALL=C.UTF-8 Rscript "$dir/main.R" >"$dir/got" 2>"$dir/err"
    agree "R"
  else skip "R" "needs Rscript"; fi

  # Pages and pictures: nothing of a name becomes an element, an attribute or the end of a comment.
  run curve "$dir/n.csv" -K 4 -M 2 --effort quick --report "$dir/page.html" --svg "$dir/curve.svg" --csv "$dir/points.csv"
  check page-and-picture [ $code = 0 ]
  cat >"$dir/page.py" <<'PY'
import sys, xml.dom.minidom
from html.parser import HTMLParser
class Look(HTMLParser):
    seen, bad = set(), []
    def handle_starttag(self, tag, attributes):
        self.seen.add(tag)
        self.bad += [n for n, _ in attributes if n.startswith('on') and tag == 'svg'] + ([tag] if tag in ('iframe', 'object', 'embed') else [])
        if tag == 'script': self.bad += [a for a in attributes if a not in (('type', 'application/json'), ('id', 'result'))]
look = Look()
text = open(sys.argv[1], encoding='utf-8').read()
look.feed(text)
bad = look.bad + [t for t in ('<script>alert', '<svg onload') if t in text]
xml.dom.minidom.parse(sys.argv[2])
print('bad:', bad)
sys.exit(bool(bad))
PY
  check page-is-clean python3 "$dir/page.py" "$dir/page.html" "$dir/curve.svg"
  run fit "$dir/n.csv" -K 4 -M 2 --effort quick --json --quiet
  check json-is-json python3 -c 'import json, sys; json.load(open(sys.argv[1], encoding="utf-8"))' "$dir/out"
  run convert "$dir/n.csv" "$dir/n.irb"
  run convert "$dir/n.irb" "$dir/back.csv"
  check names-come-back python3 -c 'import csv, sys; a, b = [list(csv.reader(open(f, newline=""))) for f in sys.argv[1:]]; sys.exit(a != b)' "$dir/n.csv" "$dir/back.csv"
else
  skip names "needs python3"
fi
printf 'a\xff\xfe\x01b,\x80\xc3,c,y\n1,0,1,1\n0,1,1,0\n1,1,0,1\n0,0,1,0\n' >"$dir/rubbish.csv"
run fit "$dir/rubbish.csv" -K 1 -M 1 --json --report "$dir/rubbish.html" -o "$dir/rubbish.json"
check rubbish-in-names [ $code = 0 ]
run predict "$dir/rubbish.json" "$dir/rubbish.csv"
check rubbish-comes-back [ "$(awk 'NR > 1 { printf "%s", $2 }' "$dir/out")" = 1010 ]

# ---- nothing is written but what was named -------------------------------------------------------
if command -v strace >/dev/null && [[ $ireland != *san* ]]; then
  "$ireland" generate -N 60 -J 10 -o "$dir/w.irb" --quiet
  mkdir "$dir/named"
  for command in "fit $dir/w.irb -K 1 -M 2 -o $dir/named/a --report $dir/named/b --checkpoint $dir/named/c --save-pool $dir/named/d --threads 1" \
    "curve $dir/w.irb -K 1 -M 2 --effort quick --csv $dir/named/e --svg $dir/named/f --threads 1" "convert $dir/w.irb $dir/named/g.csv" \
    "model $dir/w.irb --form sp -o $dir/named/h.mps" "generate -N 20 -J 5 -o $dir/named/i.irb" "info $dir/w.irb" "clause $dir/w.irb --threads 1"; do
    # shellcheck disable=SC2086
    strace -f -o "$dir/calls" -e trace=open,openat,creat,rename,renameat,renameat2,mkdir,mkdirat,link,linkat,symlink,symlinkat,unlink,unlinkat \
      "$ireland" $command >/dev/null 2>&1 </dev/null
    grep -v 'O_RDONLY\|ENOENT\|^[0-9]* *[-+]\|/dev/null' "$dir/calls" | grep -v "\"$dir/named" >"$dir/err"
    check "writes-${command%% *}" [ -s "$dir/calls" -a ! -s "$dir/err" ]
  done
else
  skip writes "needs strace and a program without sanitizers"
fi

# ---- a link that another user has left in a folder for everybody is not followed -----------------
printf 'a,y\n1,1\n0,0\n' >"$dir/two.csv"
mkdir "$dir/shared" && chmod 1777 "$dir/shared"
printf 'precious\n' >"$dir/precious"
ln -s ../precious "$dir/shared/own.csv"
ln -s ../precious "$dir/shared/planted.csv"
if chown -h 65534 "$dir/shared/planted.csv" 2>/dev/null; then
  expect planted-link 3 "belongs to another user" convert "$dir/two.csv" "$dir/shared/planted.csv"
  check planted-link-leads-to-the-same [ "$(cat "$dir/precious")" = precious ]
else
  skip planted-link "only root gives links away"
fi
expect own-link 0 "" convert "$dir/two.csv" "$dir/shared/own.csv"
check own-link-stays [ -L "$dir/shared/own.csv" -a "$(head -n 1 "$dir/precious")" = a,y ]

# ---- edges ---------------------------------------------------------------------------------------
printf 'a,y\n1,1\n' >"$dir/one.csv"
expect one-sample 3 "class" fit "$dir/one.csv"
expect two-samples 0 optimal fit "$dir/two.csv"
printf 'a,b,y\n1,0,0\n0,1,0\n' >"$dir/controls.csv"
expect no-cases 3 "class" fit "$dir/controls.csv"
printf 'y\n1\n0\n' >"$dir/labels.csv"
expect no-features 3 "one column" fit "$dir/labels.csv"
awk 'BEGIN { print "a,b,c,y"; for (i = 0; i < 50; i++) { v = i % 2; print v "," v "," v "," (i % 4 == 1 || i % 10 == 0) } }' >"$dir/equal.csv"
expect equal-features 0 optimal fit "$dir/equal.csv" --prove -K 3 -M 3
awk 'BEGIN { print "a,b,y"; for (i = 0; i < 50; i++) print "1,0," i % 2 }' >"$dir/same.csv"
expect equal-samples 3 "constant" fit "$dir/same.csv"
expect evaluate-one-class 0 tp evaluate "$dir/rubbish.json" "$dir/rubbish.csv" --json
finish
