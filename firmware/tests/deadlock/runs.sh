#!/bin/sh
# SPDX-License-Identifier: MIT
# runs.sh FIRMWARE RUNS GCC FLAG...: builds kernels.c at three levels of optimisation with these flags, and runs its kernels.
set -eu
firmware=$1
runs=$2
gcc=$3
shift 3
here=$(dirname "$0")

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

for level in 0 1 2; do
    "$gcc" "$@" -std=gnu17 -O$level -g -nostdlib -static -Wl,-T,"$firmware/runtime/kernel.ld" -Wl,--build-id=none \
        -Wl,-z,max-page-size=128 -I"$firmware/include" -DN=8 -DKERNELS_DO_NOT_ALIAS -DARGUMENTS=0x10017000 \
        "$here/start.S" "$here/kernels.c" -o "$folder/kernels_$level.elf"
done
DEADLOCK_KERNELS=$folder "$runs"
