#!/usr/bin/env bash
# What adds up all other tests, tests/run.sh: programs that pass, fail, skip, crash, vanish, and reports that come in pieces.
. "$(dirname "$0")/../shell.sh"
begin run

# program NAME: what it does is on standard input.
program() { { echo '. tests/shell.sh'; cat; } >"$dir/$1.sh"; }
# runs NAME...: them one after the other under run.sh, which keeps its logs beside its own folder.
runs() {
  mkdir -p "$dir/tree/tests" && cp tests/run.sh "$dir/tree/tests"
  bash "$dir/tree/tests/run.sh" -j 1 "${@/#/$dir/}" >"$dir/out" 2>"$dir/err" </dev/null
  code=$?
}

program passes <<<'pass a; pass b; finish'
program fails <<<'pass a; fail b "it is not so"; finish'
program skips <<<'skip a "no reason"; finish'
program silent <<<'exit 0'
program dies <<<'pass a; kill -SEGV $$'
program kills_all <<<'kill -KILL 0'
program unread <<<'read -r _ && fail input "there is some" || pass input; finish'

runs passes.sh skips.sh unread.sh
check all-pass [ $code = 0 -a "$(tail -n 1 "$dir/out")" = "3 passed, 0 failed, 1 skipped" ]
check reason-to-skip grep -q 'SKIP a: no reason' "$dir/out"
runs passes.sh fails.sh
check one-fails [ $code = 1 -a "$(tail -n 1 "$dir/out")" = "3 passed, 1 failed, 0 skipped" ]
check failure-is-shown grep -q 'FAIL b: it is not so' "$dir/out"
runs silent.sh dies.sh kills_all.sh passes.sh
check crashes-are-failures [ $code = 1 -a "$(tail -n 1 "$dir/out")" = "2 passed, 3 failed, 0 skipped" ]
check crash-has-a-name grep -q 'dies.sh .*exit status 139 (SEGV)' "$dir/out"
runs passes.sh passes.sh
check twice-the-same grep -q 'passes.sh-2 ' "$dir/out"

# A report that comes in two pieces, cut before and after each blank: the program makes it in place of run.sh, through whose
# descriptor it goes. A second and a half is longer than run.sh waits; if it comes sooner the test is easier, not wrong.
if [ -e "/proc/$$/fd" ]; then
  for cut in 1 2 3 4; do
    program "cut-$cut" <<END
pass a
echo 'Pass: 1, fail: 0, skip: 0.'
report="1 0 \${EPOCHREALTIME//[.,]/}"
printf %s "\${report:0:$cut}" >/proc/\$PPID/fd/3
sleep 1.5
printf '%s\n' "\${report:$cut}" >/proc/\$PPID/fd/3
exec sleep 60
END
    runs passes.sh "cut-$cut.sh" passes.sh
    check "report-cut-at-$cut" [ $code = 0 -a "$(tail -n 1 "$dir/out")" = "5 passed, 0 failed, 0 skipped" -a ! -s "$dir/err" ]
  done
else
  skip report-in-pieces "needs /proc"
fi
finish
