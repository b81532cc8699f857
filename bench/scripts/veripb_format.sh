#!/usr/bin/env bash
# Prints the format of proofs for the `veripb` on the PATH: VERIPB_FORMAT, or 1 for that of 2022, which has to be told to require a
# contradiction, or else 3. Without one it is 3.
[ "${VERIPB_FORMAT:-}" ] && echo "$VERIPB_FORMAT" && exit
if veripb --help 2>/dev/null | grep -q requireUnsat; then echo 1; else echo 3; fi
