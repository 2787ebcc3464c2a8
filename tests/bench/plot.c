/* SPDX-License-Identifier: MIT */
#include "plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 760, HEIGHT = 380, LEFT = 70, RIGHT = 230, TOP = 40, BOTTOM = 60, NAMES_MAX = 12 };

static const char *const colours[PLOT_LINES_MAX] = {"#1f6fb4", "#d1561b", "#2d8a3e", "#b3262e",
                                                    "#7a4fb0", "#8a5a3c", "#c64f9a", "#555555"};

/* What is shown of an axis. */
typedef struct axis {
    double low, high; /* as drawn: logarithms where the axis is logarithmic */
    uint32_t is_logarithmic;
} axis;

typedef struct canvas {
    const plot *plot;
    FILE *out;
    axis x, y;
} canvas;

static double drawn(const axis *axis, double value)
{
    return axis->is_logarithmic ? log10(value) : value;
}

static double at_x(const canvas *c, double x)
{
    return LEFT + (drawn(&c->x, x) - c->x.low) / (c->x.high - c->x.low) * (WIDTH - LEFT - RIGHT);
}

static double at_y(const canvas *c, double y)
{
    return HEIGHT - BOTTOM - (drawn(&c->y, y) - c->y.low) / (c->y.high - c->y.low) * (HEIGHT - TOP - BOTTOM);
}

static void widen(axis *axis, double value)
{
    axis->low = fmin(axis->low, value);
    axis->high = fmax(axis->high, value);
}

static void find_range(canvas *c)
{
    const plot *p = c->plot;
    c->x = (axis){.low = 0, .high = 0};
    c->y = (axis){.low = p->y_is_logarithmic ? INFINITY : 0, .high = -INFINITY, .is_logarithmic = p->y_is_logarithmic};
    for (uint32_t i = 0; i < p->line_count; i++)
        for (uint32_t j = 0; j < p->lines[i].count; j++)
            if (p->lines[i].y[j] > 0) {
                widen(&c->x, p->lines[i].x[j]);
                widen(&c->y, drawn(&c->y, p->lines[i].y[j]));
            }
    if (!(c->y.high > c->y.low))
        c->y = (axis){.low = drawn(&c->y, 1), .high = drawn(&c->y, 10), .is_logarithmic = c->y.is_logarithmic};
    if (c->y.is_logarithmic)
        c->y.low = floor(c->y.low), c->y.high = ceil(c->y.high);
    c->x.high = c->x.high > c->x.low ? c->x.high : c->x.low + 1;
}

static void text(const canvas *c, double x, double y, const char *anchor, const char *words)
{
    fprintf(c->out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
    for (; *words; words++)
        fputs(*words == '<' ? "&lt;" : *words == '&' ? "&amp;" : (char[]){*words, 0}, c->out);
    fputs("</text>\n", c->out);
}

static void grid_line(const canvas *c, double x1, double y1, double x2, double y2)
{
    fprintf(c->out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#dddddd\"/>\n", x1, y1, x2, y2);
}

/* 1, 2 or 5 times a power of ten, so that about six fit. */
static double step_of(double span)
{
    const double power = pow(10, floor(log10(span / 6)));
    const double share = span / 6 / power;
    return power * (share <= 1 ? 1 : share <= 2 ? 2 : share <= 5 ? 5 : 10);
}

static void draw_y_axis(const canvas *c)
{
    const double step = c->y.is_logarithmic ? 1 : step_of(c->y.high - c->y.low);
    for (double value = ceil(c->y.low / step) * step; value <= c->y.high + step / 1000; value += step) {
        const double shown = c->y.is_logarithmic ? pow(10, value) : value;
        char number[32];
        snprintf(number, sizeof number, "%g", shown);
        grid_line(c, LEFT, at_y(c, shown), WIDTH - RIGHT, at_y(c, shown));
        text(c, LEFT - 8, at_y(c, shown) + 4, "end", number);
    }
    fprintf(c->out, "<g transform=\"rotate(-90)\">");
    text(c, -(HEIGHT - BOTTOM + TOP) / 2.0, 16, "middle", c->plot->y_title);
    fputs("</g>\n", c->out);
}

static void draw_x_axis(const canvas *c)
{
    const plot *p = c->plot;
    const double step = p->x_names ? 1 + (p->x_name_count - 1) / NAMES_MAX : step_of(c->x.high - c->x.low);
    for (double value = 0; value <= c->x.high + step / 1000; value += step) {
        char number[32];
        snprintf(number, sizeof number, "%g", value);
        grid_line(c, at_x(c, value), TOP, at_x(c, value), HEIGHT - BOTTOM);
        text(c, at_x(c, value), HEIGHT - BOTTOM + 18, "middle",
             p->x_names ? ((uint32_t)value < p->x_name_count ? p->x_names[(uint32_t)value] : "") : number);
    }
    text(c, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 16, "middle", p->x_title);
}

static void join(const canvas *c, const plot_line *line, const char *colour)
{
    fprintf(c->out, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.8\" points=\"", colour);
    for (uint32_t j = 0; j < line->count; j++)
        if (line->y[j] > 0)
            fprintf(c->out, "%.1f,%.1f ", at_x(c, line->x[j]), at_y(c, line->y[j]));
    fputs("\"/>\n", c->out);
}

static void draw_points(const canvas *c, const plot_line *line, const char *colour)
{
    for (uint32_t j = 0; j < line->count; j++)
        if (line->y[j] > 0)
            fprintf(c->out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n", at_x(c, line->x[j]),
                    at_y(c, line->y[j]), colour);
}

/* Numbers beside the points, in turn above and below, and what they are below the names of the lines. */
static void name_points(const canvas *c, const plot_line *line)
{
    const double top = TOP + 16 + 20.0 * c->plot->line_count;
    for (uint32_t j = 0; j < line->count; j++) {
        char words[64];
        snprintf(words, sizeof words, "%u", j + 1);
        text(c, at_x(c, line->x[j]) + (j % 2 ? 5 : -5), at_y(c, line->y[j]) + (j % 2 ? 12 : -4),
             j % 2 ? "start" : "end", words);
        snprintf(words, sizeof words, "%u %s", j + 1, line->points[j]);
        text(c, WIDTH - RIGHT + 16, top + 13.5 * j, "start", words);
    }
}

static void draw_line(const canvas *c, uint32_t index)
{
    const plot_line *line = &c->plot->lines[index];
    if (line->drawn != PLOT_POINTS)
        join(c, line, colours[index]);
    if (line->drawn != PLOT_LINE)
        draw_points(c, line, colours[index]);
    if (line->points)
        name_points(c, line);
    fprintf(c->out, "<rect x=\"%d\" y=\"%d\" width=\"12\" height=\"4\" fill=\"%s\"/>\n", WIDTH - RIGHT + 16,
            TOP + 8 + 20 * (int)index, colours[index]);
    text(c, WIDTH - RIGHT + 34, TOP + 14 + 20 * (int)index, "start", line->name);
}

uint32_t plot_write(const plot *plot, const char *path)
{
    canvas c = {.plot = plot, .out = fopen(path, "w")};
    if (!c.out)
        return 0;
    find_range(&c);
    fprintf(c.out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" "
            "font-size=\"12\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
            WIDTH, HEIGHT);
    text(&c, LEFT, 22, "start", plot->title);
    draw_y_axis(&c);
    draw_x_axis(&c);
    for (uint32_t i = 0; i < plot->line_count; i++)
        draw_line(&c, i);
    fputs("</svg>\n", c.out);
    return fclose(c.out) == 0;
}
