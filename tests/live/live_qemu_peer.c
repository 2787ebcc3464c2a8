/* SPDX-License-Identifier: MIT */
/* The peer that speaks QEMU's protocol. */
#include <stdlib.h>
#include <string.h>

#include "live_peer_internal.h"
#include "rp_packet.h"

#define LAST_SYNC_NS 1000000u /* by then the machine has nothing to do any more, where this is its host */
#define DELAY_NS 20u
#define BAD_ADDRESS UINT64_C(0x70000000)
enum { DEVICE_ACCESS, DEVICE_MEMORY, DEVICE_NOTIFY, DEVICE_INTERRUPT, DEVICE_NONE = 55 };

typedef struct conversation {
    heddle_remote remote;
    rp_packet packet; /* the last one that has come */
    uint8_t bytes[RP_BYTES_MAX];
    uint32_t syncs;
    uint32_t is_host;
} conversation;

static int say(conversation *self, const rp_packet *packet)
{
    return heddle_remote_send_bytes(&self->remote, self->bytes, rp_encode(packet, self->bytes));
}

/* 1: a packet. */
static int hear(conversation *self)
{
    for (;;) {
        const char *why;
        const long used = rp_decode(self->remote.bytes, self->remote.count, &self->packet, &why);
        if (used > 0)
            heddle_remote_take_away(&self->remote, (size_t)used);
        if (used || heddle_remote_fetch(&self->remote, heddle_remote_deadline(&self->remote), "") <= 0)
            return used > 0;
    }
}

/* Every eighth line is refused, and whatever is not for this device. */
static void answer(conversation *self)
{
    rp_packet *access = &self->packet;
    const int is_refused = access->address / 128 % 8 == 7 || access->address >> 63 || access->device != DEVICE_ACCESS;
    const int is_read = access->command == RP_READ;
    access->flags |= RP_RESPONSE;
    access->time += DELAY_NS;
    access->attributes |= (uint64_t)(is_refused ? RP_ADDRESS_ERROR : RP_OK) << RP_STATUS_SHIFT;
    access->data_bytes = is_read && !is_refused ? access->length : 0;
    access->enable_bytes = 0;
    if (is_read)
        memset(access->data, 0, sizeof access->data);
    say(self, access);
}

static void raise_line(conversation *self, uint32_t device)
{
    const rp_packet interrupt = {.command = RP_INTERRUPT, .flags = RP_POSTED, .device = device, .level = 1};
    say(self, &interrupt);
}

static void write_to(conversation *self, uint64_t address)
{
    const rp_packet write = {.command = RP_WRITE,
                             .flags = RP_POSTED,
                             .device = DEVICE_MEMORY,
                             .address = address,
                             .length = 8,
                             .stream_width = 8,
                             .data_bytes = 8};
    say(self, &write);
}

/* At first it has the timer interrupt it, writes to where nothing is, and raises a line of nobody's. */
static void synchronise(conversation *self)
{
    rp_packet response = {.command = RP_SYNC, .id = self->packet.id, .flags = RP_RESPONSE, .time = self->packet.time};
    if (!self->syncs++) {
        write_to(self, LIVE_TIMER_COMPARE);
        write_to(self, BAD_ADDRESS);
        raise_line(self, DEVICE_NONE);
    }
    say(self, &response);
}

/* A line that rises is raised here, too. */
static void take(conversation *self)
{
    switch (self->packet.command) {
    case RP_READ:
    case RP_WRITE: answer(self); break;
    case RP_SYNC: synchronise(self); break;
    case RP_INTERRUPT:
        if (self->packet.device == DEVICE_NOTIFY && self->packet.level)
            raise_line(self, DEVICE_INTERRUPT);
        break;
    default: break;
    }
}

void *live_qemu_visit(void *context)
{
    const live_peer *peer = context;
    const rp_packet hello = {.command = RP_HELLO, .major = RP_MAJOR, .capabilities = RP_OUR_CAPABILITIES};
    conversation *self = calloc(1, sizeof *self);
    self->is_host = peer->is_host;
    self->remote = (heddle_remote){.socket = -1, .timeout = LIVE_PEER_TIMEOUT_MS};
    if (!heddle_remote_dial(&self->remote, peer->address) && !say(self, &hello))
        while (hear(self) && !(self->is_host && self->packet.command == RP_SYNC && self->packet.time >= LAST_SYNC_NS))
            take(self);
    heddle_remote_close(&self->remote);
    free(self);
    return NULL;
}
