/* SPDX-License-Identifier: MIT */
/* What can be looked at on a time axis, on the tracks of warps: what a commit waits for, what units say, what becomes of lanes. */
#include "tx/kilo/kilo.h"

#define EVENT(k, event) ((k)->share->first_trace_event + (uint32_t)(event))

static uint32_t track_of(const kilo *k, uint32_t warp)
{
    return k->t->core.warp_tracks + warp;
}

/* The span of a phase begins, or ends. */
void kilo_trace_phase(const kilo *k, uint32_t warp, enum kilo_phase before, enum kilo_phase now)
{
    static const enum kilo_event spans[] = {[KILO_IDS] = KILO_EVENT_IDS,
                                            [KILO_LOGS] = KILO_EVENT_SEND,
                                            [KILO_VERDICTS] = KILO_EVENT_VERDICTS,
                                            [KILO_WRITES] = KILO_EVENT_WRITE};
    const hd_trace *trace = k->t->core.trace;
    const hd_kilo_group *group = &k->warps[warp].group;
    const hd_time t = k->t->core.now->t;
    if (before != KILO_RUNS)
        hd_trace_end(trace, track_of(k, warp), EVENT(k, spans[before]), t);
    if (now == KILO_IDS)
        hd_trace_begin(trace, track_of(k, warp), EVENT(k, KILO_EVENT_IDS), t, group->lanes);
    else if (now != KILO_RUNS)
        hd_trace_begin(trace, track_of(k, warp), EVENT(k, spans[now]), t, group->first, group->lanes);
}

void kilo_trace_verdict(const kilo *k, uint32_t warp, const hd_packet *packet)
{
    const hd_kilo_lanes *said = hd_body_const(packet);
    const hd_trace *trace = k->t->core.trace;
    const hd_time t = k->t->core.now->t;
    hd_trace_instant(trace, track_of(k, warp), EVENT(k, KILO_EVENT_VERDICT), t, packet->argument, said->lanes,
                     said->marked);
    for (uint64_t left = trace && k->shows_failures ? said->lanes & ~said->marked : 0; left; left &= left - 1)
        hd_trace_flow(trace, EVENT(k, KILO_EVENT_VERDICT), EVENT(k, KILO_EVENT_FAILURE), t, HD_TRACE_TO,
                      (uint64_t)packet->source << 32 |
                          (uint32_t)hd_kilo_id(&said->group, (uint32_t)__builtin_ctzll(left)));
}

void kilo_trace_outcome(const kilo *k, uint32_t warp, uint64_t committed, uint64_t failed)
{
    hd_trace_instant(k->t->core.trace, track_of(k, warp), EVENT(k, KILO_EVENT_OUTCOME), k->t->core.now->t,
                     k->warps[warp].group.first, committed, failed);
}

void kilo_trace_silent(const kilo *k, uint32_t warp, uint64_t silent, uint64_t in_doubt)
{
    if (silent | in_doubt)
        hd_trace_instant(k->t->core.trace, track_of(k, warp), EVENT(k, KILO_EVENT_SILENT), k->t->core.now->t, silent,
                         in_doubt);
}

void kilo_trace_suspects(const kilo *k, uint32_t warp, uint32_t pc, uint64_t lanes)
{
    hd_trace_instant(k->t->core.trace, track_of(k, warp), EVENT(k, KILO_EVENT_SUSPECTS), k->t->core.now->t, pc, lanes);
}
