/* SPDX-License-Identifier: MIT */
/* From the logs into the buffer, in which what an attempt does to the same 32 bytes is put together. */
#include <inttypes.h>
#include <string.h>

#include "hd_link.h"
#include "state.h"

static const char *mistake_of(const commit *self, const hd_packet *packet)
{
    const hd_getm_region *regions = hd_body_const(packet);
    if (packet->message != self->message.log)
        return "unknown message";
    if (!packet->epoch || !packet->argument || packet->argument > REGIONS_OF_LOG_MAX ||
        packet->body_bytes < packet->argument * sizeof *regions)
        return "ill-formed log";
    for (uint32_t i = 0; i < packet->argument; i++) {
        const uint32_t offset = regions[i].address % HD_GETM_REGION_BYTES;
        if (regions[i].warp != regions[0].warp || offset % HD_GETM_GRANULE_MIN ||
            (uint64_t)regions[i].byte_mask << offset > UINT32_MAX)
            return "ill-formed region";
    }
    return NULL;
}

/* Number of the region that this one can be put together with, or that a new one gets. */
static uint64_t find_place(const commit *self, uint64_t address, uint32_t warp, uint32_t epoch)
{
    for (uint64_t number = self->next; self->coalesces && number < self->end; number++) {
        const region *other = commit_region(self, number);
        if (other->address == address && other->warp == warp && other->epoch == epoch)
            return number;
    }
    return self->end;
}

static void put_together(region *into, const hd_getm_region *part)
{
    const uint32_t offset = part->address % HD_GETM_REGION_BYTES;
    for (uint32_t bits = part->byte_mask; bits; bits &= bits - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(bits);
        into->data[offset + i] = part->data[i];
    }
    into->byte_mask |= part->byte_mask << offset;
    into->release.count[offset / HD_GETM_GRANULE_MIN] += part->count;
}

/* Returns the number of the region that it went into. */
static uint64_t take_region(commit *self, const hd_getm_region *part, uint32_t epoch)
{
    const uint64_t address = part->address & ~(uint64_t)(HD_GETM_REGION_BYTES - 1);
    const uint64_t number = find_place(self, address, part->warp, epoch);
    region *into = commit_region(self, number);
    self->counters.regions++;
    self->counters.lane_releases += part->count;
    if (number < self->end) {
        self->counters.merged++;
    } else {
        *into = (region){.address = address, .warp = part->warp, .epoch = epoch};
        self->end++;
    }
    put_together(into, part);
    const uint64_t used = self->end - self->first;
    self->counters.regions_maximum = used > self->counters.regions_maximum ? used : self->counters.regions_maximum;
    return number;
}

uint32_t commit_has_room(const commit *self)
{
    return self->end - self->first + REGIONS_OF_LOG_MAX <= self->region_limit &&
           self->logs_pending.count < self->logs_pending.capacity;
}

static void note_full(commit *self, uint32_t is_full, uint64_t n)
{
    if (self->is_full && !is_full)
        self->counters.buffer_wait_cycles += n - self->full_since;
    if (is_full && !self->is_full)
        self->full_since = n;
    self->is_full = is_full;
}

void commit_take_log(commit *self, uint64_t n, hd_time t)
{
    const hd_services *services = self->services;
    const hd_packet *head = hd_link_peek(self->logs, t);
    note_full(self, head && !commit_has_room(self), n);
    if (!head || self->is_full)
        return;
    hd_packet *packet = services->pop(services->context, self->logs, t);
    const char *mistake = mistake_of(self, packet);
    if (mistake) {
        services->fault(services->context, t, "%s: %s: message %" PRIu32 " from endpoint %" PRIu16 ", tag %" PRIu64,
                        services->name, mistake, packet->message, packet->source, packet->tag);
        services->free(services->context, packet);
        return;
    }
    const hd_getm_region *regions = hd_body_const(packet);
    uint64_t needs = 0;
    for (uint32_t i = 0; i < packet->argument; i++) {
        const uint64_t number = take_region(self, &regions[i], packet->epoch);
        needs = number >= needs ? number + 1 : needs;
    }
    hd_trace_counter(self->trace, HD_TRACE_BLOCK, EVENT_REGIONS, t, self->end - self->first);
    self->counters.logs++;
    self->pending[hd_ring_push(&self->logs_pending)] = (pending_log){packet, needs, n};
}

void commit_acknowledge(commit *self, uint64_t n, hd_time t)
{
    const hd_services *services = self->services;
    const pending_log *log = &self->pending[self->logs_pending.first];
    self->ack_waits = 0;
    if (!self->logs_pending.count || log->needs > self->first)
        return;
    self->ack_waits = !hd_link_has_credit(services, self->ack, t);
    if (self->ack_waits)
        return;
    hd_packet *packet = log->packet;
    packet->message = self->message.log_ack;
    packet->destination = packet->source;
    packet->source = (uint16_t)services->endpoint;
    packet->unit = HD_DESTINATION_DEFAULT;
    packet->body_bytes = 0;
    packet->wire_bytes = HD_HEADER_WIRE_BYTES;
    self->counters.log_latency_cycles += n - log->taken;
    hd_ring_pop(&self->logs_pending);
    services->send(services->context, self->ack, packet, t);
}
