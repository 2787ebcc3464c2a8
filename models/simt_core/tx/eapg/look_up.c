/* SPDX-License-Identifier: MIT */
/* What the table says of an access before it issues, and what that costs: nothing, or the time of the authors' simulator. */
#include "hd_address.h"
#include "tx/eapg/eapg.h"

#define BLOCKS_A_CYCLE 4u

uint32_t eapg_is_looked_up(const eapg *e, uint32_t path, const isa_instruction *instruction)
{
    const tx_core *core = &e->kilo.t->core;
    if (instruction->instruction_class != ISA_CLASS_LOAD && instruction->instruction_class != ISA_CLASS_STORE)
        return 0;
    return e->in_branch || core->reconvergence_unit->tx_together(core->reconvergence, core->paths[path].warp);
}

/* What the lane has written itself it gets from its log. */
static uint32_t is_own(const eapg *e, uint32_t warp, uint32_t lane, uint32_t address,
                       const isa_instruction *instruction)
{
    const uint32_t bytes = ((1u << instruction->access_bytes) - 1) << address % 4;
    uint32_t value;
    return !(bytes & ~tx_log_bytes(&tx_warp_of(e->kilo.t, warp)->writes, lane, address & ~3u, &value));
}

uint64_t eapg_hits_of(const eapg *e, uint32_t path, const isa_instruction *instruction)
{
    const tx_core *core = &e->kilo.t->core;
    const struct path *p = &core->paths[path];
    const uint32_t is_store = instruction->instruction_class == ISA_CLASS_STORE;
    uint32_t address[MAX_LANES];
    uint64_t hits = 0;
    if (eapg_knows_nothing(e))
        return 0;
    core->port->addresses(core->context, path, address);
    for (uint64_t left = p->mask; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        if (address[lane] >= HD_GLOBAL_BASE && eapg_hits(e, address[lane] & ~3u, is_store) &&
            (is_store || !is_own(e, p->warp, lane, address[lane], instruction)))
            hits |= left & -left;
    }
    return hits;
}

static uint32_t has_block(const uint32_t *blocks, uint32_t count, uint32_t block)
{
    uint32_t at = 0;
    while (at < count && blocks[at] != block)
        at++;
    return at < count;
}

/* Blocks of a line of global memory that the path's lanes access. */
static uint32_t blocks_of(const eapg *e, uint32_t path)
{
    const tx_core *core = &e->kilo.t->core;
    uint32_t address[MAX_LANES], blocks[MAX_LANES], count = 0;
    core->port->addresses(core->context, path, address);
    for (uint64_t left = core->paths[path].mask; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left), block = address[lane] / HD_LINE_BYTES;
        if (address[lane] >= HD_GLOBAL_BASE && !has_block(blocks, count, block))
            blocks[count++] = block;
    }
    return count;
}

/* It begins when the access could issue. */
uint32_t eapg_is_looking_up(const eapg *e, uint32_t path, const isa_instruction *instruction)
{
    const tx_core *core = &e->kilo.t->core;
    eapg_warp *ew = &e->warps[core->paths[path].warp];
    if (e->costs != TABLE_COST_BLOCKS || !eapg_is_looked_up(e, path, instruction))
        return 0;
    const uint32_t blocks = ew->looked_up ? 0 : blocks_of(e, path);
    if (blocks) {
        const uint64_t cycles = (blocks - 1) / BLOCKS_A_CYCLE + 1;
        ew->looked_up = core->now->n + cycles;
        *eapg_counter(e, EAPG_LOOK_UP_CYCLES) += cycles;
        tx_wake(e->kilo.t, ew->looked_up);
    }
    return core->now->n < ew->looked_up;
}

/* Early abort looks up what resolving conflicts within the warp has read already. */
uint32_t eapg_resolving_walks(const tx *unit)
{
    const eapg *e = (const eapg *)unit;
    return e->aborts_early && e->costs == TABLE_COST_BLOCKS ? 2 : 1;
}
