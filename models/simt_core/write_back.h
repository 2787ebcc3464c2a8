/* SPDX-License-Identifier: MIT */
/* Results that wait until the register file takes them, in the order in which they came. */
#ifndef SIMT_CORE_WRITE_BACK_H
#define SIMT_CORE_WRITE_BACK_H

#include <stdint.h>

#include "instruction.h"

typedef struct waiting_result {
    uint64_t mask;                      /* lanes; 0: the access has ended, and nothing is written */
    uint64_t since;                     /* edge */
    const isa_instruction *instruction; /* of an access; NULL: of a functional unit */
    uint32_t path;
    uint32_t warp;                /* of an access: slot in which the path runs */
    uint32_t homes;               /* kept_homes: of the lanes */
    uint32_t transactional_store; /* as in the access's ticket */
    uint8_t number;               /* register */
    uint8_t last;                 /* of the access */
} waiting_result;

/* A ring that grows. */
typedef struct result_queue {
    waiting_result *results;
    uint32_t capacity; /* a power of two, or 0 */
    uint32_t head, count;
} result_queue;

#endif
