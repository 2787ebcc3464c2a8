# SPDX-License-Identifier: MIT
# Sourced with a script's arguments: [--print] FIRMWARE HEDDLE HOST TABLE GCC FLAG..., of which GCC FLAG... are left. Runs kernels of kernels.c
# on the machine of eight_lanes.yaml. HOST is a folder that has the host program of the app `deadlock`.
set -eu
export LC_ALL=C
print=
[ "$1" != --print ] || {
    print=1
    shift
}
firmware=$1
heddle=$2
host=$3
table=$4
shift 4

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# build LEVEL FLAG...: kernels.c as that app, in $folder/LEVEL, and the length of each entry, a line NAME WORDS each.
build() {
    level=$1
    shift
    mkdir -p "$folder/$level"
    cp "$host/host.so" "$folder/$level/"
    "$@" -std=gnu17 "-$level" -g -nostdlib -static -Wl,-T,"$firmware/runtime/kernel.ld" -Wl,--build-id=none \
        -Wl,-z,max-page-size=128 -I"$firmware/include" "$firmware/../tests/system/apps/deadlock/kernel.c" \
        -o "$folder/$level/kernel.elf"
    "${HEDDLE_RISCV_PREFIX:-riscv64-unknown-elf-}nm" -S "$folder/$level/kernel.elf" |
        awk '$4 ~ /^run_/ {print substr($4, 5), ("0x" $2)}' |
        while read -r name bytes; do echo "$name $((bytes / 4))"; done >"$folder/$level/entries"
}

# Settings of the unit in this column, from the table's lines `unit NAME SETTING...`.
settings() {
    sed -n 's/^unit  *//p' "$table" | sed -n "$1s/^[^ ]* *//p"
}

units=$(grep -c '^unit ' "$table" || :)

# ending TEXT: of a run that printed this. P deadlock, and a warp is seen to repeat its state; D deadlock; E a barrier that cannot open; W a
# wrong result; ok.
ending() {
    case $1 in
    *"its state repeats"*) echo P ;;
    *"SIMT deadlock"* | *"no progress"*) echo D ;;
    *"divergent barrier"*) echo E ;;
    *"error: "*" is "*", expected "*) echo W ;;
    *"PASS  "*) echo ok ;;
    *) echo "$1" >&2 && echo '?' ;;
    esac
}

# cell LEVEL KERNEL SETTING...: its ending; for ok the instructions that warps issued, without those of the entry that calls the kernel.
cell() {
    level=$1
    kernel=$2
    shift 2
    for setting in "$@"; do
        set -- "$@" --set "$setting"
        shift
    done
    text=$("$heddle" run "$firmware/tests/deadlock/eight_lanes.yaml" "$folder/$level" --set "app.kernel=$kernel" "$@" 2>&1) || :
    end=$(ending "$text")
    [ "$end" != ok ] || end=$(echo "$text" | awk -v name="run_$kernel" -v entry="$(sed -n "s/^$kernel //p" "$folder/$level/entries")" \
        '$1 == name {gsub(",", "", $6); print $6 - entry * ($4 / 8)}')
    echo "$end"
}
