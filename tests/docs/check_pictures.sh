#!/bin/sh
# SPDX-License-Identifier: MIT
# check_pictures.sh SOURCE_FOLDER HEDDLE NETWORK_LOAD [apps]: the pictures of docs/images say what the machines are, and what the
# networks do, and traces. What is written in those of machines and of traces is compared, not the layout, which depends on the fonts that are installed.
set -eu
source=$1
heddle=$2
network_load=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
bad=0

words() {
    grep -oE '>[^<>]+</text>' "$1" | sort
}

for picture in "$source"/docs/images/*.svg; do
    name=$(basename "$picture" .svg)
    [ -e "$source/configs/machines/$name.yaml" ] || continue # a plot
    "$heddle" graph "$source/configs/machines/$name.yaml" --brief --svg "$scratch/$name.svg"
    words "$picture" >"$scratch/old"
    words "$scratch/$name.svg" >"$scratch/new"
    if ! diff "$scratch/old" "$scratch/new" >&2; then
        echo "$picture is out of date: heddle graph $name --brief --svg docs/images/$name.svg" >&2
        bad=1
    fi
    "$source/tests/docs/edges_and_labels.py" 900 300 "$picture" >&2 || bad=1
done

awk '/^    \.\/bootstrap\.sh (demo|test)$/ { commands++ } /<img/ && !seen++ { exit commands != 2 }' "$source/README.md" || {
    echo "README.md: the first picture is not behind the two commands" >&2
    bad=1
}

"$network_load" "$scratch/load.svg"
if ! cmp "$source/docs/images/network-load.svg" "$scratch/load.svg" >&2; then
    echo "docs/images/network-load.svg is out of date: cmake --build --preset dev --target network_load" >&2
    bad=1
fi
[ $# -lt 4 ] && exit $bad # no apps
for picture in trace compaction; do
    "$source/tests/docs/${picture}_picture.sh" "$heddle" "$source" "$scratch/$picture.svg"
    words "$source/docs/images/$picture.svg" | grep -v '[0-9] us\|>[0-9]*<' >"$scratch/old"
    words "$scratch/$picture.svg" | grep -v '[0-9] us\|>[0-9]*<' >"$scratch/new"
    if ! diff "$scratch/old" "$scratch/new" >&2; then
        echo "docs/images/$picture.svg is out of date: tests/docs/${picture}_picture.sh build/dev/heddle . docs/images/$picture.svg" >&2
        bad=1
    fi
done
exit $bad
