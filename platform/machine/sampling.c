/* SPDX-License-Identifier: MIT */
/*
 * The steps of a sampled run. All positions are in warp instructions of the whole machine, whoever has executed them. Windows begin
 * every `period` of these, from a random first one on.
 */
#include "sampling.h"

#include <stdlib.h>
#include <string.h>

#include "hd_hash.h"
#include "machine_internal.h"
#include "ratio.h"

#define LOOK_CYCLES 256u /* of the cores, between two looks: while they are timed, or come to rest */
#define FAST_CYCLES 4096u
#define SAMPLING_WARPS 256u /* cores have fewer */

enum phase { SAMPLING_TIMED, SAMPLING_STOPS, SAMPLING_FAST, SAMPLING_WARMS, SAMPLING_WINDOW };

typedef struct sampled_block {
    hd_block *block;
    const hd_fast_forward *ability;
    uint32_t endpoint;
    uint32_t instructions; /* number of the statistic, of cores */
    uint64_t resumed;      /* its value when the core became timed */
} sampled_block;

struct sampling {
    hd_sampling_setup setup;
    hd_sampling_results results;
    sampling_memory memory;
    hd_engine *engine;
    hd_clock clock;        /* of the cores */
    sampled_block *blocks; /* cores first */
    uint32_t block_count, core_count;
    const hd_pending **others; /* of networks and memories, which have to be idle */
    uint32_t *other_blocks;
    uint32_t other_count;

    enum phase phase;
    hd_time due;
    uint32_t has_acted;       /* when it looked last */
    uint64_t next;            /* where the next window begins */
    uint64_t resumed;         /* position at which blocks became timed */
    uint64_t window_position; /* of the window's begin, */
    hd_time window_busy;
    uint32_t window_stratum;
    hd_time warm_busy; /* when blocks became timed */

    double rates[SAMPLING_WARPS]; /* of a core, by its warps: instructions per picosecond while it was timed; 0: not known */
    hd_time stretch; /* for which it was timed the last time, while kernels ran */

    uint32_t running; /* kernels */
    hd_time busy;     /* in which one ran, up to `since` */
    hd_time since;

    ratio_window start; /* of the run, which is no window of the sample */
    double totals[RATIO_STRATA]; /* instructions of the rest, by stratum */
    uint32_t stratum;            /* that of those to come, */
    uint64_t counted;            /* from this position on */
    uint32_t most_warps;
    ratio_window *windows;
    uint32_t window_room;
};

/* ---- Life ---------------------------------------------------------------------------------------------------------- */

/* Any place in the first period: a function of the seed, so that runs can be repeated. */
static uint64_t random_offset(const hd_sampling_setup *setup, uint64_t seed)
{
    uint64_t x = seed * UINT64_C(0x9E3779B97F4A7C15) + UINT64_C(0xD1B54A32D192ED03); /* SplitMix64, Steele et al. 2014 */
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return (x ^ x >> 31) % setup->period;
}

sampling *sampling_create(const hd_sampling_setup *setup, uint64_t seed)
{
    sampling *s = calloc(1, sizeof *s);
    if (!s)
        abort();
    s->setup = *setup;
    s->results = (hd_sampling_results){.setup = *setup, .half_width = -1};
    s->results.offset = setup->offset == HD_SAMPLING_RANDOM_OFFSET ? random_offset(setup, seed) : setup->offset;
    s->next = s->results.offset;
    sampling_memory_init(&s->memory);
    return s;
}

void sampling_destroy(sampling *s)
{
    if (!s)
        return;
    sampling_memory_free(&s->memory);
    free(s->blocks);
    free(s->others);
    free(s->other_blocks);
    free(s->windows);
    free(s);
}

hd_tlm_extension sampling_extension(const sampling *s)
{
    return (hd_tlm_extension){.id = HD_EXTENSION_FAST_MEMORY, .pointer = &s->memory.fast};
}

static uint32_t number_of_instructions(const hd_block_class *type)
{
    uint32_t i = 0;
    while (strcmp(type->statistics[i].name, "warp_instructions") != 0)
        i++;
    return i;
}

static void add_block(sampling *s, uint32_t endpoint, uint32_t are_cores)
{
    const hd_block_class *type = hd_engine_block_class(s->engine, endpoint);
    hd_block *block = hd_engine_block(s->engine, endpoint);
    const hd_fast_forward *ability = type->extension ? type->extension(block, HD_EXTENSION_FAST_FORWARD) : NULL;
    const uint32_t is_core = ability && ability->stop;
    if (ability && is_core == are_cores)
        s->blocks[s->block_count++] =
            (sampled_block){.block = block,
                            .ability = ability,
                            .endpoint = endpoint,
                            .instructions = is_core ? number_of_instructions(type) : 0};
    else if (!ability && !are_cores && (strcmp(type->kind, "crossbar") == 0 || strcmp(type->kind, "dram") == 0)) {
        s->others[s->other_count] = type->extension(block, HD_EXTENSION_PENDING);
        s->other_blocks[s->other_count++] = endpoint;
    }
}

static void find_blocks(sampling *s)
{
    const uint32_t count = hd_engine_block_count(s->engine);
    s->blocks = calloc(count, sizeof *s->blocks);
    s->others = calloc(count, sizeof *s->others);
    s->other_blocks = calloc(count, sizeof *s->other_blocks);
    if (!s->blocks || !s->others || !s->other_blocks)
        abort();
    for (uint32_t i = 0; i < count; i++)
        add_block(s, i, 1);
    s->core_count = s->block_count;
    for (uint32_t i = 0; i < count; i++)
        add_block(s, i, 0);
}

uint32_t sampling_bind(sampling *s, hd_machine *machine, char **error)
{
    s->engine = machine->engine;
    *error = sampling_refuse_machine(machine);
    if (!*error)
        *error = sampling_refuse_programs(machine);
    if (*error)
        return 0;
    find_blocks(s);
    s->clock = hd_engine_block_clock(s->engine, s->blocks[0].endpoint);
    s->results.hertz = s->clock.hz;
    return sampling_memory_bind(&s->memory, s->engine, machine->address_map.partitions ? &machine->address_map : NULL);
}

/* ---- Positions and times ------------------------------------------------------------------------------------------- */

static uint64_t instructions_of(const sampling *s, const sampled_block *core)
{
    return hd_engine_counters(s->engine, core->endpoint)[core->instructions];
}

static uint64_t position(const sampling *s)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < s->core_count; i++)
        sum += instructions_of(s, &s->blocks[i]);
    return sum;
}

static uint32_t warps_of(const sampling *s, uint32_t core)
{
    const uint32_t warps = s->blocks[core].ability->warps(s->blocks[core].block);
    return warps < SAMPLING_WARPS ? warps : SAMPLING_WARPS - 1;
}

static hd_time busy_at(const sampling *s, hd_time t)
{
    return s->busy + (s->running ? t - s->since : 0);
}

void sampling_kernel(sampling *s, uint32_t begins, hd_time t)
{
    if (!s)
        return;
    s->busy = busy_at(s, t);
    s->since = t;
    s->running += begins ? 1 : UINT32_MAX;
}

/* ---- Steps --------------------------------------------------------------------------------------------------------- */

/* What cores with so many warps have done in the stretch that ends, on average; beside what was known of such cores. */
static void find_rates(sampling *s)
{
    uint64_t done[SAMPLING_WARPS] = {0};
    uint32_t cores[SAMPLING_WARPS] = {0};
    for (uint32_t i = 0; i < s->core_count; i++) {
        const uint32_t warps = warps_of(s, i);
        done[warps] += instructions_of(s, &s->blocks[i]) - s->blocks[i].resumed;
        cores[warps]++;
    }
    for (uint32_t warps = 1; warps < SAMPLING_WARPS; warps++)
        if (cores[warps] && s->stretch)
            s->rates[warps] = (s->rates[warps] > 0 ? s->rates[warps] / 2 : 0) +
                              (double)done[warps] / cores[warps] / (double)s->stretch / (s->rates[warps] > 0 ? 2 : 1);
}

/* Of a core with so many warps: as those that have as many or the next number above, in proportion; else as those below. */
static double rate_of(const sampling *s, uint32_t warps)
{
    for (uint32_t more = warps; more < SAMPLING_WARPS; more++)
        if (s->rates[more] > 0)
            return s->rates[more] * warps / more;
    for (uint32_t fewer = warps; fewer > 0; fewer--)
        if (s->rates[fewer] > 0)
            return s->rates[fewer];
    return 1;
}

static void set_paces(sampling *s)
{
    double most = 0;
    for (uint32_t i = 0; i < s->core_count; i++) {
        const double rate = rate_of(s, warps_of(s, i));
        most = rate > most ? rate : most;
    }
    for (uint32_t i = 0; i < s->core_count; i++) {
        const double share = most > 0 ? rate_of(s, warps_of(s, i)) / most : 1;
        s->blocks[i].ability->pace(s->blocks[i].block, 1 + (uint32_t)(share * (HD_FAST_RATE - 1)));
    }
}

static void stop(sampling *s, hd_time t, uint64_t at)
{
    s->stretch = busy_at(s, t) - s->warm_busy;
    find_rates(s);
    s->results.timed_instructions += at - s->resumed;
    for (uint32_t i = 0; i < s->core_count; i++)
        s->blocks[i].ability->stop(s->blocks[i].block, t);
    for (uint32_t i = 0; i < s->core_count; i++)
        hd_engine_wake(s->engine, s->blocks[i].endpoint);
    s->phase = SAMPLING_STOPS;
}

static uint32_t are_at_rest(const sampling *s)
{
    for (uint32_t i = 0; i < s->block_count; i++)
        if (!s->blocks[i].ability->is_at_rest(s->blocks[i].block))
            return 0;
    for (uint32_t i = 0; i < s->other_count; i++)
        if (s->others[i]->has_work(hd_engine_block(s->engine, s->other_blocks[i])))
            return 0;
    return hd_engine_packets(s->engine).in_links == 0;
}

static void begin_fast(sampling *s, hd_time t)
{
    for (uint32_t i = 0; i < s->block_count; i++) {
        s->blocks[i].ability->begin(s->blocks[i].block, t);
        hd_engine_wake(s->engine, s->blocks[i].endpoint);
    }
    set_paces(s);
    s->phase = SAMPLING_FAST;
}

/* Caches first: cores may look into them. */
static void end_fast(sampling *s, hd_time t, uint64_t at)
{
    for (uint32_t i = s->block_count; i-- > 0;) {
        s->blocks[i].ability->end(s->blocks[i].block, t);
        if (i < s->core_count)
            s->blocks[i].resumed = instructions_of(s, &s->blocks[i]);
        hd_engine_wake(s->engine, s->blocks[i].endpoint);
    }
    s->resumed = at;
    s->warm_busy = busy_at(s, t);
    s->phase = SAMPLING_WARMS;
}

static void begin_window(sampling *s, hd_time t, uint64_t at)
{
    s->window_position = at;
    s->window_stratum = s->stratum;
    s->window_busy = busy_at(s, t);
    s->phase = SAMPLING_WINDOW;
}

static void end_window(sampling *s, hd_time t, uint64_t at)
{
    if (s->results.windows == s->window_room) {
        s->window_room = s->window_room ? 2 * s->window_room : 64;
        s->windows = realloc(s->windows, s->window_room * sizeof *s->windows);
        if (!s->windows)
            abort();
    }
    s->windows[s->results.windows++] = (ratio_window){.x = (double)(at - s->window_position),
                                                      .y = (double)(busy_at(s, t) - s->window_busy),
                                                      .stratum = s->window_stratum};
    while (s->next <= at)
        s->next += s->setup.period;
}

/* How full the machine is: the last blocks of a grid run beside fewer others. */
static uint32_t stratum_now(sampling *s)
{
    uint32_t warps = 0;
    for (uint32_t i = 0; i < s->core_count; i++)
        warps += warps_of(s, i);
    s->most_warps = warps > s->most_warps ? warps : s->most_warps;
    const uint32_t eighths = s->most_warps ? 8 * warps / s->most_warps : 0;
    return eighths >= 7 ? 0 : eighths >= 4 ? 1 : eighths >= 2 ? 2 : 3;
}

static void count_stratum(sampling *s, uint64_t at)
{
    s->totals[s->stratum] += (double)(at - s->counted);
    s->counted = at;
    s->stratum = stratum_now(s);
}

/* The beginning of the run is in the estimate as it was. */
static void end_start(sampling *s, hd_time t, uint64_t at)
{
    s->start = (ratio_window){.x = (double)at, .y = (double)busy_at(s, t)};
    s->next += at;
    s->counted = at;
    stop(s, t, at);
}

static void look(sampling *s, hd_time t)
{
    if (!s->running && (s->phase == SAMPLING_TIMED || s->phase == SAMPLING_FAST))
        return;
    const uint64_t at = position(s);
    if (s->phase != SAMPLING_TIMED)
        count_stratum(s, at);
    switch (s->phase) {
    case SAMPLING_TIMED:
        if (busy_at(s, t) >= hd_clock_cycles(s->clock, s->setup.start))
            end_start(s, t, at);
        break;
    case SAMPLING_STOPS:
        if (are_at_rest(s))
            begin_fast(s, t);
        break;
    case SAMPLING_FAST:
        if (at >= s->next)
            end_fast(s, t, at);
        else
            set_paces(s);
        break;
    case SAMPLING_WARMS:
        if (busy_at(s, t) - s->warm_busy >= hd_clock_cycles(s->clock, s->setup.warmup))
            begin_window(s, t, at);
        break;
    case SAMPLING_WINDOW:
        if (at - s->window_position < s->setup.window)
            break;
        end_window(s, t, at);
        stop(s, t, at);
        break;
    }
}

hd_time sampling_due(const sampling *s)
{
    return s ? s->due : HD_NEVER;
}

hd_time sampling_next(const sampling *s, hd_time next)
{
    return s && (s->phase == SAMPLING_STOPS || s->has_acted) ? hd_earlier(next, s->due) : next;
}

void sampling_step(sampling *s, hd_time t)
{
    const enum phase before = s->phase;
    look(s, t);
    s->has_acted = s->phase != before;
    s->due = t + hd_clock_cycles(s->clock, s->phase == SAMPLING_FAST ? FAST_CYCLES : LOOK_CYCLES);
}

/* ---- Results ------------------------------------------------------------------------------------------------------- */

void sampling_finish(sampling *s, hd_time t)
{
    if (!s)
        return;
    hd_sampling_results *r = &s->results;
    const uint64_t at = position(s);
    if (s->phase == SAMPLING_WINDOW && at > s->window_position)
        end_window(s, t, at);
    if (s->phase != SAMPLING_FAST && s->phase != SAMPLING_STOPS)
        r->timed_instructions += at - s->resumed;
    r->instructions = at;
    if (s->phase == SAMPLING_TIMED) /* all of it was its beginning */
        s->start.y = (double)busy_at(s, t);
    else
        s->totals[s->stratum] += (double)(at - s->counted);
    const ratio_estimate found = ratio_of(s->windows, r->windows, s->totals);
    r->picoseconds = s->start.y + found.total;
    r->half_width = s->phase == SAMPLING_TIMED ? 0 : found.half_width;
}

const hd_sampling_results *sampling_results(const sampling *s)
{
    return s ? &s->results : NULL;
}
