/* SPDX-License-Identifier: MIT */
/*
 * Who sends by address has to reach all memory partitions if it reaches one, and each of them has to reach it with its
 * replies: what is missing would only show when a program touches such an address.
 */
#include "loader.h"

#include <string.h>

#define NO_SET UINT32_MAX

typedef struct partition_check {
    loader *state;
    const draft *work;
    uint32_t first;      /* endpoint of the first partition */
    uint32_t count;      /* partitions */
    uint32_t words;      /* of a set of partitions */
    uint32_t *set_index; /* by endpoint: of those that forward or send by address */
    uint64_t *reached;   /* sets: partitions to which packets get from there */
    uint64_t *heard;     /* sets: partitions whose packets get there */
} partition_check;

static const netlist_block *block_at(const partition_check *check, netlist_end end)
{
    return &check->work->blocks[end.block];
}

static uint32_t endpoint_of(const partition_check *check, netlist_end end)
{
    return block_at(check, end)->first_endpoint + end.instance;
}

static int has_flag(const netlist_block *block, uint32_t flag)
{
    return (block->block_class->flags & flag) != 0;
}

static uint64_t *set_of(const partition_check *check, uint64_t *sets, uint32_t endpoint)
{
    const uint32_t index = check->set_index[endpoint];
    return index == NO_SET ? NULL : sets + (size_t)index * check->words;
}

/* Adds to a set what lies at an end: the partition itself, or all that a block that forwards has. */
static int add(const partition_check *check, uint64_t *sets, uint64_t *set, netlist_end end)
{
    const uint32_t endpoint = endpoint_of(check, end);
    if (endpoint - check->first < check->count) {
        const uint32_t p = endpoint - check->first;
        const int grew = !(set[p / 64] >> p % 64 & 1);
        set[p / 64] |= UINT64_C(1) << p % 64;
        return grew;
    }
    if (!has_flag(block_at(check, end), HD_BLOCK_FORWARDS))
        return 0;
    const uint64_t *more = set_of(check, sets, endpoint);
    int grew = 0;
    for (uint32_t i = 0; i < check->words; i++) {
        grew |= (more[i] & ~set[i]) != 0;
        set[i] |= more[i];
    }
    return grew;
}

static void spread(const partition_check *check)
{
    const netlist *machine = check->work->machine;
    for (int grew = 1; grew;) {
        grew = 0;
        for (uint32_t i = 0; i < machine->link_count; i++) {
            const netlist_link *link = &machine->links[i];
            if (link->is_memory || link->is_tap)
                continue;
            uint64_t *behind = set_of(check, check->reached, endpoint_of(check, link->from));
            uint64_t *before = set_of(check, check->heard, endpoint_of(check, link->to));
            grew |= behind && add(check, check->reached, behind, link->to);
            grew |= before && add(check, check->heard, before, link->from);
        }
    }
}

/* First partition that is in `wanted` (NULL: all) and not in `there`, or the number of partitions. */
static uint32_t first_missing(const partition_check *check, const uint64_t *wanted, const uint64_t *there)
{
    for (uint32_t p = 0; p < check->count; p++)
        if ((!wanted || wanted[p / 64] >> p % 64 & 1) && !(there[p / 64] >> p % 64 & 1))
            return p;
    return check->count;
}

static int is_empty(const partition_check *check, const uint64_t *set)
{
    uint64_t any = 0;
    for (uint32_t i = 0; i < check->words; i++)
        any |= set[i];
    return !any;
}

static void report(const partition_check *check, uint32_t block, uint32_t instance, uint32_t partition, int is_back)
{
    const netlist *machine = check->work->machine;
    char sender[128], holder[128];
    netlist_instance_name(machine, block, instance, sender, sizeof sender);
    netlist_instance_name(machine, machine->address_map.block, partition, holder, sizeof holder);
    const span at = check->work->block_entries[block]->key->at;
    if (is_back)
        report_error(&check->state->log, ERROR_ADDRESS_MAP, at,
                     "'%s' reaches memory partition %u, '%s', but no links lead from there to its replies", sender,
                     partition, holder);
    else
        report_error(&check->state->log, ERROR_ADDRESS_MAP, at,
                     "no links lead from '%s' to memory partition %u, '%s', as they do to others", sender, partition,
                     holder);
}

/* The first that is wrong with a block. */
static void check_block(const partition_check *check, uint32_t block)
{
    const netlist_block *checked = &check->work->blocks[block];
    for (uint32_t i = 0; i < checked->count; i++) {
        const uint64_t *reached = set_of(check, check->reached, checked->first_endpoint + i);
        const uint64_t *heard = set_of(check, check->heard, checked->first_endpoint + i);
        if (is_empty(check, reached))
            continue;
        const uint32_t lost = first_missing(check, NULL, reached);
        const uint32_t mute = first_missing(check, reached, heard);
        if (lost == check->count && mute == check->count)
            continue;
        report(check, block, i, lost < check->count ? lost : mute, lost == check->count);
        return;
    }
}

static uint32_t number_sets(partition_check *check)
{
    const netlist *machine = check->work->machine;
    uint32_t sets = 0;
    for (uint32_t b = 0; b < machine->block_count; b++) {
        const netlist_block *block = &check->work->blocks[b];
        const int has_set = has_flag(block, HD_BLOCK_FORWARDS | HD_BLOCK_ADDRESS_MAP);
        for (uint32_t i = 0; i < block->count; i++)
            check->set_index[block->first_endpoint + i] = has_set ? sets++ : NO_SET;
    }
    return sets;
}

void netlist_check_partitions(loader *state, draft *work)
{
    const netlist *machine = work->machine;
    if (machine->address_map.block == NETLIST_NONE)
        return;
    const netlist_block *holders = &work->blocks[machine->address_map.block];
    partition_check check = {.state = state,
                             .work = work,
                             .first = holders->first_endpoint,
                             .count = holders->count,
                             .words = (holders->count + 63) / 64};
    check.set_index = arena_alloc(state->memory, machine->endpoint_count * sizeof *check.set_index + 1);
    const size_t bytes = (size_t)number_sets(&check) * check.words * sizeof(uint64_t) + 1;
    check.reached = arena_alloc(state->memory, bytes);
    check.heard = arena_alloc(state->memory, bytes);
    spread(&check);
    for (uint32_t b = 0; b < machine->block_count; b++)
        if (has_flag(&work->blocks[b], HD_BLOCK_ADDRESS_MAP))
            check_block(&check, b);
}
