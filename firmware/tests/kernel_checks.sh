#!/bin/sh
# SPDX-License-Identifier: MIT
# kernel_checks.sh FIRMWARE CASE GCC FLAG...: what the checks of the build accept and refuse. FLAG... are the control
# flow flags of the kernels' build.
set -eu
export LC_ALL=C

firmware=$1
case=$2
gcc=$3
shift 3

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

script=$firmware/runtime/kernel.ld

# build SOURCE FLAG...: $folder/kernel.elf
build() {
    source=$1
    shift
    "$gcc" -march=rv32imaf_zicsr -mabi=ilp32f -std=c17 -ffreestanding -I"$firmware/include" -nostdlib -static \
        -Wl,-T,"$script" -Wl,--build-id=none -Wl,-z,max-page-size=128 \
        "$@" "$source" -o "$folder/kernel.elf"
}

check() {
    "$firmware/runtime/check_kernel.sh" "$folder/kernel.elf"
}

# refused TEXT: the check fails and says so.
refused() {
    if check 2>"$folder/said"; then
        echo "accepted, expected: $1" >&2
        exit 1
    fi
    grep -q "$1" "$folder/said" || {
        echo "expected: $1" >&2
        cat "$folder/said" >&2
        exit 1
    }
}

empty=$folder/empty.c
echo '__attribute__((used)) void empty(void) {}' >"$empty"

case $case in
keeps_convergent_operations_single)
    for level in -O1 -O2 -Os; do
        build "$firmware/tests/convergent.c" $level "$@"
        check
    done
    ;;
finds_the_copies_gcc_makes_without_the_flags)
    build "$firmware/tests/convergent.c" -O2
    refused 'a convergent instruction was copied by the compiler'
    ;;
accepts_an_empty_kernel)
    build "$empty" -O2
    check
    ;;
encodes_the_intrinsics_as_the_isa_says)
    build "$firmware/tests/encodings.c" -O2 "$@"
    check
    words=$(riscv64-unknown-elf-objdump -d "$folder/kernel.elf" |
        awk '/^[0-9a-f]+ <.*>:$/ {name = $2} /^ *[0-9a-f]+:/ {print substr(name, 2, length(name) - 3), "0x" $2}')
    # Function, mask and match: the function holds exactly one such instruction.
    while read -r name mask match; do
        found=$(echo "$words" | awk -v name="$name" '$1 == name {print $2}' | while read -r word; do
            [ $((word & mask)) -ne $((match)) ] || echo "$word"
        done | wc -l)
        [ "$found" -eq 1 ] || {
            echo "$name: $found instructions match $match under $mask, expected 1" >&2
            exit 1
        }
    done <"$firmware/tests/encodings.txt"
    ;;
refuses_compressed_instructions)
    build "$empty" -O2 -march=rv32imafc_zicsr
    refused 'built with compressed instructions'
    ;;
refuses_undefined_symbols)
    build "$empty" -O2 -Wl,-u,missing -Wl,--unresolved-symbols=ignore-all
    refused 'undefined symbols: missing'
    ;;
refuses_soft_float)
    build "$empty" -O2 -march=rv32ima_zicsr -mabi=ilp32
    refused "does not say 'single-float ABI'"
    ;;
refuses_another_machine)
    build "$empty" -O2 -march=rv64imaf_zicsr -mabi=lp64f
    refused "does not say 'ELF32'"
    ;;
refuses_code_below_the_global_window)
    sed 's/\. = 0x10000000;/. = 0x00400000;/' "$firmware/runtime/kernel.ld" >"$folder/low.ld"
    script=$folder/low.ld
    build "$empty" -O2
    refused 'below the global window'
    ;;
*)
    echo "no case $case" >&2
    exit 1
    ;;
esac
