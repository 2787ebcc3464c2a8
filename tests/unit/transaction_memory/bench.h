/* SPDX-License-Identifier: MIT */
/*
 * Ideal transactional memory between the test as its cores and slices of the test's, which answer after a fixed time. A cycle is
 * 1000 ps, links take one. Warps 0..99 are those of core 0, endpoint 10, warps 100..199 those of core 1, endpoint 11, ...
 */
#ifndef TRANSACTION_MEMORY_BENCH_H
#define TRANSACTION_MEMORY_BENCH_H

#include <criterion/criterion.h>
#include <string.h>

#include "hd_ideal.h"
#include "kit.h"
#include "transaction_memory.h"

enum { REQUEST, REPLY, STORE, STORED, PORTS }; /* in the order of the declaration */
enum { CYCLE = 1000, CORES = 3, PARTITIONS = 2, FIRST_CORE = 10, DELAY = 50, ANSWERS = 4096, STORES = 512 };

/* What came for a core, in order. */
typedef struct answer {
    const char *message;
    hd_time t;
    uint32_t core;
    hd_packet packet;
    hd_ideal_words words;
    hd_ideal_verdict verdict;
    hd_ideal_doom doom;
    hd_ideal_write changed[HD_IDEAL_WRITES];
} answer;

typedef struct stored {
    hd_time t;
    hd_packet packet;
    uint32_t byte_mask[HD_LINE_BYTES / 32];
    uint8_t data[HD_LINE_BYTES];
} stored;

typedef struct bench {
    kit_block *kit;
    answer answers[ANSWERS];
    uint32_t answer_count;
    stored stores[STORES];
    uint32_t store_count;
    uint32_t is_mute;         /* stores are not answered */
    uint8_t memory[1u << 16]; /* what the slices hold */
} bench;

bench *bench_make(const char *const *parameters);
void bench_destroy(bench *bench);
/* Between creation and the first packet. */
bench *bench_make_unstarted(const char *const *parameters);

/* Lanes of the warp read words: lane i reads word[i] of the line. At the next edge. */
void send_read(bench *bench, uint32_t warp, uint32_t epoch, uint64_t line, uint64_t lanes, const uint8_t *word);
/* One lane, one word. */
void read_word(bench *bench, uint32_t warp, uint32_t epoch, uint32_t lane, uint64_t address);
hd_ideal_write write_of(uint32_t lane, uint64_t address, uint32_t value);
void send_commit(bench *bench, uint32_t warp, uint32_t epoch, uint64_t lanes, const hd_ideal_write *writes,
                 uint32_t count);
void send_part(bench *bench, uint32_t warp, uint32_t epoch, uint64_t lanes, const hd_ideal_write *writes,
               uint32_t count, uint32_t is_last);
/* Of a block that compares values: lanes that have been compared with so many messages. */
void send_compared(bench *bench, uint32_t warp, uint32_t epoch, uint64_t lanes, const hd_ideal_write *writes,
                   uint32_t count, uint64_t changes);
void send_written(bench *bench, uint32_t warp, const hd_ideal_write *writes, uint32_t count);
/* A few cycles: everything but the slices' answers is done. */
void step(bench *bench);
void settle(bench *bench);
/* Latest answer of the type for the warp; fails if there is none. */
const answer *latest(const bench *bench, const char *message, uint32_t warp);
uint32_t count_of(const bench *bench, const char *message);

#endif
