/* SPDX-License-Identifier: MIT */
#include "dwf.h"

/* It stands where it entered. */
static uint32_t may_join(const dwf *u, uint32_t candidate, uint32_t pc, uint32_t depth)
{
    const path *p = &u->paths[candidate];
    return p->mask && u->entered[candidate] && u->entered_pc[candidate] == pc && p->pc == pc && p->depth == depth &&
           u->events.is_between(u->events.context, candidate);
}

static dwf_entry *set_of(const dwf *u, uint32_t pc)
{
    return u->table + (size_t)(pc / 4 % (u->entries / u->ways)) * u->ways;
}

static dwf_entry *entry_of(const dwf *u, uint32_t slot, uint32_t pc, uint32_t depth)
{
    dwf_entry *set = set_of(u, pc);
    for (uint32_t way = 0; way < u->ways; way++) {
        dwf_entry *e = &set[way];
        if (e->path != NO_PATH && e->pc == pc && e->depth == depth && e->block == dwf_slots(u, slot)[0])
            return e;
    }
    return NULL;
}

static uint32_t youngest(const dwf *u, uint32_t slot, uint32_t pc, uint32_t depth, uint32_t not )
{
    uint32_t found = NO_PATH;
    for (uint32_t i = 0; i < u->block_warps[slot]; i++) {
        const uint32_t warp = dwf_slots(u, slot)[i];
        for (uint64_t left = u->used[warp]; left; left &= left - 1) {
            const uint32_t candidate = warp * u->lanes + (uint32_t)__builtin_ctzll(left);
            if (candidate != not &&u->paths[candidate].pc == pc &&
                (found == NO_PATH || u->entered[candidate] > u->entered[found]) && may_join(u, candidate, pc, depth))
                found = candidate;
        }
    }
    return found;
}

uint32_t dwf_lookup(dwf *u, uint32_t slot, uint32_t pc, uint32_t depth, uint32_t not )
{
    if (!u->entries)
        return youngest(u, slot, pc, depth, not );
    dwf_entry *e = entry_of(u, slot, pc, depth);
    if (!e)
        return NO_PATH;
    e->last_use = ++u->uses;
    return e->path != not &&may_join(u, e->path, pc, depth) ? e->path : NO_PATH;
}

static dwf_entry *make_room(dwf *u, uint32_t pc)
{
    dwf_entry *set = set_of(u, pc), *chosen = set;
    for (uint32_t way = 0; way < u->ways; way++) {
        if (set[way].path == NO_PATH)
            return &set[way];
        if (set[way].last_use < chosen->last_use)
            chosen = &set[way];
    }
    u->parameters.share.counters[DWF_LOOKUP_EVICTIONS]++;
    return chosen;
}

void dwf_register(dwf *u, uint32_t slot, uint32_t path)
{
    const struct path *p = &u->paths[path];
    u->entered[path] = ++u->number;
    u->entered_pc[path] = p->pc;
    if (!u->entries)
        return;
    dwf_entry *e = entry_of(u, slot, p->pc, p->depth);
    if (!e)
        e = make_room(u, p->pc);
    *e = (dwf_entry){
        .pc = p->pc, .depth = p->depth, .block = dwf_slots(u, slot)[0], .path = path, .last_use = ++u->uses};
}
