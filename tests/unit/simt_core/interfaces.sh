#!/bin/sh
# SPDX-License-Identifier: MIT
# interfaces.sh SOURCE_FOLDER [FOLDER]: tests of the timed core reach it through its interfaces. Headers that show its structs
# are seen by the files below only, each for what no program can bring about in a test's time; and a name that needs none of
# them any more is to be struck off. FOLDER: of the tests, if it is another one.
set -u
models=$1/models/simt_core
tests=${2:-$1/tests/unit/simt_core}
bad=0

allowed() {
    case $1 in
    core_faults.c) echo core.h ;;                          # a call depth just below the limit of 2^20
    core_move_dead.c) echo core.h ;;                       # registers that stay behind, and the garbage in their place
    core_move_members.c) echo context_members.h core.h ;;  # the members themselves
    core_registers.c) echo core.h ;;                       # who listens to writes of registers: no unit does by now
    memory_scratchpad.c) echo state.h ;;                   # a version of a word that has been written 2^32 times
    tx_epochs.c) echo core.h ;;                            # an attempt just before its number starts anew
    tx_local_checked.c) echo core.h ;;                     # a register that holds something else than it has been given
    esac
}

# Names of headers that show structs of the core: those that own them, and all that include one.
private='core.h entities.h state.h parts.h'
found=
while [ "$found" != "$private" ]; do
    found=$private
    for header in $(find "$models" -name '*.h' | sort); do
        name=$(basename "$header")
        for other in $found; do
            case " $private " in *" $name "*) break ;; esac
            grep -qE "^#include \"([a-z_]+/)*$other\"" "$header" && private="$private $name"
        done
    done
done

included() {
    for header in $private; do
        grep -qE "^#include \"([a-z_]+/)*$header\"" "$1" && echo "$header"
    done
}

for file in "$tests"/*.[ch]; do
    name=$(basename "$file")
    seen=$(included "$file" | sort -u | tr '\n' ' ' | sed 's/ $//')
    if [ "$seen" != "$(allowed "$name")" ]; then
        echo "$file: includes private headers '$seen' of models/simt_core, not '$(allowed "$name")'" >&2
        bad=1
    fi
done
exit $bad
