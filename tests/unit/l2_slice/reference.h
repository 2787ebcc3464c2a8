/* SPDX-License-Identifier: MIT */
/*
 * A memory without time that carries out requests one after another, and checks the slice's replies against it. Requests
 * of one port are accepted in order, so with one port the order of sending is the order of effect.
 */
#ifndef L2_SLICE_REFERENCE_H
#define L2_SLICE_REFERENCE_H

#include "bench.h"

enum { REFERENCE_BYTES = 1 << 15, REFERENCE_REQUESTS = 20000 };

struct answer {
    uint32_t bytes;
    uint32_t expected; /* 0 = not sent or already answered */
    uint8_t body[32 * sizeof(hd_atomic_result)];
};

struct reference {
    uint8_t memory[REFERENCE_BYTES];
    uint32_t versions[REFERENCE_BYTES / 4];
    struct answer answers[REFERENCE_REQUESTS]; /* by tag */
    uint32_t answered;
};

/* Sends a random request with this tag and notes what its reply must be. */
void reference_send(struct reference *reference, kit_block *kit, uint32_t tag, uint64_t *seed, hd_time t);
/* Checks a reply. */
void reference_check(struct reference *reference, const hd_packet *reply);

#endif
