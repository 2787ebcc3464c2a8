#!/bin/sh
# SPDX-License-Identifier: MIT
# unoptimised.sh FIRMWARE APPS FOLDER APP...: these built apps of the folder APPS, in FOLDER, with kernels compiled at -O0.
# For unoptimised.yaml. Kernels with transactions, which are not run there, are left as they are by SSDE: it refuses
# loops in transactions.
set -eu
firmware=$1
apps=$2
folder=$3
shift 3
gcc=${HEDDLE_RISCV_PREFIX:-riscv64-unknown-elf-}gcc

for app in "$@"; do
    mkdir -p "$folder/$app"
    {
        echo "#include \"$app/kernel.c\""
        echo '#include "simt_synchronization.h"'
        [ "${app#barnes_hut}" = "$app" ] || echo 'SIMT_NO_TRANSFORM(barnes_hut_tm);'
    } >"$folder/$app/kernel.c"
    "$gcc" -B "$firmware/runtime/assembler/" "@$firmware/runtime/kernel.options" -std=c17 -O0 -g -nostdlib -static \
        -T "$firmware/runtime/kernel.ld" -Wl,-z,max-page-size=128 -I "$firmware/include" -I "$firmware/apps" \
        "$folder/$app/kernel.c" "$("$gcc" -march=rv32imf -mabi=ilp32f -print-libgcc-file-name)" -o "$folder/$app/kernel.elf"
    "$firmware/runtime/check_kernel.sh" "$folder/$app/kernel.elf"
    cp "$apps/$app/host.so" "$folder/$app/"
    rm "$folder/$app/kernel.c"
done
