/* SPDX-License-Identifier: MIT */
/* Turns of direct blocks, and where the bytes are that they ask for. */
#include <string.h>

#include "engine_internal.h"
#include "hd_address.h"

static void request(void *context, hd_time t)
{
    node *self = context;
    hd_engine *engine = self->engine;
    if (t <= engine->now || (self->span && t < engine->window_end))
        services_fault(self, self->now, "%s asks for a turn at %llu ps, which is too soon", self->name,
                       (unsigned long long)t);
    self->turn = t;
    engine->next_turn = hd_earlier(engine->next_turn, t);
}

static uint32_t find_range(const hd_engine *engine, uint64_t address, hd_direct_range *range)
{
    for (uint32_t i = 0; i < engine->holder_count; i++)
        if (engine->holders[i].holder->range(engine->holders[i].block, address, range))
            return 1;
    return 0;
}

static uint32_t range(void *context, uint64_t address, hd_direct_range *range)
{
    return find_range(((node *)context)->engine, address, range);
}

void direct_init(node *node)
{
    node->direct = (hd_direct){.context = node,
                               .request = request,
                               .range = range,
                               .lead = HD_WINDOW_MAX,
                               .watched = &node->engine->watched,
                               .versions = node->engine->versions};
}

void hd_engine_add_holder(hd_engine *engine, hd_block *context, const hd_holder *holder)
{
    engine->holders = grow(engine->holders, engine->holder_count, sizeof *engine->holders);
    engine->holders[engine->holder_count++] = (bytes_holder){.block = context, .holder = holder};
}

void direct_hold_again(hd_engine *engine, const hd_block *before, hd_block *block)
{
    for (uint32_t i = 0; i < engine->holder_count; i++)
        if (engine->holders[i].block == before)
            engine->holders[i].block = block;
}

static const node *first_direct(const hd_engine *engine)
{
    uint32_t b = 0;
    while (!(engine->nodes[b]->block_class->flags & HD_BLOCK_DIRECT))
        b++;
    return engine->nodes[b];
}

/* The first of the partition in the global window. */
static uint64_t address_of_partition(const hd_address_map *map, uint32_t partition)
{
    uint64_t address = HD_GLOBAL_BASE;
    while (hd_partition_of(map, address) != partition)
        address += hd_partition_run(map);
    return address;
}

/* Every partition of the memory must be held by somebody: a model on the other side of a wire holds nothing. */
uint32_t direct_find_holders(hd_engine *engine, const hd_text_sink *errors)
{
    if (!engine->has_direct)
        return 0;
    for (uint32_t b = 0; b < engine->node_count; b++) {
        const node *node = engine->nodes[b];
        const hd_holder *holder =
            node->block_class->extension ? node->block_class->extension(node->block, HD_EXTENSION_HOLDER) : NULL;
        if (holder)
            hd_engine_add_holder(engine, node->block, holder);
    }
    const hd_address_map *map = first_direct(engine)->services.extension(engine->nodes[0], HD_EXTENSION_ADDRESS_MAP);
    hd_direct_range found;
    uint32_t missing = 0;
    for (uint32_t p = 0; p < (map ? map->partitions : 1); p++) {
        const uint64_t address = map ? address_of_partition(map, p) : HD_GLOBAL_BASE;
        if (find_range(engine, address, &found))
            continue;
        missing++;
        if (errors)
            errors->line(errors->context, "%s touches memory directly, but no block holds address 0x%llx",
                         first_direct(engine)->name, (unsigned long long)address);
    }
    return missing;
}

static void find_next_turn(hd_engine *engine)
{
    engine->next_turn = HD_NEVER;
    for (uint32_t b = 0; b < engine->node_count; b++)
        engine->next_turn = hd_earlier(engine->next_turn, engine->nodes[b]->turn);
}

void direct_reset(hd_engine *engine)
{
    for (uint32_t b = 0; b < engine->node_count; b++)
        engine->nodes[b]->turn = HD_NEVER;
    engine->next_turn = HD_NEVER;
    engine->watched = 0;
    memset(engine->versions, 0, HD_DIRECT_VERSIONS * sizeof *engine->versions);
}

static void take_turn(node *node, hd_time t)
{
    const hd_turn *turn = node->block_class->extension(node->block, HD_EXTENSION_TURN);
    node->turn = HD_NEVER;
    node->now = t;
    node->span = 0; /* links are not open to it */
    node->calls++;
    turn->turn(node->block, t);
    node_wake(node, t);
}

void direct_take_turns(hd_engine *engine)
{
    const hd_time t = engine->next_turn;
    window_set_end(engine, t);
    engine->now = t;
    for (uint32_t b = 0; b < engine->node_count; b++)
        if (engine->nodes[b]->turn == t)
            take_turn(engine->nodes[b], t);
    find_next_turn(engine);
}
