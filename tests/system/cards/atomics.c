/* SPDX-License-Identifier: MIT */
/* Atomics on one word, on the words of a line, spread over the slices, and one after the other: micro_atomics. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "chase.h"
#include "known.h"
#include "micro_atomics/args.h"
#include "path.h"

enum { BLOCK = 256, OPERATIONS = 4 * 4 }; /* of each lane, that the longer run does more */

/* Cycles of the slices for one instruction of every warp, of as many blocks as there are SMs. Every other warp goes to another place. */
static double cycles_of_a_round(const card *of, const char *lane_stride, const char *place_stride)
{
    char blocks[16], lanes[16];
    snprintf(blocks, sizeof blocks, "%.0f", card_count(of, "core"));
    snprintf(lanes, sizeof lanes, "%.0f", card_value(of, "core", "lanes"));
    const hd_host_option options[] = {{"lane_stride", lane_stride},
                                      {"place_stride", place_stride},
                                      {"blocks", blocks},
                                      {"block", "256"},
                                      {"lanes", lanes},
                                      {NULL, NULL}};
    const double cycles = card_more_cycles(of, "micro_atomics", NULL, options, "rounds", "2", "6");
    return cycles / OPERATIONS * card_hertz(of, "l2") / card_hertz(of, "core");
}

static double warps(const card *of)
{
    return card_count(of, "core") * BLOCK / card_value(of, "core", "lanes");
}

static double word_measured(const card *of, const char *argument)
{
    (void)argument;
    return cycles_of_a_round(of, "0", "0") / (warps(of) * card_value(of, "core", "lanes"));
}

static double locked(const card *of)
{
    return fmax(card_value(of, "l2", "atomic.same_word"), card_value(of, "l2", "atomic.line_lock"));
}

static double word_formula(const card *of, const char *argument)
{
    (void)argument;
    const double words = card_value(of, "l2", "atomic_words");
    return fmax(locked(of), card_value(of, "l2", "atomic.sector_words") > 0 ? 1 : 1 / words);
}

static double line_measured(const card *of, const char *argument)
{
    (void)argument;
    return cycles_of_a_round(of, "4", "0") / warps(of);
}

static double line_formula(const card *of, const char *argument)
{
    (void)argument;
    const double lanes = card_value(of, "core", "lanes"), together = card_value(of, "l2", "atomic.sector_words");
    return fmax(locked(of), lanes / (together > 0 ? together : card_value(of, "l2", "atomic_words")));
}

static double spread_measured(const card *of, const char *argument)
{
    (void)argument;
    return cycles_of_a_round(of, "256", "0") / warps(of);
}

static double offset_measured(const card *of, const char *offset)
{
    return cycles_of_a_round(of, "0", offset) / cycles_of_a_round(of, "0", "0");
}

/* Between the readings two moves issue besides the chain. */
static double chain_measured(const card *of, const char *argument)
{
    (void)argument;
    const hd_host_option options[] = {{"block", "1"}, {NULL, NULL}};
    hd_machine *machine = card_run(of, "micro_atomics", NULL, options);
    path *p = path_new(machine);
    const double cycles = (double)(micro_report(machine, "end") - micro_report(machine, "begin"));
    const double moves = 2 * (double)path_next_issue(p);
    path_free(p);
    hd_machine_close(machine);
    return (cycles - moves) / MICRO_ATOMICS_CHAIN;
}

/* A load that hits, and the rest; packets are a little longer or shorter. */
static double chain_formula(const card *of, const char *argument)
{
    (void)argument;
    static const chase in_l2 = {L2_HIT, "256", "7", "7", NULL};
    hd_machine *machine = chase_run(of->path, &in_l2, NULL);
    const double load = (double)chase_expected(&in_l2, machine) / 32;
    hd_machine_close(machine);
    return load + card_value(of, "l2", "atomic_latency") * card_hertz(of, "core") / card_hertz(of, "l2");
}

const known known_atomics[] = {
    {"K25", "atomics, all of one word", "L2 cycles an addition", word_measured, word_formula, 0.05, 0, 0},
    {"K26", "atomics, a warp on a line", "L2 cycles a warp", line_measured, line_formula, 0.05, 0, 0},
    {"K27", "atomics, a warp on words 256 B apart", "L2 cycles a warp", spread_measured, NULL, 0, 0, 0},
    {"K28", "atomics, warps in turn on two words %s B apart", "of the time on one word", offset_measured, NULL, 0, 0,
     0},
    {"K29", "atomics, a chain of one lane", "core cycles each", chain_measured, chain_formula, 0.03, 0, 0},
    {NULL, NULL, NULL, NULL, NULL, 0, 0, 0},
};
