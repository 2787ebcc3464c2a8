/* SPDX-License-Identifier: MIT */
#include "peer.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TIMEOUT_MS 10000

static void *visit(void *context)
{
    peer *self = context;
    for (uint32_t i = 0; i < self->visits; i++) {
        if (heddle_remote_connect(&self->remote, self->address, TIMEOUT_MS)) {
            fprintf(stderr, "peer: %s\n", self->remote.error);
            abort();
        }
        self->act(self);
        heddle_remote_close(&self->remote);
    }
    return NULL;
}

kit_block *peer_begin(peer *self, void (*act)(peer *peer), uint32_t ports, const char *quantum)
{
    if (!self->visits)
        self->visits = 1;
    self->act = act;
    strcpy(self->folder, "/tmp/remote_port_XXXXXX");
    cr_assert(mkdtemp(self->folder));
    snprintf(self->address, sizeof self->address, "unix:%s/socket", self->folder);
    snprintf(self->setting, sizeof self->setting, "address=%s", self->address);
    kit_block *kit = kit_create(&hd_remote_port_device, (const char *[]){self->setting, quantum, "timeout=2 s", NULL});
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
    pthread_join(self->thread, NULL);
    cr_expect_eq(rmdir(self->folder), 0, "the file of the socket is left");
}

heddle_remote_message peer_expect(peer *self, uint16_t kind)
{
    heddle_remote_message message = {0};
    const int got = heddle_remote_receive(&self->remote, &message);
    if (message.kind == kind)
        return message;
    fprintf(stderr, "peer: message of kind %u, expected %u (%d: %s)\n", message.kind, kind, got, self->remote.error);
    abort();
}
