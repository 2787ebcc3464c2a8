#!/bin/sh
# SPDX-License-Identifier: MIT
# context_members.sh SOURCE_FOLDER COMPILER: whoever adds a member to the state of a thread block and forgets that blocks move
# cannot build the core. A member is put into each struct in turn, at its beginning and at its end, and must be refused.
set -u
source=$1
compiler=$2
core=$source/models/simt_core
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
bad=0

# 0 if the rows are complete for the headers that are in the scratch folder.
compiles() {
    cp "$core/context_members.h" "$scratch"
    for header in "$scratch"/*.h; do # a planted one before others that include it
        [ "$header" = "$scratch/entities.h" ] || [ "$header" = "$scratch/context_members.h" ] ||
            echo "#include \"$(basename "$header")\""
    done >"$scratch/planted.c"
    echo '#include "context_members.h"' >>"$scratch/planted.c"
    "$compiler" -std=gnu17 -fsyntax-only -I "$scratch" -I "$core" -I "$core/common" -I "$core/reconvergence" \
        -I "$source/models/abi" -I "$source/models/isa" "$scratch/planted.c" 2>"$scratch/said"
}

# plant HEADER STRUCT MEMBER: in the scratch folder a copy of the header with it, at the beginning and at the end.
plant() {
    for place in beginning end; do
        rm -f "$scratch"/*.h
        cp "$core/entities.h" "$scratch"
        awk -v struct="$2" -v member="$3" -v place="$place" '
            place == "end" && $0 == "} " struct ";" { print "    " member ";" }
            { print }
            place == "beginning" && $0 == "typedef struct " struct " {" { print "    " member ";" }' "$1" \
            >"$scratch/$(basename "$1").new"
        mv "$scratch/$(basename "$1").new" "$scratch/$(basename "$1")"
        if cmp -s "$1" "$scratch/$(basename "$1")"; then
            echo "context_members: $1 has no struct $2" >&2
            bad=1
        elif compiles || ! grep -q 'a row for every member' "$scratch/said"; then
            echo "context_members: '$3' at the $place of $2 is not missed:" >&2
            cat "$scratch/said" >&2
            bad=1
        fi
    done
}

cp "$core/entities.h" "$scratch"
if ! compiles; then
    cat "$scratch/said" >&2
    exit 1
fi
for member in 'uint64_t forgotten' 'uint32_t forgotten' 'uint8_t forgotten'; do
    for struct in block_state warp_state path_state thread_state; do
        plant "$core/entities.h" $struct "$member"
    done
    plant "$core/common/block_threads.h" block_threads "$member"
    plant "$source/models/abi/hd_message.h" hd_block_launch "$member"
    plant "$source/models/abi/hd_message.h" hd_grid "$member"
done
exit $bad
