/* SPDX-License-Identifier: MIT */
/* A peer for the machines that have a port for one, each with a block `remote`. */
#ifndef LIVE_PEER_H
#define LIVE_PEER_H

#include <pthread.h>

typedef struct live_peer {
    pthread_t thread;
    int is_wanted;
    int is_host; /* the machine has no other */
    char address[108];
    char setting[128]; /* of the machine, that names it */
} live_peer;

/* If the machine has such a port: goes where the settings say, or else to a place of its own. */
void live_peer_start(live_peer *peer, const char *machine, const char *settings);
/* Waits until it has gone. */
void live_peer_end(live_peer *peer);

#endif
