/* SPDX-License-Identifier: MIT */
/* At one edge: answers of the slices, then everything that the cores have sent, then a store to each slice. */
#include <inttypes.h>

#include "hd_link.h"
#include "state.h"

static uint32_t is_about_written(const ideal_memory *self, const hd_packet *packet)
{
    return self->compares_values && packet->message == self->message.written;
}

static const char *mistake_of(const ideal_memory *self, const hd_packet *packet)
{
    const hd_ideal_commit *commit = hd_body_const(packet);
    if (is_about_written(self, packet))
        return packet->body_bytes < packet->argument * sizeof(hd_ideal_write) ? "ill-formed words" : NULL;
    if (packet->message != self->message.read && packet->message != self->message.commit)
        return "unknown message";
    if (!packet->epoch)
        return "a transaction without an epoch";
    if (packet->message == self->message.read)
        return packet->body_bytes < sizeof(hd_ideal_read) ? "ill-formed load" : NULL;
    return packet->argument > HD_IDEAL_WRITES ||
                   packet->body_bytes < sizeof *commit + packet->argument * sizeof(hd_ideal_write)
               ? "ill-formed commit"
               : NULL;
}

/* Where the warp's core is. Nonzero: the run has ended. */
static int find_core(ideal_memory *self, const hd_packet *packet, hd_time t)
{
    if (packet->flow >= self->warp_limit) {
        ideal_overflow(self, t, PARAMETER_WARPS);
        return -1;
    }
    warp *warp = &self->warps[packet->flow];
    if (warp->endpoint == packet->source && warp->epoch)
        return 0;
    warp->endpoint = packet->source;
    warp->element = self->services->route(self->services->context, PORT_REPLY, packet->source);
    if (warp->element == NONE)
        self->services->fault(self->services->context, t, "%s: no reply port leads to endpoint %" PRIu16,
                              self->services->name, packet->source);
    return warp->element == NONE;
}

static void take(ideal_memory *self, uint32_t element, const hd_packet *packet, hd_time t)
{
    const char *mistake = mistake_of(self, packet);
    if (mistake)
        self->services->fault(self->services->context, t, "%s: %s: message %" PRIu32 " from endpoint %" PRIu16,
                              self->services->name, mistake, packet->message, packet->source);
    else if (is_about_written(self, packet))
        ideal_written(self, packet, t);
    else if (find_core(self, packet, t))
        return;
    else if (packet->message == self->message.read)
        ideal_read(self, packet, t);
    else
        ideal_commit(self, element, packet, t);
}

/* 0: an answer waits for room. */
static uint32_t take_stored(ideal_memory *self, hd_time t)
{
    const hd_services *services = self->services;
    hd_packet *packet;
    for (uint32_t i = 0; i < self->stored_count; i++)
        while ((packet = hd_link_pop(services, self->stored[i], t))) {
            ideal_stored(self, packet, t);
            services->free(services->context, packet);
            if (self->outgoing.count)
                return 0;
        }
    return 1;
}

static uint32_t take_requests(ideal_memory *self, hd_time t)
{
    const hd_services *services = self->services;
    hd_packet *packet;
    for (uint32_t i = 0; i < self->request_count; i++)
        while ((packet = hd_link_pop(services, self->request[i], t))) {
            take(self, i, packet, t);
            services->free(services->context, packet);
            if (self->outgoing.count)
                return 0;
        }
    return 1;
}

static void work(void *block, hd_time t)
{
    ideal_memory *self = block;
    if (ideal_flush(self, t) && take_stored(self, t) && take_requests(self, t))
        ideal_send_stores(self, self->cursor.n, t);
}

static hd_time next(const void *block)
{
    const ideal_memory *self = block;
    hd_cursor cursor = self->cursor;
    hd_work work = hd_work_none();
    if (self->outgoing.count)
        return HD_NEVER; /* until a credit comes */
    for (uint32_t i = 0; i < self->stored_count; i++)
        hd_work_at_time(&work, hd_link_arrival(self->stored[i]));
    for (uint32_t i = 0; i < self->request_count; i++)
        hd_work_at_time(&work, hd_link_arrival(self->request[i]));
    for (uint32_t p = 0; p < self->map->partitions; p++)
        if (self->queues[p].first != NONE && !self->queues[p].waits)
            hd_work_at_edge(&work, self->cursor.n);
    return hd_work_seek(&work, &cursor) ? cursor.t : HD_NEVER;
}

hd_time ideal_advance(hd_block *block, hd_time now, hd_time horizon)
{
    static const hd_walk walk = {.work = work, .next = next};
    ideal_memory *self = (ideal_memory *)block;
    return hd_walk_span(&walk, self, &self->cursor, now, horizon);
}
