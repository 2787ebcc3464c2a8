#!/bin/sh
# SPDX-License-Identifier: MIT
# detection.sh FIRMWARE DETECTION TABLE GCC FLAG...: builds kernels.c at three levels of optimisation with these flags, and
# compares what is found in it with the table.
set -eu
firmware=$1
detection=$2
table=$3
gcc=$4
shift 4

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

for level in 0 1 2; do
    "$gcc" "$@" -std=gnu17 -O$level -g -nostdlib -static -Wl,-T,"$firmware/runtime/kernel.ld" -Wl,--build-id=none \
        -Wl,-z,max-page-size=128 -I"$firmware/include" "$firmware/tests/deadlock/kernels.c" -o "$folder/kernels_$level.elf"
done
"$detection" "$table" "$folder/kernels_0.elf" "$folder/kernels_1.elf" "$folder/kernels_2.elf"
