#!/bin/sh
# SPDX-License-Identifier: MIT
# check_symbols.sh SOURCE_FOLDER LIBHEDDLE LIBHEDDLE_SYSTEMC: the library shows what its headers declare and what the second one calls of
# a machine, and nothing else; and it has a soname. The second one has what it shows of its own, not the same from the first.
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# The command's entry and its end, and what SystemC's library asks for.
{
    echo hd_command_line
    echo hd_command_exit
    echo sc_main
    grep -ohE '\bheddle_[a-z_]+\(' "$1"/platform/include/heddle*.h "$1/platform/tlm/guest/heddle_module.h" | tr -d '('
    nm -D --undefined-only "$3" | awk '{print $2}' | grep '^hd_machine_'
    sed -n '/HD_RT_API/,/;/p' "$1/firmware/include/heddle_rt.h" | grep -ohE '\bhd_[a-z_0-9]+\(' | tr -d '(' | grep -vE '^hd_(app_main|check)$'
} | sort -u >"$scratch/declared"
nm -D --defined-only "$2" | awk '{print $3}' | grep -Ev '^__(asan|ubsan|odr_asan|tsan)' | sort -u >"$scratch/shown"
diff "$scratch/declared" "$scratch/shown" >&2
if nm -D --undefined-only "$3" | grep -E ' (hd_|netlist_|heddle_)' | grep -v ' hd_machine_' >&2; then
    exit 1
fi
objdump -p "$2" | grep -Eq 'SONAME +libheddle\.so\.[0-9]+$'
