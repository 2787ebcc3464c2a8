#!/bin/sh
# SPDX-License-Identifier: MIT
# reference.sh SOURCE_FOLDER HEDDLE TARGET: writes the reference pages into TARGET, from what the program says of itself.
# The target `reference` of the build mends docs/reference; tests/docs/check_reference.sh compares.
set -eu
source=$1
heddle=$2
target=$3
unset HEDDLE_PLUGINS HEDDLE_APPS
note='Written by `cmake --build --preset dev --target reference`; what is changed here is lost.'

mkdir -p "$target"
rm -f "$target"/*.md

# page NAME TITLE: from standard input.
page() {
    { printf '# %s\n\n%s\n\n' "$2" "$note" && cat; } | cat -s >"$target/$1.md"
}

classes() {
    "$heddle" list --markdown | sed -n 's/^| `\([^`]*\)` | \(.*\) |$/\1 \2/p'
}

# The first test of an error, what it reads and what it says. Errors of plug-ins need files that are no text.
example() {
    case $1 in
    R*)
        printf '```text\n' && cat "$source/tests/unit/explore/store_errors/$1.txt" && printf '```\n\n'
        return
        ;;
    S*) part=explore ;;
    *) part=netlist ;;
    esac
    for text in "$source/tests/unit/$part/errors/$1"_*.txt; do
        file=${text%.txt}.yaml
        if ! grep -q 'is refused$' "$text"; then
            # A file that is no text is left out, its error is not.
            if iconv -f UTF-8 -t UTF-8 "$file" >"$target/example" 2>&1; then
                printf '```yaml\n' && cat "$target/example" && printf '```\n\n'
            fi
            rm "$target/example"
            printf '```text\n' && cat "$text" && printf '```\n\n'
        else
            printf '[Plug-ins](../abi.md#plug-ins) has what is looked at.\n\n'
        fi
        return
    done
}

errors() {
    cat <<'END'
Every error has a number, whose meaning never changes, the place (file, line, column), the line itself, and a note where
something else is to blame as well. All errors of a phase are shown at once, at most 20; the exit code is 2. The examples are
those of the tests; the files they extend are in `tests/unit/netlist/errors/base`. Numbers with an N are about machine files, and
about YAML in general; those with an S about sweeps; those with an R about stores of results and reports, which have no place in a
file.

END
    "$heddle" list errors | while read -r number meaning; do
        printf '## %s\n\n%s.\n\n' "$number" "$meaning" | sed 's/^[a-z]/\U&/'
        example "$number"
    done
}

index() {
    printf '| Kind | Types |\n|---|---|\n'
    classes | awk '{ kind = $1; sub(/\/.*/, "", kind); type = $1; sub(/.*\//, "", type); sub(/^[^ ]* /, "")
        if (!(kind in types)) order[++count] = kind
        types[kind] = types[kind] (types[kind] ? "<br>" : "") "`" type "`: " $0 }
        END { for (i = 1; i <= count; i++) printf "| [%s](%s.md) | %s |\n", order[i], order[i], types[order[i]] }'
    cat <<'END'

| Page | What is in it |
|---|---|
| [units](units.md) | the units that blocks are put together from |
| [messages](messages.md) | message types, with who sends and who accepts them |
| [protocols](protocols.md) | protocols, with the ports that speak them |
| [apps](apps.md) | programs, with their options |
| [errors](errors.md) | every error in a machine file or a sweep, with an example |
| [command](command.md) | every command and option |
| [embedding](embedding.md) | `heddle.h`: every function, struct and error code |
END
}

index | page README Reference
for kind in $(classes | sed 's,/.*,,' | uniq); do
    "$heddle" list "$kind" --markdown | page "$kind" "$kind"
done
"$heddle" list units --markdown | page units Units
"$heddle" list messages --markdown | page messages Messages
"$heddle" list protocols --markdown | page protocols Protocols
"$heddle" list apps --markdown | page apps Apps
"$heddle" help --markdown | page command "The command"
errors | page errors Errors
"$source/tests/docs/header_reference.sh" "$source/platform/include/heddle.h" | page embedding "Embedding: heddle.h"
