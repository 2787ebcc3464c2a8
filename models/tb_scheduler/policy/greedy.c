/* SPDX-License-Identifier: MIT */
/* A block goes to the next core in turn that takes it, and stays there. */
#include <stdlib.h>

#include "thread_block_policy_units.h"

typedef struct greedy {
    uint32_t next_core; /* where the search begins */
} greedy;

static thread_block_policy *greedy_create(const thread_block_policy_parameters *parameters)
{
    (void)parameters;
    return calloc(1, sizeof(greedy));
}

static void greedy_destroy(thread_block_policy *unit)
{
    free(unit);
}

static void greedy_reset(thread_block_policy *unit)
{
    ((greedy *)unit)->next_core = 0;
}

static void greedy_event(thread_block_policy *unit, const thread_block_event *event)
{
    if (event->kind == THREAD_BLOCK_LAUNCHED)
        ((greedy *)unit)->next_core = event->core + 1;
}

static uint32_t greedy_choose_core(const thread_block_policy *unit, const thread_block *block,
                                   const thread_block_cores *cores, uint64_t cycle)
{
    (void)block, (void)cycle;
    return thread_block_core_from(cores->takes, cores->count, ((const greedy *)unit)->next_core % cores->count);
}

static void greedy_transfer(thread_block_policy *unit, const hd_state_stream *stream)
{
    HD_STATE_SHAPE(stream, "turns of cores", 1);
    HD_STATE_VALUE(stream, ((greedy *)unit)->next_core);
}

const thread_block_policy_unit thread_block_policy_greedy = {
    .create = greedy_create,
    .destroy = greedy_destroy,
    .reset = greedy_reset,
    .event = greedy_event,
    .choose_core = greedy_choose_core,
    .transfer = greedy_transfer,
};

const hd_unit hd_thread_block_policy_greedy = {
    HD_UNIT_HEAD(thread_block_policy, THREAD_BLOCK_POLICY, greedy),
    .doc = "the next core in turn that has room gets the next block, which stays there",
    .source = "Fung 2015 §2.1",
};
