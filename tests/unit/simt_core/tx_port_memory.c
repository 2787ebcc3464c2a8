/* SPDX-License-Identifier: MIT */
/* In the place of the memory pipe: nothing is in it, and nobody accesses memory. */
#include "tx_port_memory.h"
#include "memory/memory.h"

#include <criterion/criterion.h>
#include <stdlib.h>

void memory_set_transactions(memory *m, const memory_transactions *transactions)
{
    (void)m;
    cr_expect_eq(transactions->group_bytes, HD_LINE_BYTES);
}

static uint32_t free_accesses(const memory *m)
{
    (void)m;
    return 8;
}

uint32_t memory_stores_outstanding(const memory *m, uint32_t path)
{
    (void)m, (void)path;
    return 0;
}

const memory_status *memory_status_of(const memory *m)
{
    (void)m;
    abort();
}

memory_access *memory_slot(memory *m)
{
    (void)m;
    abort();
}

uint32_t memory_submit(memory *m, const memory_access *access, hd_time t)
{
    (void)m, (void)access, (void)t;
    abort();
}

uint32_t memory_submit_walk(memory *m, const isa_instruction *instruction, uint32_t path, uint32_t warp,
                            const memory_log_run *runs, uint32_t count, hd_time t)
{
    (void)m, (void)instruction, (void)path, (void)warp, (void)runs, (void)count, (void)t;
    abort();
}

static uint8_t *scratchpad(memory *m)
{
    (void)m;
    return tx_port_scratchpad;
}

uint8_t tx_port_scratchpad[64];
static const memory_calls calls = {.free_accesses = free_accesses, .scratchpad = scratchpad};
memory_head tx_port_memory = {&calls};
