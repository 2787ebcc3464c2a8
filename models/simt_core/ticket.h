/* SPDX-License-Identifier: MIT */
/* Whose an access in the memory pipe is: what the core keeps under the ticket that the pipe has given it. */
#ifndef SIMT_CORE_TICKET_H
#define SIMT_CORE_TICKET_H

#include "instruction.h"

#define TICKET_SAMPLED 1u /* who checks accesses */
#define TICKET_WATCHED 2u /* who debugs */

typedef struct ticket_state {
    const isa_instruction *instruction;
    uint32_t path;
    uint32_t warp;  /* slot in which the path runs */
    uint32_t homes; /* kept_homes: of the lanes */
    uint32_t transactional_store;
    uint32_t tag;        /* of an access of the reconvergence unit */
    uint32_t told;       /* who is told when its lanes have their values: TICKET_* */
    uint64_t tries_lock; /* lanes, which lock_tries is told of */
} ticket_state;

#endif
