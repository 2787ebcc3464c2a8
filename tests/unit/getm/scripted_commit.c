/* SPDX-License-Identifier: MIT */
/* The end of an attempt: conflicts inside the warp, logs, and what comes next. */
#include <stdlib.h>
#include <string.h>

#include "scripted_state.h"

static uint32_t writes_word(const lane *lane, uint32_t word)
{
    for (uint32_t i = 0; i < lane->write_count; i++)
        if (lane->writes[i].word == word)
            return 1;
    return 0;
}

/* Lowest lane that writes the word, of `lanes`. */
static uint32_t owner_of(const warp *warp, uint32_t lanes, uint32_t word)
{
    for (; lanes; lanes &= lanes - 1)
        if (writes_word(&warp->lanes[__builtin_ctz(lanes)], word))
            return (uint32_t)__builtin_ctz(lanes);
    return SCRIPTED_LANES;
}

/* Two phases (Fung 2015 §6.3.3), with an owner for each word: survivors are serial in the order of lanes. */
static uint32_t find_losers(const warp *warp)
{
    uint32_t losers = 0;
    for (uint32_t bits = warp->live; bits; bits &= bits - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(bits);
        const lane *lane = &warp->lanes[i];
        uint32_t loses = 0;
        for (uint32_t k = 0; k < lane->read_count; k++)
            loses |= owner_of(warp, warp->live, lane->reads[k].word) < i;
        for (uint32_t k = 0; k < lane->write_count; k++)
            loses |= owner_of(warp, warp->live, lane->writes[k].word) != i;
        losers |= loses << i;
    }
    return losers;
}

static void keep_commit(core *self, const warp *warp, uint32_t i)
{
    const lane *lane = &warp->lanes[i];
    if (self->commit_count == self->commit_capacity) {
        self->commit_capacity = self->commit_capacity ? 2 * self->commit_capacity : 64;
        self->commits = realloc(self->commits, self->commit_capacity * sizeof *self->commits);
    }
    scripted_commit *commit = &self->commits[self->commit_count++];
    *commit = (scripted_commit){.era = self->era,
                                .timestamp = warp->timestamp,
                                .attempt = warp->attempt,
                                .warp = warp->number,
                                .lane = i,
                                .read_count = lane->read_count,
                                .write_count = lane->write_count};
    for (uint32_t k = 0; k < lane->read_count; k++)
        commit->reads[k] = (scripted_word){word_address(self, lane->reads[k].word), lane->reads[k].value};
    for (uint32_t k = 0; k < lane->write_count; k++)
        commit->writes[k] = (scripted_word){word_address(self, lane->writes[k].word), lane->writes[k].value};
}

/* A log that is being put together, of one partition. */
typedef struct log {
    core *core;
    warp *warp;
    hd_packet *packet;
    uint64_t address;
    uint64_t edge;
} log;

static void send_log(log *log)
{
    if (!log->packet)
        return;
    log->warp->logs++;
    scripted_send(log->core, log->packet, log->address, HD_DESTINATION_COMMIT_UNIT, 0, log->edge);
    log->packet = NULL;
}

static void add_region(log *log, const hd_getm_region *region)
{
    const uint32_t bytes = hd_getm_region_wire_bytes(region);
    if (log->packet && log->packet->wire_bytes + bytes > HD_GETM_LOG_WIRE_BYTES)
        send_log(log);
    if (!log->packet) {
        log->packet = scripted_packet(log->core, log->core->log, HD_PACKET_BODY_MAX);
        log->packet->body_bytes = 0;
        log->packet->tag = log->warp->attempt << 16 | (uint64_t)(log->warp - log->core->warps) << 12;
        log->packet->flow = log->warp->number;
        log->packet->epoch = 1 + (uint32_t)((log->warp->attempt - 1) % 255);
        log->address = region->address;
    }
    ((hd_getm_region *)hd_body(log->packet))[log->packet->argument++] = *region;
    log->packet->body_bytes += (uint32_t)sizeof *region;
    log->packet->wire_bytes += bytes;
}

static void log_lane(log *log, const lane *lane, uint32_t partition, uint32_t is_committed)
{
    const core *self = log->core;
    const uint64_t size = self->granule < HD_GETM_REGION_BYTES ? self->granule : HD_GETM_REGION_BYTES;
    for (uint32_t k = 0; k < lane->write_count; k++) {
        const uint64_t address = word_address(self, lane->writes[k].word);
        hd_getm_region region = {
            .address = address / size * size, .count = lane->writes[k].reserved, .warp = log->warp->number};
        if (hd_partition_of(self->map, address) != partition || (!is_committed && !region.count))
            continue;
        if (is_committed) {
            region.byte_mask = 0xFu << (address - region.address);
            memcpy(&region.data[address - region.address], &lane->writes[k].value, 4);
        }
        add_region(log, &region);
    }
}

static void send_logs(core *self, warp *warp, uint64_t n)
{
    for (uint32_t partition = 0; partition < self->map->partitions; partition++) {
        log log = {.core = self, .warp = warp, .edge = n};
        for (uint32_t bits = warp->live; bits; bits &= bits - 1)
            log_lane(&log, &warp->lanes[__builtin_ctz(bits)], partition, 1);
        for (uint32_t bits = warp->todo & ~warp->live; bits; bits &= bits - 1)
            log_lane(&log, &warp->lanes[__builtin_ctz(bits)], partition, 0);
        send_log(&log);
    }
}

static void go_on(core *self, warp *warp, uint64_t n)
{
    warp->phase = PHASE_BACK_OFF;
    warp->wake = n + 1;
    if (warp->todo) { /* whoever is left tries again, at a time that exceeds all causes */
        const uint64_t clock = warp->cause ? ((warp->cause - 1) >> self->warp_bits) + 1 : 0;
        warp->clock = clock > warp->clock ? clock : warp->clock;
        warp->failures++;
        warp->wake += draw(self, 16u << (warp->failures < 7 ? warp->failures : 7));
        return;
    }
    if (++warp->transactions == self->transaction_count)
        warp->phase = PHASE_DONE;
    else
        scripted_begin_transaction(self, warp);
}

void scripted_end_attempt(core *self, warp *warp, uint64_t n, hd_time t)
{
    const uint32_t losers = self->intra_warp ? find_losers(warp) : 0;
    if (losers && warp->timestamp + 2 > warp->cause)
        warp->cause = warp->timestamp + 2; /* what the others write is of the time after theirs */
    warp->live &= ~losers;
    self->counters[1] += (uint32_t)__builtin_popcount(losers);
    self->counters[0] += (uint32_t)__builtin_popcount(warp->live);
    for (uint32_t bits = warp->live; bits; bits &= bits - 1)
        keep_commit(self, warp, (uint32_t)__builtin_ctz(bits));
    send_logs(self, warp, n);
    warp->todo &= ~warp->live;
    if (warp->live)
        self->services->progress(self->services->context, t);
    go_on(self, warp, n);
}
