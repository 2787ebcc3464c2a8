/* SPDX-License-Identifier: MIT */
/*
 * A commit unit of Kilo TM between the test as its cores and a slice of the test's, which samples and writes its memory when an
 * access arrives and answers after a fixed time. A cycle is 1000 ps, links take one.
 */
#ifndef COMMIT_UNIT_KILO_BENCH_H
#define COMMIT_UNIT_KILO_BENCH_H

#include <criterion/criterion.h>
#include <string.h>

#include "commit_unit.h"
#include "hd_kilo.h"
#include "kit.h"
#include "state.h"

enum { CYCLE = 1000, OTHER_CORE = 4, CORE = 9, SLICE_DELAY = 20, WORDS = 4096, HEARD = 1024 };
#define AT(word) (0x10000000u + 4u * (word))

typedef struct heard {
    uint32_t message;
    uint32_t warp, epoch, wire_bytes;
    hd_kilo_lanes lanes; /* of a verdict or acknowledgement */
    hd_kilo_resend resend;
    hd_time t;
} heard;

/* A message that words are being committed, or not any more. */
typedef struct broadcasted {
    uint32_t enters, receiver, wire_bytes;
    uint32_t set, count; /* of words */
    uint32_t words[8];   /* the first of them */
    hd_time t;
} broadcasted;

/* A signature of the words that are being committed. */
typedef struct signed_words {
    uint32_t receiver, set, wire_bytes;
    uint64_t bits;
    hd_time t;
} signed_words;

typedef struct accessed {
    uint32_t is_store;
    uint64_t address;
    uint32_t bytes;
    uint32_t mask[4];
    hd_time t;
} accessed;

typedef struct bench {
    kit_block *kit;
    uint32_t memory[WORDS];
    heard heard[HEARD];
    uint32_t heard_count;
    broadcasted told[HEARD]; /* to any core */
    uint32_t told_count;
    signed_words signatures[HEARD]; /* likewise */
    uint32_t signature_count;
    accessed accesses[HEARD];
    uint32_t access_count;
    uint64_t slow_address; /* loads of it take SLOW cycles */
    uint32_t slow;
    struct {
        uint32_t reads[64], read_values[64], writes[64], write_values[64];
        uint32_t read_count, write_count;
    } resent; /* what the core has logged for the lane that is asked for again */
} bench;

bench *bench_make(const char *const *parameters);
/* The same, with a port bound that may stay unbound. */
bench *bench_make_with(uint32_t port, const char *const *parameters);
void bench_destroy(bench *bench);
void settle(bench *bench);
hd_time now(bench *bench);

/* Lanes 0 .. size - 1 take the IDs from `first` on. */
hd_kilo_group group_of(uint64_t first, uint32_t size);
/* A packet with a word of each of these lanes, of warp `first`. */
void send_words(bench *bench, const char *message, hd_kilo_group group, const hd_kilo_word *words, uint32_t count,
                uint32_t resent, hd_time t);
void send_read(bench *bench, uint64_t id, uint32_t word, uint32_t value, hd_time t);
void send_write(bench *bench, uint64_t id, uint32_t word, uint32_t value, hd_time t);
void send_lanes(bench *bench, const char *message, hd_kilo_group group, uint64_t lanes, uint64_t marked, hd_time t);
/* Of a lane alone in its group. */
void send_done(bench *bench, uint64_t id, hd_time t);
void send_skip(bench *bench, uint64_t id, hd_time t);
void send_outcome(bench *bench, uint64_t id, uint32_t commits, hd_time t);

/* What the unit has said to that ID with that message; NULL: nothing. */
const heard *find(bench *bench, const char *message, uint64_t id);
/* 1: it passes, 0: it fails, -1: nothing has been said to it. */
int verdict_on(bench *bench, uint64_t id);
uint32_t count_heard(bench *bench, const char *message);
uint32_t is_idle(bench *bench);

#endif
