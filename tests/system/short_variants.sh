#!/bin/sh
# SPDX-License-Identifier: MIT
# short_variants.sh VARIANTS: each variant of the lazy transactional memories is at most 25 lines on its machine.
set -eu
wrong=0
count=0
for file in "$1"/*kilo_tm*.yaml "$1"/*warptm*.yaml "$1"/*eapg*.yaml; do
    count=$((count + 1))
    lines=$(wc -l <"$file")
    [ "$lines" -le 25 ] || { echo "$file has $lines lines; 25 are allowed" >&2; wrong=1; }
done
[ "$count" -ge 9 ] || { echo "$1 has $count of them; 9 or more are expected" >&2; wrong=1; }
exit $wrong
