/* SPDX-License-Identifier: MIT */
/* A value change dump, written item by item (IEEE 1364-2001 §18). */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "recorder_internal.h"

enum { SPAN, LEVEL, INSTANT, KINDS };
static const trace_kind kinds[KINDS] = {{.name = "span", .form = HD_TRACE_SPAN, .value_count = 1},
                                        {.name = "level", .form = HD_TRACE_COUNTER, .value_count = 1},
                                        {.name = "instant", .form = HD_TRACE_INSTANT}};

static char *read_all(const char *path)
{
    static char text[4096];
    FILE *in = fopen(path, "r");
    cr_assert(in);
    text[fread(text, 1, sizeof text - 1, in)] = '\0';
    fclose(in);
    return text;
}

/* Where a trace begins late, what has not changed yet must have a value all the same: no span, a counter at 0. */
Test(vcd, begins_with_the_values_before_the_first_change)
{
    char folder[] = "/tmp/heddle-test.XXXXXX", path[64];
    cr_assert(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/trace.vcd", folder);
    trace_span open = {SPAN, {5}};
    trace_track track = {.name = "warp", .parent = NO_TRACK, .depth = 1, .spans = &open};
    const trace_view view = {.machine = "rig", .kinds = kinds, .tracks = &track};
    void *writer = vcd_writer.open(path, &view);
    vcd_writer.put(writer, &(trace_item){.t = 100, .form = HD_TRACED_BEGIN, .kind = SPAN, .values = {5}});
    vcd_writer.put(writer, &(trace_item){.t = 100, .form = HD_TRACED_COUNTER, .kind = LEVEL, .values = {6}});
    vcd_writer.put(writer, &(trace_item){.t = 200, .form = HD_TRACED_INSTANT, .kind = INSTANT});
    cr_assert(vcd_writer.finish(writer, 300));
    cr_expect_str_eq(read_all(path), "$comment heddle, rig $end\n"
                                     "$timescale 1 ps $end\n"
                                     "$scope module warp $end\n"
                                     "$var wire 64 ! span $end\n"
                                     "$var wire 64 \" level $end\n"
                                     "$var event 1 # instant $end\n"
                                     "$upscope $end\n"
                                     "$enddefinitions $end\n"
                                     "$dumpvars\n"
                                     "bz !\n"
                                     "b0 \"\n"
                                     "$end\n"
                                     "#100\n"
                                     "b101 !\n"
                                     "b110 \"\n"
                                     "#200\n"
                                     "1#\n"
                                     "#300\n");
    cr_expect_eq(unlink(path), 0);
    cr_expect_eq(rmdir(folder), 0, "something else was left in the folder");
}
