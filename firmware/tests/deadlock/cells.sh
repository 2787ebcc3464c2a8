# SPDX-License-Identifier: MIT
# Sourced with a script's arguments: [--print] FIRMWARE HEDDLE HOST TABLE WORD..., of which WORD... are left. Runs kernels of kernels.c on the
# machine of eight_lanes.yaml. HOST is a folder that has the host program of the app `deadlock`.
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

# compile SOURCE LEVEL GCC FLAG...: to $folder/LEVEL/kernel.elf.
compile() {
    source=$1
    level=$2
    shift 2
    mkdir -p "$folder/$level"
    "$@" -std=gnu17 "-$level" -g -nostdlib -static -Wl,-T,"$firmware/runtime/kernel.ld" -Wl,--build-id=none \
        -Wl,-z,max-page-size=128 -I"$firmware/include" "$source" -o "$folder/$level/kernel.elf"
}

# build LEVEL GCC FLAG...: kernels.c as that app, in $folder/LEVEL, and the length of each entry, a line NAME WORDS each.
build() {
    compile "$firmware/../tests/system/apps/deadlock/kernel.c" "$@"
    level=$1
    cp "$host/host.so" "$folder/$level/"
    "${HEDDLE_RISCV_PREFIX:-riscv64-unknown-elf-}nm" -S "$folder/$level/kernel.elf" |
        awk '$4 ~ /^run_/ {print substr($4, 5), ("0x" $2)}' |
        while read -r name bytes; do echo "$name $((bytes / 4))"; done >"$folder/$level/entries"
}

# The names of the table's lines `unit NAME SETTING...`, and the settings of one of them.
units() {
    sed -n 's/^unit  *\([^ ]*\).*/\1/p' "$table"
}

settings() {
    sed -n "s/^unit  *$1  *//p" "$table"
}

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

# cell LEVEL KERNEL SETTING...: its ending; for ok the instructions that warps issued, without those of the entry that calls the kernel, and
# behind a stroke how many of 100 lanes took part in them.
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
        -v lanes="$(echo "$*" | sed -n 's/.*core\.lanes=\([0-9]*\).*/\1/p')" '$1 == name {
            gsub(",", "", $6)
            added = entry * ($4 / (lanes ? lanes : 8))
            printf "%d/%.0f\n", $6 - added, ($6 * $8 - added * 100) / ($6 - added)
        }')
    echo "$end"
}
