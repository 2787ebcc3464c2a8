#!/bin/sh
# SPDX-License-Identifier: MIT
# compaction_picture.sh HEDDLE SOURCE_FOLDER PICTURE: which warps of a block issue over time, with a stack of each warp and with thread block
# compaction, as docs/images/compaction.svg. One row per warp, darker where it issues more. It reads the VCD.
set -eu
heddle=$1
source=$2
picture=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# trace MACHINE NAME: of one block of six warps, whose threads leave a cascade of stages one after the other.
trace() {
    "$heddle" run "$source/configs/$1.yaml" cascade_classifier --quiet --vcd "$scratch/$2" --trace-unit 'core[0]/warp' --trace-event issue \
        --set app.columns=47 --set app.rows=21 --set core.count=1 --set l2.count=1 --set dram.count=1
}
trace machines/quadro_fx5800_tbc stack
trace variants/quadro_fx5800_block_stack block_stack
LC_ALL=C awk '
    BEGIN { left = 170; width = 720; step = 20; top = 34; bins = 180; warps = 6 }
    FNR == 1 { unit++; name[unit] = FILENAME; sub(/.*\//, "", name[unit]) }
    $1 == "$scope" && $3 ~ /^warp\[/ { warp = substr($3, 6) + 0 }
    $1 == "$var" { of[unit, $4] = warp }
    /^#/ { t = substr($1, 2) + 0 }
    /^1/ { n = ++issued[unit]; at[unit, n] = t; by[unit, n] = of[unit, substr($1, 2)]; if (t > end) end = t; if (!begin || t < begin) begin = t }
    END {
        height = top + 2 * (warps + 2) * step + 20
        printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"11\">\n", left + width + 40, height
        print "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>"
        for (unit = 1; unit <= 2; unit++) {
            y = top + (unit - 1) * (warps + 2) * step
            printf "<text x=\"8\" y=\"%d\" font-size=\"13\">%s: %d warp instructions</text>\n", y - 8, name[unit], issued[unit]
            for (n = 1; n <= issued[unit]; n++) {
                bin = int(bins * (at[unit, n] - begin) / (end - begin + 1))
                if (++count[unit, by[unit, n], bin] > most)
                    most = count[unit, by[unit, n], bin]
            }
        }
        for (unit = 1; unit <= 2; unit++)
            for (warp = 0; warp < warps; warp++) {
                y = top + (unit - 1) * (warps + 2) * step + warp * step
                printf "<text x=\"8\" y=\"%d\">core[0]/warp[%d]</text>\n", y + 14, warp
                printf "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"#dddddd\"/>\n", left, y + step - 1, left + width, y + step - 1
                for (bin = 0; bin < bins; bin++)
                    if ((unit, warp, bin) in count)
                        printf "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"#1f5a83\" fill-opacity=\"%.2f\"/>\n", left + bin * width / bins, y + 2, width / bins, step - 4, 0.25 + 0.75 * count[unit, warp, bin] / most
            }
        for (n = 0; n <= 4; n++)
            printf "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.0f us</text>\n", left + width * n / 4, height - 8, (begin + (end - begin) * n / 4) / 1000000
        print "</svg>"
    }' "$scratch/stack" "$scratch/block_stack" >"$picture"
