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
