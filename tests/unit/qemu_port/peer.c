/* SPDX-License-Identifier: MIT */
#include "peer.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TIMEOUT_MS 10000

static void give_up(peer *self, const char *what)
{
    fprintf(stderr, "peer: %s (%s)\n", what, self->remote.error);
    abort();
}

/* 0: the connection is closed. */
static int hear(peer *self)
{
    for (;;) {
        const char *why;
        const long used = rp_decode(self->remote.bytes, self->remote.count, &self->packet, &why);
        if (used > 0) {
            heddle_remote_take_away(&self->remote, (size_t)used);
            return 1;
        }
        const int more =
            used < 0 ? -1 : heddle_remote_fetch(&self->remote, heddle_remote_deadline(&self->remote), "wait");
        if (more < 0)
            give_up(self, used < 0 ? why : "hear");
        if (!more)
            return 0;
    }
}

static void *visit(void *context)
{
    peer *self = context;
    const rp_packet hello = {
        .command = RP_HELLO, .major = self->major, .minor = RP_MINOR, .capabilities = self->capabilities};
    self->remote = (heddle_remote){.socket = -1, .timeout = TIMEOUT_MS};
    if (heddle_remote_dial(&self->remote, self->address))
        give_up(self, "connect");
    peer_expect(self, RP_HELLO, 0);
    if (self->major)
        peer_say(self, &hello);
    self->act(self);
    heddle_remote_close(&self->remote);
    return NULL;
}

kit_block *peer_begin(peer *self, void (*act)(peer *peer), uint32_t ports, const char *setting)
{
    self->act = act;
    strcpy(self->folder, "/tmp/qemu_port_XXXXXX");
    cr_assert(mkdtemp(self->folder));
    snprintf(self->address, sizeof self->address, "unix:%s/socket", self->folder);
    snprintf(self->setting, sizeof self->setting, "address=%s", self->address);
    const char *settings[] = {self->setting, setting, "timeout=2 s", NULL, NULL, NULL, NULL};
    for (uint32_t i = 0; i < 3 && self->more[i][0]; i++)
        settings[3 + i] = self->more[i];
    kit_block *kit = kit_create(&hd_qemu_port_device, settings);
    for (uint32_t port = 0; port <= PORT_LEVEL; port++)
        if (ports >> port & 1)
            kit_connect(kit, port, 0, 1, 4);
    kit_start(kit);
    cr_assert_eq(pthread_create(&self->thread, NULL, visit, self), 0);
    return kit;
}

void peer_end(peer *self, kit_block *kit)
{
    kit_destroy(kit);
    if (!self->has_ended)
        pthread_join(self->thread, NULL);
    cr_expect_eq(rmdir(self->folder), 0, "the file of the socket is left");
}

const rp_packet *peer_expect(peer *self, uint32_t command, uint32_t flags)
{
    if (hear(self) && self->packet.command == command && self->packet.flags == flags)
        return &self->packet;
    fprintf(stderr, "peer: command %u flags %u, expected %u flags %u\n", self->packet.command, self->packet.flags,
            command, flags);
    abort();
}

void peer_say(peer *self, const rp_packet *packet)
{
    uint8_t *bytes = malloc(RP_BYTES_MAX);
    if (heddle_remote_send_bytes(&self->remote, bytes, rp_encode(packet, bytes)))
        give_up(self, "say");
    free(bytes);
}

void peer_respond(peer *self, uint64_t time, uint32_t status, const void *data)
{
    rp_packet response = self->packet;
    response.flags |= RP_RESPONSE;
    response.time = time;
    response.attributes |= (uint64_t)status << RP_STATUS_SHIFT;
    response.data_bytes = data ? response.length : 0;
    response.enable_bytes = 0;
    if (data)
        memcpy(response.data, data, response.length);
    peer_say(self, &response);
}

static int hear_behind_syncs(peer *self)
{
    int got;
    while ((got = hear(self)) && self->packet.command == RP_SYNC && !self->packet.flags)
        peer_respond(self, self->packet.time, RP_OK, NULL);
    return got;
}

const rp_packet *peer_expect_behind_syncs(peer *self, uint32_t command, uint32_t flags)
{
    if (hear_behind_syncs(self) && self->packet.command == command && self->packet.flags == flags)
        return &self->packet;
    fprintf(stderr, "peer: command %u flags %u, expected %u\n", self->packet.command, self->packet.flags, command);
    abort();
}

void peer_only_syncs(peer *self)
{
    if (hear_behind_syncs(self))
        give_up(self, "something else than SYNC");
}
