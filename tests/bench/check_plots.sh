#!/bin/sh
# SPDX-License-Identifier: MIT
# check_plots.sh SOURCE_FOLDER PLOTS: the plots of docs/images show the figures of docs/results.
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$2" "$1/docs/results/speed.json" "$1/docs/results/speed-series.json" "$1/docs/results/idle-cores.json" "$scratch"
for plot in "$scratch"/*.svg; do
    if ! cmp "$plot" "$1/docs/images/$(basename "$plot")" >&2; then
        echo "docs/images is out of date: build/dev/tests/bench/plots docs/results/speed.json" \
            "docs/results/speed-series.json docs/results/idle-cores.json docs/images" >&2
        exit 1
    fi
done
