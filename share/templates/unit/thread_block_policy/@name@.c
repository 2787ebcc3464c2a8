/* SPDX-License-Identifier: MIT */
/* A block goes to the first core that takes it, and stays there. thread_block_policy.h is the contract. */
#include <stdlib.h>

#include "thread_block_policy_units.h"

typedef struct @name@ {
    uint64_t launched; /* blocks: what a policy may remember */
} @name@;

static thread_block_policy *@name@_create(const thread_block_policy_parameters *parameters)
{
    (void)parameters;
    return calloc(1, sizeof(@name@));
}

static void @name@_destroy(thread_block_policy *unit)
{
    free(unit);
}

static void @name@_reset(thread_block_policy *unit)
{
    ((@name@ *)unit)->launched = 0;
}

static void @name@_event(thread_block_policy *unit, const thread_block_event *event)
{
    ((@name@ *)unit)->launched += event->kind == THREAD_BLOCK_LAUNCHED;
}

static uint32_t @name@_choose_core(const thread_block_policy *unit, const thread_block *block,
                                   const thread_block_cores *cores, uint64_t cycle)
{
    (void)unit, (void)block, (void)cycle;
    return thread_block_core_from(cores->takes, cores->count, 0);
}

const thread_block_policy_unit thread_block_policy_@name@ = {
    .create = @name@_create,
    .destroy = @name@_destroy,
    .reset = @name@_reset,
    .event = @name@_event,
    .choose_core = @name@_choose_core,
};

const hd_unit hd_thread_block_policy_@name@ = {
    HD_UNIT_HEAD(thread_block_policy, THREAD_BLOCK_POLICY, @name@),
    .doc = "the first core that has room gets the next block, which stays there",
    .source = "heddle new unit",
};
