#!/bin/sh
# SPDX-License-Identifier: MIT
# trace_picture.sh HEDDLE SOURCE_FOLDER PICTURE: a trace of a small kernel as a picture, docs/images/trace.svg: one row per track,
# a bar for each span, a stroke for each instant, a curve for each counter. It reads the VCD, whose times are exact.
set -eu
heddle=$1
source=$2
picture=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

"$heddle" run "$source/configs/machines/gtx480.yaml" reduce --quiet --vcd "$scratch/run.vcd" --trace-kernel reduce \
    --set app.n=4096 --set app.grid=8 --set core.count=2 --set l2.count=2 --set dram.count=2
LC_ALL=C awk '
    # Rows, from top to bottom: scope of the VCD, what is shown there.
    BEGIN {
        rows = split("kernels[0]:reduce command_processor/queue[0]:run tb_scheduler:block.dispatch tb_scheduler:resident_blocks " \
            "core/core[0]:warps core/core[0]/slot[0]:block core/core[0]/slot[0]:barrier.release core/core[0]/warp[0]:warp " \
            "core/core[0]/warp[0]:barrier.arrive core/core[0]/warp[1]:barrier.arrive " \
            "request_network/output[0]:packet l2/l2[0]:misses dram/dram[0]:queue dram/dram[0]/bus:read", row, " ")
        left = 250; width = 720; step = 24; top = 34
    }
    function number(bits,    value, i) {
        for (i = 1; i <= length(bits); i++)
            value = 2 * value + substr(bits, i, 1)
        return value
    }
    function x(t) { return left + width * (t - begin) / (end - begin) }
    $1 == "$scope" { scope[++depth] = $3 }
    $1 == "$upscope" { depth-- }
    $1 == "$var" {
        path = scope[1]
        for (i = 2; i <= depth; i++)
            path = path "/" scope[i]
        for (i = 1; i <= rows; i++)
            if (row[i] == path ":" $5) {
                of[$4] = i
                kind[i] = $2
            }
    }
    /^#/ { t = substr($1, 2) + 0; if (!seen++) begin = t }
    /^[1b]/ && seen { end = t } # not the end of the run
    $1 ~ /^1./ && substr($1, 2) in of { i = of[substr($1, 2)]; at[i, ++count[i]] = t; value[i, count[i]] = 1 }
    /^b/ && $2 in of {
        i = of[$2]
        bits = substr($1, 2)
        if (bits == "z")
            is_span[i] = 1
        if (!seen)
            next
        at[i, ++count[i]] = t
        value[i, count[i]] = bits == "z" ? "z" : number(bits)
        if (value[i, count[i]] != "z" && value[i, count[i]] > most[i])
            most[i] = value[i, count[i]]
    }
    END {
        printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"11\">\n", left + width + 20, top + rows * step + 30
        print "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>"
        printf "<text x=\"%d\" y=\"18\" font-size=\"13\">reduce on two cores: time of the kernel, from left to right</text>\n", left
        for (i = 1; i <= rows; i++) {
            y = top + (i - 1) * step
            split(row[i], part, ":")
            printf "<text x=\"8\" y=\"%d\">%s</text><text x=\"%d\" y=\"%d\" text-anchor=\"end\" fill=\"#555555\">%s</text>\n", y + 15, part[1], left - 8, y + 15, part[2]
            printf "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"#dddddd\"/>\n", left, y + step - 2, left + width, y + step - 2
            curve = ""
            for (n = 1; n <= count[i]; n++) {
                from = x(at[i, n])
                to = n < count[i] ? x(at[i, n + 1]) : left + width
                if (kind[i] == "event") {
                    printf "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#b3541e\" stroke-width=\"1.5\"/>\n", from, y + 3, from, y + step - 4
                } else if (!is_span[i]) {
                    h = y + step - 3 - (step - 7) * value[i, n] / (most[i] ? most[i] : 1)
                    curve = curve sprintf("%.1f,%.1f %.1f,%.1f ", from, h, to, h)
                } else if (value[i, n] != "z") {
                    printf "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"#7aa6c2\" stroke=\"#ffffff\" stroke-width=\"0.5\"/>\n", from, y + 3, (to - from > 1 ? to - from : 1), step - 7
                    if (to - from > 22)
                        printf "<text x=\"%.1f\" y=\"%d\">%d</text>\n", from + 4, y + 15, value[i, n]
                }
            }
            if (curve != "")
                printf "<polyline points=\"%d,%d %s\" fill=\"none\" stroke=\"#2f6d3a\" stroke-width=\"1.2\"/><text x=\"%d\" y=\"%d\" font-size=\"9\" fill=\"#2f6d3a\">%d</text>\n", left, y + step - 3, curve, left + width + 3, y + 10, most[i]
        }
        y = top + rows * step + 16
        for (n = 0; n <= 4; n++)
            printf "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.1f us</text>\n", left + width * n / 4, y, (begin + (end - begin) * n / 4) / 1000000
        print "</svg>"
    }' "$scratch/run.vcd" >"$picture"
