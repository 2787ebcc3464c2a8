/* SPDX-License-Identifier: MIT */
/* What every warp scheduler has to satisfy, whatever its policy (scheduler.h), and whatever holds back on top of each
 * (back_off.h); new ones are in the lists by themselves. */
#include <criterion/criterion.h>

#include "back_off_units.h"
#include "kit_random.h"
#include "scheduler_units.h"
#include "toy_units.h"

#define PATHS 200u
#define PATHS_PER_WARP 4u
#define WORDS ((PATHS + 63) / 64)
#define STEPS 3000u

static const hd_unit *const schedulers[] = {SCHEDULER_UNITS(HD_UNIT_POINTER) & toy_patient_scheduler,
                                            &toy_holding_scheduler};
static const hd_unit *const on_top[] = {BACK_OFF_UNITS(HD_UNIT_POINTER)};
#define SCHEDULERS (sizeof schedulers / sizeof *schedulers)
#define ALONE (sizeof on_top / sizeof *on_top)
#define UNITS (SCHEDULERS * (ALONE + 1)) /* each by itself, and below each that holds back */

#define VALUES_MAX 16u
#define SHORT 100u /* of all numbers among the parameters of a unit, so that times pass */

static const scheduler_unit *functions_of(const hd_unit *unit)
{
    return unit->functions;
}

/* One instance, and what it shares with the others of its core. */
typedef struct subject {
    const hd_unit *declared;
    const scheduler_unit *unit;
    scheduler_shared *shared, *base_shared;
    scheduler *instance;
    scheduler_base base; /* unit NULL: none */
} subject;

/* It has nothing but its own parameters. */
static subject create_on(const hd_unit *unit, scheduler_base base)
{
    static hd_value all_values[2]
                              [VALUES_MAX]; /* of units that stand by themselves, or are below; and of those on top */
    static uint64_t counters[VALUES_MAX];
    static const path standing[PATHS];
    hd_value *values = all_values[base.unit != NULL];
    scheduler_parameters parameters = {.paths = PATHS,
                                       .paths_per_warp = PATHS_PER_WARP,
                                       .standing = standing,
                                       .share = {.values = values, .counters = counters},
                                       .base = base};
    subject s = {.declared = unit, .unit = functions_of(unit), .base = base};
    cr_assert(unit->parameter_count <= VALUES_MAX && unit->statistic_count <= VALUES_MAX);
    cr_assert(!s.unit->create_shared == !s.unit->destroy_shared && !s.unit->create_shared == !s.unit->reset_shared);
    for (uint32_t i = 0; i < unit->parameter_count; i++)
        values[i].u = unit->parameters[i].type == HD_TYPE_UNSIGNED ? SHORT : 0;
    if (s.unit->create_shared)
        cr_assert(s.shared = s.unit->create_shared(&parameters));
    parameters.shared = s.shared;
    cr_assert(s.instance = s.unit->create(&parameters));
    return s;
}

static subject create(size_t u)
{
    const scheduler_base none = {.unit = NULL};
    const subject below = create_on(schedulers[u % SCHEDULERS], none);
    if (u / SCHEDULERS == ALONE)
        return below;
    subject s = create_on(on_top[u / SCHEDULERS], (scheduler_base){.unit = below.unit, .instance = below.instance});
    s.base_shared = below.shared;
    return s;
}

static void destroy(const subject *s)
{
    s->unit->destroy(s->instance);
    if (s->shared)
        s->unit->destroy_shared(s->shared);
    if (s->base.unit)
        s->base.unit->destroy(s->base.instance);
    if (s->base_shared)
        s->base.unit->destroy_shared(s->base_shared);
}

static void reset(const subject *s)
{
    if (s->base_shared)
        s->base.unit->reset_shared(s->base_shared);
    if (s->base.unit)
        s->base.unit->reset(s->base.instance);
    if (s->shared)
        s->unit->reset_shared(s->shared);
    s->unit->reset(s->instance);
}

static void clear(uint64_t *set, uint32_t path)
{
    set[path / 64] &= ~(UINT64_C(1) << path % 64);
}

static uint32_t has(const uint64_t *set, uint32_t path)
{
    return path < PATHS && set[path / 64] >> path % 64 & 1;
}

static uint32_t is_empty(const uint64_t *set)
{
    uint64_t all = 0;
    for (uint32_t w = 0; w < WORDS; w++)
        all |= set[w];
    return !all;
}

/* Some of the paths that exist, often none or few. */
static void draw_ready(uint64_t *ready, const uint64_t *existing, uint64_t *random)
{
    uint64_t rounds = kit_random(random) % 8;
    for (uint32_t w = 0; w < WORDS; w++) {
        ready[w] = existing[w];
        for (uint64_t i = 0; i < rounds; i++)
            ready[w] &= kit_random(random);
    }
}

static uint32_t wants(const scheduler_unit *unit, const scheduler *instance)
{
    const uint32_t kinds = unit->wants ? unit->wants(instance) : 0;
    cr_assert(!(kinds & ~PATH_EVERY_KIND) && (!kinds || unit->event));
    return kinds;
}

/* If it wants to know. */
static void tell(const scheduler_unit *unit, scheduler *instance, uint32_t kind, uint32_t path, uint64_t cycle)
{
    const uint32_t operand[64] = {0};
    const path_event event = {.kind = kind,
                              .path = path,
                              .warp = path / PATHS_PER_WARP,
                              .pc = 4 * (uint32_t)cycle,
                              .mask = 1,
                              .cycle = cycle,
                              .taken = kind & (PATH_BRANCHED | PATH_SPUN) ? cycle % 2 : 0,
                              .left = kind == PATH_COMPARED ? operand : NULL,
                              .since = kind == PATH_STALL_ENDED ? cycle : 0};
    if (wants(unit, instance) & kind)
        unit->event(instance, &event);
}

/* It has declined these: then it does so until the cycle that it says, whatever less is ready. */
static void expect_patience(const subject *s, const uint64_t *ready, uint64_t cycle)
{
    cr_assert(s->unit->next, "%s: cycle %lu", s->declared->name, cycle);
    const uint64_t until = s->unit->next(s->instance, cycle);
    cr_assert_gt(until, cycle, "%s: cycle %lu", s->declared->name, cycle);
    for (uint64_t later = cycle; later < until && later < cycle + 20; later++) {
        uint64_t fewer[WORDS];
        for (uint32_t w = 0; w < WORDS; w++)
            fewer[w] = ready[w] & (0x9249249249249249u << later % 3);
        cr_assert_eq(s->unit->pick(s->instance, ready, later), NO_PATH, "%s: cycle %lu", s->declared->name, later);
        cr_assert_eq(s->unit->pick(s->instance, fewer, later), NO_PATH, "%s: cycle %lu", s->declared->name, later);
    }
}

/* One load on one new instance; a fingerprint of all that it picked. asks: how often each pick is asked for. */
static uint64_t run(const subject *s, uint64_t seed, uint32_t asks)
{
    const scheduler_unit *unit = s->unit;
    scheduler *instance = s->instance;
    uint64_t existing[WORDS] = {0}, ready[WORDS], fingerprint = 0;
    for (uint32_t path = 0; path < PATHS; path++) {
        unit->add(instance, path, 0);
        existing[path / 64] |= UINT64_C(1) << path % 64;
    }
    for (uint32_t step = 0; step < STEPS; step++) {
        uint32_t path = (uint32_t)(kit_random(&seed) % PATHS);
        if (!has(existing, path)) {
            unit->add(instance, path, step / 3);
            existing[path / 64] |= UINT64_C(1) << path % 64;
        } else if (kit_random(&seed) % 4 == 0) {
            unit->remove(instance, path);
            clear(existing, path);
        } else {
            tell(unit, instance, PATH_COMPARED << kit_random(&seed) % 10, path, step);
        }
        draw_ready(ready, existing, &seed);
        uint32_t picked = NO_PATH;
        for (uint32_t i = 0; i < asks; i++) {
            picked = unit->pick(instance, ready, step);
            cr_assert(picked == NO_PATH || has(ready, picked), "%s: step %u picks %u", s->declared->name, step, picked);
        }
        if (picked == NO_PATH && !is_empty(ready))
            expect_patience(s, ready, step);
        if (picked != NO_PATH && kit_random(&seed) % 8)
            tell(unit, instance, PATH_ISSUED, picked, step);
        fingerprint = (fingerprint ^ picked) * UINT64_C(0x100000001B3);
    }
    return fingerprint;
}

Test(scheduler_conforms, picks_a_ready_path_or_says_how_long_it_declines_and_asking_changes_nothing)
{
    toy_patience = 7;
    toy_hold = 500;
    for (size_t u = 0; u < UNITS; u++) {
        const subject once = create(u), often = create(u);
        cr_expect_eq(run(&once, 1, 1), run(&often, 1, 3), "%s", once.declared->name);
        destroy(&once);
        destroy(&often);
    }
}

Test(scheduler_conforms, after_reset_it_is_as_new)
{
    toy_patience = 7;
    toy_hold = 500;
    for (size_t u = 0; u < UNITS; u++) {
        const subject s = create(u);
        const uint64_t first = run(&s, 2, 1);
        for (uint64_t seed = 3; seed < 23; seed++) {
            reset(&s);
            run(&s, seed, 1);
            reset(&s);
            cr_expect_eq(run(&s, 2, 1), first, "%s after seed %llu", s.declared->name, (unsigned long long)seed);
        }
        destroy(&s);
    }
}

Test(scheduler_conforms, instances_of_two_cores_share_nothing)
{
    toy_patience = 7;
    toy_hold = 500;
    for (size_t u = 0; u < UNITS; u++) {
        const subject one = create(u), two = create(u);
        const uint64_t first = run(&one, 4, 1);
        cr_expect_eq(run(&two, 4, 1), first, "%s", one.declared->name);
        destroy(&one);
        destroy(&two);
    }
}

static void expect_names(const hd_unit *const *units, size_t count)
{
    for (size_t u = 0; u < count; u++) {
        cr_expect(units[u]->name && *units[u]->name && units[u]->source && *units[u]->source);
        cr_expect(units[u]->doc && *units[u]->doc);
        for (size_t v = 0; v < u; v++)
            cr_expect_str_neq(units[u]->name, units[v]->name);
    }
}

Test(scheduler_conforms, names_itself_and_its_source)
{
    expect_names(schedulers, SCHEDULERS);
    expect_names(on_top, ALONE);
}
