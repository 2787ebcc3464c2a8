/* SPDX-License-Identifier: MIT */
/*
 * A memory without time that carries out requests one after another, in the order in which a tap says that they were
 * accepted. Its versions count every write: the slice has carried out an LR before.
 */
#ifndef L2_SLICE_REFERENCE_H
#define L2_SLICE_REFERENCE_H

#include "bench.h"

enum { REFERENCE_BYTES = 1 << 15 };
#define REFERENCE_VERSIONS "versions=8192" /* one for each word, as here */

/* What the reply to a request has to hold. */
struct answer {
    uint32_t bytes;
    uint32_t written; /* words of the line, a bit each */
    uint8_t body[32 * sizeof(hd_atomic_result)];
};

struct reference {
    uint8_t memory[REFERENCE_BYTES];
    uint64_t versions[REFERENCE_BYTES / 4];
};

void reference_carry_out(struct reference *reference, kit_block *kit, const hd_packet *request, struct answer *answer);

/* A random load, store or atomic, to any of `lines` lines. Compares of CAS and SC often hold. */
hd_packet *reference_request(const struct reference *reference, kit_block *kit, uint32_t lines, uint64_t *seed);

#endif
