/* SPDX-License-Identifier: MIT */
/* What can be looked at on a time axis: who has reserved what, and who is refused because of that. */
#include "state.h"

const hd_trace_event validation_trace_events[EVENT_COUNT] = {
    [EVENT_RESERVED] = {.name = "reserved",
                        .form = HD_TRACE_INSTANT,
                        .values = "warp|0xaddress",
                        .doc = "an attempt reserves a granule"},
    [EVENT_REFUSED] = {.name = "refused",
                       .form = HD_TRACE_INSTANT,
                       .values = "warp|0xaddress|reason|winner",
                       .doc = "an access is refused: its timestamp is too early, or the stall buffer is full"},
    [EVENT_CONFLICT] = {.name = "conflict",
                        .form = HD_TRACE_FLOW,
                        .doc = "from a reservation to the first access refused because of it"},
    [EVENT_REFUSAL] = {.name = "refusal",
                       .form = HD_TRACE_FLOW,
                       .doc = "from a refused access, or the commit of the winner, to the abort of the lanes"},
    [EVENT_WAITING] = {.name = "waiting",
                       .form = HD_TRACE_COUNTER,
                       .unit = "requests",
                       .doc = "requests in the stall buffer"},
    [EVENT_ROLLOVER] = {.name = "rollover", .form = HD_TRACE_SPAN, .doc = "rollover: the unit accepts no requests"},
};

/* An arrow is of a granule of this unit. */
static uint64_t arrow_of(const validation *self, uint64_t granule)
{
    return (uint64_t)self->services->endpoint << 32 | (uint32_t)granule;
}

void validation_trace_reserved(validation *self, const verdict_request *request, uint64_t granule, hd_time t)
{
    hd_trace_instant(self->trace, HD_TRACE_BLOCK, EVENT_RESERVED, t, request->warp, granule << self->granule_shift);
    hd_trace_flow(self->trace, EVENT_RESERVED, EVENT_CONFLICT, t, HD_TRACE_FROM, arrow_of(self, granule));
}

void validation_trace_refused(validation *self, const hd_packet *request, const verdict *verdict, hd_time t)
{
    const hd_getm_access *access = hd_body_const(request);
    hd_trace_instant(self->trace, HD_TRACE_BLOCK, EVENT_REFUSED, t, access->warp, request->address, verdict->reason,
                     verdict->winner);
    hd_trace_flow(self->trace, EVENT_REFUSED, EVENT_REFUSAL, t, HD_TRACE_FROM,
                  (uint64_t)request->source << 32 | (uint32_t)request->tag);
    if (verdict->reason != HD_GETM_STORE_READ)
        hd_trace_flow(self->trace, EVENT_REFUSED, EVENT_CONFLICT, t, HD_TRACE_TO,
                      arrow_of(self, granule_of(self, request->address)));
}
