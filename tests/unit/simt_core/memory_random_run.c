/* SPDX-License-Identifier: MIT */
#include "memory_random_run.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define LANES 32u
#define WARPS 8u
#define PLACES 12u /* words of a thread in each memory */
#define GLOBAL 0x30000000u
#define READ_ONLY 0x31000000u

enum { IN_GLOBAL, IN_PRIVATE, IN_SCRATCHPAD, MEMORIES };

/* One word of one thread. */
typedef struct word {
    uint32_t value;
    uint32_t known;    /* written before: else its first value is found by loading */
    uint32_t reserved; /* by the thread's latest load reserved, and not written since */
} word;

typedef struct oracle {
    rig *r;
    uint64_t state;
    word words[WARPS][LANES][MEMORIES][PLACES];
    word *latest_reserved[WARPS][LANES];
    struct {
        uint32_t in_use;
        uint64_t mask;
        uint32_t expected[LANES];
        uint32_t checked[LANES];
    } ticket[RIG_TICKETS];
    uint32_t loads_checked;
    uint32_t fetches_missed;
} oracle;

static uint32_t below(oracle *o, uint32_t limit)
{
    return (uint32_t)(rig_random(&o->state) % limit);
}

static uint32_t address_of(uint32_t warp, uint32_t lane, uint32_t where, uint32_t place)
{
    const uint32_t thread = warp * LANES + lane;
    switch (where) {
    case IN_GLOBAL: /* neighbours share lines; a line is shared by lanes, and most by warps */
        if (place % 3 == 2)
            return GLOBAL + (place * WARPS * LANES + warp * LANES + lane) * 4;
        return GLOBAL + (place * WARPS * LANES + lane * WARPS + warp) * 4;
    case IN_PRIVATE: return HD_PRIVATE_BASE + place * 4;
    default: return HD_SCRATCHPAD_BASE + (thread % 64 * 8 + place % 8) * 4;
    }
}

static void check_finished(oracle *o)
{
    for (uint32_t ticket = 0; ticket < RIG_TICKETS; ++ticket) {
        const rig_result *result = &o->r->result[ticket];
        if (!o->ticket[ticket].in_use || !result->last)
            continue;
        o->ticket[ticket].in_use = 0;
        for (uint32_t lane = 0; lane < LANES; ++lane) {
            if ((o->ticket[ticket].mask >> lane & 1) == 0 || !o->ticket[ticket].checked[lane])
                continue;
            cr_assert_eq(result->value[lane], o->ticket[ticket].expected[lane],
                         "ticket %u lane %u: %08x, expected %08x", ticket, lane, result->value[lane],
                         o->ticket[ticket].expected[lane]);
            o->loads_checked++;
        }
    }
}

static void cycles(oracle *o, uint32_t count)
{
    rig_cycles(o->r, count);
    check_finished(o);
}

/* ---- One access ---- */

typedef struct operation {
    uint32_t op;
    uint32_t bytes;
    uint32_t is_atomic;
    uint32_t is_store;
} operation;

static operation random_operation(oracle *o)
{
    static const operation operations[] = {{ISA_OP_LW, 4, 0, 0},        {ISA_OP_LW, 4, 0, 0},   {ISA_OP_LW, 4, 0, 0},
                                           {ISA_OP_LW_CG, 4, 0, 0},     {ISA_OP_SW, 4, 0, 1},   {ISA_OP_SW, 4, 0, 1},
                                           {ISA_OP_SB, 1, 0, 1},        {ISA_OP_SH, 2, 0, 1},   {ISA_OP_LBU, 1, 0, 0},
                                           {ISA_OP_AMOADD_W, 4, 1, 0},  {ISA_OP_LR_W, 4, 1, 0}, {ISA_OP_SC_W, 4, 1, 0},
                                           {ISA_OP_AMOSWAP_W, 4, 1, 0}, {ISA_OP_LW_NC, 4, 0, 0}};
    return operations[below(o, sizeof operations / sizeof *operations)];
}

static void write_word(word *w, uint32_t value, uint32_t known)
{
    w->value = value;
    w->known |= known;
    w->reserved = 0;
}

/* What the access does to the thread's word, and what it gives. */
static uint32_t apply(oracle *o, const operation *operation, uint32_t warp, uint32_t lane, word *w, uint32_t offset,
                      uint32_t data)
{
    const uint32_t mask = (uint32_t)(UINT64_C(0xFFFFFFFF) >> (32 - operation->bytes * 8)) << offset * 8;
    const uint32_t before = (w->value & mask) >> offset * 8;
    word **latest = &o->latest_reserved[warp][lane];
    uint32_t result = before;
    switch (operation->op) {
    case ISA_OP_AMOADD_W: write_word(w, w->value + data, 0); break;
    case ISA_OP_AMOSWAP_W: write_word(w, data, 1); break;
    case ISA_OP_LR_W:
        w->reserved = 1;
        *latest = w;
        break;
    case ISA_OP_SC_W:
        result = !(*latest == w && w->reserved);
        if (result == 0)
            write_word(w, data, 1);
        *latest = NULL;
        break;
    default:
        if (operation->is_store)
            write_word(w, (w->value & ~mask) | (data << offset * 8 & mask), operation->bytes == 4);
    }
    return result;
}

/* At each lane its own word; the memory may differ from lane to lane. */
static void random_access(oracle *o)
{
    const operation operation = random_operation(o);
    const uint32_t warp = below(o, WARPS);
    const uint32_t uniform = below(o, 4) != 0;
    const uint32_t where_all = below(o, MEMORIES), place_all = below(o, PLACES);
    uint64_t mask = below(o, 2) ? RIG_ALL : (uint32_t)rig_random(&o->state);
    uint32_t address[64], data[64], expected[LANES] = {0}, checked[LANES] = {0};
    mask = mask == 0 ? 1 : mask;
    const uint32_t constants = operation.op == ISA_OP_LW && below(o, 4) == 0; /* some lanes load one instead */
    for (uint32_t lane = 0; lane < LANES; ++lane) {
        uint32_t where = uniform ? where_all : below(o, MEMORIES);
        const uint32_t place = uniform ? place_all : below(o, PLACES);
        where = operation.is_atomic && where == IN_PRIVATE ? IN_GLOBAL : where;
        const uint32_t at = where == IN_SCRATCHPAD ? place % 8 : place;
        const uint32_t offset = below(o, 4) / operation.bytes * operation.bytes;
        data[lane] = (uint32_t)rig_random(&o->state);
        address[lane] = address_of(warp, lane, where, place) + offset;
        if (constants && lane % 3 == 0) {
            const uint32_t constant = below(o, 32) * 4;
            address[lane] = HD_CONSTANT_BASE + constant;
            expected[lane] = rig_peek(o->r, RIG_CONSTANT + constant);
            checked[lane] = 1;
        } else if (operation.op == ISA_OP_LW_NC && where == IN_GLOBAL) { /* of words that nobody writes */
            address[lane] = READ_ONLY + below(o, 512) * 4;
            expected[lane] = rig_peek(o->r, address[lane]);
            checked[lane] = 1;
        } else if (mask >> lane & 1) {
            word *w = &o->words[warp][lane][where][at];
            checked[lane] = !operation.is_store && (w->known || operation.op == ISA_OP_SC_W);
            expected[lane] = apply(o, &operation, warp, lane, w, offset, data[lane]);
        }
    }
    const uint32_t ticket = rig_submit(o->r, operation.op, 0, warp, mask, address, data, NULL);
    cr_assert_neq(ticket, MEMORY_NO_TICKET, "%s", o->r->fault);
    /* The ticket may have been used before: its values were checked as each edge was worked. */
    o->ticket[ticket].in_use = 1;
    o->ticket[ticket].mask = mask;
    memcpy(o->ticket[ticket].expected, expected, sizeof expected);
    memcpy(o->ticket[ticket].checked, checked, sizeof checked);
}

/* Fetches of random code; each that misses is answered once, with its own number. */
static void random_fetches(oracle *o)
{
    rig *r = o->r;
    for (uint32_t i = 0; r->parameters.code.bytes != 0 && r->fetched_count + 2 < RIG_FETCHES / 2 && i < 2; ++i) {
        const uint64_t pc = GLOBAL + 0x100000 + below(o, 320) * 4;
        o->fetches_missed += memory_fetch(r->m, pc, i, o->fetches_missed) == MEMORY_FETCH_MISS;
    }
}

static void check_fetches(const oracle *o)
{
    const rig *r = o->r;
    static uint8_t answered[RIG_FETCHES];
    memset(answered, 0, sizeof answered);
    cr_expect_eq(r->fetched_count, o->fetches_missed);
    cr_expect_eq(r->counters.fetch_misses, o->fetches_missed);
    for (uint32_t i = 0; i < r->fetched_count; ++i)
        cr_expect_eq(answered[r->fetched[i].sequence]++, 0, "fetch %u is answered twice", r->fetched[i].sequence);
}

/* ---- What happens to whole blocks and grids ---- */

static void let_block_rest(oracle *o, uint32_t block)
{
    for (uint32_t warp = 2 * block; warp < 2 * block + 2; ++warp)
        while (memory_accesses_outstanding(o->r->m, warp) != 0 || memory_stores_outstanding(o->r->m, warp) != 0)
            cycles(o, 1);
}

/* The block stops: what its threads wrote to private memory is where another core would look for it. */
static void flush_block(oracle *o, uint32_t block)
{
    let_block_rest(o, block);
    memory_flush_block(o->r->m, block);
    while (memory_is_flushing(o->r->m, block))
        cycles(o, 1);
    let_block_rest(o, block);
    for (uint32_t warp = 2 * block; warp < 2 * block + 2; ++warp)
        for (uint32_t lane = 0; lane < LANES; ++lane)
            for (uint32_t place = 0; place < PLACES; ++place) {
                const word *w = &o->words[warp][lane][IN_PRIVATE][place];
                const uint32_t there = rig_peek(o->r, rig_private(o->r, warp % 2, block, lane, place * 4));
                cr_assert(!w->known || w->value == there, "warp %u lane %u place %u: %08x, expected %08x", warp, lane,
                          place, there, w->value);
            }
}

/* The block ends: nobody knows what private memory holds then. */
static void end_block(oracle *o, uint32_t block)
{
    let_block_rest(o, block);
    memory_end_block(o->r->m, block);
    for (uint32_t warp = 2 * block; warp < 2 * block + 2; ++warp)
        for (uint32_t lane = 0; lane < LANES; ++lane)
            memset(o->words[warp][lane][IN_PRIVATE], 0, sizeof o->words[warp][lane][IN_PRIVATE]);
}

static void random_event(oracle *o)
{
    switch (below(o, 1024)) {
    case 0: flush_block(o, below(o, WARPS / 2)); break;
    case 1: end_block(o, below(o, WARPS / 2)); break;
    case 2:
    case 3: memory_begin_grid(o->r->m); break;
    default:
        if (below(o, 64) == 0)
            memory_acquire(o->r->m);
    }
}

/* ---- The run ---- */

static void check_identities(const memory_counters *c)
{
    cr_expect_eq(c->l1_hits, c->l1_global_hits + c->l1_private_hits + c->l1_constant_hits);
    cr_expect_eq(c->l1_misses, c->l1_global_misses + c->l1_private_misses + c->l1_constant_misses);
    cr_expect_eq(c->l1_mshr_merges, c->l1_global_merges + c->l1_private_merges + c->l1_constant_merges);
    cr_expect_eq(c->stall_mshr, c->stall_mshr_full + c->stall_merge_full + c->stall_set_full);
}

static uint64_t sum_up(const rig *r, uint64_t *seen)
{
    const uint64_t *counters = (const uint64_t *)&r->counters;
    uint64_t hash = r->edge;
    for (size_t i = 0; i < sizeof r->counters / 8; ++i) {
        hash = (hash ^ counters[i]) * UINT64_C(0x100000001B3);
        if (seen)
            seen[i] |= counters[i];
    }
    for (uint32_t i = 0; i < r->sent_count; ++i)
        hash =
            (hash ^ r->sent[i].t ^ r->sent[i].packet.address << 20 ^ r->sent[i].packet.tag) * UINT64_C(0x100000001B3);
    return hash;
}

uint64_t random_run_all(const random_run *run, uint64_t *seen)
{
    rig *r = rig_create_at(&run->parameters, run->seed % 3 == 0 ? 1400000000 : 1000000000);
    r->register_read = (uint32_t)(run->seed % 4);
    oracle *o = calloc(1, sizeof *o);
    o->r = r;
    o->state = run->seed;
    r->random = run->seed * 2 + 1;
    r->random_delay = run->random_delay;
    r->spurious = run->spurious;
    rig_cycles(r, 1);
    for (uint32_t step = 0; step < run->steps; ++step) {
        while (!memory_can_submit(r->m))
            cycles(o, 1);
        random_event(o);
        r->credits = below(o, 8) != 0;
        while (!memory_can_submit(r->m)) {
            cycles(o, 1);
            r->credits = below(o, 4) == 0;
        }
        random_access(o);
        random_fetches(o);
        check_finished(o);
        r->credits = below(o, 16) != 0;
        cycles(o, below(o, 8) == 0 ? below(o, 40) : 0);
        r->credits = 1;
    }
    rig_idle(r);
    check_finished(o);
    check_fetches(o);
    check_identities(&r->counters);
    cr_assert_gt(o->loads_checked, run->steps);
    for (uint32_t warp = 0; warp < WARPS; ++warp) {
        cr_assert_eq(memory_stores_outstanding(r->m, warp), 0);
        cr_assert_eq(memory_accesses_outstanding(r->m, warp), 0);
    }
    const uint64_t hash = sum_up(r, seen);
    free(o);
    rig_destroy(r);
    return hash;
}
