#!/bin/sh
# SPDX-License-Identifier: MIT
# apps.sh PART BUILD_FOLDER PROGRAM SOURCE_FOLDER: OpenCL programs as apps of runs, sweeps and comparisons
set -eu
part=$1 build=$2 program=$3 source=$4
heddle=$build/heddle
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export XDG_CACHE_HOME="$build/tests/opencl/cache"
cd "$scratch"

fail() {
    echo "$*" >&2
    exit 1
}

# says CODE TEXT WORD...: heddle with these words ends with the code and says the text, in $scratch/out
says() {
    expected=$1 text=$2
    shift 2
    code=0
    "$heddle" "$@" >out 2>&1 || code=$?
    [ "$code" = "$expected" ] || fail "exit code $code of: $*
$(cat out)"
    grep -qF -- "$text" out || fail "not said by: $*
$text
$(cat out)"
}

# app LINE...: the app ./cl, whose app.yaml has these lines
app() {
    mkdir -p cl
    printf '%s\n' "$@" >cl/app.yaml
    [ -e cl/program ] || cp "$program" cl/program
    [ -e cl/kernels.cl ] || cp "$source/tests/opencl/kernels.cl" cl/
}

standard_app() {
    app 'name: adds' 'opencl:' '  command: ./program kernels.cl {part}' 'options:' '  part: {default: add, doc: what it does}'
}

# sweep LINE...: the sweep s.yaml, named s
sweep() {
    { printf 'sweep: 1\nname: s\nset: {machine: gtx480, app: ./cl, core.count: 2}\n' && printf '%s\n' "$@"; } >s.yaml
}

# ends WHY: what the program has started, whose number it left in $scratch/child, ends soon
ends() {
    for _ in $(seq 80); do
        state=$(sed 's/.*) //; s/ .*//' "/proc/$(cat child)/stat" 2>/dev/null) || state=
        case $state in '' | Z) return ;; esac
        sleep 0.1
    done
    kill -KILL "$(cat child)"
    fail "$1: what the program has started goes on"
}

# begins WORD...: heddle with these words is $begun, and its program has started something. A shell has what is in the background ignore INT.
begins() {
    rm -f child
    setsid env --default-signal=INT "$heddle" "$@" >out 2>&1 &
    begun=$!
    for _ in $(seq 100); do
        [ ! -s child ] || return 0
        sleep 0.1
    done
    fail "it does not run: $(cat out)"
}

case $part in
sweep) # points, statistics of kernels, repetitions, a report; nothing runs twice
    standard_app
    sweep 'axes: {core.warps: [8, 48], app.part: [add, reduce]}'
    says 0 "2  core.warps=8 app.part=reduce: adds on gtx480" sweep s.yaml --list
    says 0 "s: 4 runs: 0 there before, 4 done now, 0 left; 0 failed" sweep s.yaml --jobs 1
    says 0 "3,48,add,gtx480,adds,1,1,pass," results s.db --statistic 'add/*cycles' --statistic cycles
    "$heddle" opencl gtx480 --set core.count=2 --set core.warps=8 -- cl/program cl/kernels.cl add >out
    cycles=$(awk '$1 == "add" { print $3 }' out)
    says 0 "1,8,add,gtx480,adds,1,1,pass,$cycles" results s.db --statistic 'add/cycles'
    says 0 "s: 4 runs: 4 there before, 0 done now" sweep s.yaml
    says 0 "s: 8 runs: 0 there before, 8 done now, 0 left; 0 failed" sweep s.yaml --jobs 1 --repeat 2 --store r.db
    says 0 "1,8,add,gtx480,adds,1,2,pass," results r.db --statistic 'add/cycles'
    says 0 "" report r.db --statistic 'add/cycles' -o r.html
    grep -q 'add/cycles' r.html || fail "the report has no cycles of the kernel"
    ;;
inputs) # what a run is known by
    standard_app
    sweep 'axes: {app.part: [add]}'
    says 0 "0 there before, 1 done now" sweep s.yaml
    echo '/* another */' >>cl/kernels.cl
    says 0 "0 there before, 1 done now" sweep s.yaml
    printf 'x' >>cl/program
    says 0 "0 there before, 1 done now" sweep s.yaml
    sed -i 's/{part}/{part} {part}/' cl/app.yaml
    says 0 "0 there before, 1 done now" sweep s.yaml
    app 'opencl: {command: "./program kernels.cl add", inputs: [kernels.cl]}'
    sweep
    says 0 "0 there before, 1 done now" sweep s.yaml
    echo 'no input' >cl/other
    says 0 "1 there before, 0 done now" sweep s.yaml
    # A file that the program leaves is no input; without a list of these the sweep cannot know.
    app 'opencl:' '  command: [sh, -c, "./program kernels.cl add >result"]'
    says 2 "./cl has changed since the sweep began" sweep s.yaml --store left.db
    grep -q "'inputs' of its app.yaml" out || fail "$(cat out)"
    app 'opencl:' '  command: [sh, -c, "./program kernels.cl add >result"]' '  inputs: [program, kernels.cl]'
    says 0 "1 done now, 0 left; 0 failed" sweep s.yaml --store left.db
    ;;
outcomes) # a run passes if the program says so and the machine has not stopped
    app 'opencl: {command: "./program kernels.cl add", prints: "no such text"}'
    says 1 "did not print 'no such text'" run gtx480 ./cl
    grep -q '^FAIL  cl on gtx480$' out || fail "$(cat out)"
    app 'opencl:' "  command: [sh, -c, './program kernels.cl add; exit 7']"
    says 1 "error: sh ended with exit code 7" run gtx480 ./cl --quiet
    app 'opencl:' "  command: [sh, -c, './program kernels.cl add; exit 7']" '  exit_code: 7'
    says 0 "PASS  cl on gtx480" run gtx480 ./cl --stats stats.json
    grep -q '"status": "pass"' stats.json || fail "$(head -c 400 stats.json)"
    app 'opencl: "true"'
    says 1 "has not opened an OpenCL device" run gtx480 ./cl
    app 'opencl:' '  command: ./program kernels.cl {part}' '  timeout: 2' 'options: {part: {default: add}}'
    sweep 'axes: {app.part: [add, stray, endless, crash, sleep]}'
    says 1 "5 done now, 0 left; 4 failed" sweep s.yaml --jobs 1
    says 0 "" results s.db --failed
    grep -q '"stray"}, repetition 1: fault, exit code 1' out || fail "$(cat out)"
    grep -q 'program.cl:' out || fail "$(cat out)"
    grep -q '"endless"}, repetition 1: ' out || fail "$(cat out)"
    grep -q '"crash"}, repetition 1: crash, exit code 134' out || fail "$(cat out)"
    grep -q '"sleep"}, repetition 1: error, exit code 1' out || fail "$(cat out)"
    grep -q 'has not ended after 2 s' out || fail "$(cat out)"
    ;;
killed) # nothing of it goes on; what was done is there
    standard_app
    sweep 'axes: {app.part: [add, sleep]}'
    setsid "$heddle" sweep s.yaml --jobs 2 >out 2>&1 &
    group=$!
    child=
    for _ in $(seq 100); do
        for process in $(pgrep -f '^./program kernels.cl sleep$'); do
            [ "$(readlink "/proc/$process/cwd")" != "$scratch/cl" ] || child=$process
        done
        if [ "$child" ] && "$heddle" results s.db 2>/dev/null | grep -q 'add,.*pass'; then
            break
        fi
        sleep 0.1
    done
    [ "$child" ] || fail "it does not run: $(cat out)"
    kill -KILL "$group"
    for _ in $(seq 50); do
        [ -e "/proc/$child" ] || break
        sleep 0.1
    done
    [ ! -e "/proc/$child" ] || fail "the program goes on"
    sweep 'axes: {app.part: [add, reduce]}'
    says 0 "s: 2 runs: 1 there before, 1 done now" sweep s.yaml
    ;;
processes) # nothing that the program has started outlives a run that ends before it
    app 'opencl:' "  command: [sh, -c, 'sleep 300 & echo \$! >../child; wait; echo fine']" '  inputs: []' '  timeout: 1'
    sweep
    says 1 "has not ended after 1 s" run gtx480 ./cl
    ends "timeout"
    says 1 "1 done now, 0 left; 1 failed" sweep s.yaml
    ends "timeout in a sweep"
    sed -i '/timeout/d' cl/app.yaml
    for signal in INT TERM HUP KILL; do
        begins run gtx480 ./cl
        kill -$signal "$begun"
        wait "$begun" 2>/dev/null || :
        ends "$signal"
        begins sweep s.yaml --store $signal.db
        kill -$signal "$begun"
        wait "$begun" 2>/dev/null || :
        ends "$signal of a sweep"
    done
    # It may take its time if it was told to end, but not for ever.
    app 'opencl:' "  command: [sh, -c, '(trap '''' TERM; exec sleep 300) & echo \$! >../child; wait; echo fine']" '  timeout: 1'
    says 1 "has not ended after 1 s" run gtx480 ./cl
    ends "a process that ignores the signal"
    # What goes on behind a program that has ended by itself is its own business.
    app 'opencl:' "  command: [sh, -c, 'sleep 300 >/dev/null 2>&1 & echo \$! >../child; ./program kernels.cl add']"
    says 0 "PASS  cl on gtx480" run gtx480 ./cl
    kill "$(cat child)" || fail "the program has ended by itself, and what it started was ended"
    ;;
compare)
    standard_app
    says 0 "adds on A and B" compare gtx480 gtx480 ./cl --set-b core.count=1 --jobs 1
    grep -q '^add  *[0-9,]* ' out || fail "$(cat out)"
    says 0 "significant" compare gtx480 gtx480 ./cl --set core.count=2 --set-b core.warps=4 --repeat 2 --jobs 1
    says 1 "error: ./cl did not pass on A (gtx480), fault" compare gtx480 gtx480 ./cl --set app.part=stray --jobs 1
    ;;
folder) # files are named from where the command was started, and the program runs in the folder of its app
    standard_app
    mkdir machines
    printf 'heddle: 1\nname: own\nextends: gtx480\n' >machines/own.yaml
    says 0 "PASS  adds on own" run machines/own.yaml ./cl
    says 0 "PASS  adds on own" run own ./cl
    HEDDLE_MACHINES=machines says 0 "PASS  adds on own" run own ./cl
    cd cl
    says 0 "PASS  adds on own" run ../machines/own.yaml .
    ;;
mistakes)
    app 'opencl: ./program {size}'
    says 2 "./cl/app.yaml:1:9: error[N08]: the command has {size}, and there is no option 'size'" run gtx480 ./cl
    app 'opencl: ./program' 'options: {size: {default: 1}}'
    says 2 "./cl/app.yaml:2:11: error[N08]: option 'size' has no place {size} in the command" run gtx480 ./cl
    app 'opencl: {command: [./program, {size}]}'
    says 2 'error[N09]: the command must be a line or a list of words' run gtx480 ./cl
    grep -q 'note: a word with braces stands in quotes here' out || fail "$(cat out)"
    app 'opencl: {inputs: [x]}'
    says 2 "./cl/app.yaml:1:9: error[N10]: an OpenCL program needs a command" run gtx480 ./cl
    app 'opencl: {comand: x}'
    says 2 "./cl/app.yaml:1:10: error[N08]: an OpenCL program has no 'comand'" run gtx480 ./cl
    app 'opencl: {command: x, timeout: 5 s}'
    says 2 "error[N22]: timeout, in seconds, must be a whole number of at most 604800" run gtx480 ./cl
    app 'opencl: {command: x, exit_code: 256}'
    says 2 "error[N22]: exit_code must be a whole number of at most 255" run gtx480 ./cl
    app 'opencl: ""'
    says 2 "error[N09]: the command names no program" run gtx480 ./cl
    app 'opencl: ./missing'
    says 2 "./missing cannot be started: No such file" run gtx480 ./cl
    sweep
    says 2 "s.yaml:3:29: error[S10]: app ./cl: ./cl/missing cannot be read: No such file" sweep s.yaml
    app 'opencl: no_such_program_anywhere'
    says 2 "error[S10]: app ./cl: no_such_program_anywhere cannot be read" sweep s.yaml
    standard_app
    says 2 "the app has no option 'parts'" run gtx480 ./cl --set app.parts=add
    says 2 "core.no_such_thing" run gtx480 ./cl --set core.no_such_thing=1
    says 2 "app ./cl: it is an OpenCL program, and has no kernels before it runs" disasm ./cl
    for option in --profile --check-tx --series=2us --tlm=always --gdb=0 --with=./cl --firmware=x; do
        says 2 "${option%%=*} cannot be used with app ./cl: it is an OpenCL program" run gtx480 ./cl --out out.d $option
    done
    says 2 "results cannot be written to $scratch/none/x: No such" run gtx480 ./cl --stats "$scratch/none/x"
    sweep 'axes: {with: ["./cl"]}'
    says 2 "an OpenCL program runs alone, and adds is one" sweep s.yaml
    ;;
*)
    fail "there is no part '$part'"
    ;;
esac
