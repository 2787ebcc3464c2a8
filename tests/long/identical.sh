#!/bin/sh
# SPDX-License-Identifier: MIT
# identical.sh OLD NEW [option...]: runs the list below with two heddle commands, both with the options (--threads 2), and compares
# their stats.json without the sections `host` and `machine`. Keys that only NEW has are allowed. Apps are those of NEW's build folder; a machine
# that OLD does not understand, as its parameters had other names, is read from OLD's source folder. Exits 1 if anything else differs.
set -eu
[ $# -ge 2 ] || { echo "usage: identical.sh OLD/heddle NEW/heddle [option...]" >&2; exit 2; }
old=$(realpath "$1")
new=$(realpath "$2")
old_source=$(dirname "$old")/../..
shift 2
cd "$(dirname "$0")/../.."
apps=$(dirname "$new")/apps
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0

list() {
    cat <<'LIST'
gtx480 vecadd
gtx480 reduce
gtx480 matmul
gtx480 histogram
gtx480 bfs app.scale=12
gtx480 hashtable app.buckets=1024
gtx480 hashtable app.buckets=128 core.scheduler=lrr
gtx480 atm app.transfers=4608
gtx480 stream app.n=65536 core.count=1
configs/variants/gtx480_multi_path.yaml hashtable app.buckets=1024
gtx480 hashtable app.buckets=1024 perturb=1
configs/variants/gtx480_mimd.yaml hashtable app.buckets=1024
configs/variants/gtx480_functional.yaml bfs app.scale=10
configs/variants/gtx480_getm.yaml hashtable app.sync=tm app.buckets=8000
configs/variants/gtx480_getm.yaml atm app.sync=tm app.transfers=4608 perturb=2
configs/variants/gtx480_ideal_tm.yaml hashtable app.sync=tm app.buckets=8000
configs/variants/gtx480_warptm_tcd.yaml hashtable app.sync=tm app.buckets=8000
configs/variants/gtx480_warptm_el.yaml hashtable app.sync=tm app.buckets=8000
configs/variants/quadro_fx5800_kilo_tm.yaml atm app.sync=tm app.transfers=4608
configs/variants/gtx480_12_banks.yaml matmul
configs/variants/gtx480_dma.yaml vecadd
quadro_fx5800 reduce
quadro_fx5800_tbc bfs app.scale=10
tesla_c2050 histogram
southern_islands_cu hashtable app.buckets=512
gtx1080ti hashtable app.buckets=4096
v100_8_sm matmul
fermi_gtx480 reduce
volta_v100 vecadd
ampere_a100 histogram
gcn1_cu bfs app.scale=8
gt200 vecadd
configs/simulators/gtx480_gpgpusim4.yaml histogram
LIST
}

# one COMMAND FILE MACHINE APP SETTING...: its statistics without what only the host decides.
one() {
    command=$1
    file=$2
    machine=$3
    app=$4
    shift 4
    given=
    for setting; do
        given="$given --set $setting"
    done
    folder=.
    [ "$command" != "$old" ] || "$command" check "$machine" >"$file.output" 2>&1 </dev/null || folder=$old_source
    # shellcheck disable=SC2086 # settings and options are words
    (cd "$folder" && "$command" run "$machine" "$apps/$app" $given $options --quiet --stats "$file.all") >"$file.output" 2>&1 </dev/null || {
        cat "$file.output" >&2
        return 1
    }
    python3 - "$file.all" >"$file" <<'PYTHON'
import json, sys

def flatten(prefix, value):
    if isinstance(value, dict):
        for key in value:
            yield from flatten(f"{prefix}/{key}", value[key])
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from flatten(f"{prefix}/{number}", item)
    else:
        yield f"{prefix} {json.dumps(value)}"

stats = json.load(open(sys.argv[1]))
stats.pop("host", None)
stats.pop("machine", None)  # what was asked for, under the names of today
print("\n".join(sorted(flatten("", stats))))
PYTHON
}

options=$*
list >"$scratch/list"
while read -r machine app settings; do
    if one "$old" "$scratch/old" "$machine" "$app" $settings && one "$new" "$scratch/new" "$machine" "$app" $settings; then
        LC_ALL=C comm -23 "$scratch/old" "$scratch/new" >"$scratch/lost"
        if [ ! -s "$scratch/lost" ]; then
            echo "same: $machine $app $settings"
            continue
        fi
        head -n 5 "$scratch/lost"
    fi
    echo "DIFFERS: $machine $app $settings"
    failures=1
done <"$scratch/list"
exit $failures
