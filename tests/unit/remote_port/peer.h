/* SPDX-License-Identifier: MIT */
/* A peer that is a thread of the test. */
#ifndef TEST_REMOTE_PEER_H
#define TEST_REMOTE_PEER_H

#include <pthread.h>

#include "heddle_remote.h"
#include "kit.h"
#include "remote_port.h"

enum { PORT_ACCESS, PORT_MEMORY, PORT_NOTIFY, PORT_INTERRUPT, PORT_LEVEL };

typedef struct peer {
    pthread_t thread;
    char folder[64];
    char address[96];  /* of the port */
    char setting[128]; /* "address=..." */
    heddle_remote remote;
    void (*act)(struct peer *peer); /* what it does, connected; then the connection is closed */
    uint32_t visits;                /* how often it comes */
} peer;

/* A port with these ports bound (bits by number), of this quantum ("quantum=0 s"), whose peer does that. The test fails if it cannot. */
kit_block *peer_begin(peer *self, void (*act)(peer *peer), uint32_t ports, const char *quantum);
/* Destroys the port, waits for the peer, and expects that nothing is left in the folder of the socket. */
void peer_end(peer *self, kit_block *kit);
/* For `act`. The next message, which has to be of that kind. */
heddle_remote_message peer_expect(peer *self, uint16_t kind);

#endif
