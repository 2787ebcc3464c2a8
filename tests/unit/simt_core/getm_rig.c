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

getm_rig *getm_rig_create(const char *const *parameters, const uint32_t *words)
{
    const char *all[32] = {"tx=getm"};
    getm_rig *g = calloc(1, sizeof *g);
    uint32_t count = 1;
    g->granule = 32;
    g->stall_room = 16;
    for (; parameters && parameters[count - 1]; count++) {
        all[count] = parameters[count - 1];
        if (!strncmp(all[count], "tx.granule=", 11))
            g->granule = (uint32_t)strtoul(all[count] + 11, NULL, 10);
    }
    all[count] = NULL;
    g->told = (hd_transactions){.context = g, .committed = getm_rig_note};
    rig_has_unit(getm_rig_take, g, &g->told);
    g->rig = rig_create(all, words);
    return g;
}

void getm_rig_destroy(getm_rig *g)
{
    while (g->waiters)
        kit_free(kit_of(g), g->waiting[--g->waiters]);
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
    return kit_statistic(kit_of(g), name);
}

void getm_rig_finish(getm_rig *g)
{
    while (getm_rig_release(g))
        ;
    rig_finish(g->rig);
    kit_run_until(kit_of(g), (kit_now(kit_of(g)) / ROUND + 1) * ROUND); /* cycles count up to the same end */
    cr_assert_eq(g->waiters, 0);
    for (uint32_t i = 0; i < GETM_GRANULES; i++)
        cr_assert_eq(g->granules[i].writes, 0, "granule 0x%lx is still reserved", g->granules[i].address);
    cr_assert_eq(g->commits, getm_rig_statistic(g, "tx_commits"));
    getm_rig_replay(g);
}
