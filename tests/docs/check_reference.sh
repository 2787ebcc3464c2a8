#!/bin/sh
# SPDX-License-Identifier: MIT
# check_reference.sh SOURCE_FOLDER HEDDLE: docs/reference says what the program says.
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$(dirname "$0")/reference.sh" "$1" "$2" "$scratch/reference"
if ! diff -ru "$1/docs/reference" "$scratch/reference" >"$scratch/difference"; then
    head -n 60 "$scratch/difference" >&2
    echo "docs/reference is out of date: cmake --build --preset dev --target reference" >&2
    exit 1
fi
