/* SPDX-License-Identifier: MIT */
/* A peer that is a thread of the test. */
#ifndef TEST_QEMU_PORT_PEER_H
#define TEST_QEMU_PORT_PEER_H

#include <pthread.h>

#include "heddle_remote.h"
#include "kit.h"
#include "qemu_port.h"
#include "rp_packet.h"

enum { PORT_ACCESS, PORT_MEMORY, PORT_NOTIFY, PORT_INTERRUPT, PORT_LEVEL };
#define BIT(port) (1u << (port))
#define CYCLE 1000 /* ps */

/* By default. */
enum { DEVICE_ACCESS, DEVICE_MEMORY, DEVICE_NOTIFY, DEVICE_INTERRUPT };

typedef struct peer {
    pthread_t thread;
    int has_ended; /* somebody has waited for it */
    char folder[64];
    char address[96];  /* of the port */
    char setting[128]; /* "address=..." */
    char more[3][64];  /* more settings; "": none */
    uint32_t capabilities;
    uint32_t major; /* 0: it says no HELLO */
    heddle_remote remote;
    int asks_syncs;                 /* for `act`: of two things that it may ask for, the other one */
    rp_packet packet;               /* the last one that has come */
    void (*act)(struct peer *peer); /* what it does behind the HELLOs; then the connection is closed */
} peer;

/* A port with these ports bound (bits by number) and this setting ("quantum=0 s"), whose peer does that. */
kit_block *peer_begin(peer *self, void (*act)(peer *peer), uint32_t ports, const char *setting);
/* Destroys the port, waits for the peer, and expects that nothing is left in the folder of the socket. */
void peer_end(peer *self, kit_block *kit);

/* ---- For `act` ------------------------------------------------------------------------------------------------------- */

/* The next packet, which has to be of that command, and a response or not. */
const rp_packet *peer_expect(peer *self, uint32_t command, uint32_t flags);
void peer_say(peer *self, const rp_packet *packet);
/* What tells the form of accesses that it gets. */
static inline uint64_t peer_packet_form(const peer *self)
{
    return self->capabilities >> RP_CAN_EXTEND & 1 ? RP_EXTENDED : 0;
}
/* Of what has come last, at that time (ns). data: of a READ. */
void peer_respond(peer *self, uint64_t time, uint32_t status, const void *data);
/* Answers SYNC until something else comes, which has to be of that command. */
const rp_packet *peer_expect_behind_syncs(peer *self, uint32_t command, uint32_t flags);
/* Answers SYNC until the port closes the connection. */
void peer_only_syncs(peer *self);

#endif
