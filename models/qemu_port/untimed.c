/* SPDX-License-Identifier: MIT */
/* Accesses that take no time. The protocol has none: the peer answers them as it does others, and its time is not looked at. */
#include <string.h>

#include "state.h"

/* What the peer wants meanwhile waits. */
static uint32_t await_response(qemu_port *self)
{
    while (!self->is_broken && self->untimed.is_awaited)
        if (qemu_port_hear(self, self->cursor.t))
            dispatch_packet(self, self->cursor.t);
    return !self->is_broken && rp_status(self->packet) == RP_OK;
}

static void make_access(qemu_port *self, uint64_t address, const void *data, uint32_t length, uint32_t is_write)
{
    rp_packet *packet = self->packet;
    memset(packet, 0, offsetof(rp_packet, data));
    packet->command = is_write ? RP_WRITE : RP_READ;
    packet->device = self->devices[PORT_ACCESS];
    packet->time = nanoseconds(self->cursor.t);
    packet->attributes = peer_can(self, RP_CAN_EXTEND) ? RP_EXTENDED : 0;
    packet->address = address + self->to_peer;
    packet->length = packet->stream_width = length;
    packet->data_bytes = is_write ? length : 0;
    memcpy(packet->data, data, packet->data_bytes);
}

uint32_t qemu_untimed_access(hd_block *block, uint64_t address, void *data, uint32_t bytes, uint32_t is_write)
{
    qemu_port *self = (qemu_port *)block;
    const uint32_t length = bytes < RP_DATA_MAX ? bytes : RP_DATA_MAX;
    if (!self->access_in[0] || !qemu_port_meet(self, self->cursor.t) || self->has_left)
        return 0;
    self->untimed_address = address;
    self->untimed_bytes = length;
    make_access(self, address, data, length, is_write);
    qemu_port_request(self, self->packet, &self->untimed, self->cursor.t);
    if (!await_response(self))
        return 0;
    if (is_write)
        return length;
    if (self->packet->data_bytes != length) {
        qemu_port_fault(self, self->cursor.t, "the other side answers with more or fewer bytes than it was asked for");
        return 0;
    }
    memcpy(data, self->packet->data, length);
    return length;
}
