/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "live_peer_internal.h"

#define DELAY_PS 20000

/* A read of every eighth line is refused. */
static void answer(heddle_remote *remote, const heddle_remote_message *request)
{
    static const uint8_t bytes[HEDDLE_REMOTE_DATA_MAX];
    const int is_read = request->kind == HEDDLE_REMOTE_READ;
    const int is_refused = request->address / 128 % 8 == 7;
    heddle_remote_answer(remote, request, is_refused ? HEDDLE_REMOTE_ADDRESS_ERROR : HEDDLE_REMOTE_OK,
                         is_read && !is_refused ? bytes : NULL, DELAY_PS);
}

/* At first it has the timer interrupt it; then it raises its line, too late. */
static void take_turn(heddle_remote *remote, uint32_t turn)
{
    const uint64_t now = 0;
    if (turn == 0)
        heddle_remote_write(remote, 1, 0, LIVE_TIMER_COMPARE, &now, sizeof now);
    if (turn == 1)
        heddle_remote_interrupt(remote, 0, 0, 1, 0, 0);
    heddle_remote_pass(remote, HEDDLE_REMOTE_NEVER);
}

static void *visit(void *context)
{
    const live_peer *peer = context;
    heddle_remote *remote = calloc(1, sizeof *remote);
    heddle_remote_message message;
    uint32_t turns = 0;
    if (remote && !heddle_remote_connect(remote, peer->address, LIVE_PEER_TIMEOUT_MS)) {
        while (heddle_remote_receive(remote, &message) == 1)
            if (message.kind == HEDDLE_REMOTE_ADVANCE)
                take_turn(remote, turns++);
            else if (message.kind == HEDDLE_REMOTE_READ || message.kind == HEDDLE_REMOTE_WRITE)
                answer(remote, &message);
        heddle_remote_close(remote);
    }
    free(remote);
    return NULL;
}

void live_peer_start(live_peer *peer, const char *machine, const char *settings)
{
    static const char name[] = "remote.address=";
    const char *given = strstr(settings, name);
    const char *file = strrchr(machine, '/') + 1;
    const int is_qemu = !strncmp(file, "qemu", strlen("qemu"));
    peer->is_wanted = is_qemu || !strncmp(file, "remote", strlen("remote"));
    peer->is_host = strstr(file, "host") != NULL;
    if (!peer->is_wanted)
        return;
    if (given)
        snprintf(peer->address, sizeof peer->address, "%s", given + strlen(name));
    else
        snprintf(peer->address, sizeof peer->address, "unix:/tmp/heddle_live_%d.socket", (int)getpid());
    snprintf(peer->setting, sizeof peer->setting, "%s%s", name, peer->address);
    if (pthread_create(&peer->thread, NULL, is_qemu ? live_qemu_visit : visit, peer))
        abort();
}

void live_peer_end(live_peer *peer)
{
    if (peer->is_wanted)
        pthread_join(peer->thread, NULL);
}
