/* SPDX-License-Identifier: MIT */
/*
 * A validation unit between the test as its cores and commit unit, and a slice of the test's, which accepts each load when it
 * comes. A cycle is 1000 ps, links take one. It is the only unit, its ring leads back to itself. Core 9 asks all.
 */
#ifndef VALIDATION_UNIT_BENCH_H
#define VALIDATION_UNIT_BENCH_H

#include <criterion/criterion.h>
#include <string.h>

#include "hd_tap.h"
#include "kit.h"
#include "state.h"
#include "validation_unit.h"

enum { CYCLE = 1000, GRANULE = 32, CORE = 9, OUTCOMES = 64 };
#define G(n) ((uint64_t)(n)*GRANULE)
/* What requests of the warp say as their pc. */
#define LOAD_PC(warp) (8 * (warp))
#define STORE_PC(warp) (8 * (warp) + 4)

typedef struct outcome {
    char what; /* 'L'oad carried out by the slice, 'S'tore approved, 'A'borted */
    uint64_t tag;
    uint64_t cause;
    uint32_t reason;
    uint32_t winner;
    uint32_t winner_pc;
    hd_time t; /* when it reached the test, or, of a load, when the slice took it */
} outcome;

typedef struct bench {
    kit_block *kit;
    outcome outcomes[OUTCOMES];
    uint32_t count;
    uint32_t released;
    uint32_t holds_loads; /* the slice takes no loads until slice_takes */
    hd_packet *held[OUTCOMES];
    uint32_t held_count;
    uint32_t breaks_ring; /* messages of the ring stay with the test, in PORT_NEXT */
    uint32_t era;
    uint64_t tag; /* of the next request */
} bench;

/* parameters: beyond "warp_bits=0", NULL at the end, or NULL. */
bench *bench_make(const char *const *parameters);
void bench_destroy(bench *bench);

/* What warp `warp` asks in attempt `epoch` at logical time ts; returns the tag. */
uint64_t ask_load(bench *bench, uint32_t warp, uint32_t epoch, uint64_t ts, uint64_t address, hd_time t);
uint64_t ask_store(bench *bench, uint32_t warp, uint32_t epoch, uint64_t ts, uint64_t address, uint32_t count,
                   hd_time t);
/* The same now, in attempt 1; runs on until all is done that can be. Returns what came of it, or NULL: it waits. */
const outcome *load_now(bench *bench, uint32_t warp, uint64_t ts, uint64_t address);
const outcome *store_now(bench *bench, uint32_t warp, uint64_t ts, uint64_t address);
const outcome *outcome_of(const bench *bench, uint64_t tag); /* or NULL */

/* The slice accepts, now, a write of the commit unit to the region, or all loads that it holds back. */
void commit(bench *bench, uint32_t warp, uint32_t epoch, uint64_t address, uint32_t count);
void slice_takes(bench *bench);
/* A message of the commit unit, for lanes that aborted. */
void clean_up(bench *bench, uint32_t warp, uint32_t epoch, uint64_t address, uint64_t count, hd_time t);
void settle(bench *bench); /* runs until nothing is left to do but what waits */

const metadata_entry *entry_of(const bench *bench, uint64_t address); /* or NULL */
#define expect_entry(bench, address, w, r, n, owner)                                                                   \
    do {                                                                                                               \
        const metadata_entry *e_ = entry_of(bench, address);                                                           \
        cr_assert_not_null(e_);                                                                                        \
        cr_expect(e_->written == (w) && e_->read == (r) && e_->reserved == (n) && (!(n) || e_->owner_warp == (owner)), \
                  "%u/%u/%u/%u", (unsigned)e_->written, (unsigned)e_->read, (unsigned)e_->reserved, e_->owner_warp);   \
    } while (0)
#define expect_abort(o, why, because)                                                                                  \
    do {                                                                                                               \
        const outcome *o_ = (o);                                                                                       \
        cr_assert_not_null(o_);                                                                                        \
        cr_expect(o_->what == 'A' && o_->reason == (why) && o_->cause == (because), "%c reason %u cause %u", o_->what, \
                  o_->reason, (unsigned)o_->cause);                                                                    \
    } while (0)
#define expect_ok(o, kind)                                                                                             \
    do {                                                                                                               \
        const outcome *o_ = (o);                                                                                       \
        cr_assert_not_null(o_);                                                                                        \
        cr_expect(o_->what == (kind), "%c, reason %u", o_->what, o_->reason);                                          \
    } while (0)
#define expect_waits(o) cr_expect_null(o)

#endif
