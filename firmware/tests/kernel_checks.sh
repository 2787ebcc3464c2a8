#!/bin/sh
# SPDX-License-Identifier: MIT
# kernel_checks.sh FIRMWARE CASE HEDDLE GCC FLAG...: what the checks of the build and of loading accept and refuse, and
# what is said of kernels. FLAG... are the options of the kernels' build.
set -eu
export LC_ALL=C

firmware=$1
case=$2
heddle=$3
gcc=$4
shift 4

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

script=$firmware/runtime/kernel.ld

# build SOURCE FLAG...: $folder/kernel.elf
build() {
    source=$1
    shift
    "$gcc" -march=rv32imaf_zicsr -mabi=ilp32f -std=c17 -ffreestanding -nostdlib -static \
        -Wl,-T,"$script" -Wl,--build-id=none -Wl,-z,max-page-size=128 \
        "$@" -I"$firmware/include" "$source" -o "$folder/kernel.elf"
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

# count_sites: of the kernel just built, `uses` of convergent operations in the source, and `copies`, instructions.
count_sites() {
    riscv64-unknown-elf-objcopy --dump-section ".heddle.convergent=$folder/sites" "$folder/kernel.elf" /dev/null
    od -An -v -tu4 -w8 "$folder/sites" >"$folder/records"
    uses=$(awk '{print $2}' "$folder/records" | sort -u | wc -l)
    copies=$(wc -l <"$folder/records")
}

# headers_with WORDS...: simt.h and its parts in $folder, changed by sed.
headers_with() {
    for header in simt.h simt_print.h tm.h heddle_args.h; do
        sed "$@" "$firmware/include/$header" >"$folder/$header"
    done
}

# count_uses NAME WORDS: those instructions in the kernel just built, and uses of NAME in merged.c.
count_uses() {
    uses=$(grep -c "^ .*$1(" "$firmware/tests/merged.c")
    found=$(riscv64-unknown-elf-objdump -d "$folder/kernel.elf" | grep -cE "^ *[0-9a-f]+:[[:space:]]+($2)[[:space:]]" || true)
}

# saving_entries ELF: the kernels in it that save a register of a caller: a store to the stack is what first names it.
saving_entries() {
    riscv64-unknown-elf-nm "$1" | sed -n 's/.* heddle_kernel_//p' >"$folder/entries"
    riscv64-unknown-elf-objdump -d --no-show-raw-insn -M no-aliases "$1" | awk -v entries="$folder/entries" '
        BEGIN { while ((getline name < entries) > 0) is_entry["<" name ">:"] = 1 }
        /^[0-9a-f]+ <.*>:$/ { name = is_entry[$2] ? substr($2, 2, length($2) - 3) : ""; split("", named) }
        name != "" && split($0, word, /[ \t,()]+/) {
            if (word[2] ~ /^f?sw$/ && word[5] == "sp" && word[3] ~ /^(ra|f?s[0-9]+)$/ && !named[word[3]])
                print name
            for (i in word)
                named[word[i]] = 1
        }' | sort -u
}

# expect_warnings FILE KIND PREFIX: the functions that `heddle lint` warns of are those that begin with PREFIX, all of them.
expect_warnings() {
    grep -o "^SIMT_KERNEL($3[a-z_0-9]*" "$1" | sed 's/.*(//' | sort >"$folder/expected"
    sed -n "s/^warning\\[$2\\]: pc 0x[0-9a-f]* (\\([a-z_0-9]*\\)+0x[0-9a-f]*, [a-z_]*\\.c:[0-9]*).*/\\1/p" "$folder/said" |
        sort -u >"$folder/found"
    diff "$folder/expected" "$folder/found" >&2 || {
        cat "$folder/said" >&2
        exit 1
    }
}

case $case in
keeps_convergent_operations_single)
    for level in -O1 -O2 -Os; do
        build "$firmware/tests/convergent.c" $level "$@"
        check
        "$heddle" lint "$folder/kernel.elf" --certain
        count_sites
        echo "$level with the flags: $uses uses of convergent operations, $copies instructions"
        [ "$copies" -eq "$uses" ]
        [ "$uses" -eq "$(grep -cE 'simt_(barrier|vote|shuffle|warp_sync|ballot)[a-z_]*\(' "$firmware/tests/convergent.c")" ]
    done
    ;;
keeps_each_use_in_its_place)
    for level in -O1 -O2 -Os; do
        build "$firmware/tests/merged.c" $level -g "$@"
        check
        "$heddle" lint "$folder/kernel.elf" --certain
        while read -r name words; do
            count_uses "$name" "$words"
            echo "$level: $name, $uses uses, $found instructions"
            [ "$uses" -eq "$found" ] && [ "$uses" -gt 0 ]
        done <<-END
tm_begin 0010000b
tm_commit 0000100b
tm_abort 0010200b
simt_barrier 0000300b
simt_vote_any 000[0-9a-f]4[0-9a-f]0b|000[0-9a-f]c[0-9a-f]8b
simt_printf 8015700b
simt_trace_mark 0040700b
simt_assert c005700b
END
    done
    ;;
merges_what_has_no_number_of_its_own)
    headers_with 's/^#define SIMT_OWN .*/#define SIMT_OWN [own] "i"(0)/'
    build "$firmware/tests/merged.c" -Os -g "-I$folder" "$@"
    "$heddle" lint "$folder/kernel.elf" --certain >"$folder/said" 2>&1 && exit 1
    cat "$folder/said"
    grep -qE 'tx.commit at 0x[0-9a-f]+ \(commits_of_two_arms\+0x[0-9a-f]+, merged.c:[0-9]+\) has two tx.begin, at ' "$folder/said"
    for name in tm_commit:0000100b simt_printf:8015700b simt_trace_mark:0040700b; do
        count_uses "${name%:*}" "${name#*:}"
        echo "${name%:*}: $uses uses, $found instructions"
        [ "$found" -lt "$uses" ]
    done
    ;;
finds_the_copies_gcc_makes_without_the_flags)
    copied=0
    headers_with 's/^#define SIMT_NO_COPY .*/#define SIMT_NO_COPY ""/'
    for level in -O1 -O2 -Os; do
        build "$firmware/tests/convergent.c" $level -g "-I$folder"
        count_sites
        echo "$level without the flags: $uses uses of convergent operations, $copies instructions"
        status=0
        "$heddle" lint "$folder/kernel.elf" --certain >"$folder/said" 2>&1 || status=$?
        if [ "$copies" -eq "$uses" ]; then
            [ "$status" -eq 0 ]
            continue
        fi
        copied=$((copied + 1))
        cat "$folder/said"
        [ "$status" -eq 2 ]
        grep -qE 'the compiler has copied one [a-z.]+ of the source to pc 0x[0-9a-f]{8} \([a-z_]+\+0x[0-9a-f]+, convergent.c:([0-9]+)\) and pc 0x[0-9a-f]{8} \([a-z_]+\+0x[0-9a-f]+, convergent.c:\1\)' \
            "$folder/said"
    done
    [ "$copied" -gt 0 ]
    ;;
warns_of_loops_that_wait_for_ever)
    for level in -O1 -O2 -Os; do
        build "$firmware/tests/waiting.c" $level -g "$@"
        "$heddle" lint "$folder/kernel.elf" --certain >"$folder/said" && exit 1
        expect_warnings "$firmware/tests/waiting.c" simt_deadlock lock_
        expect_warnings "$firmware/tests/waiting.c" stale_spin stale_
    done
    ;;
warns_of_a_done_flag_that_gcc_has_optimised_away)
    for level in -O1 -O2 -Os; do
        build "$firmware/tests/done_flag.c" $level -g "$@"
        "$heddle" lint "$folder/kernel.elf" --certain >"$folder/said" || true
        case $level in
        -O1) expect_warnings "$firmware/tests/done_flag.c" simt_deadlock none ;;
        *) expect_warnings "$firmware/tests/done_flag.c" simt_deadlock done_flag ;;
        esac
        sed 's/uint32_t done = 0/volatile uint32_t done = 0/' "$firmware/tests/done_flag.c" >"$folder/done_flag.c"
        build "$folder/done_flag.c" $level "$@"
        "$heddle" lint "$folder/kernel.elf" --certain
    done
    ;;
hides_a_value_from_the_compiler)
    printf '#include "simt.h"\nvoid f(uint32_t *out)\n{\n    uint32_t five = 5;\n    *out = simt_opaque(five) + 11;\n}\n' >"$folder/hidden.c"
    for level in -O1 -O2 -Os; do
        build "$folder/hidden.c" $level "$@"
        riscv64-unknown-elf-objdump -d --no-show-raw-insn -M no-aliases "$folder/kernel.elf" | tee "$folder/said"
        grep -q 'addi.*,zero,5$' "$folder/said" && grep -q 'addi.*,11$' "$folder/said"
    done
    ;;
keeps_a_done_flag_in_its_register)
    sed 's/while (!done)/while (!simt_opaque(done))/' "$firmware/tests/done_flag.c" >"$folder/done_flag.c"
    grep -q 'while (!simt_opaque(done))' "$folder/done_flag.c"
    grep -q 'while (!simt_opaque_spins(atomically_done))' "$firmware/apps/common/atomically.h" # the others' loops
    for source in "$folder/done_flag.c" "$firmware/apps/hashtable/kernel.c" "$firmware/apps/atm/kernel.c"; do
        for level in -O1 -O2 -Os; do
            build "$source" $level "-I$firmware/apps" "$@"
            check
            "$heddle" lint "$folder/kernel.elf" --certain
            "$heddle" disasm "$folder/kernel.elf" >"$folder/said"
            grep -w amocas.w "$folder/said"
            if grep -w sp "$folder/said"; then
                echo "$source at $level: on the stack" >&2
                exit 1
            fi
        done
    done
    ;;
meets_where_the_paths_say)
    build "$firmware/tests/control_flow.S" -g
    "$FLOW_ORACLE" "$folder/kernel.elf" | tee "$folder/said"
    grep -q " $(grep -c '^ *parts ' "$firmware/tests/control_flow.S") stated meeting points" "$folder/said"
    for level in -O1 -O2 -Os; do
        build "$firmware/tests/control_flow.c" $level -g -DMARKERS "$@"
        "$FLOW_ORACLE" "$folder/kernel.elf" | tee "$folder/said"
        grep -q " $(grep -c '^ *PARTS(' "$firmware/tests/control_flow.c") stated meeting points" "$folder/said"
        build "$firmware/tests/control_flow.c" $level -g
        "$FLOW_ORACLE" "$folder/kernel.elf"
        build "$firmware/tests/control_flow.c" $level -g -fno-optimize-sibling-calls -funroll-loops
        "$FLOW_ORACLE" "$folder/kernel.elf"
    done
    ;;
meets_where_the_paths_say_in_every_app)
    "$FLOW_ORACLE" "$APPS"/*/kernel.elf "$SYSTEM_APPS"/*/kernel.elf
    ;;
moves_as_linkers_do_in_every_app)
    # link BASE OUTPUT FLAG...
    link() {
        sed "s/\\. = 0x10000000;/. = $1;/" "$script" >"$folder/there.ld"
        output=$2
        shift 2
        "$gcc" -march=rv32imaf_zicsr -mabi=ilp32f -nostdlib -static -Wl,-T,"$folder/there.ld" -Wl,--build-id=none \
            -Wl,-z,max-page-size=128 "$@" "$folder/kernel.o" \
            "$("$gcc" -march=rv32imf -mabi=ilp32f -print-libgcc-file-name)" -o "$folder/$output"
    }
    for app in "$firmware"/apps/*/kernel.c "$firmware"/tests/moved.c; do
        "$gcc" "$@" -std=c17 -O2 -g -I"$firmware/include" -I"$firmware/apps" -c "$app" -o "$folder/kernel.o"
        link 0x10000000 here.elf -Wl,--emit-relocs
        link 0x10203000 there.elf
        link 0x7ffff000 far.elf
        "$MOVE_ORACLE" "$folder/here.elf" "$folder/there.elf" "$folder/far.elf" "$folder/here.elf" || {
            echo "$app" >&2
            exit 1
        }
        if "$MOVE_ORACLE" "$folder/there.elf" "$folder/here.elf" 2>"$folder/said"; then
            echo "a file without relocations was moved" >&2
            exit 1
        fi
    done
    ;;
shows_where_lanes_meet)
    build "$firmware/tests/listing.S" -g
    "$heddle" disasm "$folder/kernel.elf" | diff "$firmware/tests/listing.txt" -
    "$heddle" disasm "$folder/kernel.elf" --function stop | diff - "$firmware/tests/listing_of_stop.txt"
    "$heddle" disasm "$folder/kernel.elf" --function stopp >"$folder/said" 2>&1 && exit 1
    grep -q "did you mean 'stop'" "$folder/said"
    ;;
have_entries_that_save_nothing)
    kernels=0
    for program in "$APPS"/*/kernel.elf "$SYSTEM_APPS"/*/kernel.elf; do
        saving_entries "$program" >"$folder/saving"
        kernels=$((kernels + $(wc -l <"$folder/entries")))
        # One is called by another kernel: then it has a caller.
        case $program in
        */calls/*) echo called | diff - "$folder/saving" ;;
        *) diff /dev/null "$folder/saving" ;;
        esac
    done
    echo "$kernels kernels"
    [ "$kernels" -gt 20 ]
    for level in -O1 -O2 -Os; do
        build "$firmware/tests/entries.c" $level "$@"
        check
        saving_entries "$folder/kernel.elf" | diff /dev/null -
        build "$firmware/tests/entries.c" $level
        saving=$(saving_entries "$folder/kernel.elf" | wc -l)
        echo "$level without the options: $saving kernels save registers"
        [ "$saving" -ge 4 ]
    done
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
