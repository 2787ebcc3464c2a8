/* SPDX-License-Identifier: MIT */
/* The calls of the tests. */
#include "getm_rig.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define ROUND 1000000u /* ps */

static kit_block *kit_of(const getm_rig *g)
{
    return rig_kit(g->rig);
}

/* The units, and parameters of a core before them. */
static getm_rig *make(const char *const *parameters, const char *all[32])
{
    getm_rig *g = calloc(1, sizeof *g);
    uint32_t count = 1;
    all[0] = "tx=getm";
    g->granule = 32;
    g->stall_room = 16;
    for (; parameters && parameters[count - 1]; count++) {
        cr_assert_lt(count, 31);
        all[count] = parameters[count - 1];
        if (!strncmp(all[count], "tx.getm.granule=", 16))
            g->granule = (uint32_t)strtoul(all[count] + 16, NULL, 10);
    }
    all[count] = NULL;
    g->told = (hd_transactions){.context = g, .committed = getm_rig_note};
    rig_has_unit(getm_rig_take, g, &g->told);
    return g;
}

getm_rig *getm_rig_create(const char *const *parameters, const uint32_t *words)
{
    const char *all[32];
    getm_rig *g = make(parameters, all);
    g->rig = rig_create(all, words);
    return g;
}

getm_rig *getm_rig_create_for(rig_unit *take, const uint32_t *words)
{
    const char *all[32];
    getm_rig *g = make(NULL, all);
    rig_has_unit(take, NULL, &g->told);
    g->rig = rig_create(NULL, words);
    return g;
}

void getm_rig_forget(getm_rig *g, kit_block *kit)
{
    while (g->waiters)
        kit_free(kit, g->waiting[--g->waiters].packet);
    while (g->held_count)
        kit_free(kit, g->held[--g->held_count].packet);
    while (g->delayed_count)
        kit_free(kit, g->delayed[--g->delayed_count].packet);
    memset(g->granules, 0, sizeof g->granules);
    g->seen = (getm_seen){0};
    g->refused = g->stopped = g->commits = 0;
    rig_forget(g->rig);
}

getm_rig *getm_rig_create_pair(const char *const *parameters, const uint32_t *words)
{
    const char *all[32];
    getm_rig *g = make(parameters, all);
    g->pair = pair_create(all, all, words);
    g->rig = g->pair->rig[0];
    return g;
}

void getm_rig_destroy(getm_rig *g)
{
    for (; g->waiters; g->waiters--)
        kit_free(rig_kit(g->waiting[g->waiters - 1].from), g->waiting[g->waiters - 1].packet);
    if (g->pair)
        pair_destroy(g->pair);
    else
        rig_destroy(g->rig);
    free(g);
}

void getm_rig_set(getm_rig *g, uint64_t address, uint32_t value)
{
    g->initial[g->initial_count].address = address;
    g->initial[g->initial_count++].value = value;
    rig_set_word(g->rig, address, value);
}

void getm_rig_launch(getm_rig *g, uint32_t threads)
{
    rig_launch(g->rig, threads, kit_now(kit_of(g)));
}

getm_rig *getm_rig_run(const char *const *parameters, const uint32_t *words, uint32_t threads)
{
    getm_rig *g = getm_rig_create(parameters, words);
    getm_rig_launch(g, threads);
    getm_rig_finish(g);
    return g;
}

uint32_t getm_rig_release(getm_rig *g)
{
    kit_drain(kit_of(g), kit_edge(kit_of(g), 20000000));
    if (!g->held_count)
        return 0;
    /* Long after the last request, and not when it was found out that nothing happens any more. */
    const hd_time t = g->last_at + 20 * ROUND;
    kit_run_until(kit_of(g), t);
    for (uint32_t i = 0; i < g->held_count; i++)
        g->held_for[i] = 0;
    getm_rig_apply_due(g, t);
    return 1;
}

uint64_t getm_rig_statistic(getm_rig *g, const char *name)
{
    return g->pair ? pair_statistic(g->pair, name) : kit_statistic(kit_of(g), name);
}

void getm_rig_expect_over(getm_rig *g)
{
    cr_assert_eq(g->waiters, 0);
    for (uint32_t i = 0; i < GETM_GRANULES; i++)
        cr_assert_eq(g->granules[i].writes, 0, "granule 0x%lx is still reserved", g->granules[i].address);
    cr_assert_eq(g->commits, getm_rig_statistic(g, "tx_commits"));
    getm_rig_replay(g);
}

void getm_rig_finish(getm_rig *g)
{
    while (getm_rig_release(g))
        ;
    rig_finish(g->rig);
    kit_run_until(kit_of(g), (kit_now(kit_of(g)) / ROUND + 1) * ROUND); /* cycles count up to the same end */
    getm_rig_expect_over(g);
}
