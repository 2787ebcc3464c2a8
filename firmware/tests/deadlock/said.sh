#!/bin/sh
# SPDX-License-Identifier: MIT
# said.sh FIRMWARE HEDDLE GCC FLAG...: in said.c there is something to find in the kernels unsaid_*, and in no other.
set -eu
export LC_ALL=C
firmware=$1
heddle=$2
gcc=$3
shift 3

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
here=$firmware/tests/deadlock

grep -o '^SIMT_KERNEL(unsaid[a-z_]*' "$here/said.c" | sed 's/.*(//' | sort >"$folder/expected"
for level in -O0 -O1 -O2 -Os; do
    "$gcc" "$@" -std=c17 $level -g -nostdlib -static -Wl,-T,"$firmware/runtime/kernel.ld" -Wl,--build-id=none \
        -Wl,-z,max-page-size=128 -I"$firmware/include" "$here/said.c" -o "$folder/said.elf"
    "$heddle" lint "$folder/said.elf" >"$folder/text" && exit 1
    sed -n 's/^warning\[[a-z_]*deadlock\]: pc 0x[0-9a-f]* (\([a-z_]*\)+.*/\1/p' "$folder/text" | sort -u >"$folder/found"
    echo "$level: $(wc -l <"$folder/text") warnings"
    diff "$folder/expected" "$folder/found" || {
        cat "$folder/text"
        exit 1
    }
done
