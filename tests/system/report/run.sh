#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh HEDDLE MACHINES OUTPUT: reports as readers see them, in a headless Chromium; screenshots and a PDF stay in OUTPUT.
set -eu
heddle=$1
machines=$2
output=$3
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$output"
cd "$scratch"

# sweep NAME CODE: of NAME.yaml, from standard input; and its page.
sweep() {
    { echo "sweep: 1" && echo "name: $1" && sed "s,@MACHINES@,$machines,"; } >"$1.yaml"
    code=0
    "$heddle" sweep "$1.yaml" --quiet >log 2>&1 || code=$?
    [ "$code" -eq "$2" ] || { cat log && exit 1; }
    "$heddle" report "$1.db" >/dev/null
}

sweep one 0 <<'END'
set: {machine: @MACHINES@/small.yaml, app: vecadd, app.n: 64}
axes: {core.scheduler: [gto]}
END

sweep sixty 0 <<'END'
description: 60 points and three seeds of each
set: {machine: @MACHINES@/small.yaml, app: hashtable, app.inserts: 1, app.grid: 2, app.block: 64}
axes:
  app.buckets: [16, 64, 256, 1024, 4096]
  core.scheduler: [gto, lrr]
  core.l1.bytes: [4608 B, 9 KiB]
  app.seed: [1, 2, 3]
statistics: [cycles, core.warp_instructions, "core.slots_*"]
published:
  - {statistic: cycles, value: 0.9, at: {core.scheduler: gto, core.l1.bytes: 9 KiB}, relative_to: {core.scheduler: lrr}, source: "Author 2012, Figure 9"}
  - {statistic: cycles, value: 20000, at: {core.scheduler: lrr, core.l1.bytes: 4608 B, app.buckets: 64}, source: "Author 2012, Table 4"}
END
"$heddle" results sixty.db --statistic cycles >sixty.csv

printf 'heddle: 1\nname: other\nextends: %s/small.yaml\nblocks: {core: {parameters: {scheduler: lrr}}}\n' "$machines" >other.yaml
sweep grid 0 <<'END'
set: {app: hashtable, app.grid: 2, app.block: 64}
axes:
  app.buckets: [16, 64, 256]
  core.l1.bytes: [4608 B, 9 KiB]
  app.inserts: [1, 2]
  machine: [@MACHINES@/small.yaml, ./other.yaml]
statistics: [cycles, simulated_ps]
END

sweep bars 0 <<'END'
axes:
  workload:
    add: {app: vecadd, app.n: 64}
    insert: {app: hashtable, app.grid: 2, app.block: 64}
  machine: [@MACHINES@/small.yaml, ./other.yaml]
  shape: {one: {core.warps: 8}, two: {core.warps: 10}, three: {core.warps: 12}, four: {core.warps: 14}}
statistics: [cycles]
published:
  - {statistic: cycles, value: 1.5, at: {machine: ./other.yaml}, relative_to: {machine: @MACHINES@/small.yaml}, source: "Author 2012, a mean"}
  - {statistic: cycles, value: 1000, at: {workload: add, machine: ./other.yaml, shape: two}, source: "Author 2012, Table 3"}
END

# One statistic by another. The second one's names look as if they were parts of a stack, and the published one is in no plot.
sweep quotients 0 <<'END'
set: {machine: @MACHINES@/small.yaml, app: hashtable, app.inserts: 1, app.grid: 2, app.block: 64}
axes: {app.buckets: [16, 256], core.scheduler: [gto, lrr]}
statistics: [core.thread_instructions / core.warp_instructions, core.slots_issued / core.slots_idle]
published:
  - {statistic: core.thread_instructions / core.warp_instructions, value: 24, at: {app.buckets: 256}, source: "Author 2012, lanes"}
  - {statistic: core.thread_instructions / core.warp_instructions, value: 0.5, at: {app.buckets: 16}, relative_to: {app.buckets: 256}, source: "Author 2012, a part"}
  - {statistic: core.warp_instructions / cycles, value: 0.25, at: {app.buckets: 16, core.scheduler: gto}, source: "Author 2012, IPC"}
END
"$heddle" results quotients.db --statistic core.thread_instructions --statistic core.warp_instructions --statistic cycles >quotients.csv

# Repetitions that differ in chance.
sweep chance 0 <<'END'
set: {machine: @MACHINES@/small.yaml, app: hashtable, app.inserts: 1, app.grid: 2, app.block: 64}
axes: {app.buckets: [16, 256], core.scheduler: [gto, lrr]}
repeat: 3
statistics: [cycles]
END
"$heddle" results chance.db >chance.csv

# What a label may be, and what a log may say.
sweep hostile 1 <<'END'
description: "</script><img src=x onerror=\"window.attacked=1\"> & <b>bold</b>"
set: {machine: @MACHINES@/small.yaml, app: spinlock, core.count: 1, watchdog: 20 us}
axes:
  "kind":
    "</script><img src=x onerror=\"window.attacked=1\">": {core.reconvergence: stack}
    "]]><!-- ' \" & \\u003c ${1} ü": {core.reconvergence: mimd}
statistics: [cycles]
END

node "$here/check.mjs" "$scratch" "$output"
