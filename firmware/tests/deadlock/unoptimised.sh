#!/bin/sh
# SPDX-License-Identifier: MIT
# unoptimised.sh FIRMWARE APPS FOLDER APP...: these built apps of the folder APPS, in FOLDER, with kernels compiled at -O0.
# For configs/experiments/deadlock-unoptimised.yaml.
set -eu
firmware=$1
apps=$2
folder=$3
shift 3
gcc=${HEDDLE_RISCV_PREFIX:-riscv64-unknown-elf-}gcc

for app in "$@"; do
    mkdir -p "$folder/$app"
    "$gcc" -B "$firmware/runtime/assembler/" "@$firmware/runtime/kernel.options" -std=c17 -O0 -g -nostdlib -static \
        -T "$firmware/runtime/kernel.ld" -Wl,-z,max-page-size=128 -I "$firmware/include" -I "$firmware/apps" \
        "$firmware/apps/$app/kernel.c" "$("$gcc" -march=rv32imf -mabi=ilp32f -print-libgcc-file-name)" -o "$folder/$app/kernel.elf"
    "$firmware/runtime/check_kernel.sh" "$folder/$app/kernel.elf"
    cp "$apps/$app/host.so" "$folder/$app/"
done
