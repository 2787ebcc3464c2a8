#!/bin/sh
# SPDX-License-Identifier: MIT
# check_pictures.sh SOURCE_FOLDER HEDDLE: the pictures of docs/images say what the machines are. What is written in them is
# compared, not the layout, which depends on the fonts that are installed.
set -eu
source=$1
heddle=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
bad=0

words() {
    grep -oE '>[^<>]+</text>' "$1" | sort
}

for picture in "$source"/docs/images/*.svg; do
    name=$(basename "$picture" .svg)
    "$heddle" graph "$source/configs/machines/$name.yaml" --svg "$scratch/$name.svg"
    words "$picture" >"$scratch/old"
    words "$scratch/$name.svg" >"$scratch/new"
    if ! diff "$scratch/old" "$scratch/new" >&2; then
        echo "$picture is out of date: heddle graph configs/machines/$name.yaml --svg docs/images/$name.svg" >&2
        bad=1
    fi
done
exit $bad
