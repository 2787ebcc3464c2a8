/* SPDX-License-Identifier: MIT */
/* Blocks that hold a range of bytes each, or none, for accesses without time. */
#ifndef DEBUG_LEVELS_H
#define DEBUG_LEVELS_H

#include <criterion/criterion.h>
#include <string.h>

#include "engine_link.h"
#include "network.h"

#define BYTES 512u

typedef struct level {
    const hd_services *services;
    hd_link *out;
    uint64_t first, end; /* that it holds */
    uint8_t bytes[BYTES];
} level;

enum { ABOVE, BELOW, OUT, IN, PORTS };

/* `sending` and `fronting` send messages by address; the windows of the first are registers of its own, and where others are reached. */
extern const hd_block_class passing, holding, decoding, sending, fronting;
/* Its first window is of registers that debuggers are shown; of the last of them that asked. */
extern const hd_block_class registering;
extern hd_time registers_were_asked_at;

/* Up to six blocks, which are called a, b ... */
uint32_t add(hd_engine *engine, const hd_block_class *block_class, uint64_t first, uint64_t end);
void join(hd_engine *engine, uint32_t above, uint32_t element, uint32_t below, uint32_t below_element);
/* By messages. */
void join_out(hd_engine *engine, uint32_t from, uint32_t to, uint32_t to_element);
void start(hd_engine *engine);
const level *level_of(const hd_engine *engine, uint32_t block);
void fill(uint8_t *data);

#endif
