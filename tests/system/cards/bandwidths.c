/* SPDX-License-Identifier: MIT */
/* Bytes per cycle of one core's memories, of the L2, and of DRAM. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "hd_message.h"
#include "known.h"
#include "measured.h"
#include "micro_constants/args.h"
#include "micro_copy/args.h"
#include "micro_reads/args.h"
#include "slices.h"
#include "statistics.h"

/* ---- One core ------------------------------------------------------------------------------------------------------ */

/* Cycles that the memory pipe of a core takes for a load of a word by every lane of a warp. */
static double load_cycles(const card *of, const char *where, const char *stride)
{
    static const char *const changes[] = {"core.count=1", "core.l1.global=cache", NULL};
    char blocks[16];
    snprintf(blocks, sizeof blocks, "%.0f", card_threads(of) / 256);
    const hd_host_option options[] = {
        {"blocks", blocks}, {"block", "256"}, {"scratchpad", where}, {"stride", stride}, {NULL, NULL}};
    const double warps = card_threads(of) / card_value(of, "core", "lanes");
    return card_more_cycles(of, "micro_reads", changes, options, "rounds", "1", "2") / (MICRO_READS_LOADS * warps);
}

static double entry_cycles(const card *of)
{
    const double lanes = card_value(of, "core", "lanes"), width = card_value(of, "core", "memory.lanes");
    return width > 0 && width < lanes ? ceil(lanes / width) : 1;
}

static double word_bytes(const card *of)
{
    return 4 * card_value(of, "core", "lanes");
}

static double scratchpad_measured(const card *of, const char *argument)
{
    (void)argument;
    return word_bytes(of) / load_cycles(of, "1", "1");
}

static double scratchpad_formula(const card *of, const char *argument)
{
    (void)argument;
    const double lanes = card_value(of, "core", "lanes"), group = card_value(of, "core", "scratchpad.group");
    const double together = group > 0 && group < lanes ? group : lanes;
    const double passes = lanes / together * ceil(together / card_value(of, "core", "scratchpad.banks"));
    return word_bytes(of) / fmax(passes, entry_cycles(of));
}

/* Of a line of 128 B. */
static double line_cycles(const card *of)
{
    const double lookups =
        ceil(HD_LINE_BYTES / card_value(of, "core", "l1.line") / card_value(of, "core", "l1.lookups"));
    const double port = card_value(of, "core", "l1.port_bytes");
    return port > 0 ? fmax(lookups, ceil(HD_LINE_BYTES / port)) : lookups;
}

static double l1_cycles_formula(const card *of, const char *stride)
{
    const double lines = fmin(card_value(of, "core", "lanes"), ceil(word_bytes(of) * atof(stride) / HD_LINE_BYTES));
    return fmax(lines * line_cycles(of), entry_cycles(of));
}

static double l1_cycles_measured(const card *of, const char *stride)
{
    return load_cycles(of, "0", stride);
}

static double l1_measured(const card *of, const char *argument)
{
    (void)argument;
    return word_bytes(of) / load_cycles(of, "0", "1");
}

static double l1_formula(const card *of, const char *argument)
{
    (void)argument;
    return word_bytes(of) / l1_cycles_formula(of, "1");
}

/* What a scheduler has of the pipe while all of them load. */
static double turn_measured(const card *of, const char *argument)
{
    (void)argument;
    return card_value(of, "core", "schedulers") * load_cycles(of, "0", "1");
}

static double turn_formula(const card *of, const char *argument)
{
    (void)argument;
    const double turn = card_value(of, "core", "schedulers") * l1_cycles_formula(of, "1");
    return fmax(turn, card_value(of, "core", "memory.address.interval"));
}

/* One word of the constant cache for all lanes. */
static double constants_measured(const card *of, const char *argument)
{
    (void)argument;
    static const char *const changes[] = {"core.count=1", NULL};
    char blocks[16];
    snprintf(blocks, sizeof blocks, "%.0f", card_threads(of) / 256);
    const hd_host_option options[] = {{"blocks", blocks}, {"block", "256"}, {NULL, NULL}};
    const double cycles = card_more_cycles(of, "micro_constants", changes, options, "rounds", "1", "3");
    return 2.0 * MICRO_CONSTANTS_LOADS * card_threads(of) / cycles;
}

static double constants_formula(const card *of, const char *argument)
{
    (void)argument;
    return card_value(of, "core", "lanes") / entry_cycles(of);
}

/* ---- L2 ------------------------------------------------------------------------------------------------------------ */

/* Bytes per cycle of the slices that `cores` (NULL: all) read of 512 KiB that the slices hold. */
static double l2_bytes(const card *of, const char *cores)
{
    const char *const changes[] = {"core.type=traffic",
                                   "core.pattern=random",
                                   "core.region=shared",
                                   "core.outstanding=256",
                                   "core.warm_up=8000 cycles",
                                   "core.duration=4000 cycles",
                                   "core.writes=0",
                                   "core.footprint=512 KiB",
                                   cores,
                                   NULL};
    return measure_traffic(of->path, changes) / card_hertz(of, "l2");
}

static double l2_share_measured(const card *of, const char *argument)
{
    (void)argument;
    return 100 * l2_bytes(of, NULL) / (card_count(of, "l2") * card_value(of, "l2", "port_bytes"));
}

static double l2_one_measured(const card *of, const char *argument)
{
    (void)argument;
    return l2_bytes(of, "core.count=1");
}

/* Of 64 chunks from a multiple of what they span: an app has to be asked where its memory lies. */
static double slices_measured(const card *of, const char *exponent)
{
    char step[24], offset[24] = "0";
    const uint64_t bytes = UINT64_C(256) << atoi(exponent), span = 64 * bytes;
    snprintf(step, sizeof step, "%u", (uint32_t)bytes);
    const char *const changes[] = {"core.l1.global=bypass", NULL};
    const hd_host_option options[] = {
        {"step", step}, {"length", "64"}, {"warm", "1280"}, {"offset", offset}, {NULL, NULL}};
    double slices = 0;
    for (uint32_t i = 0; i < 2; i++) {
        hd_machine *machine = card_run(of, "micro_chain", changes, options);
        slices = slices_with_loads(machine, 20);
        snprintf(offset, sizeof offset, "%u", (uint32_t)(span - micro_report(machine, "start") % span));
        hd_machine_close(machine);
    }
    return slices;
}

/* ---- DRAM ---------------------------------------------------------------------------------------------------------- */

/* A part of the card with at most so many channels, and of the rest what belongs to them. */
enum { CHANNELS_MAX = 4, BLOCK = 256, BLOCK_BYTES = BLOCK * MICRO_COPY_UNROLLED * 4 };

typedef struct part {
    double channels, slices, cores;
} part;

static part part_of(const card *of)
{
    const double channels = card_count(of, "dram"), used = fmin(channels, CHANNELS_MAX);
    return (part){used, card_count(of, "l2") / channels * used, ceil(card_count(of, "core") / channels * used)};
}

static uint32_t operation_of(const char *name)
{
    static const char names[MICRO_COPY_OPERATIONS] = {'r', 'w', 'c', 't'};
    for (uint32_t i = 0; i < MICRO_COPY_OPERATIONS; i++)
        if (names[i] == *name)
            return i;
    cr_assert_fail("'%s' is not read, write, copy or triad", name);
    return 0;
}

/* Percent of the data bus. The shorter run fills the L2, so that what a longer one writes more is written to memory. */
static double dram_share_measured(const card *of, const char *name)
{
    static const double arrays[MICRO_COPY_OPERATIONS] = {1, 1, 2, 3};
    const uint32_t operation = operation_of(name);
    const part part = part_of(of);
    char text[6][40];
    snprintf(text[0], 40, "core.count=%.0f", part.cores);
    snprintf(text[1], 40, "l2.count=%.0f", part.slices);
    snprintf(text[2], 40, "dram.count=%.0f", part.channels);
    const double blocks = ceil(fmax(32 * part.cores, 1.25 * part.slices * card_value(of, "l2", "bytes") / BLOCK_BYTES));
    const double more = fmax(32 * part.cores, ceil(blocks / 2));
    snprintf(text[3], 40, "%u", operation);
    snprintf(text[4], 40, "%.0f", blocks);
    snprintf(text[5], 40, "%.0f", blocks + more);
    const char *const changes[] = {text[0], text[1], text[2], NULL};
    const hd_host_option options[] = {{"operation", text[3]}, {"block", "256"}, {NULL, NULL}};
    const double cycles = card_more_cycles(of, "micro_copy", changes, options, "blocks", text[4], text[5]);
    const double rate = arrays[operation] * more * BLOCK_BYTES / cycles * card_hertz(of, "core");
    return 100 * rate / (part.channels * card_value(of, "dram", "bus_bytes") * card_hertz(of, "dram"));
}

static double activate_bytes_measured(const card *of, const char *argument)
{
    (void)argument;
    const hd_host_option options[] = {{"n", "65536"}, {NULL, NULL}};
    hd_machine *machine = card_run(of, HEDDLE_APPS "/vecadd", NULL, options);
    const hd_statistics *statistics = hd_machine_statistics(machine);
    const hd_interval *kernel = hd_statistics_kernel(statistics, 0);
    const double bytes = (double)(hd_statistics_sum(statistics, kernel, "dram", "bytes_read") +
                                  hd_statistics_sum(statistics, kernel, "dram", "bytes_written"));
    const double activates = (double)hd_statistics_sum(statistics, kernel, "dram", "activates");
    hd_machine_close(machine);
    return bytes / activates;
}

const known known_bandwidths[] = {
    {"K9", "scratchpad, a word of every lane", "B a core cycle, per SM", scratchpad_measured, scratchpad_formula, 0.03,
     0, 0},
    {"K12", "L1, a word of every lane", "B a core cycle, per SM", l1_measured, l1_formula, 0.05, 0, 0},
    {"K36", "constants, one word for all lanes", "words a core cycle, per SM", constants_measured, constants_formula,
     0.05, 0, 0},
    {"K33", "L1, a word of every lane, of each scheduler", "core cycles a load", turn_measured, turn_formula, 0.05, 0, 0},
    {"K13", "L1, words %s apart", "core cycles a load of a warp", l1_cycles_measured, l1_cycles_formula, 0.05, 0, 0},
    {"K17", "L2, all SMs read 512 KiB", "% of its ports", l2_share_measured, NULL, 0, 1, 0},
    {"K18", "L2, one SM reads 512 KiB", "B a cycle of the L2", l2_one_measured, NULL, 0, 0, 0},
    {"K19", "DRAM: %s", "% of its bus", dram_share_measured, NULL, 0, 0, 0},
    {"K20", "DRAM, `vecadd` of arrays of 256 KiB", "B an activate", activate_bytes_measured, NULL, 0, 0, 0},
    {"K21", "chunks 256 B · 2^%s apart", "slices used", slices_measured, NULL, 0, 0, 0},
    {NULL, NULL, NULL, NULL, NULL, 0, 0, 0},
};
