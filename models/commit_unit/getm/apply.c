/* SPDX-License-Identifier: MIT */
/* From the buffer to the slice, the oldest first. What no lane writes goes to the validation unit alone. */
#include <inttypes.h>
#include <string.h>

#include "hd_link.h"
#include "state.h"

static hd_packet *packet_of(const commit *self, const region *region, uint32_t body_bytes)
{
    const hd_services *services = self->services;
    hd_packet *packet = services->alloc(services->context, body_bytes);
    packet->source = (uint16_t)services->endpoint;
    packet->traffic_class = HD_CLASS_TRANSACTION;
    packet->tag = self->next;
    packet->address = region->address;
    packet->flow = region->warp;
    packet->epoch = region->epoch;
    packet->wire_bytes = HD_HEADER_WIRE_BYTES;
    packet->body_bytes = body_bytes;
    return packet;
}

static hd_packet *store_of(const commit *self, const region *region)
{
    hd_packet *packet =
        packet_of(self, region, (uint32_t)(sizeof(hd_store) + HD_GETM_REGION_BYTES + sizeof region->release));
    hd_store *store = hd_body(packet);
    packet->message = self->message.store;
    packet->unit = HD_DESTINATION_L2_SLICE;
    packet->argument = HD_GETM_REGION_BYTES;
    packet->wire_bytes += (uint32_t)__builtin_popcount(region->byte_mask);
    *store = (hd_store){.byte_mask = {region->byte_mask}};
    memcpy(hd_store_data(store), region->data, sizeof region->data);
    memcpy(hd_store_data(store) + sizeof region->data, &region->release, sizeof region->release);
    return packet;
}

static hd_packet *release_of(const commit *self, const region *region)
{
    hd_packet *packet = packet_of(self, region, sizeof region->release);
    packet->message = self->message.release;
    packet->unit = HD_DESTINATION_VALIDATION_UNIT;
    memcpy(hd_body(packet), &region->release, sizeof region->release);
    return packet;
}

/* 0: no credit. */
static uint32_t has_credit(commit *self, uint32_t is_store, uint64_t n, hd_time t)
{
    const uint32_t has_one = hd_link_has_credit(self->services, is_store ? self->store : self->release, t);
    if (self->store_waits && (!is_store || has_one))
        self->counters.slice_wait_cycles += n - self->store_waits_since;
    if (is_store && !has_one && !self->store_waits)
        self->store_waits_since = n;
    self->store_waits = is_store && !has_one;
    self->release_waits = !is_store && !has_one;
    return has_one;
}

void commit_apply(commit *self, uint64_t n, hd_time t)
{
    const hd_services *services = self->services;
    if (self->next == self->end || n < self->free_edge)
        return;
    const region *region = commit_region(self, self->next);
    const uint32_t is_store = region->byte_mask != 0;
    if (!has_credit(self, is_store, n, t))
        return;
    const uint32_t bytes = (uint32_t)__builtin_popcount(region->byte_mask);
    const uint64_t cycles = is_store ? (bytes + self->bytes_per_cycle - 1) / self->bytes_per_cycle : 1;
    self->counters.busy_cycles += cycles;
    self->counters.bytes += bytes;
    if (is_store) {
        self->counters.stores++;
        services->send(services->context, self->store, store_of(self, region), t);
    } else {
        self->counters.releases++;
        services->send(services->context, self->release, release_of(self, region), t);
    }
    hd_trace_instant(self->trace, HD_TRACE_BLOCK, EVENT_APPLIED, t, region->warp, region->address, bytes);
    self->free_edge = n + cycles;
    self->next++;
}

static void take_answers_of(commit *self, hd_link *link, hd_time t)
{
    const hd_services *services = self->services;
    for (hd_packet *packet; (packet = hd_link_pop(services, link, t));) {
        region *region = commit_region(self, packet->tag);
        if (packet->tag < self->first || packet->tag >= self->next || region->is_applied)
            services->fault(services->context, t, "%s: an answer to region %" PRIu64 ", which was not sent",
                            services->name, packet->tag);
        region->is_applied = 1;
        services->free(services->context, packet);
    }
}

void commit_take_answers(commit *self, hd_time t)
{
    take_answers_of(self, self->stored, t);
    take_answers_of(self, self->released, t);
    const uint64_t first = self->first;
    while (self->first < self->next && commit_region(self, self->first)->is_applied)
        self->first++;
    if (self->first > first)
        hd_trace_counter(self->trace, HD_TRACE_BLOCK, EVENT_REGIONS, t, self->end - self->first);
}
