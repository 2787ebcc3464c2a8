/* SPDX-License-Identifier: MIT */
/*
 * One slice between the test as its requesters and a memory of the test's, which answers after a fixed number of cycles.
 * Links take one cycle, a cycle is 1000 ps, the slice is the only partition.
 */
#ifndef L2_SLICE_BENCH_H
#define L2_SLICE_BENCH_H

#include <criterion/criterion.h>
#include <string.h>

#include "kit.h"
#include "l2_slice.h"

enum { REQUEST, REPLY, MEMORY, TAP };
enum { CYCLE = 1000, LINK = 1, LATENCY = 10, LINE = HD_LINE_BYTES, MEMORY_DELAY = 50 };
enum { MEMORY_BYTES = 1 << 20 };

struct memory {
    uint8_t bytes[MEMORY_BYTES];
    uint32_t delay; /* cycles from a request's arrival to its response's */
    uint32_t reads;
    uint32_t writes;
    uint32_t keep_requests; /* leave the requests for the test to look at; nothing is answered */
};

/* A write to memory: its data, under byte enables if it has some. */
void write_enabled(uint8_t *to, const hd_packet *write);

/* parameters: beyond "latency=10 cycles"; ports: how many request ports. */
struct memory *make_memory(void);
kit_block *make(struct memory *memory, const char *const *parameters, uint32_t ports);
kit_block *make_type(const hd_block_class *type, struct memory *memory, const char *const *parameters, uint32_t ports);
/* A few sets only: 2 ways of 4 sets. */
#define SMALL "bytes=1 KiB", "ways=2"
enum { SMALL_SETS = 4 };

void load(kit_block *kit, uint32_t port, uint64_t address, uint32_t bytes, uint64_t tag, hd_time t);
/* Stores bytes of `value` under a mask of which bit i belongs to byte i modulo 32. */
void store(kit_block *kit, uint32_t port, uint64_t address, uint32_t bytes, uint32_t mask, uint8_t value, uint64_t tag,
           hd_time t);
/* operations: count of them on the line at address. */
void atomic(kit_block *kit, uint32_t port, uint64_t address, const hd_atomic_operation *operations, uint32_t count,
            uint64_t tag, hd_time t);

/* Runs until the next reply is here; the test frees it. */
hd_packet *next_reply(kit_block *kit);
/* Carries out one atomic operation alone. */
hd_atomic_result atomic_now(kit_block *kit, uint64_t address, uint32_t operation, uint32_t operand, uint64_t compare);
void store_now(kit_block *kit, uint64_t address, uint32_t bytes, uint32_t mask, uint8_t value);
uint32_t load_now(kit_block *kit, uint64_t address);

/* Cycle at which the slice sent the i-th packet on a port. */
uint64_t sent_at(kit_block *kit, uint32_t port, uint32_t i);

#endif
