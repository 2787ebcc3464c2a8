/* SPDX-License-Identifier: MIT */
#include "state.h"

const hd_trace_event dram_trace_events[EVENT_COUNT] = {
    DRAM_FRONT_EVENTS,
    [EVENT_ROW] = {"row", HD_TRACE_SPAN, 0, "row", NULL, "a row of the bank is open, from activate to precharge"},
    [EVENT_REFRESH] = {"refresh", HD_TRACE_SPAN, 0, "refreshes", NULL,
                       "the banks are being refreshed; refreshes of an idle channel are not shown"},
    [EVENT_QUEUE] = {"queue", HD_TRACE_COUNTER, 0, NULL, "requests", "requests that wait for their data transfer"},
};

void dram_trace_create(struct dram *dram)
{
    dram->bank_tracks = hd_trace_tracks(dram->front.trace, HD_TRACE_BLOCK, "bank", dram->device.bank_count);
}

static hd_time edge(const struct dram *dram, uint64_t n)
{
    return hd_clock_edge(dram->front.services->clock, n);
}

void dram_trace_row(const struct dram *dram, uint32_t bank, uint64_t before, uint64_t n)
{
    const uint64_t row = dram->device.banks[bank].row;
    if (before != DRAM_NO_ROW && row != before)
        hd_trace_end(dram->front.trace, dram->bank_tracks + bank, EVENT_ROW, edge(dram, n));
    if (row != DRAM_NO_ROW && row != before)
        hd_trace_begin(dram->front.trace, dram->bank_tracks + bank, EVENT_ROW, edge(dram, n), row);
}

void dram_trace_close(const struct dram *dram, hd_time t)
{
    for (uint32_t bank = 0; bank < dram->device.bank_count; bank++)
        if (dram->device.banks[bank].row != DRAM_NO_ROW)
            hd_trace_end(dram->front.trace, dram->bank_tracks + bank, EVENT_ROW, t);
}

/* A channel without requests catches up with its refreshes when the next one comes: what is over then is not shown. */
void dram_trace_refresh(const struct dram *dram, uint64_t n)
{
    const uint64_t end = dram->device.banks[0].ready.at[DRAM_ACTIVATE];
    if (end <= n)
        return;
    hd_trace_begin(dram->front.trace, HD_TRACE_BLOCK, EVENT_REFRESH, edge(dram, n), dram->device.refreshes);
    hd_trace_end(dram->front.trace, HD_TRACE_BLOCK, EVENT_REFRESH, edge(dram, end));
}

void dram_trace_queue(const struct dram *dram, uint64_t n)
{
    hd_trace_counter(dram->front.trace, HD_TRACE_BLOCK, EVENT_QUEUE, edge(dram, n), dram->count);
}
