/* SPDX-License-Identifier: MIT */
#include "state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t cycles_of(hd_clock clock, uint64_t picoseconds)
{
    return hd_clock_index_at_or_after(clock, picoseconds);
}

static struct dram_timing timing_of(const hd_value *values, hd_clock clock)
{
    return (struct dram_timing){
        .burst = (uint32_t)values[PARAMETER_BURST].u,
        .cas = (uint32_t)values[PARAMETER_TCL].u,
        .write = (uint32_t)values[PARAMETER_TWL].u,
        .activate = (uint32_t)values[PARAMETER_TRCD].u,
        .precharge = (uint32_t)values[PARAMETER_TRP].u,
        .row_active = (uint32_t)values[PARAMETER_TRAS].u,
        .row_cycle = (uint32_t)values[PARAMETER_TRC].u,
        .row_to_row = (uint32_t)values[PARAMETER_TRRD].u,
        .column = (uint32_t)values[PARAMETER_TCCD].u,
        .column_long = (uint32_t)values[PARAMETER_TCCDL].u,
        .recovery = (uint32_t)values[PARAMETER_TWR].u,
        .write_read = (uint32_t)values[PARAMETER_TCDLR].u,
        .read_pre = (uint32_t)values[PARAMETER_TRTP].u,
        .turnaround = (uint32_t)values[PARAMETER_TURNAROUND].u,
        .refresh_interval = cycles_of(clock, values[PARAMETER_TREFI].u),
        .refresh_time = (uint32_t)cycles_of(clock, values[PARAMETER_TRFC].u),
    };
}

static uint32_t leaves_time_for_work(const struct dram_timing *timing)
{
    const uint64_t row_time = (uint64_t)timing->row_active + timing->precharge + timing->activate + timing->recovery;
    return !timing->refresh_interval || timing->refresh_interval > timing->refresh_time + row_time + 4 * timing->burst;
}

uint32_t dram_check(const hd_value *values, hd_clock clock, hd_conflict *conflict)
{
    const struct dram_timing timing = timing_of(values, clock);
    const uint64_t burst_bytes = values[PARAMETER_BUS_BYTES].u * values[PARAMETER_BURST].u;
    if (values[PARAMETER_BANKS].u % values[PARAMETER_BANK_GROUPS].u)
        *conflict = (hd_conflict){PARAMETER_BANKS, PARAMETER_BANK_GROUPS, "banks must be a multiple of bank_groups"};
    else if (values[PARAMETER_ROW_BYTES].u % values[PARAMETER_BANK_INTERLEAVE].u)
        *conflict = (hd_conflict){PARAMETER_ROW_BYTES, PARAMETER_BANK_INTERLEAVE,
                                  "row_bytes must be a multiple of bank_interleave"};
    else if (values[PARAMETER_BANK_INTERLEAVE].u % burst_bytes)
        *conflict = (hd_conflict){PARAMETER_BANK_INTERLEAVE, PARAMETER_BURST,
                                  "bank_interleave must be a multiple of bus_bytes * burst"};
    else if (!leaves_time_for_work(&timing))
        *conflict = (hd_conflict){PARAMETER_TREFI, PARAMETER_TRFC, "trefi leaves no time for work between refreshes"};
    else
        return 1;
    return 0;
}

hd_block *dram_create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    const struct dram_timing timing = timing_of(values, services->clock);
    struct dram *dram = calloc(1, sizeof *dram);
    if (!dram) {
        snprintf(error, error_bytes, "out of memory");
        return NULL;
    }
    dram->services = services;
    dram->message_read = services->message(services->context, HD_MEMORY_READ);
    dram->message_write = services->message(services->context, HD_MEMORY_WRITE);
    dram->message_response = services->message(services->context, HD_MEMORY_RESPONSE);
    dram->burst_bytes = (uint32_t)(values[PARAMETER_BUS_BYTES].u * values[PARAMETER_BURST].u);
    dram->bank_interleave = (uint32_t)values[PARAMETER_BANK_INTERLEAVE].u;
    dram->chunks_per_row = (uint32_t)(values[PARAMETER_ROW_BYTES].u / values[PARAMETER_BANK_INTERLEAVE].u);
    dram->queue_size = (uint32_t)values[PARAMETER_QUEUE].u;
    dram->response_size = (uint32_t)values[PARAMETER_RESPONSES].u;
    dram->latency = (uint32_t)values[PARAMETER_LATENCY].u;
    dram->device.timing = timing;
    dram->device.bank_count = (uint32_t)values[PARAMETER_BANKS].u;
    dram->device.group_count = (uint32_t)values[PARAMETER_BANK_GROUPS].u;
    dram->store.map = services->extension(services->context, HD_EXTENSION_ADDRESS_MAP);
    dram->responses = calloc(dram->response_size, sizeof *dram->responses);
    if (!dram->responses) {
        free(dram);
        snprintf(error, error_bytes, "out of memory");
        return NULL;
    }
    return (hd_block *)dram;
}

void dram_connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    struct dram *dram = (struct dram *)block;
    (void)port;
    (void)element;
    dram->requests_in = in;
    dram->responses_out = out;
}

static void drop_packets(struct dram *dram)
{
    const hd_services *services = dram->services;
    dram_clear_queue(dram);
    for (uint32_t i = 0; i < dram->response_count; i++)
        services->free(services->context, dram->responses[(dram->first_response + i) % dram->response_size].packet);
    dram->first_response = 0;
    dram->response_count = 0;
}

void dram_reset(hd_block *block)
{
    struct dram *dram = (struct dram *)block;
    drop_packets(dram);
    dram_store_clear(&dram->store);
    dram_device_reset(&dram->device, 0);
    dram->device.refreshes = 0;
    dram->chosen_with_room = 1;
    dram->is_unchosen = 0;
    dram->command_edge = UINT64_MAX;
    dram->stalled_since = UINT64_MAX;
    memset(dram->statistics, 0, sizeof dram->statistics);
    hd_cursor_init(&dram->cursor, dram->services->clock);
}

void dram_destroy(hd_block *block)
{
    struct dram *dram = (struct dram *)block;
    if (!dram)
        return;
    drop_packets(dram);
    dram_store_clear(&dram->store);
    free(dram->responses);
    free(dram);
}

/* The edge at which the oldest response leaves; one that waits for a credit is woken by it. */
static uint64_t response_edge(const struct dram *dram)
{
    if (!dram->response_count || dram->stalled_since != UINT64_MAX)
        return UINT64_MAX;
    return dram->responses[dram->first_response].ready;
}

/* Can a request be taken? It needs room for a response too: what is refused is answered at once. */
static uint32_t has_place(const struct dram *dram)
{
    return dram->count < dram->queue_size && dram->response_count < dram->response_size;
}

static hd_time next_arrival(const struct dram *dram)
{
    return dram->services->arrival(dram->services->context, dram->requests_in);
}

/* When the credit for which the oldest response waits comes. */
static hd_time next_credit(const struct dram *dram)
{
    if (dram->stalled_since == UINT64_MAX)
        return HD_NEVER;
    return dram->services->credit_arrival(dram->services->context, dram->responses_out);
}

hd_time dram_advance(hd_block *block, hd_time now, hd_time horizon)
{
    struct dram *dram = (struct dram *)block;
    hd_cursor_catch_up(&dram->cursor, now);
    hd_time arrival = next_arrival(dram);
    for (;;) {
        const hd_time credit = next_credit(dram);
        hd_work work = {.edge = dram->command_edge, .time = has_place(dram) ? arrival : HD_NEVER};
        hd_work_at_edge(&work, response_edge(dram));
        hd_work_at_time(&work, credit);
        hd_cursor next = dram->cursor;
        if (!hd_work_seek(&work, &next))
            return HD_NEVER;
        if (next.t >= horizon)
            return next.t;
        dram->cursor = next;
        if (response_edge(dram) <= next.n || credit <= next.t)
            dram_respond(dram, next.n, next.t);
        if (arrival <= next.t && has_place(dram)) {
            dram_accept(dram, next.n, next.t);
            arrival = next_arrival(dram);
        }
        if (dram->command_edge <= next.n)
            dram_schedule(dram, next.n);
        hd_cursor_next(&dram->cursor);
    }
}

/* Commands show outside only when their data have moved, unless a request waits at the port for a place. */
static uint64_t first_effect(const struct dram *dram)
{
    const struct dram_timing *timing = &dram->device.timing;
    if (dram->command_edge == UINT64_MAX || dram->count == dram->queue_size)
        return dram->command_edge;
    const uint32_t to_data = timing->cas < timing->write ? timing->cas : timing->write;
    return dram->command_edge + to_data + timing->burst + dram->latency;
}

hd_time dram_promise(hd_block *block, hd_time now)
{
    struct dram *dram = (struct dram *)block;
    hd_cursor next = dram->cursor;
    hd_cursor_catch_up(&next, now);
    hd_work work = {.edge = response_edge(dram), .time = has_place(dram) ? next_arrival(dram) : HD_NEVER};
    hd_work_at_time(&work, next_credit(dram));
    hd_work_at_edge(&work, first_effect(dram));
    return hd_work_seek(&work, &next) ? next.t : HD_NEVER;
}
