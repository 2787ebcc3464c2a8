/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "state.h"

/* ---- What is heard --------------------------------------------------------------------------------------------------- */

static void take_sync(qemu_port *self, hd_time t)
{
    self->counters[STATISTIC_SYNCS]++;
    self->sync_at = (t / self->quantum + 1) * self->quantum;
    if (self->is_host)
        self->services->progress(self->services->context, t);
}

static void take_response(qemu_port *self, hd_time t)
{
    if (self->packet->flags & RP_POSTED)
        return;
    if (qemu_port_settle(&self->sync, self->packet))
        take_sync(self, t);
    else if (qemu_port_settle(&self->asked.response, self->packet))
        asking_take(self, self->packet, t);
    else if (!qemu_port_settle(&self->untimed, self->packet))
        qemu_port_fault(self, t, "the other side answers what nobody has asked");
}

static void grant(qemu_port *self, const rp_packet *packet, hd_time t)
{
    if (packet->time >= PEER_TIME_END / PS_PER_NS)
        qemu_port_fault(self, t, TIME_NEVER_COMES);
    else
        self->granted = packet->time * PS_PER_NS > t ? packet->time * PS_PER_NS : t;
    if (self->is_host)
        self->services->progress(self->services->context, t);
}

static void take_request(qemu_port *self, hd_time t)
{
    if (self->queue_count == QUEUE_MAX) {
        qemu_port_fault(self, t, "more requests of the other side wait than there is room for");
        return;
    }
    if (!self->quantum)
        grant(self, self->packet, t);
    self->queue[(self->queue_head + self->queue_count++) % QUEUE_MAX] = *self->packet;
}

void dispatch_packet(qemu_port *self, hd_time t)
{
    if (self->packet->flags & RP_RESPONSE) {
        take_response(self, t);
        return;
    }
    switch (self->packet->command) {
    case RP_HELLO: qemu_port_fault(self, t, "the other side sends a HELLO in the middle"); break;
    case RP_READ:
    case RP_WRITE:
    case RP_INTERRUPT:
    case RP_SYNC: take_request(self, t); break;
    default: break; /* NOP, CONFIGURE, and what is optional */
    }
}

/* ---- When -------------------------------------------------------------------------------------------------------------- */

static void synchronise(qemu_port *self, hd_time t)
{
    if (!self->quantum || self->has_left || self->queue_count || self->sync.is_awaited || t < self->sync_at)
        return;
    memset(self->packet, 0, offsetof(rp_packet, data));
    self->packet->command = RP_SYNC;
    self->packet->time = nanoseconds(t);
    qemu_port_request(self, self->packet, &self->sync, t);
}

/*
 * Time stands still until the peer has said something: it owes a response, or it leads and has said how far time may go. What it has asked
 * for comes first: it may be what its response depends on. But a request whose time is yet to come is no reason not to hear a response.
 */
static uint32_t must_listen(const qemu_port *self, hd_time t)
{
    if (self->is_broken || self->has_left)
        return 0;
    if (self->queue_count)
        return self->asked.response.is_awaited && !serving_is_due(self, t);
    return self->sync.is_awaited || self->asked.response.is_awaited || (!self->quantum && t >= self->granted);
}

void dispatch_work(qemu_port *self, hd_time t)
{
    for (;;) {
        serving_work(self, t);
        asking_work(self, t);
        synchronise(self, t);
        if (!must_listen(self, t))
            return;
        if (qemu_port_hear(self, t))
            dispatch_packet(self, t);
    }
}

hd_time dispatch_next(const qemu_port *self)
{
    const hd_time t = hd_earlier(serving_next(self), asking_next(self));
    if (self->has_left || self->queue_count)
        return t;
    return hd_earlier(t, self->quantum ? self->sync_at : self->granted);
}

void dispatch_clear(qemu_port *self)
{
    self->granted = self->sync_at = 0;
    self->heard_at = HD_NEVER;
    self->sync.is_awaited = self->untimed.is_awaited = 0;
    asking_clear(self);
    serving_clear(self);
}
