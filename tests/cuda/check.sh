#!/bin/sh
# SPDX-License-Identifier: MIT
# check.sh PART BUILD_FOLDER SOURCE_FOLDER: a program of this folder, or one of the parts below
set -eu
part=$1 build=$2 source=$3
here=$source/tests/cuda
heddle=$build/heddle
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export XDG_CACHE_HOME="$build/tests/cuda/cache"

fail() {
    echo "$*" >&2
    exit 1
}

# passes WORD...: heddle cuda with these words ends well, and the program has passed
passes() {
    "$heddle" cuda "$@" >"$scratch/out" 2>&1 || fail "exit code $? of: $*
$(cat "$scratch/out")"
    grep -q '^PASS$' "$scratch/out" || fail "$*
$(cat "$scratch/out")"
}

# refuses CODE TEXT WORD...: the command of heddle ends with the code and says the text
refuses() {
    expected=$1 text=$2
    shift 2
    code=0
    "$heddle" "$@" >"$scratch/out" 2>&1 || code=$?
    [ "$code" = "$expected" ] || fail "exit code $code of: $*
$(cat "$scratch/out")"
    grep -qF -- "$text" "$scratch/out" || fail "not said by: $*
$text
$(cat "$scratch/out")"
}

# line_of TEXT FILE
line_of() {
    grep -nF -- "$1" "$here/$2" | cut -d: -f1
}

case $part in
machines) # warps of other widths, lanes that go their own way, other cards, and none of the core's time
    mkdir "$scratch/programs"
    for program in reduction matmul atomics search templates structs; do
        "$heddle" cudac "$here/$program.cu" -o "$scratch/programs/$program"
    done
    for lanes in 8 16 64; do
        for program in "$scratch"/programs/*; do
            passes gtx480 --set core.lanes=$lanes --quiet -- "$program"
        done
    done
    for machine in tesla_c2050 southern_islands_cu v100_8_sm "$source/configs/variants/gtx480_dma.yaml" \
        "$source/configs/variants/gtx480_functional.yaml"; do
        passes "$machine" --quiet -- "$scratch/programs/structs"
        passes "$machine" --quiet -- "$scratch/programs/matmul"
    done
    for program in matmul atomics search templates structs; do
        passes gtx480 --set core.reconvergence=mimd --quiet -- "$scratch/programs/$program"
    done
    ;;
mistakes) # are those of the compiler, or named
    refuses 2 "syntax.cu:4:14: error: use of undeclared identifier 'undeclared'" cuda gtx480 -- "$here/mistakes/syntax.cu"
    refuses 2 "Heddle has no textures" cuda gtx480 -- "$here/mistakes/texture.cu"
    grep -q "texture.cu:2" "$scratch/out" || fail "$(cat "$scratch/out")"
    refuses 2 "host_function.cu:9:12: error: no matching function for call to 'on_host'" \
        cuda gtx480 -- "$here/mistakes/host_function.cu"
    refuses 2 "Heddle has no cuBLAS" cuda gtx480 -- "$here/mistakes/library.cu"
    refuses 2 "undefined.cu:7: error: function 'elsewhere(int)' is called and not defined" \
        cuda gtx480 -- "$here/mistakes/undefined.cu"
    grep -q "undefined.cu:8: error: variable 'somewhere' is used and not defined" "$scratch/out" || fail "$(cat "$scratch/out")"
    refuses 2 "nested.cu:8:5: error: reference to __global__ function 'inner' in __global__ function" \
        cuda gtx480 -- "$here/mistakes/nested.cu"
    refuses 2 "initial.cu:8: error: variable 'start': a struct that begins with an address in it is not supported" \
        cuda gtx480 -- "$here/mistakes/initial.cu"
    ;;
faults) # and hangs have their place, and the program gets an error
    refuses 1 "stray.cu:$(line_of 'out[distance]' mistakes/stray.cu)" cuda gtx480 -- "$here/mistakes/stray.cu"
    [ "$(grep -c '^cudaErrorLaunchFailure$' "$scratch/out")" = 2 ] || fail "$(cat "$scratch/out")"
    refuses 1 "endless.cu:$(line_of 'while (' mistakes/endless.cu)" \
        cuda gtx480 --set watchdog=200us -- "$here/mistakes/endless.cu"
    grep -q '^cudaErrorLaunchTimeout$' "$scratch/out" || fail "$(cat "$scratch/out")"
    refuses 1 "assertion.cu:$(line_of '    assert(' mistakes/assertion.cu)" cuda gtx480 -- "$here/mistakes/assertion.cu"
    grep -qF 'assertion failed: value == 1 && "as it is to be"' "$scratch/out" || fail "$(cat "$scratch/out")"
    ;;
compiler) # in place of nvcc: objects, several files, options of both compilers, arguments of the program
    cd "$scratch"
    "$heddle" cudac -arch=sm_35 -O3 -Xcompiler -Wall,-O2 -gencode arch=compute_70,code=sm_70 -c "$here/vector_add.cu"
    "$heddle" cudac --std=c++14 -I "$here" vector_add.o -o program -lm -lcudart
    passes gtx480 --quiet -- ./program 77
    echo 'int answer() { return 42; }' >answer.cpp
    printf '%s\n' '#include <cstdio>' 'int answer();' 'int main(int n, char **words)' \
        '{ puts(answer() == 42 && n == 3 && *words[2] == 66 ? "PASS" : "no"); }' >main.cu
    passes gtx480 --quiet -- main.cu answer.cpp -- A B
    refuses 2 "-rdc=true: device code of several files cannot be linked" cudac -rdc=true main.cu
    refuses 2 "-lcublas: Heddle has no cuBLAS" cudac main.cu -lcublas
    refuses 2 "--no-such-option: there is no such option" cudac main.cu --no-such-option
    refuses 2 "-o: its value is missing" cudac main.cu -o
    refuses 2 "-c compiles one file at a time" cudac -c main.cu answer.cpp
    refuses 2 "there is no file to compile" cudac
    ;;
command) # its own mistakes
    refuses 2 "no_such_machine" cuda no_such_machine -- "$here/vector_add.cu"
    refuses 2 "no program is named" cuda gtx480
    refuses 2 "cannot be started" cuda gtx480 -- "$scratch/no_such_program"
    refuses 2 "$scratch/none.cu" cuda gtx480 -- "$scratch/none.cu"
    refuses 2 "-c and -o are for heddle cudac" cuda gtx480 -- -c "$here/vector_add.cu"
    ;;
printing) # numbers of 64 bits too
    passes gtx480 --quiet -- "$here/printing.cu"
    while read -r text; do
        grep -q ": $text\$" "$scratch/out" || fail "'$text' is not printed:
$(cat "$scratch/out")"
    done <<END
3 of 8: 1.50
-1099511627776 9223372036854775808|-1099511627776
8000000000000000 -7|8
67108864 of 0x10000000
END
    refuses 2 "printing.cu:3: error: value 1 of a printf has 64 bits: '%d' is not of that many" \
        cuda gtx480 -- "$here/mistakes/printing.cu"
    ;;
interrupted) # while it compiles, it leaves nothing
    export TMPDIR="$scratch/temporary" XDG_CACHE_HOME="$scratch/cache"
    mkdir "$TMPDIR"
    for signal in INT TERM HUP; do
        for words in "cuda gtx480 -- $here/matmul.cu" "cudac $here/matmul.cu -o $scratch/program"; do
            # shellcheck disable=SC2086 # these are words
            env --default-signal "$heddle" $words >"$scratch/out" 2>&1 &
            until [ -n "$(find "$TMPDIR" -name '*.ll*')" ]; do
                kill -0 $! || fail "it ended before: $(cat "$scratch/out")"
                sleep 0.01
            done
            kill -$signal $!
            code=0
            wait $! || code=$?
            [ "$code" -gt 128 ] || fail "exit code $code after $signal: $(cat "$scratch/out")"
            [ -z "$(ls -A "$TMPDIR")" ] || fail "left after $signal: $(find "$TMPDIR")"
            rm -rf "$XDG_CACHE_HOME"
        done
    done
    ;;
repeated) # to the bit; and kernels have the names that the source gives them
    for run in 1 2; do
        passes gtx480 --quiet --stats "$scratch/$run.json" -- "$here/templates.cu"
        sed '/"host": {/,/}/d' "$scratch/$run.json" >"$scratch/$run"
    done
    cmp "$scratch/1" "$scratch/2"
    passes gtx480 -- "$here/templates.cu"
    grep -q '^scale<float;3>  *1 ' "$scratch/out" || fail "$(cat "$scratch/out")"
    ;;
*)
    [ -r "$here/$part.cu" ] || fail "there is no part '$part'"
    passes gtx480 --quiet -- "$here/$part.cu"
    ;;
esac
