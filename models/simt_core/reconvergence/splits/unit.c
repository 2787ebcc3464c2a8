/* SPDX-License-Identifier: MIT */
#include "splits.h"

#include "instruction.h"
#include "lane_list.h"

#define PLACE_BYTES 192u

uint64_t splits_live_lanes(const reconvergence *unit, uint32_t warp)
{
    return ((const splits *)unit)->live[warp];
}

uint64_t splits_maximum_depth(const reconvergence *unit)
{
    return ((const splits *)unit)->maximum_splits;
}

void splits_describe(const reconvergence *unit, uint32_t warp, const isa_program *program, const hd_text_sink *sink)
{
    const splits *s = (const splits *)unit;
    for (uint32_t entry = warp * s->lanes; entry < (warp + 1) * s->lanes; entry++) {
        char waiting[LANE_LIST_BYTES], others[LANE_LIST_BYTES], place[PLACE_BYTES];
        const meeting *m = &s->meetings[entry];
        if (!splits_waiting(s, entry))
            continue;
        lane_list(splits_waiting(s, entry), waiting);
        lane_list(m->pending, others);
        isa_program_place(program, m->at.pc, place, sizeof place);
        if (m->at.pc == ISA_RECONVERGE_AT_RETURN)
            sink->line(sink->context, "  lanes %s: have returned from call depth %u, wait for lanes %s", waiting,
                       m->at.depth, others);
        else
            sink->line(sink->context, "  lanes %s: wait at reconvergence point %s, call depth %u, for lanes %s",
                       waiting, place, m->at.depth, others);
    }
}

/* A split of its own may wait for its turn. */
static uint32_t split_pc(const splits *s, uint32_t warp, uint32_t lane, uint32_t *pc)
{
    for (uint32_t split = warp * s->lanes; split < (warp + 1) * s->lanes; split++)
        if (s->paths[split].mask >> lane & 1) {
            *pc = s->paths[split].pc;
            return 1;
        }
    return 0;
}

uint32_t splits_waiting_pc(const reconvergence *unit, uint32_t warp, uint32_t lane, uint32_t *pc)
{
    const splits *s = (const splits *)unit;
    uint32_t entry = warp * s->lanes;
    const uint32_t end = entry + s->lanes;
    while (entry < end && !(splits_waiting(s, entry) >> lane & 1))
        entry++;
    if (entry == end)
        return split_pc(s, warp, lane, pc);
    const uint32_t at = s->meetings[entry].at.pc;
    *pc = at == ISA_RECONVERGE_AT_RETURN ? s->returned[(size_t)warp * s->lanes + lane] : at;
    return 1;
}
