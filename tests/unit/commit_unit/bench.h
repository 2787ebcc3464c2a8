/* SPDX-License-Identifier: MIT */
/*
 * A commit unit between the test as its cores, and a slice and a validation unit of the test's, which answer after a fixed time. A
 * cycle is 1000 ps, links take one. Core 9 sends all logs.
 */
#ifndef COMMIT_UNIT_BENCH_H
#define COMMIT_UNIT_BENCH_H

#include <criterion/criterion.h>
#include <string.h>

#include "commit_unit.h"
#include "kit.h"
#include "state.h"

enum { CYCLE = 1000, CORE = 9, DELAY = 50, SENT = 128 };

typedef struct sent {
    uint64_t address;
    uint32_t byte_mask; /* 0: a release */
    uint32_t warp, epoch;
    hd_getm_release release;
    uint8_t data[HD_GETM_REGION_BYTES];
    hd_time t; /* when it reached the test */
} sent;

typedef struct bench {
    kit_block *kit;
    sent sent[SENT];
    uint32_t count;
    uint64_t acks[SENT]; /* tags */
    hd_time acked[SENT];
    uint32_t ack_count;
    uint32_t is_mute; /* nothing is answered */
} bench;

bench *bench_make(const char *const *parameters);
void bench_destroy(bench *bench);
hd_getm_region data_region(uint64_t address, uint32_t byte_mask, uint8_t value, uint32_t count);
hd_getm_region clean_region(uint64_t address, uint32_t count);
/* A log of warp `warp`. */
void send_log(bench *bench, uint64_t tag, uint32_t warp, uint32_t epoch, const hd_getm_region *regions, uint32_t count,
              hd_time t);
void settle(bench *bench);

#endif
