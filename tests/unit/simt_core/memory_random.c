/* SPDX-License-Identifier: MIT */
/*
 * Random accesses of many warps with random delays, against an oracle per thread: every thread has words of its own in
 * all memories, so that it must see exactly its own program order, whatever the caches and the network do.
 */
#include "memory_rig.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LANES 32u
#define WARPS 8u
#define PLACES 12u /* words of a thread in each memory */
#define STEPS 1500u
#define GLOBAL 0x30000000u

enum { IN_GLOBAL, IN_PRIVATE, IN_SCRATCHPAD, MEMORIES };

typedef struct oracle {
    uint32_t word[WARPS][LANES][MEMORIES][PLACES];
    uint32_t known[WARPS][LANES][MEMORIES][PLACES]; /* written before: else its first value is found by loading */
    struct {
        uint32_t in_use;
        uint64_t mask;
        uint32_t expected[LANES];
        uint32_t checked[LANES];
    } ticket[RIG_TICKETS];
    uint32_t loads_checked;
} oracle;

static uint32_t address_of(uint32_t warp, uint32_t lane, uint32_t where, uint32_t place)
{
    const uint32_t thread = warp * LANES + lane;
    switch (where) {
    case IN_GLOBAL: /* neighbours share lines; a line is shared by lanes and by warps */
        return GLOBAL + (place * WARPS * LANES + lane * WARPS + warp) * 4;
    case IN_PRIVATE: return HD_PRIVATE_BASE + place * 4;
    default: return HD_SCRATCHPAD_BASE + (thread % 64 * 8 + place % 8) * 4;
    }
}

static void check_finished(rig *r, oracle *o)
{
    for (uint32_t ticket = 0; ticket < RIG_TICKETS; ++ticket) {
        if (!o->ticket[ticket].in_use || !r->result[ticket].last)
            continue;
        o->ticket[ticket].in_use = 0;
        for (uint32_t lane = 0; lane < LANES; ++lane) {
            if ((o->ticket[ticket].mask >> lane & 1) == 0 || !o->ticket[ticket].checked[lane])
                continue;
            cr_assert_eq(r->result[ticket].value[lane], o->ticket[ticket].expected[lane],
                         "ticket %u lane %u: %08x, expected %08x", ticket, lane, r->result[ticket].value[lane],
                         o->ticket[ticket].expected[lane]);
            o->loads_checked++;
        }
    }
}

/* One access: at each lane its own word; the memory may differ from lane to lane. */
static void random_access(rig *r, oracle *o, uint64_t *state)
{
    static const uint32_t operations[] = {ISA_OP_LW, ISA_OP_LW,  ISA_OP_LW_CG,    ISA_OP_SW,       ISA_OP_SB,
                                          ISA_OP_SH, ISA_OP_LBU, ISA_OP_AMOADD_W, ISA_OP_AMOSWAP_W};
    const uint32_t op = operations[rig_random(state) % 9];
    const uint32_t is_atomic = op == ISA_OP_AMOADD_W || op == ISA_OP_AMOSWAP_W;
    const uint32_t is_store = op == ISA_OP_SW || op == ISA_OP_SB || op == ISA_OP_SH;
    const uint32_t bytes = op == ISA_OP_SB || op == ISA_OP_LBU ? 1 : op == ISA_OP_SH ? 2 : 4;
    const uint32_t value_mask = (uint32_t)(UINT64_C(0xFFFFFFFF) >> (32 - bytes * 8));
    const uint32_t warp = (uint32_t)(rig_random(state) % WARPS);
    const uint32_t uniform = rig_random(state) % 4 != 0;
    const uint32_t where_all = (uint32_t)(rig_random(state) % MEMORIES);
    const uint32_t place_all = (uint32_t)(rig_random(state) % PLACES);
    uint64_t mask = rig_random(state) % 2 ? RIG_ALL : (uint32_t)rig_random(state);
    uint32_t address[64];
    uint32_t data[64];
    uint32_t expected[LANES];
    uint32_t checked[LANES];
    mask = mask == 0 ? 1 : mask;
    for (uint32_t lane = 0; lane < LANES; ++lane) {
        uint32_t where = uniform ? where_all : (uint32_t)(rig_random(state) % MEMORIES);
        const uint32_t place = uniform ? place_all : (uint32_t)(rig_random(state) % PLACES);
        where = is_atomic && where == IN_PRIVATE ? IN_GLOBAL : where;
        const uint32_t at = where == IN_SCRATCHPAD ? place % 8 : place;
        const uint32_t offset = (uint32_t)(rig_random(state) % 4) / bytes * bytes;
        address[lane] = address_of(warp, lane, where, place) + offset;
        data[lane] = (uint32_t)rig_random(state);
        if ((mask >> lane & 1) == 0)
            continue;
        uint32_t *word = &o->word[warp][lane][where][at];
        uint32_t *known = &o->known[warp][lane][where][at];
        checked[lane] = *known && !is_store;
        expected[lane] = *word >> offset * 8 & value_mask;
        if (is_store)
            *word = (*word & ~(value_mask << offset * 8)) | (data[lane] & value_mask) << offset * 8;
        if (op == ISA_OP_AMOADD_W)
            *word += data[lane];
        if (op == ISA_OP_AMOSWAP_W)
            *word = data[lane];
        *known |= op == ISA_OP_SW || op == ISA_OP_AMOSWAP_W;
    }
    if (op == ISA_OP_LW && rig_random(state) % 4 == 0) { /* some lanes load a constant instead */
        for (uint32_t lane = 0; lane < LANES; lane += 3) {
            const uint32_t offset = (uint32_t)(rig_random(state) % 32) * 4;
            address[lane] = HD_CONSTANT_BASE + offset;
            expected[lane] = rig_peek(r, RIG_CONSTANT + offset);
            checked[lane] = 1;
        }
    }
    const uint32_t ticket = rig_submit(r, op, 0, warp, mask, address, data, NULL);
    cr_assert_neq(ticket, MEMORY_NO_TICKET, "%s", r->fault);
    /* The ticket may have been used before: its values were checked as each edge was worked. */
    o->ticket[ticket].in_use = 1;
    o->ticket[ticket].mask = mask;
    memcpy(o->ticket[ticket].expected, expected, sizeof expected);
    memcpy(o->ticket[ticket].checked, checked, sizeof checked);
}

/* Fetches of random code; each that misses is answered once, with its own number. */
static void random_fetches(rig *r, uint64_t *state, uint32_t *missed)
{
    for (uint32_t i = 0; r->parameters.code.bytes != 0 && i < 2; ++i) {
        const uint64_t pc = GLOBAL + 0x100000 + rig_random(state) % 320 * 4;
        *missed += memory_fetch(r->m, pc, i, *missed) == MEMORY_FETCH_MISS;
    }
}

static void check_fetches(const rig *r, uint32_t missed)
{
    static uint8_t answered[RIG_FETCHES];
    memset(answered, 0, sizeof answered);
    cr_expect_eq(r->fetched_count, missed);
    cr_expect_eq(r->counters.fetch_misses, missed);
    for (uint32_t i = 0; i < r->fetched_count; ++i)
        cr_expect_eq(answered[r->fetched[i].sequence]++, 0, "fetch %u is answered twice", r->fetched[i].sequence);
}

/* Counters that were not 0 in some run of this test. */
static uint64_t seen[sizeof(memory_counters) / 8];

/* Returns a number for everything that was to be seen: counters and packets with their times. */
static uint64_t run(const memory_parameters *p, uint64_t seed, uint32_t random_delay, uint32_t spurious)
{
    rig *r = rig_create_at(p, seed % 3 == 0 ? 1400000000 : 1000000000);
    r->register_read = (uint32_t)(seed % 4);
    oracle *o = calloc(1, sizeof *o);
    uint64_t state = seed;
    r->random = seed * 2 + 1;
    r->random_delay = random_delay;
    r->spurious = spurious;
    uint32_t missed = 0;
    rig_cycles(r, 1);
    for (uint32_t step = 0; step < STEPS; ++step) {
        while (!memory_can_submit(r->m)) {
            rig_cycles(r, 1);
            check_finished(r, o);
        }
        if (rig_random(&state) % 64 == 0)
            memory_acquire(r->m);
        r->credits = rig_random(&state) % 8 != 0;
        random_access(r, o, &state);
        random_fetches(r, &state, &missed);
        check_finished(r, o);
        r->credits = 1;
        rig_cycles(r, (uint32_t)(rig_random(&state) % 8 == 0 ? rig_random(&state) % 40 : 0));
        check_finished(r, o);
    }
    rig_idle(r);
    check_finished(r, o);
    check_fetches(r, missed);
    cr_assert_gt(o->loads_checked, STEPS);
    for (uint32_t warp = 0; warp < WARPS; ++warp) {
        cr_assert_eq(memory_stores_outstanding(r->m, warp), 0);
        cr_assert_eq(memory_accesses_outstanding(r->m, warp), 0);
    }
    for (size_t i = 0; i < sizeof r->counters / 8; ++i)
        seen[i] |= ((const uint64_t *)&r->counters)[i];
    uint64_t hash = r->edge;
    for (size_t i = 0; i < sizeof r->counters / 8; ++i)
        hash = (hash ^ ((const uint64_t *)&r->counters)[i]) * UINT64_C(0x100000001B3);
    for (uint32_t i = 0; i < r->sent_count; ++i)
        hash =
            (hash ^ r->sent[i].t ^ r->sent[i].packet.address << 20 ^ r->sent[i].packet.tag) * UINT64_C(0x100000001B3);
    free(o);
    rig_destroy(r);
    return hash;
}

static void run_all(memory_parameters p, uint64_t first_seed)
{
    for (uint64_t seed = first_seed; seed < first_seed + 6; ++seed) {
        printf("seed %llu\n", (unsigned long long)seed);
        const uint32_t delay = seed % 2 ? 200 : 3;
        cr_expect_eq(run(&p, seed, delay, 0), run(&p, seed, delay, 1), "calls too many change something");
    }
}

Test(memory_random, shows_each_thread_its_own_order_past_the_l1, .timeout = 100)
{
    run_all(rig_parameters(), 100);
}

Test(memory_random, shows_each_thread_its_own_order_through_the_l1, .timeout = 100)
{
    memory_parameters p = rig_parameters();
    p.l1_global = L1_GLOBAL_CACHE;
    run_all(p, 200);
}

Test(memory_random, shows_each_thread_its_own_order_through_a_tiny_l1, .timeout = 100)
{
    memory_parameters p = rig_parameters();
    p.l1_global = L1_GLOBAL_CACHE;
    p.l1_bytes = 768;
    p.l1_ways = 2; /* three sets */
    p.l1_mshrs = 3;
    p.l1_mshr_merges = 2;
    p.tickets = 9;
    p.constant = (cache_parameters){.bytes = 64, .ways = 2, .line_bytes = 32, .mshrs = 1, .merges = 2};
    p.code = (cache_parameters){.bytes = 512, .ways = 2, .line_bytes = 64, .mshrs = 3, .merges = 2, .tags_only = 1};
    run_all(p, 300);
    static const char *const names[] = {
#define COUNTER_NAME(name, unit, kind, doc) #name,
        MEMORY_STATISTICS(COUNTER_NAME)
#undef COUNTER_NAME
    };
    for (size_t i = 0; i < sizeof seen / sizeof seen[0]; ++i)
        cr_expect_neq(seen[i], 0, "%s stays 0", names[i]);
}

Test(memory_random, shows_each_thread_its_own_order_with_one_of_everything, .timeout = 100)
{
    memory_parameters p = rig_parameters();
    p.l1_global = L1_GLOBAL_CACHE;
    p.l1_bytes = 128;
    p.l1_ways = 1;
    p.l1_mshrs = 1;
    p.l1_mshr_merges = 1;
    p.tickets = 3;
    p.queue = 1;
    p.l1_latency = 1;
    p.scratchpad_latency = 1;
    run_all(p, 400);
}
