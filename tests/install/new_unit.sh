#!/bin/sh
# SPDX-License-Identifier: MIT
# new_unit.sh BUILD SOURCE: docs/add-a-unit.md, step by step, in a copy of the source folder.
set -eu

heddle=$1/heddle
source=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
    echo "FAIL: $*" >&2
    [ ! -s "$scratch/log" ] || tail -n 40 "$scratch/log" >&2
    exit 1
}

quietly() {
    "$@" >"$scratch/log" 2>&1 || fail "$*"
}

refused() {
    text=$1
    shift
    ! "$@" >"$scratch/log" 2>&1 && grep -qF "$text" "$scratch/log" || fail "not refused: $*"
}

mkdir "$scratch/copy"
cd "$scratch/copy"
for part in CMakeLists.txt CMakePresets.json LICENSE THIRD_PARTY cmake configs docs firmware models platform share tests; do
    cp -R "$source/$part" .
done

refused "is not Heddle's source folder" "$heddle" new unit scheduler eldest --to "$scratch"
refused "there is a scheduler 'gto' already" "$heddle" new unit scheduler gto
refused "there are no units of kind 'sheduler'" "$heddle" new unit sheduler eldest
refused "a unit has a kind and a name" "$heddle" new unit scheduler

# Nothing of this build is found there: a program is a path on the page, and apps lie beside it.
begin=$(date +%s)
quietly cmake --preset release -D CMAKE_C_FLAGS_RELEASE=-O0 -D CMAKE_CXX_FLAGS_RELEASE=-O0 -D HEDDLE_LTO=OFF # only to build it sooner
mkdir "$scratch/nothing"
ln -s "$(command -v false)" "$scratch/nothing/heddle"
unset HEDDLE_APPS HEDDLE_MACHINES HEDDLE_PLUGINS
HEDDLE_EXAMPLES_ROOT=$scratch/copy quietly tests/docs/run_examples.sh . "$scratch/nothing/heddle" docs/add-a-unit.md
echo "$(tail -n 1 "$scratch/log"), with the building of Heddle, in $(($(date +%s) - begin)) s"

# What is built to try one file: all that its test needs, and after another change that file and what it is linked into.
steps() {
    wc -l <"$scratch/log"
}
quietly ninja -C build/release -t commands test_simt_core_scheduler
[ "$(steps)" -le 24 ] || fail "the test of a scheduler takes $(steps) steps"
echo '/* again */' >>models/simt_core/scheduler/eldest.c
quietly ninja -C build/release -n test_simt_core_scheduler heddle_command
[ "$(steps)" -le 12 ] || fail "a scheduler that has changed takes $(steps) steps"
refused "there is a scheduler 'eldest' already" "$heddle" new unit scheduler eldest
echo "made, built and run"
