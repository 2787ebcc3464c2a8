#!/bin/sh
# SPDX-License-Identifier: MIT
# check.sh PART BUILD_FOLDER PROGRAM SOURCE_FOLDER
set -eu
part=$1 build=$2 program=$3 source=$4
here=$source/tests/opencl
heddle=$build/heddle
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export XDG_CACHE_HOME="$build/tests/opencl/cache"

fail() {
    echo "$*" >&2
    exit 1
}

# on MACHINE [OPTION...] -- PART...: the program there; what it and the command say
on() {
    machine=$1
    shift
    options=
    while [ "$1" != -- ]; do
        options="$options $1"
        shift
    done
    shift
    # shellcheck disable=SC2086
    "$heddle" opencl "$machine" $options -- "$program" "$here/kernels.cl" "$@"
}

# refuses CODE TEXT WORD...: the command ends with the code and says the text
refuses() {
    expected=$1 text=$2
    shift 2
    code=0
    "$heddle" opencl "$@" >"$scratch/out" 2>&1 || code=$?
    [ "$code" = "$expected" ] || fail "exit code $code of: $*
$(cat "$scratch/out")"
    grep -qF -- "$text" "$scratch/out" || fail "not said by: $*
$text
$(cat "$scratch/out")"
}

case $part in
equal) # the same integers as elsewhere
    on gtx480 --quiet -- all >"$scratch/here"
    diff "$here/expected.txt" "$scratch/here"
    ;;
elsewhere) # what is expected is what another implementation does
    OCL_ICD_VENDORS=/etc/OpenCL/vendors/pocl.icd "$program" "$here/kernels.cl" all >"$scratch/there"
    diff "$here/expected.txt" "$scratch/there"
    ;;
machines) # every one is a device; the program does the same on other kinds of machines
    for file in "$source"/configs/machines/*.yaml; do
        "$heddle" opencl "$file" -- clinfo >"$scratch/info" || fail "$file"
        grep -q "Device Name  *Heddle $(basename "$file" .yaml)$" "$scratch/info" || fail "$file: $(cat "$scratch/info")"
    done
    for machine in "gtx480 --set core.lanes=8" "$source/configs/variants/gtx480_dma.yaml"; do
        # shellcheck disable=SC2086
        on $machine --quiet -- all >"$scratch/here"
        diff "$here/expected.txt" "$scratch/here"
    done
    ;;
repeated) # to the bit
    for run in 1 2; do
        on gtx480 --quiet --stats "$scratch/$run.json" -- reduce pipeline out_of_order callbacks >/dev/null
        sed '/"host": {/,/}/d' "$scratch/$run.json" >"$scratch/$run"
    done
    cmp "$scratch/1" "$scratch/2"
    on gtx480 -- add | grep -q '^add  *1 ' || fail "no table of kernels"
    ;;
memory)
    on gtx480 --quiet -- memory >"$scratch/out"
    [ "$(grep -c '^CL_MEM_OBJECT_ALLOCATION_FAILURE after' "$scratch/out")" = 2 ]
    [ "$(sort -u "$scratch/out" | grep -c after)" = 1 ] || fail "released memory is not there again"
    grep -q '^CL_INVALID_BUFFER_SIZE$' "$scratch/out"
    ;;
overlap) # of copies with kernels and other copies
    on "$source/configs/variants/gtx480_dma.yaml" --quiet -- overlap >"$scratch/out"
    grep -q '^[3-5] of 5 copies' "$scratch/out" || fail "$(cat "$scratch/out")"
    ;;
stray) # a fault has its place, and the program gets an error
    refuses 1 "program.cl:" gtx480 -- "$program" "$here/kernels.cl" stray
    line=$(grep -n 'out\[distance\] = 1' "$here/kernels.cl" | cut -d: -f1)
    grep -q "program.cl:$line" "$scratch/out" || fail "$(cat "$scratch/out")"
    grep -q '^clFinish: -5$' "$scratch/out"
    ;;
linking) # what is wrong with several programs together
    on gtx480 --quiet -- link_wrong >"$scratch/out"
    grep -q "error: function 'split' is called and not defined" "$scratch/out" || fail "$(cat "$scratch/out")"
    grep -q "error: 'split' is defined by several of the programs" "$scratch/out" || fail "$(cat "$scratch/out")"
    [ "$(grep -c CL_LINK_PROGRAM_FAILURE "$scratch/out")" = 2 ] || fail "$(cat "$scratch/out")"
    ;;
endless) # a hang ends
    refuses 1 "endless" gtx480 --set watchdog=200us -- "$program" "$here/kernels.cl" endless
    ;;
interrupt) # Ctrl-C, which a terminal sends to both
    setsid env --default-signal=INT "$heddle" opencl gtx480 --set watchdog=30ms -- "$program" "$here/kernels.cl" endless \
        >"$scratch/out" 2>&1 &
    group=$!
    for _ in $(seq 100); do
        grep -q '^endless' "$scratch/out" && break
        sleep 0.1
    done
    sleep 0.5
    kill -INT "-$group"
    code=0
    wait "$group" || code=$?
    [ "$code" = 130 ] || fail "exit code $code: $(cat "$scratch/out")"
    grep -q '^interrupted$' "$scratch/out"
    grep -q "^heddle: kernel 'endless' was running, for [0-9.]* us so far$" "$scratch/out" || fail "$(cat "$scratch/out")"
    ;;
local) # memory that no core has, of the kernel itself or by its arguments
    for kind in own argument; do
        on gtx480 --quiet -- "local_$kind" >"$scratch/out" 2>&1
        grep -q '^clEnqueueNDRangeKernel: CL_OUT_OF_RESOURCES$' "$scratch/out" || fail "$(cat "$scratch/out")"
        grep -q "^heddle: kernel 'local_$kind' cannot be launched: a work-group needs [0-9]* bytes of local memory, and a core has 16384$" \
            "$scratch/out" || fail "$(cat "$scratch/out")"
    done
    ;;
print) # what OpenCL has beyond C
    on gtx480 --quiet -- print >"$scratch/out"
    sed 's/^[^ ]* block (0,0,0), thread (0,0,0): //' "$scratch/out" >"$scratch/lines"
    diff - "$scratch/lines" <<LINES
print:
-123456789012345 9305357566071262703 8123456789abcdef
    7|value
1.500000,-2.000000,0.250000,3.000000 5
  1.50, -2.00,  0.25
-1,2,3,4 %
0xff,0x2,0x3,0x4
-123456789012345,9
3.000000,-4.250000
LINES
    ;;
signal) # a program that ends by one
    refuses 134 "error: $program was ended by signal 6 (Aborted)" gtx480 -- "$program" "$here/kernels.cl" crash
    ;;
carried) # what one work-item leaves in local memory is there for the others, round after round of a loop that LLVM would peel
    for machine in gtx480 "gtx480 --set core.lanes=8"; do
        # shellcheck disable=SC2086
        on $machine --quiet -- carry >"$scratch/out"
        grep -qx '1000 of 1000' "$scratch/out" || fail "$machine: $(cat "$scratch/out")"
    done
    ;;
profile) # by line of the source, and with the same times
    on gtx480 --quiet --stats "$scratch/plain.json" -- reduce >/dev/null
    on gtx480 --quiet --stats "$scratch/profile.json" --profile -- reduce >/dev/null
    cp "$here/kernels.cl" "$scratch/program.cl"
    (cd "$scratch" && "$heddle" profile profile.json --source --top 50) >"$scratch/lines"
    line=$(grep -n 'scratch\[i\] = values' "$here/kernels.cl" | cut -d: -f1)
    grep -q "program.cl:$line  *scratch" "$scratch/lines" || fail "$(cat "$scratch/lines")"
    for run in plain profile; do
        grep '"simulated_ps"' "$scratch/$run.json" >"$scratch/$run"
    done
    cmp "$scratch/plain" "$scratch/profile"
    refuses 2 "--profile: it is a part of the results" gtx480 --profile -- true
    ;;
command) # its own mistakes
    refuses 2 "no_such_machine" no_such_machine -- true
    refuses 2 "core.no_such_thing" gtx480 --set core.no_such_thing=1 -- true
    refuses 2 "no program is named" gtx480
    refuses 2 "no program is named" gtx480 --
    refuses 2 "cannot be started" gtx480 -- "$scratch/no_such_program"
    refuses 2 "--seed x: it must be a number" gtx480 --seed x -- true
    refuses 2 "has no option '--stat'" gtx480 --stat x -- true
    refuses 2 "--stats $scratch/none/x:" gtx480 --stats "$scratch/none/x" -- true
    mkfifo "$scratch/fifo"
    ln -s "$scratch/real" "$scratch/link"
    refuses 2 "no regular file" gtx480 --stats "$scratch/fifo" -- true
    refuses 2 "no regular file" gtx480 --stats "$scratch/link" -- true
    refuses 3 "has left no results" gtx480 -- sh -c 'exit 3'
    refuses 143 "has left no results" gtx480 -- sh -c 'kill $$'
    ;;
*)
    fail "there is no part '$part'"
    ;;
esac
