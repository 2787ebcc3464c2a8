#!/bin/sh
# SPDX-License-Identifier: MIT
# check_run_times.sh EXPERIMENT.yaml...: each says in the lines above `sweep:` how long its runs take, or extends one that does.
set -eu
bad=0
for file in "$@"; do
    said_by=$file
    extended=$(sed -n 's/^extends: *//p' "$file")
    [ -z "$extended" ] || said_by=$(dirname "$file")/$extended
    sed '/^sweep:/q' "$said_by" | grep -qE '^#.*[0-9] (s|min|minutes|hours)\b' || {
        echo "$file: how long do its runs take? $said_by does not say" >&2
        bad=1
    }
done
exit $bad
