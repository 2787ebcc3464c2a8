#!/bin/sh
# SPDX-License-Identifier: MIT
# check_kernel.sh KERNEL.ELF: what the machine will not run is an error of the build, not of the run.
set -eu
export LC_ALL=C

elf=$1
binutils=${HEDDLE_RISCV_PREFIX:-riscv64-unknown-elf-}
global_base=10000000

fail() {
    echo "$elf: $*" >&2
    exit 1
}

header=$("${binutils}readelf" -h "$elf")
for wanted in 'ELF32' 'little endian' 'EXEC' 'RISC-V' 'single-float ABI'; do
    case $header in
    *"$wanted"*) ;;
    *) fail "the ELF header does not say '$wanted'" ;;
    esac
done
case $header in
*RVC*) fail "built with compressed instructions" ;;
esac

undefined=$("${binutils}nm" -u "$elf")
[ -z "$undefined" ] || fail "undefined symbols:$(echo "$undefined" | sed 's/^ *[Uvw] / /' | tr '\n' ' ')"

code=$("${binutils}objdump" -d -M no-aliases "$elf")
short=$(echo "$code" | grep -E '^ *[0-9a-f]+:[[:space:]]+[0-9a-f]{4}[[:space:]]' | head -n 1 || true)
[ -z "$short" ] || fail "an instruction that is not of 4 bytes: $short"

segments=$("${binutils}readelf" -lW "$elf" | awk '$1 == "LOAD" {print $3}')
[ -n "$segments" ] || fail "nothing to load"
for address in $segments; do
    [ "$((address))" -ge "$((0x$global_base))" ] || fail "a segment at $address, below the global window"
done
