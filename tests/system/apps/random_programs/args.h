/* SPDX-License-Identifier: MIT */
#ifndef RANDOM_PROGRAMS_ARGS_H
#define RANDOM_PROGRAMS_ARGS_H

#include "heddle_args.h"

/* A program of these, for threads of one register x that begins as their index. `to` is where a jump goes. */
enum {
    OP_END,
    OP_MIX,   /* x = hash of x and number */
    OP_READ,  /* x = hash of x and a word that nobody writes */
    OP_SKIP,  /* jumps if bit `number` of x is 0 */
    OP_LOOP,  /* the counter of loop `number` is 1 to 4, by x */
    OP_AGAIN, /* jumps until that counter is 0 */
    OP_MOVE,  /* moves an amount through `number` accounts, by x: all or nothing */
    OP_COUNT
};

#define LOOPS_MAX 2u
#define MOVES_MAX 4u
#define MULTIPLIER 2654435761u

typedef struct random_instruction {
    uint32_t operation;
    uint32_t number;
    uint32_t to;
} random_instruction;

typedef struct random_programs_args {
    hd_device_ptr program;   /* random_instruction[], behind each other */
    hd_device_ptr constants; /* uint32_t[constant_words] */
    hd_device_ptr accounts;  /* uint32_t[account_words], their sum is 0; of each block, if they are in the scratchpad */
    hd_device_ptr locks;     /* uint32_t[1] */
    hd_device_ptr results;   /* x of each thread at its end */
    uint32_t constant_words; /* powers of two */
    uint32_t account_words;
} random_programs_args;
HD_ARGUMENT_BLOCK(random_programs_args, 28);

static inline uint32_t random_mix(uint32_t x, uint32_t number)
{
    x = (x ^ number) * MULTIPLIER;
    return x ^ x >> 15;
}

#endif
