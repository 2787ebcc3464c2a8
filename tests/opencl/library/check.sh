#!/bin/sh
# SPDX-License-Identifier: MIT
# check.sh PART BUILD_FOLDER PROGRAM SOURCE_FOLDER
set -eu
part=$1 build=$2 program=$3 source=$4
here=$source/tests/opencl/library
variants=$source/configs/variants
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export XDG_CACHE_HOME="$build/tests/opencl/cache"

# on MACHINE [OPTION...]: all workloads there
on() {
    "$build/heddle" opencl "$@" --quiet -- "$program" "$here"
}

case $part in
equal)
    on gtx480 >"$scratch/here"
    diff "$here/expected.txt" "$scratch/here"
    ;;
elsewhere) # what is expected is what another implementation does
    OCL_ICD_VENDORS=/etc/OpenCL/vendors/pocl.icd "$program" "$here" 2>"$scratch/notes" >"$scratch/there" || {
        cat "$scratch/notes" >&2
        exit 1
    }
    diff "$here/expected.txt" "$scratch/there"
    ;;
machines) # all of them, and other kinds of cores
    # same MACHINE [OPTION...]
    same() {
        echo "on $*"
        on "$@" >"$scratch/here"
        diff "$here/expected.txt" "$scratch/here"
    }
    for machine in "$source"/configs/machines/*.yaml "$variants/gtx480_dma.yaml" "$variants/gtx480_mimd.yaml" \
        "$variants/gtx480_functional.yaml"; do
        same "$machine"
    done
    same gtx480 --set core.lanes=8
    same gtx480 --set core.lanes=64
    same "$variants/gtx480_functional.yaml" --set core.lanes=64
    ;;
repeated) # to the bit
    for run in 1 2; do
        on gtx480 --stats "$scratch/$run.json" >/dev/null
        sed '/"host": {/,/}/d' "$scratch/$run.json" >"$scratch/$run"
    done
    cmp "$scratch/1" "$scratch/2"
    ;;
*)
    echo "there is no part '$part'" >&2
    exit 1
    ;;
esac
