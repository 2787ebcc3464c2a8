#!/bin/sh
# SPDX-License-Identifier: MIT
# train.sh SOURCE BUILD PROFILE OPTION...: builds in BUILD, with these options of cmake, a Heddle that counts how often each line of it
# runs, and runs some programs with it, each for a moment. What it has counted is in PROFILE; trained.h there is new.
set -eu
source=$1
build=$2
profile=$3
shift 3

cmake -S "$source" -B "$build" -G Ninja "$@" -D HEDDLE_TRAINING="$profile"
cmake --build "$build" --target heddle_command app_xorshift app_stream app_vecadd app_matmul app_bfs app_hashtable app_atm
rm -rf "$profile"
mkdir -p "$profile"

# run MACHINE APP OPTION...
run() {
    machine=$1
    shift
    echo "running $1 on $machine"
    "$build/heddle" run "$source/configs/$machine.yaml" "$@" --quiet
}
run machines/gtx480 xorshift --set app.steps=128
run machines/gtx480 stream --set app.n=65536
run machines/gtx480 vecadd
run machines/gtx480 matmul --set app.n=64
run machines/gtx480 bfs --set app.scale=11
run machines/gtx480 hashtable
run machines/gtx480 atm --set app.transfers=2048
run variants/gtx480_getm hashtable --set app.sync=tm
run variants/gtx480_functional stream --set app.n=65536
run variants/gtx480_functional hashtable
echo '/* There are new counts in this folder. */' >"$profile/trained.h"
