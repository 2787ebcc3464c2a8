/* SPDX-License-Identifier: MIT */
/* network_load FILE: latency against offered load of the networks, as a picture. The same for every compiler and machine. */
#include "load_bench.h"

#include <stdio.h>

enum { PORTS = 16, CYCLES = 800, LOADS = 20, LATENCY_SHOWN = 60 };
enum { WIDTH = 740, HEIGHT = 400, LEFT = 60, RIGHT = 220, TOP = 20, BOTTOM = 50 };

typedef struct curve {
    const char *title, *colour;
    const hd_block_class *type;
    const char *parameters[5];
} curve;

static const curve curves[] = {
    {"round_robin", "#c0392b", &hd_crossbar_round_robin, {NULL}},
    {"round_robin, input_speedup: 2", "#e67e22", &hd_crossbar_round_robin, {"input_speedup=2", NULL}},
    {"islip", "#2471a3", &hd_crossbar_islip, {"queue_depth=64", NULL}},
    {"islip, iterations: 4", "#17a589", &hd_crossbar_islip, {"queue_depth=64", "iterations=4", NULL}},
    {"ideal", "#7f8c8d", &hd_crossbar_ideal, {NULL}},
    {"mesh_2d, 4 x 4", "#8e44ad", &hd_crossbar_mesh_2d, {"columns=4", "rows=4", NULL}},
};
#define CURVES (sizeof curves / sizeof *curves)

static double x_of(double load)
{
    return LEFT + load * (WIDTH - LEFT - RIGHT);
}

static double y_of(double latency)
{
    return HEIGHT - BOTTOM - latency / LATENCY_SHOWN * (HEIGHT - TOP - BOTTOM);
}

static void draw_axes(FILE *file)
{
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" "
            "font-size=\"12\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
            WIDTH, HEIGHT);
    for (int i = 0; i <= 10; i += 2)
        fprintf(file,
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>"
                "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%d.%d</text>\n",
                x_of(i / 10.0), y_of(0), x_of(i / 10.0), y_of(LATENCY_SHOWN), x_of(i / 10.0), HEIGHT - BOTTOM + 16,
                i / 10, i % 10);
    for (int i = 0; i <= LATENCY_SHOWN; i += 10)
        fprintf(file,
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>"
                "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%d</text>\n",
                x_of(0), y_of(i), x_of(1), y_of(i), LEFT - 6, y_of(i) + 4, i);
    fprintf(file,
            "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">offered load, flits per input and cycle</text>\n"
            "<text transform=\"translate(18 %.1f) rotate(-90)\" text-anchor=\"middle\">latency, cycles</text>\n",
            x_of(0.5), HEIGHT - 12, y_of(LATENCY_SHOWN / 2.0));
}

static double latency_at(const curve *curve, uint32_t thousandths)
{
    const load load = {.type = curve->type,
                       .parameters = curve->parameters,
                       .inputs = PORTS,
                       .outputs = PORTS,
                       .offered = thousandths,
                       .flits = 1,
                       .cycles = CYCLES,
                       .seed = 1};
    return load_run(&load).latency;
}

/* Up to where it leaves the picture. */
static void draw_curve(FILE *file, size_t index)
{
    const curve *curve = &curves[index];
    double load = 0, before = 0;
    fprintf(file, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"", curve->colour);
    for (uint32_t i = 1; i < LOADS && before <= LATENCY_SHOWN; i++) {
        const double latency = latency_at(curve, 1000 * i / LOADS);
        double at = (double)i / LOADS, shown = latency;
        if (latency > LATENCY_SHOWN) {
            at = load + (at - load) * (LATENCY_SHOWN - before) / (latency - before);
            shown = LATENCY_SHOWN;
        }
        fprintf(file, "%.1f,%.1f ", x_of(at), y_of(shown));
        load = at;
        before = latency;
    }
    const double y = TOP + 10 + 20.0 * (double)index;
    fprintf(file,
            "\"/>\n<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"2\"/>"
            "<text x=\"%d\" y=\"%.1f\">%s</text>\n",
            WIDTH - RIGHT + 6, y - 4, WIDTH - RIGHT + 22, y - 4, curve->colour, WIDTH - RIGHT + 26, y, curve->title);
}

int main(int argc, char **argv)
{
    FILE *file = argc == 2 ? fopen(argv[1], "w") : NULL;
    if (!file) {
        fprintf(stderr, "usage: network_load FILE.svg\n");
        return 2;
    }
    draw_axes(file);
    for (size_t i = 0; i < CURVES; i++)
        draw_curve(file, i);
    fprintf(file, "</svg>\n");
    return fclose(file) ? 1 : 0;
}
