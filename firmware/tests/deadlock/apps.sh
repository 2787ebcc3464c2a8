#!/bin/sh
# SPDX-License-Identifier: MIT
# apps.sh HEDDLE TABLE FOLDER...: what is found in each kernel of the apps in these folders is what the table says: app, kernel
# and kind of a finding per line; and how many loops there are, without those of the app `deadlock`, is what docs/simt-deadlock.md says.
set -eu
export LC_ALL=C
heddle=$1
table=$2
shift 2

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

number() {
    sed -n "s/^ *\"$1\": \([0-9]*\).*/\1/p" "$folder/json"
}

apps=0
loops=0
on_memory=0
on_reads=0
found=0
for program in $(for apps_folder in "$@"; do ls "$apps_folder"/*/kernel.elf; done); do
    app=${program%/kernel.elf}
    app=${app##*/}
    status=0
    "$heddle" lint "$program" >"$folder/text" || status=$?
    [ "$status" -eq "$(grep -q '^warning' "$folder/text" && echo 1 || echo 0)" ]
    sed -n "s/^warning\[\([a-z_]*\)\]: pc 0x[0-9a-f]* (\([a-z_0-9]*\)+.*/$app \2 \1/p" "$folder/text" >>"$folder/lines"
    "$heddle" lint "$program" --format json >"$folder/json" || true
    [ "$app" != deadlock ] || continue
    apps=$((apps + 1))
    loops=$((loops + $(number all)))
    on_memory=$((on_memory + $(number on_memory)))
    on_reads=$((on_reads + $(number on_reads)))
    found=$((found + $(number found)))
done
row="| $apps apps | $loops | $on_memory | $on_reads | $found |"
echo "$row"
grep -qF "$row" "$(dirname "$0")/../../../docs/simt-deadlock.md" || {
    echo "docs/simt-deadlock.md has another row" >&2
    exit 1
}
grep -v '^#' "$table" | diff - "$(sort -u "$folder/lines" >"$folder/found" && echo "$folder/found")"
[ "$apps" -ge 30 ]
