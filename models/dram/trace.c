/* SPDX-License-Identifier: MIT */
#include "state.h"

/* clang-format off */
const hd_trace_event dram_trace_events[EVENT_COUNT] = {
    DRAM_FRONT_EVENTS,
    [EVENT_ROW] = {"row", HD_TRACE_SPAN, 0, "row", NULL, "a row of the bank is open, from activate to precharge"},
    [EVENT_REFRESH] = {"refresh", HD_TRACE_SPAN, 0, "refreshes", NULL, "the banks are being refreshed"},
    [EVENT_QUEUE] = {"queue", HD_TRACE_COUNTER, 0, NULL, "requests", "requests that wait for their data transfer"},
    [EVENT_ACTIVATE] = {"command.activate", HD_TRACE_INSTANT, 1, "bank|row", NULL, "a row is opened"},
    [EVENT_PRECHARGE] = {"command.precharge", HD_TRACE_INSTANT, 1, "bank|row", NULL, "a row is closed for another"},
    [EVENT_READ_COMMAND] = {"command.read", HD_TRACE_INSTANT, 1, "bank|row", NULL, "a burst is read; its data follow after tcl"},
    [EVENT_WRITE_COMMAND] = {"command.write", HD_TRACE_INSTANT, 1, "bank|row", NULL, "a burst is written; its data follow after tcwl"},
    [EVENT_AUTO_PRECHARGE] = {"command.auto_precharge", HD_TRACE_INSTANT, 1, "bank", NULL,
        "a row is closed as its last column command said; the command bus is free"},
    [EVENT_PRECHARGE_ALL] = {"command.precharge_all", HD_TRACE_INSTANT, 1, NULL, NULL, "all rows are closed before a refresh"},
    [EVENT_REFRESH_COMMAND] = {"command.refresh", HD_TRACE_INSTANT, 1, "refreshes", NULL, "all banks are refreshed"},
};
/* clang-format on */

void dram_trace_create(struct dram *dram)
{
    dram->bank_tracks = hd_trace_tracks(dram->front.trace, HD_TRACE_BLOCK, "bank", dram->device.bank_count);
    dram->command_track = hd_trace_tracks(dram->front.trace, HD_TRACE_BLOCK, "commands", 0);
}

static hd_time edge(const struct dram *dram, uint64_t n)
{
    return hd_clock_edge(dram->front.services->clock, n);
}

static void end_row(const struct dram *dram, uint32_t bank, hd_time t)
{
    hd_trace_end(dram->front.trace, dram->bank_tracks + bank, EVENT_ROW, t);
}

void dram_trace_command(const struct dram *dram, enum dram_command command, uint32_t bank, uint64_t row, uint64_t n)
{
    const hd_time t = edge(dram, n);
    hd_trace_instant(dram->front.trace, dram->command_track, EVENT_ACTIVATE + (uint32_t)command, t, bank, row);
    if (command == DRAM_PRECHARGE)
        end_row(dram, bank, t);
    else if (command == DRAM_ACTIVATE)
        hd_trace_begin(dram->front.trace, dram->bank_tracks + bank, EVENT_ROW, t, row);
}

void dram_trace_auto_precharge(const struct dram *dram, uint32_t bank, uint64_t n)
{
    hd_trace_instant(dram->front.trace, dram->command_track, EVENT_AUTO_PRECHARGE, edge(dram, n), bank);
    end_row(dram, bank, edge(dram, n));
}

void dram_trace_close(const struct dram *dram, hd_time t)
{
    for (uint32_t bank = 0; bank < dram->device.bank_count; bank++)
        if (dram->device.banks[bank].row != DRAM_NO_ROW)
            end_row(dram, bank, t);
}

void dram_trace_refresh(const struct dram *dram, const struct dram_refreshed *done)
{
    const hd_trace *trace = dram->front.trace;
    const uint64_t number = dram->device.refreshes;
    for (uint64_t banks = done->closed; banks; banks &= banks - 1)
        end_row(dram, (uint32_t)__builtin_ctzll(banks), edge(dram, done->precharge));
    if (done->closed)
        hd_trace_instant(trace, dram->command_track, EVENT_PRECHARGE_ALL, edge(dram, done->precharge), 0);
    hd_trace_instant(trace, dram->command_track, EVENT_REFRESH_COMMAND, edge(dram, done->start), number);
    hd_trace_begin(trace, HD_TRACE_BLOCK, EVENT_REFRESH, edge(dram, done->start), number);
    hd_trace_end(trace, HD_TRACE_BLOCK, EVENT_REFRESH, edge(dram, done->start + dram->device.timing.trfc));
}

uint32_t dram_trace_selects_refreshes(const struct dram *dram)
{
    const hd_trace *trace = dram->front.trace;
    return trace &&
           trace->wanted & ~(UINT64_C(1) << EVENT_READ | UINT64_C(1) << EVENT_WRITE | UINT64_C(1) << EVENT_QUEUE);
}

void dram_trace_queue(const struct dram *dram, uint64_t n)
{
    hd_trace_counter(dram->front.trace, HD_TRACE_BLOCK, EVENT_QUEUE, edge(dram, n), dram->count);
}
