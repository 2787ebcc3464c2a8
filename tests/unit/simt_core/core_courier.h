/* SPDX-License-Identifier: MIT */
/* Plays the thread-block scheduler of two cores: moves their blocks by messages alone. */
#ifndef TEST_CORE_COURIER_H
#define TEST_CORE_COURIER_H

#include "core_pair.h"

#define COURIER_TAGS 64u

enum courier_place { COURIER_FIRST, COURIER_SECOND, COURIER_HERE, COURIER_ENDED };

/* A block, as far as the messages tell. */
typedef struct courier_block {
    uint32_t place;                  /* COURIER_* */
    uint32_t stops;                  /* block.stop is on its way, or being answered */
    uint32_t saved, refused, reason; /* answers so far; HD_REFUSED_* of the last one */
    uint32_t leaving, restored;      /* messages so far */
    hd_time told;                    /* arrival of the last answer */
    hd_context_size size;
    uint8_t *stream;
    uint64_t stream_bytes;
} courier_block;

typedef struct courier {
    core_pair *pair;
    courier_block blocks[COURIER_TAGS]; /* by tag */
    uint64_t buffer_bytes; /* blocks leave by buffers of this size, each by that of its tag; 0: they do not */
    uint32_t is_ideal;     /* they move in no time */
} courier;

courier *courier_create(core_pair *pair);
void courier_destroy(courier *c);
/* Takes what the cores have sent by now. */
void courier_take(courier *c);
/* Now: to the core where the block is. */
void courier_stop(courier *c, uint64_t tag);
/* A block that is here, to this core. */
void courier_restore(courier *c, uint64_t tag, uint32_t core);
void courier_send_stop(courier *c, uint64_t tag, uint32_t core);
/* Something that a scheduler may do with the block, or nothing. Three in four get a buffer, where there are some: one that is too small, or
 * not. */
void courier_decide(courier *c, uint64_t tag, uint32_t has_buffers, uint64_t *random);
/* Runs and takes until the block is here, has ended or was refused; aborts the test after 10^5 cycles. */
void courier_wait(courier *c, uint64_t tag);

#endif
