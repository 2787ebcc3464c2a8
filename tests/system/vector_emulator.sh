#!/bin/sh
# SPDX-License-Identifier: MIT
# vector_emulator.sh EMULATOR PROGRAMS: the programs for vector cores, without pinning, pass in an emulator of user programs too, with
# every vector length that it has: code, checker and the model's instructions are those of the extension, and not of the model.
set -eu

emulator=$1
programs=$2
runs=0
for program in v_strchr v_strcmp v_strcpy v_strlen v_strstr v_spmv v_sssp; do
    for bits in 128 256 512 1024; do
        "$emulator" -cpu "rv32,v=true,vlen=$bits,vext_spec=v1.0" "$programs/${program}_unpinned.elf" || {
            echo "$program fails with $bits bits: $?" >&2
            exit 1
        }
        runs=$((runs + 1))
    done
done
[ "$runs" -eq 28 ]
echo "$runs runs pass"
