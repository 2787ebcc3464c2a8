/* SPDX-License-Identifier: MIT */
/* Dynamic detection of spinning: what warps compare, and at which branches they go back when it repeats itself. */
#include <stdlib.h>
#include <string.h>

#include "ddos.h"
#include "history.h"
#include "prediction.h"
#include "spin_units.h"

#define NOBODY UINT32_MAX

enum { CLEARED, TABLE_ENTRIES, TABLE_DROPS, STATISTICS };

typedef struct history_set {
    history history;
    uint64_t since; /* cycle from which on its warp has it */
    uint32_t warp;  /* NOBODY */
    uint32_t lane;  /* which is looked at; NOBODY */
} history_set;

typedef struct ddos {
    hd_unit_share share;
    uint32_t warps, sets;
    uint32_t length, reach;
    uint32_t *set_of;   /* [warp]; NOBODY: it has none */
    uint32_t *entry_pc; /* [warp] */
    uint64_t *running;  /* [warp]: lanes that have not left; known from the first compare on */
    prediction prediction;
    history_set histories[]; /* [sets] */
} ddos;

static uint64_t value_of(const ddos *d, enum ddos_parameter parameter)
{
    return d->share.values[parameter].u;
}

static void begin(history_set *set, uint32_t warp, uint32_t lane, uint64_t cycle)
{
    history_clear(&set->history);
    set->warp = warp;
    set->lane = lane;
    set->since = cycle;
}

static void forget_warp(ddos *d, uint32_t warp)
{
    if (d->set_of[warp] != NOBODY)
        begin(&d->histories[d->set_of[warp]], value_of(d, DDOS_HISTORIES) ? NOBODY : warp, NOBODY, 0);
    if (value_of(d, DDOS_HISTORIES))
        d->set_of[warp] = NOBODY;
    d->running[warp] = UINT64_MAX;
}

static void ddos_reset(spin *unit)
{
    ddos *d = (ddos *)unit;
    const uint32_t own = !value_of(d, DDOS_HISTORIES);
    for (uint32_t set = 0; set < d->sets; set++)
        begin(&d->histories[set], own ? set : NOBODY, NOBODY, 0);
    for (uint32_t warp = 0; warp < d->warps; warp++) {
        d->set_of[warp] = own ? warp : NOBODY;
        d->entry_pc[warp] = 0;
        d->running[warp] = UINT64_MAX;
    }
    prediction_clear(&d->prediction);
}

static void ddos_destroy(spin *unit)
{
    ddos *d = (ddos *)unit;
    free(d->set_of);
    free(d->entry_pc);
    free(d->running);
    free(d);
}

static uint32_t reach_of(const hd_value *values)
{
    const uint32_t last = (uint32_t)values[DDOS_LENGTH].u - 1;
    return last && values[DDOS_REACH].u == DDOS_REACH_BEFORE_LAST ? last - 1 : last;
}

static spin *ddos_create(const spin_parameters *parameters)
{
    const hd_value *values = parameters->share.values;
    const uint32_t sets = values[DDOS_HISTORIES].u ? (uint32_t)values[DDOS_HISTORIES].u : parameters->warps;
    ddos *d = calloc(1, sizeof *d + sets * sizeof *d->histories);
    if (!d)
        return NULL;
    d->share = parameters->share;
    d->warps = parameters->warps;
    d->sets = sets;
    d->length = (uint32_t)values[DDOS_LENGTH].u;
    d->reach = reach_of(values);
    d->set_of = calloc(d->warps, sizeof *d->set_of);
    d->entry_pc = calloc(d->warps, sizeof *d->entry_pc);
    d->running = calloc(d->warps, sizeof *d->running);
    d->prediction.capacity = (uint32_t)values[DDOS_ENTRIES].u;
    d->prediction.threshold = (uint32_t)values[DDOS_THRESHOLD].u;
    if (!d->set_of || !d->entry_pc || !d->running) {
        ddos_destroy((spin *)d);
        return NULL;
    }
    ddos_reset((spin *)d);
    return (spin *)d;
}

static void ddos_launch(spin *unit, uint32_t warp, const isa_program *program, uint32_t entry_pc)
{
    ddos *d = (ddos *)unit;
    (void)program;
    forget_warp(d, warp);
    d->entry_pc[warp] = entry_pc;
}

static void ddos_exited(spin *unit, uint32_t warp, uint64_t lanes)
{
    ((ddos *)unit)->running[warp] &= ~lanes;
}

/* The warp takes one whose time is over; NOBODY: there is none. */
static uint32_t take_set(ddos *d, uint32_t warp, uint64_t cycle)
{
    for (uint32_t i = 0; i < d->sets; i++) {
        history_set *set = &d->histories[i];
        if (set->warp != NOBODY && cycle - set->since <= value_of(d, DDOS_EPOCH))
            continue;
        if (set->warp != NOBODY)
            d->set_of[set->warp] = NOBODY;
        begin(set, warp, NOBODY, cycle);
        return d->set_of[warp] = i;
    }
    return NOBODY;
}

/* Does the lane that is looked at take part? Another one may be from now on. */
static uint32_t follows(ddos *d, history_set *set, const path_event *event)
{
    if (set->lane != NOBODY && event->mask >> set->lane & 1)
        return 1;
    if (set->lane != NOBODY && value_of(d, DDOS_FOREIGN) == DDOS_FOREIGN_SKIPPED &&
        d->running[event->warp] >> set->lane & 1)
        return 0;
    d->share.counters[CLEARED] += set->lane != NOBODY;
    begin(set, set->warp, (uint32_t)__builtin_ctzll(event->mask), set->since);
    return 1;
}

static void ddos_compared(spin *unit, const path_event *event)
{
    ddos *d = (ddos *)unit;
    uint32_t at = d->set_of[event->warp];
    if (at == NOBODY && (at = take_set(d, event->warp, event->cycle)) == NOBODY)
        return;
    history_set *set = &d->histories[at];
    if (!follows(d, set, event))
        return;
    const uint32_t hash = (uint32_t)value_of(d, DDOS_HASH), bits = (uint32_t)value_of(d, DDOS_VALUE_BITS);
    const uint32_t place = (event->pc - d->entry_pc[event->warp]) / 4;
    const history_entry entry = {.path = (uint16_t)spin_hash_of(hash, place, (uint32_t)value_of(d, DDOS_PATH_BITS)),
                                 .value = {(uint16_t)spin_hash_of(hash, event->left[set->lane], bits),
                                           (uint16_t)spin_hash_of(hash, path_event_right(event, set->lane), bits)}};
    history_insert(&set->history, entry, d->length, d->reach);
}

static uint32_t ddos_branched(spin *unit, const path_event *event)
{
    ddos *d = (ddos *)unit;
    const uint32_t at = d->set_of[event->warp];
    const uint64_t dropped = d->prediction.dropped;
    if (value_of(d, DDOS_TAKEN) == DDOS_TAKEN_LOWEST && !(event->taken & event->mask & -event->mask))
        return SPIN_NOT;
    const enum spin_verdict verdict =
        prediction_take(&d->prediction, event->pc, at != NOBODY && d->histories[at].history.state == HISTORY_SPIN);
    d->share.counters[TABLE_DROPS] += d->prediction.dropped - dropped;
    if (d->prediction.count > d->share.counters[TABLE_ENTRIES])
        d->share.counters[TABLE_ENTRIES] = d->prediction.count;
    return verdict;
}

static void ddos_drained(spin *unit)
{
    prediction_clear(&((ddos *)unit)->prediction);
}

static void history_set_transfer(history_set *set, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, set->history);
    HD_STATE_VALUE(stream, set->since);
    HD_STATE_VALUE(stream, set->warp);
    HD_STATE_VALUE(stream, set->lane);
}

static void ddos_transfer(spin *unit, const hd_state_stream *stream)
{
    ddos *d = (ddos *)unit;
    HD_STATE_SHAPE(stream, "histories of spin detection", d->sets);
    HD_STATE_ARRAY(stream, d->set_of, d->warps);
    HD_STATE_ARRAY(stream, d->entry_pc, d->warps);
    HD_STATE_ARRAY(stream, d->running, d->warps);
    for (uint32_t set = 0; set < d->sets; set++)
        history_set_transfer(&d->histories[set], stream);
    prediction_transfer(&d->prediction, stream);
}

const spin_unit spin_ddos = {
    .create = ddos_create,
    .destroy = ddos_destroy,
    .reset = ddos_reset,
    .launch = ddos_launch,
    .compared = ddos_compared,
    .exited = ddos_exited,
    .branched = ddos_branched,
    .drained = ddos_drained,
    .transfer = ddos_transfer,
};

static const hd_statistic statistics[STATISTICS] = {
    [CLEARED] = {.name = "ddos_histories_cleared",
                 .unit = "histories",
                 .kind = HD_STATISTIC_COUNT,
                 .doc = "begun anew, as the lane that is looked at took no part in a compare"},
    [TABLE_ENTRIES] = {.name = "ddos_maximum_entries",
                       .unit = "branches",
                       .kind = HD_STATISTIC_MAXIMUM,
                       .doc = "most entries of the prediction table in use"},
    [TABLE_DROPS] =
        {.name = "ddos_table_drops",
         .unit = "branches",
         .kind = HD_STATISTIC_COUNT,
         .doc = "taken by a spinning warp, and not entered in the prediction table: all its entries are of known "
                "branches"},
};

static double history_bytes(const hd_structure_use *use)
{
    return (double)(ddos_history_bits(use->values, use->parameter) * use->count) / 8;
}

static double table_bytes(const hd_structure_use *use)
{
    return (double)(ddos_table_bits(use->values) * use->count) / 8;
}

static const hd_structure structures[] = {
    {.name = "histories of compares",
     .source = "ElTantawy 2018, Table 6.2",
     .parameter = "warps",
     .bytes = history_bytes},
    {.name = "table of spin branches", .source = "ElTantawy 2018, Table 6.2", .bytes = table_bytes},
};

#define LENGTH(table) (sizeof(table) / sizeof *(table))

const hd_unit hd_spin_ddos = {
    HD_UNIT_HEAD(spin, SPIN, ddos),
    .doc =
        "DDOS: a warp spins if what one of its lanes compares repeats itself; branches that such warps take are learnt",
    .source = "ElTantawy 2018 §6.3",
    .parameter_count = DDOS_PARAMETERS,
    .parameters = ddos_parameters,
    .statistic_count = STATISTICS,
    .statistics = statistics,
    .structure_count = LENGTH(structures),
    .structures = structures,
    .abilities = "spin",
};
