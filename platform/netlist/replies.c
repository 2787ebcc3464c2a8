/* SPDX-License-Identifier: MIT */
/*
 * Which links carry replies of the memory: those by which the side of the memory sends to the rest of the machine. On that side
 * are the memory partitions, and what listens to their order by taps, and so answers in their place.
 */
#include "loader.h"

#define SEED_MAXIMUM INT64_MAX
#define STANDARD_DELAY UINT64_C(4000) /* ps. 0 to 4 ns: Alameldeen and Wood 2003 §3.3 */
#define LONGEST_DELAY UINT64_C(1000000)

static const node *perturb_key(const draft *work, const char *key)
{
    const node *perturb = netlist_find(work->root, "perturb");
    return perturb ? netlist_find(perturb, key) : NULL;
}

void netlist_value_perturb(loader *state, draft *work)
{
    netlist_perturb *perturb = &work->machine->perturb;
    const node *seed = perturb_key(work, "seed"), *delay = perturb_key(work, "delay");
    *perturb = (netlist_perturb){.delay = STANDARD_DELAY};
    if (seed)
        netlist_read_unsigned(state, seed, "perturb.seed", HD_UNITLESS, 0, SEED_MAXIMUM, &perturb->seed);
    if (delay)
        netlist_read_unsigned(state, delay, "perturb.delay", HD_UNIT_SECONDS, 1, LONGEST_DELAY, &perturb->delay);
}

static uint32_t endpoint(const draft *work, const netlist_end *end)
{
    return work->blocks[end->block].first_endpoint + end->instance;
}

/* By endpoint: is it on the side of the memory? */
static uint8_t *memory_side(loader *state, const draft *work)
{
    const netlist *machine = work->machine;
    const netlist_block *partitions = &work->blocks[machine->address_map.block];
    uint8_t *is_memory = arena_alloc(state->memory, machine->endpoint_count + 1);
    for (uint32_t i = 0; i < partitions->count; i++)
        is_memory[partitions->first_endpoint + i] = 1;
    for (uint32_t grows = 1; grows;) {
        grows = 0;
        for (uint32_t i = 0; i < machine->link_count; i++) {
            const netlist_link *tap = &machine->links[i];
            if (!tap->is_tap || !is_memory[endpoint(work, &tap->from)] || is_memory[endpoint(work, &tap->to)])
                continue;
            is_memory[endpoint(work, &tap->to)] = 1;
            grows = 1;
        }
    }
    return is_memory;
}

static uint32_t carries_replies(const draft *work, const netlist_link *link, const uint8_t *is_memory)
{
    return !link->is_memory && is_memory[endpoint(work, &link->from)] && !is_memory[endpoint(work, &link->to)];
}

static uint32_t mark_replies(loader *state, draft *work)
{
    const uint8_t *is_memory = memory_side(state, work);
    uint32_t count = 0;
    for (uint32_t i = 0; i < work->machine->link_count; i++) {
        netlist_link *link = (netlist_link *)&work->machine->links[i]; /* the netlist is being made */
        link->forward.is_reply = carries_replies(work, link, is_memory);
        count += link->forward.is_reply;
    }
    return count;
}

void netlist_find_replies(loader *state, draft *work)
{
    const uint32_t has_memory = work->machine->address_map.block != NETLIST_NONE;
    const uint32_t replies = has_memory ? mark_replies(state, work) : 0;
    if (replies || !work->machine->perturb.seed)
        return;
    report_error(&state->log, ERROR_NO_REPLIES, perturb_key(work, "seed")->at,
                 has_memory ? "no block sends replies for '%s', which holds the memory: there is nothing to perturb"
                            : "the machine has no %s: there are no replies to perturb",
                 has_memory ? work->blocks[work->machine->address_map.block].name : "address_map");
}
