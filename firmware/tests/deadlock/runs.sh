#!/bin/sh
# SPDX-License-Identifier: MIT
# runs.sh FIRMWARE RUNS GCC FLAG...: builds each kernel of kernels.c that kernel_runs.c has by itself, at three levels of optimisation,
# and runs them.
set -eu
firmware=$1
runs=$2
gcc=$3
shift 3
here=$(dirname "$0")

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

for kernel in $(sed -n 's/^    {"\([A-Z0-9a-z]*\)", .*/\1/p' "$here/kernel_runs.c"); do
    by_thread=
    case $kernel in D07 | N02) by_thread='sub a5, a5, t1' ;; esac
    for level in 0 1 2; do
        "$gcc" "$@" -std=gnu17 -O$level -g -ffunction-sections -nostdlib -static -Wl,-T,"$firmware/runtime/kernel.ld" \
            -Wl,--build-id=none -Wl,-z,max-page-size=128 -Wl,--gc-sections -Wl,-u,start -I"$firmware/include" -DN=8 \
            -DKERNEL_ALONE="$kernel" -DARGUMENTS=0x10017000 -DBY_THREAD="$by_thread" "$here/start.S" "$here/kernels.c" \
            -o "$folder/${kernel}_$level.elf"
    done
done
DEADLOCK_KERNELS=$folder "$runs"
