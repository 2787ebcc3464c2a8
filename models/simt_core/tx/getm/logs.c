/* SPDX-License-Identifier: MIT */
/* Write logs on their way to the commit units: one warp after the other, a packet a cycle. */
#include "tx/getm/getm.h"

#include <assert.h>
#include <string.h>

/* The region of these words, of lanes that commit or of others. */
static hd_getm_region *region_of(getm *g, uint64_t address, uint32_t commits, uint32_t warp)
{
    const hd_address_map *map = memory_map(g->t->core.memory);
    for (uint32_t i = 0; i < g->region_count; i++)
        if (g->regions[i].address == address && g->regions[i].reserved == commits)
            return &g->regions[i];
    hd_getm_region *region = &g->regions[g->region_count];
    *region = (hd_getm_region){.address = address, .warp = tx_global_warp(g->t, warp), .reserved = commits};
    g->partitions[g->region_count++] = (uint16_t)hd_partition_of(map, address);
    return region;
}

static void add_word(getm *g, uint32_t warp, uint32_t lane, uint32_t entry, uint32_t commits)
{
    const tx_log *log = &tx_warp_of(g->t, warp)->writes;
    const size_t at = tx_log_at(log, entry, lane);
    const uint64_t approved = g->warps[warp].approved[at];
    if (!commits && !approved)
        return;
    const uint32_t offset = log->address[at] % g->region_bytes;
    hd_getm_region *region = region_of(g, log->address[at] - offset, commits, warp);
    region->count += approved;
    for (uint32_t byte = 0; commits && byte < 4; byte++)
        if (log->bytes[at] >> byte & 1) {
            region->byte_mask |= 1u << (offset + byte);
            region->data[offset + byte] = (uint8_t)(log->value[at] >> 8 * byte);
        }
}

static void collect(getm *g, uint32_t warp)
{
    const tx_warp *w = tx_warp_of(g->t, warp);
    const uint64_t survivors = tx_running(g->t, warp);
    g->region_count = 0;
    for (uint32_t entry = 0; entry < w->writes.length; entry++)
        for (uint64_t left = w->writes.mask[entry]; left; left &= left - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctzll(left);
            add_word(g, warp, lane, entry, survivors >> lane & 1);
        }
    if (g->warps[warp].gate == GATE_HELD)
        region_of(g, HD_GETM_GATE, 0, warp)->count++;
}

static uint32_t leaves_before(const getm *g, uint32_t a, uint32_t b)
{
    if (g->partitions[a] != g->partitions[b])
        return g->partitions[a] < g->partitions[b];
    return g->regions[a].reserved > g->regions[b].reserved;
}

/* Few, and those of a partition as they were collected. */
static void put_in_order(getm *g)
{
    g->sent = 0;
    for (uint32_t i = 0; i < g->region_count; i++) {
        uint32_t at = i;
        for (; at > 0 && leaves_before(g, i, g->order[at - 1]); at--)
            g->order[at] = g->order[at - 1];
        g->order[at] = i;
    }
}

/* Warps in turn, until one has something to send. */
static void start_next(getm *g)
{
    while (g->committing.count && !g->region_count) {
        const uint32_t warp = g->committing.warps[g->committing.head];
        collect(g, warp);
        if (g->region_count) {
            put_in_order(g);
            memory_offer_packets(g->t->core.memory, 1);
            return;
        }
        tx_queue_pop(&g->committing);
        tx_decide(g->t, warp, tx_running(g->t, warp), 0, TX_NO_REASON);
    }
}

void getm_send_logs(getm *g, uint32_t warp, uint64_t survivors)
{
    (void)survivors;
    tx_queue_push(&g->committing, warp);
    if (g->committing.count == 1)
        start_next(g);
}

static void all_sent(getm *g)
{
    const uint32_t warp = tx_queue_pop(&g->committing);
    g->region_count = 0;
    tx_decide(g->t, warp, tx_running(g->t, warp), 0, TX_NO_REASON);
    if (g->committing.count && !g->region_count)
        start_next(g);
}

hd_packet *getm_next_log(getm *g)
{
    const uint32_t warp = g->committing.warps[g->committing.head];
    const uint32_t partition = g->partitions[g->order[g->sent]];
    getm_warp *gw = &g->warps[warp];
    uint32_t wire = HD_HEADER_WIRE_BYTES, count = 0;
    hd_getm_region body[(HD_GETM_LOG_WIRE_BYTES - HD_HEADER_WIRE_BYTES) / 8];
    for (; g->sent < g->region_count && g->partitions[g->order[g->sent]] == partition; g->sent++) {
        const hd_getm_region *region = &g->regions[g->order[g->sent]];
        const uint32_t more = hd_getm_region_wire_bytes(region);
        if (wire + more > HD_GETM_LOG_WIRE_BYTES)
            break;
        assert((region->reserved || !region->byte_mask) && "I8: lanes that aborted write nothing");
        wire += more;
        body[count] = *region;
        body[count++].reserved = 0;
    }
    const uint32_t bytes = count * (uint32_t)sizeof *body;
    hd_packet *packet = tx_packet(g->t, warp, g->message_log, body[0].address, bytes);
    memcpy(hd_body(packet), body, bytes);
    packet->unit = HD_DESTINATION_COMMIT_UNIT;
    packet->argument = count;
    packet->tag = warp;
    packet->wire_bytes = wire;
    g->t->core.counters->tx_logs++;
    memory_count_log(g->t->core.memory, wire - HD_HEADER_WIRE_BYTES);
    gw->settled = gw->logs++ ? gw->settled : g->t->warps[warp].attempt;
    if (g->sent == g->region_count)
        all_sent(g);
    else
        memory_offer_packets(g->t->core.memory, 1);
    return packet;
}

void getm_acknowledged(getm *g, uint32_t warp)
{
    getm_warp *gw = &g->warps[warp];
    if (--gw->logs)
        return;
    tx_settled(g->t, warp);
    if (g->t->warps[warp].attempt - gw->settled >= EPOCHS_MAX)
        tx_retry_begins(g->t);
}
