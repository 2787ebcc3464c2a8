#!/bin/sh
# SPDX-License-Identifier: MIT
# check_app.sh DIRECTORY KERNEL.ELF NAME: app.yaml has that name, and says what host.c reads, with the same defaults, and
# what kernel.elf holds.
set -eu
export LC_ALL=C

directory=$1
elf=$2
name=$3
binutils=${HEDDLE_RISCV_PREFIX:-riscv64-unknown-elf-}
yaml=$directory/app.yaml

fail() {
    echo "$yaml: $*" >&2
    exit 1
}

# A section of app.yaml: the indented lines behind its key.
section() {
    awk -v key="$1:" '/^[^ #]/ {inside = ($1 == key)} inside && /^ /' "$yaml"
}

[ "$(sed -n 's/^name: //p' "$yaml")" = "$name" ] || fail "the name is not '$name', under which it is built"

declared=$(section options | sed -n 's/^  \([a-z_]*\): {default: \([^,}]*\),.*/\1 \2/p' | sort)
shared=$(sed -n 's/^#include "\(\.\.\/[^"]*\)"/\1/p' "$directory"/host.c)
read_by_host=$(cd "$directory" && cat ./*.[ch] $shared |
    grep -oE '(host|hd)_option(_text)?\("[a-z_]+", [^,)]+' | sed 's/.*("\([a-z_]*\)", \(.*\)/\1 \2/' | sort -u)
[ "$declared" = "$read_by_host" ] || fail "options and defaults differ from host.c:
app.yaml: $(echo "$declared" | tr '\n' ';')
host.c:   $(echo "$read_by_host" | tr '\n' ';')"

functions=$("${binutils}nm" "$elf" | awk '$2 == "T" {print $3}')
for kernel in $(sed -n 's/^kernels: \[\(.*\)\]/\1/p' "$yaml" | tr ',' ' '); do
    echo "$functions" | grep -qx "$kernel" || fail "kernel $kernel is not in kernel.elf"
done

for option in $(section test | grep -oE '[a-z_]+:' | tr -d ':') \
    $(section variants | sed 's/^  [A-Za-z_-]*: //' | grep -oE '[a-z_]+:' | tr -d ':'); do
    echo "$declared" | grep -q "^$option " || fail "test or variants set '$option', which is not an option"
done
