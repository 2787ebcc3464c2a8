/* SPDX-License-Identifier: MIT */
#include "state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

hd_block *dram_create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    struct dram *dram = calloc(1, sizeof *dram);
    if (!dram) {
        snprintf(error, error_bytes, "out of memory");
        return NULL;
    }
    dram_front_init(&dram->front, services, dram->statistics, (uint32_t)values[PARAMETER_LATENCY].u,
                    (uint32_t)values[PARAMETER_RESPONSES].u);
    dram_configure(dram, values);
    dram_trace_create(dram);
    const hd_address_map *map = dram->front.store.map;
    hd_interleave_init(&dram->interleave, map);
    dram->partitions = map && map->partitions > services->count ? map->partitions / services->count : 1;
    dram->located_bytes = dram->mapping.run_bytes;
    if (map && hd_partition_run(map) < dram->located_bytes)
        dram->located_bytes = hd_partition_run(map);
    return (hd_block *)dram;
}

void dram_connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    (void)port;
    dram_front_connect(&((struct dram *)block)->front, element, out, in);
}

/* What the past has left behind, but for requests, data and statistics. */
static void restart(struct dram *dram, uint64_t n)
{
    dram_device_reset(&dram->device, n);
    dram_forget_pages(dram);
    dram->last_column = DRAM_COMMANDS;
    dram->is_unchosen = 1;
    dram->closed_by_refresh = 0;
    dram->refreshes_counted = dram->device.refreshes;
}

void dram_align(hd_block *block, hd_time t, const hd_write_back_sink *sink)
{
    struct dram *dram = (struct dram *)block;
    const uint64_t n = hd_clock_index_at_or_after(dram->front.services->clock, t);
    (void)sink;
    dram_front_align(&dram->front);
    dram_trace_close(dram, t);
    restart(dram, n);
    if (dram->count)
        dram->command_edge = n;
}

void dram_reset(hd_block *block)
{
    struct dram *dram = (struct dram *)block;
    dram_clear_queue(dram);
    dram_front_reset(&dram->front);
    dram->device.refreshes = 0;
    restart(dram, 0);
    dram->chosen_full_ports = 0;
    dram->command_edge = UINT64_MAX;
    dram->busy = (struct busy_time){0};
    memset(dram->bank_busy, 0, sizeof dram->bank_busy);
    memset(dram->statistics, 0, sizeof dram->statistics);
    hd_cursor_init(&dram->cursor, dram->front.services->clock);
}

void dram_destroy(hd_block *block)
{
    struct dram *dram = (struct dram *)block;
    if (!dram)
        return;
    dram_clear_queue(dram);
    dram_front_destroy(&dram->front);
    free(dram);
}

/* When the next request that has a place arrives. */
static hd_time next_arrival(const struct dram *dram)
{
    return dram->count < dram->queue_size ? dram_front_arrival(&dram->front) : HD_NEVER;
}

/* What decides which ports' requests have a place. */
struct places {
    uint64_t full_ports;
    uint32_t are_taken;
};

static struct places places_of(const struct dram *dram)
{
    return (struct places){dram->front.full_ports, dram->count == dram->queue_size};
}

/* The next arrival as known, or if the places have changed, another one. */
static hd_time arrival_after(const struct dram *dram, hd_time arrival, struct places *before)
{
    const struct places places = places_of(dram);
    if (places.full_ports == before->full_ports && places.are_taken == before->are_taken)
        return arrival;
    *before = places;
    return next_arrival(dram);
}

static void accept(struct dram *dram, uint64_t n, hd_time t)
{
    uint32_t port;
    hd_packet *packet = dram_front_accept(&dram->front, n, t, &port);
    if (!packet)
        return;
    dram_expect_command(dram, dram_enter(dram, packet, port, n), n);
    if (dram->count > dram->statistics[STATISTIC_QUEUE_MAXIMUM])
        dram->statistics[STATISTIC_QUEUE_MAXIMUM] = dram->count;
    dram_trace_queue(dram, n);
}

static void respond(struct dram *dram, uint64_t n, hd_time t)
{
    dram_front_respond(&dram->front, n, t);
    /* A request may have waited for room to put its response. */
    if (dram->front.full_ports != dram->chosen_full_ports && dram->count)
        dram->command_edge = n;
}

/* Up to the block's next work, or to the horizon. */
static void trace_refreshes(struct dram *dram, hd_time next, hd_time horizon)
{
    if (!dram_trace_selects_refreshes(dram))
        return;
    dram_trace_refreshes_before(dram, next < horizon ? next + 1 : horizon);
    if (next >= horizon)
        hd_trace_call_at(dram->front.trace, dram_next_refresh(dram));
}

hd_time dram_advance(hd_block *block, hd_time now, hd_time horizon)
{
    struct dram *dram = (struct dram *)block;
    hd_cursor_catch_up(&dram->cursor, now);
    struct places places = places_of(dram);
    for (hd_time arrival = next_arrival(dram);;) {
        const hd_time credit = dram_front_credit(&dram->front);
        const uint64_t response = dram->front.response_edge;
        const hd_work work = {.edge = hd_earlier(dram->command_edge, response), .time = hd_earlier(arrival, credit)};
        const hd_time t = hd_work_seek_before(&work, &dram->cursor, horizon);
        if (dram->front.trace)
            trace_refreshes(dram, t, horizon);
        if (t >= horizon)
            return t;
        const uint64_t n = dram->cursor.n;
        if (response <= n || credit <= t) {
            respond(dram, n, t);
            arrival = arrival_after(dram, arrival, &places);
        }
        if (arrival <= t) {
            accept(dram, n, t);
            arrival = next_arrival(dram);
            places = places_of(dram);
        }
        if (dram->command_edge <= n) {
            dram_schedule(dram, n);
            arrival = arrival_after(dram, arrival, &places);
        }
        hd_cursor_next(&dram->cursor);
    }
}

/* Commands show outside only when their data have moved, unless a request waits at the port for a place. */
static uint64_t first_effect(const struct dram *dram)
{
    const struct dram_timing *timing = &dram->device.timing;
    if (dram->command_edge == UINT64_MAX || dram->count == dram->queue_size)
        return dram->command_edge;
    const uint32_t to_data = timing->tcl < timing->tcwl ? timing->tcl : timing->tcwl;
    return dram->command_edge + to_data + timing->burst + dram->latency;
}

hd_time dram_promise(hd_block *block, hd_time now)
{
    struct dram *dram = (struct dram *)block;
    hd_cursor next = dram->cursor;
    hd_cursor_catch_up(&next, now);
    hd_work work = {.edge = dram->front.response_edge, .time = next_arrival(dram)};
    hd_work_at_time(&work, dram_front_credit(&dram->front));
    hd_work_at_edge(&work, first_effect(dram));
    return hd_work_seek(&work, &next) ? next.t : HD_NEVER;
}
