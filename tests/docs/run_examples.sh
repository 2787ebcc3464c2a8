#!/bin/sh
# SPDX-License-Identifier: MIT
# run_examples.sh SOURCE_FOLDER HEDDLE DOCUMENT...: runs the examples of the documents.
#
# In a document, each in the order of the page and in one scratch folder:
#   ```LANGUAGE file=PATH      the block is written to that file
#   ```sh run [exit=N]         the block is run, from a folder that looks like the repository's root, and ends with N (0)
#   ```text output             its lines are lines of the last block's output, in this order; `...` is any text, and alone
#                              in its line any lines
#   ```text whole output       its lines are all lines of the output; `...` is any text
#
# HEDDLE_EXAMPLES_ROOT names another folder to run them in.
set -eu

source=$(cd "$1" && pwd)
PATH=$(cd "$(dirname "$2")" && pwd):$PATH
export PATH
shift 2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# blocks DOCUMENT FOLDER: each marked block to a file FOLDER/NNN with its line number and its marks as the first line.
blocks() {
    awk -v folder="$2" '
        /^```/ && inside { inside = 0; next }
        /^```(sh run|text output|text whole output|[a-z]+ file=)/ {
            inside = 1
            file = sprintf("%s/%03d", folder, ++count)
            print FNR, substr($0, 4) > file
            next
        }
        /^```/ { inside = 2; next }
        inside == 1 { print > file }' "$1"
}

fail() {
    echo "$document:$line: $*" >&2
    tail -n 40 "$scratch/output" >&2
    exit 1
}

run_block() {
    wanted=$(echo "$marks" | sed -n 's/.*exit=\([0-9]*\).*/\1/p')
    status=0
    (cd "$root" && sh -eu "$scratch/body") >"$scratch/output" 2>&1 </dev/null || status=$?
    [ "$status" -eq "${wanted:-0}" ] || fail "exit code $status, expected ${wanted:-0}"
}

compare_output() {
    awk -v whole="$1" 'function alike(line, pattern,    parts, count, i, at) {
             count = split(pattern, parts, /\.\.\./)
             if (count == 1)
                 return line == pattern
             if (index(line, parts[1]) != 1)
                 return 0
             for (i = 1; i <= count; i++) {
                 if (!(at = index(line, parts[i])) && parts[i] != "")
                     return 0
                 line = substr(line, at + length(parts[i]))
             }
             return parts[count] == "" || line == ""
         }
         NR == FNR { if (whole || $0 != "...") wanted[++count] = $0; next }
         at < count && alike($0, wanted[at + 1]) { at++; next }
         whole { print "not in the example: " $0; at = -1; exit 1 }
         END { if (at >= 0 && at < count) { print "not in the output: " wanted[at + 1]; exit 1 } }' \
        "$scratch/body" "$scratch/output" >&2 || fail "the output differs:"
}

run_document() {
    root=${HEDDLE_EXAMPLES_ROOT:-$scratch/$(basename "$document" .md)}
    mkdir -p "$root" "$scratch/blocks"
    [ -e "$root/configs" ] || ln -s "$source/configs" "$source/firmware" "$root"
    rm -f "$scratch"/blocks/*
    : >"$scratch/output"
    blocks "$document" "$scratch/blocks"
    examples=0
    for block in "$scratch"/blocks/*; do
        [ -e "$block" ] || break
        read -r line marks <"$block"
        sed 1d "$block" >"$scratch/body"
        case $marks in
        'sh run'*) run_block ;;
        'text output'*) compare_output 0 ;;
        'text whole output'*) compare_output 1 ;;
        *)
            file=${marks#*file=}
            mkdir -p "$root/$(dirname "$file")"
            cp "$scratch/body" "$root/$file"
            ;;
        esac
        examples=$((examples + 1))
    done
    echo "$(basename "$document"): $examples blocks"
}

for document in "$@"; do
    run_document
done
