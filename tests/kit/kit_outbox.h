/* SPDX-License-Identifier: MIT */
/*
 * For blocks that a test scripts: packets that wait to leave by one link, at most one at an edge, and a walk from edge to
 * edge of a block that does nothing in between.
 */
#ifndef HEDDLE_TEST_KIT_OUTBOX_H
#define HEDDLE_TEST_KIT_OUTBOX_H

#include <stdint.h>

#include "hd_block.h"
#include "hd_work.h"

enum { KIT_OUTBOX_PACKETS = 8192 }; /* more abort */

typedef struct kit_delayed {
    hd_packet *packet;
    uint64_t ready; /* edge */
} kit_delayed;

/* Zeroed is a valid, empty one. */
typedef struct kit_outbox {
    kit_delayed packets[KIT_OUTBOX_PACKETS]; /* in the order in which they came */
    uint32_t count;
    uint32_t waits; /* for a credit */
} kit_outbox;

void kit_outbox_empty(kit_outbox *outbox, const hd_services *services); /* frees all */
void kit_outbox_add(kit_outbox *outbox, hd_packet *packet, uint64_t ready);

/* The first that is ready at edge n and has a credit, to be sent by the caller at once; NULL: none. */
hd_packet *kit_outbox_take(kit_outbox *outbox, const hd_services *services, hd_link *link, uint64_t n, hd_time t);

/* The edges at which packets will be ready, unless credits are waited for. */
void kit_outbox_work(const kit_outbox *outbox, hd_work *work);

/* hd_walk_span of a block that accounts for nothing between edges. */
hd_time kit_walk_edges(void *block, hd_cursor *cursor, void (*work)(void *block, hd_time t),
                       hd_time (*next)(const void *block), hd_time now, hd_time horizon);

#endif
