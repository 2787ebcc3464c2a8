/* SPDX-License-Identifier: MIT */
/* Reservations are given back: by writes of the commit unit when the slice takes them, and by its messages. */
#include <inttypes.h>

#include "hd_link.h"
#include "state.h"

static void give_back(validation *self, uint64_t granule, uint64_t count, uint32_t warp, uint32_t epoch, hd_time t)
{
    metadata_entry *entry = metadata_find(&self->metadata, granule);
    if (!entry || entry->reserved < count || entry->owner_warp != warp ||
        (entry->owner_epoch != epoch && !self->rules.owned_by_warp)) {
        self->services->fault(self->services->context, t,
                              "%s: I1: attempt %" PRIu32 " of warp %" PRIu32 " gives back %" PRIu64
                              " stores to granule %#" PRIx64 ", which it has not reserved",
                              self->services->name, epoch, warp, count, granule);
        return;
    }
    entry->reserved -= count;
    self->counters.releases++;
    self->counters.lane_releases += count;
    if (entry->reserved)
        return;
    self->reserved_granules--;
    stall_mark(&self->stall, granule);
    metadata_settle(&self->metadata, entry);
}

void validation_release(validation *self, uint64_t address, const hd_getm_release *release, uint32_t warp,
                        uint32_t epoch, hd_time t)
{
    for (uint32_t i = 0; i < sizeof release->count / sizeof *release->count; i++)
        if (release->count[i])
            give_back(self, granule_of(self, address + i * HD_GETM_GRANULE_MIN), release->count[i], warp, epoch, t);
}

void validation_take_releases(validation *self, hd_time t)
{
    const hd_services *services = self->services;
    self->released_waits = 0;
    while (hd_link_peek(self->release, t)) {
        self->released_waits = !hd_link_has_credit(services, self->released, t);
        if (self->released_waits)
            return;
        hd_packet *packet = services->pop(services->context, self->release, t);
        validation_release(self, packet->address, hd_body_const(packet), packet->flow, packet->epoch, t);
        packet->message = self->message.released;
        packet->destination = packet->source;
        packet->source = (uint16_t)services->endpoint;
        packet->unit = HD_DESTINATION_DEFAULT;
        packet->body_bytes = 0;
        packet->wire_bytes = HD_HEADER_WIRE_BYTES;
        services->send(services->context, self->released, packet, t);
    }
}
