#!/bin/sh
# SPDX-License-Identifier: MIT
# check_tests.sh SOURCE FILE.md...: every test that a document names, `suite::test`, exists in tests/.
set -eu
source=$1
shift
bad=0
for document in "$@"; do
    for named in $(grep -oE '`[a-z0-9_]+::[a-z0-9_]+`' "$document" | tr -d '`' | sort -u); do
        suite=${named%%::*}
        grep -rqE "^Test\($suite, ${named##*::}[,)]" "$source/tests" --include='*.c' || {
            echo "$document: there is no test $named" >&2
            bad=1
        }
    done
done
exit $bad
