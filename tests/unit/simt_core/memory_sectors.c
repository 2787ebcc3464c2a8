/* SPDX-License-Identifier: MIT */
/* Sectors of the L1, and lines that take their way when they come. */
#include "memory_rig.h"

#include <criterion/criterion.h>

#define DATA 0x20000000u
#define PRIVATE HD_PRIVATE_BASE

static memory_parameters sectored(uint32_t sector, uint32_t allocate)
{
    memory_parameters p = rig_parameters();
    p.l1_global = L1_GLOBAL_CACHE;
    p.l1_sector = sector;
    p.l1_allocate = allocate;
    return p;
}

static uint32_t load(rig *r, uint32_t lane, uint32_t address)
{
    const uint32_t ticket = rig_one(r, ISA_OP_LW, 0, lane, address, 0);
    rig_finish(r, ticket);
    return r->result[ticket].value[lane];
}

/* The words of these lanes, word i of the line at DATA for lane i. */
static uint32_t load_words(rig *r, uint64_t lanes)
{
    uint32_t address[64];
    rig_addresses(address, DATA, 4);
    const uint32_t ticket = rig_submit(r, ISA_OP_LW, 0, 0, lanes, address, NULL, NULL);
    rig_idle(r);
    for (uint64_t left = lanes; left != 0; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        cr_expect_eq(r->result[ticket].value[lane], rig_peek(r, DATA + 4 * lane), "lane %u", lane);
    }
    return ticket;
}

/* K38: bytes asked for, where a sector of a line is wanted, or several. */
Test(sectors, are_asked_for_alone_and_with_their_neighbours)
{
    static const struct {
        uint32_t sector;
        uint64_t lanes;
        uint32_t packets, bytes;
    } cases[] = {
        {0, 0x1, 1, 128},        {128, 0x1, 1, 128},       {64, 0x1, 1, 64},        {32, 0x1, 1, 32},
        {32, 0x80000000, 1, 32}, {32, 0x0180, 1, 64},      {32, RIG_ALL, 1, 128},   {32, 0x01000001, 2, 64},
        {32, 0x01010001, 2, 96}, {64, 0x01000001, 1, 128}, {32, 0x00010100, 1, 64},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const memory_parameters p = sectored(cases[i].sector, L1_ON_MISS);
        rig *r = rig_create(&p);
        load_words(r, cases[i].lanes);
        cr_expect_eq(r->sent_count, cases[i].packets, "case %zu", i);
        cr_expect_eq(r->counters.global_bytes, cases[i].bytes, "case %zu", i);
        cr_expect_eq(r->counters.l1_misses, 1);
        cr_expect_eq(r->counters.l1_sector_misses, 0);
        cr_expect_eq(r->counters.load_latency_cycles, cases[i].packets * (r->accept_delay + r->reply_delay));
        load_words(r, cases[i].lanes);
        cr_expect_eq(r->counters.l1_hits, 1);
        cr_expect_eq(r->counters.global_bytes, cases[i].bytes, "nothing comes twice");
        rig_destroy(r);
    }
}

Test(sectors, that_are_here_are_served_while_others_are_fetched)
{
    const memory_parameters p = sectored(32, L1_ON_MISS);
    rig *r = rig_create(&p);
    load(r, 0, DATA);
    rig_poke(r, DATA, rig_peek(r, DATA) + 1);
    uint32_t address[64];
    rig_addresses(address, DATA, 4);
    r->hold = 1;
    const uint32_t ticket = rig_submit(r, ISA_OP_LW, 0, 0, RIG_ALL, address, NULL, NULL);
    rig_cycles(r, p.l1_latency + 2);
    cr_expect_eq(r->result[ticket].lanes, 0xFF, "of the first sector");
    cr_expect_eq(r->result[ticket].value[0], rig_peek(r, DATA) - 1, "as it was");
    cr_expect_not(r->result[ticket].last);
    r->hold = 0;
    rig_idle(r);
    cr_expect_eq(r->result[ticket].lanes, RIG_ALL);
    cr_expect_eq(r->counters.l1_misses, 2);
    cr_expect_eq(r->counters.l1_sector_misses, 1);
    cr_expect_eq(r->counters.global_bytes, 128);
    cr_expect_eq(r->counters.l1_evictions, 0);
    rig_destroy(r);
}

/* One MSHR for a line, however many sectors it fetches, one access after another. */
Test(sectors, of_a_line_share_an_mshr)
{
    memory_parameters p = sectored(32, L1_ON_MISS);
    p.l1_mshrs = 1;
    rig *r = rig_create(&p);
    uint32_t address[64];
    rig_addresses(address, DATA, 4);
    r->hold = 1;
    const uint32_t first = rig_submit(r, ISA_OP_LW, 0, 0, 0x1, address, NULL, NULL);
    const uint32_t second = rig_submit(r, ISA_OP_LW, 0, 0, 0x01000000, address, NULL, NULL);
    const uint32_t third = rig_submit(r, ISA_OP_LW, 0, 0, 0x01000002, address, NULL, NULL); /* merges */
    const uint32_t other = rig_one(r, ISA_OP_LW, 0, 0, DATA + 128, 0);
    rig_cycles(r, 60);
    cr_expect_eq(r->sent_count, 2);
    cr_expect_eq(r->counters.maximum_mshrs, 1);
    cr_expect_eq(r->counters.l1_mshr_merges, 1);
    r->hold = 0;
    rig_idle(r);
    cr_expect_gt(r->counters.stall_mshr_full, 0, "another line waits");
    cr_expect_eq(r->result[first].value[0], rig_peek(r, DATA));
    cr_expect_eq(r->result[second].value[24], rig_peek(r, DATA + 96));
    cr_expect_eq(r->result[third].value[1], rig_peek(r, DATA + 4));
    cr_expect_eq(r->result[third].value[24], rig_peek(r, DATA + 96));
    cr_expect_eq(r->result[other].value[0], rig_peek(r, DATA + 128));
    rig_destroy(r);
}

/* Private words of 8 lanes are a sector: written whole it is not fetched, and it alone is written back. */
Test(sectors, are_written_back_by_themselves)
{
    memory_parameters p = sectored(32, L1_ON_MISS);
    p.l1_bytes = 128;
    p.l1_ways = 1;
    rig *r = rig_create(&p);
    uint32_t address[64];
    uint32_t data[64];
    rig_addresses(address, PRIVATE, 0);
    rig_addresses(data, 100, 1);
    rig_submit(r, ISA_OP_SW, 0, 0, 0x0000FF00, address, data, NULL);
    rig_idle(r);
    cr_expect_eq(r->sent_count, 0);
    rig_submit(r, ISA_OP_SW, 0, 0, 0x80000000, address, data, NULL); /* a part of the fourth sector */
    rig_idle(r);
    cr_expect_eq(r->sent_count, 1);
    cr_expect_eq(r->sent[0].packet.argument, 32);
    rig_one(r, ISA_OP_LW, 0, 0, PRIVATE + 4, 0); /* takes the line's place */
    rig_idle(r);
    cr_expect_eq(r->sent[1].packet.argument, 96, "from the second sector to the fourth");
    const hd_store *store = (const hd_store *)r->sent[1].body;
    cr_expect_eq(store->byte_mask[0], UINT32_MAX);
    cr_expect_eq(store->byte_mask[1], 0, "the third is not here");
    cr_expect_eq(store->byte_mask[2], UINT32_MAX);
    for (uint32_t lane = 8; lane < 16; ++lane)
        cr_expect_eq(rig_peek(r, rig_private(r, 0, 0, lane, 0)), 100 + lane);
    cr_expect_eq(rig_peek(r, rig_private(r, 0, 0, 31, 0)), 131);
    cr_expect_eq(r->counters.l1_write_backs, 1);
    rig_destroy(r);
}

/* K23, K24: what a miss more than there is room for waits for. */
static void misses(rig *r, uint32_t count, uint32_t stride)
{
    r->hold = 1;
    for (uint32_t i = 0; i < count; ++i)
        rig_one(r, ISA_OP_LW, i % 8, 0, DATA + i * stride, 0);
    rig_cycles(r, 100);
}

Test(sectors, one_miss_more_than_mshrs_waits_and_one_more_than_ways_only_on_miss)
{
    static const struct {
        uint32_t allocate, bytes, misses, sent, mshr_stalls, way_stalls;
    } cases[] = {
        {L1_ON_MISS, 4096, 8, 8, 0, 0}, {L1_ON_MISS, 4096, 9, 8, 1, 0}, {L1_ON_FILL, 512, 8, 8, 0, 0},
        {L1_ON_FILL, 512, 9, 8, 1, 0},  {L1_ON_MISS, 512, 4, 4, 0, 0},  {L1_ON_MISS, 512, 5, 4, 0, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        memory_parameters p = sectored(32, cases[i].allocate);
        p.l1_bytes = cases[i].bytes;
        rig *r = rig_create(&p);
        misses(r, cases[i].misses, 128);
        cr_expect_eq(r->sent_count, cases[i].sent, "case %zu", i);
        r->hold = 0;
        rig_idle(r);
        cr_expect_eq(r->counters.stall_mshr_full != 0, cases[i].mshr_stalls, "case %zu", i);
        cr_expect_eq(r->counters.stall_set_full != 0, cases[i].way_stalls, "case %zu", i);
        rig_destroy(r);
    }
    for (uint32_t more = 0; more < 2; ++more) {
        const memory_parameters p = sectored(32, L1_ON_FILL);
        rig *r = rig_create(&p);
        misses(r, p.l1_mshr_merges + more, 0);
        cr_expect_eq(memory_accesses_outstanding(r->m, 0), 1);
        r->hold = 0;
        rig_idle(r);
        cr_expect_eq(r->counters.stall_merge_full != 0, more);
        rig_destroy(r);
    }
}

/* Four ways of one set: while a fifth line is on its way all four hit, and then the oldest goes. */
Test(sectors, a_line_on_fill_takes_its_way_when_it_comes)
{
    for (uint32_t allocate = L1_ON_MISS; allocate <= L1_ON_FILL; ++allocate) {
        memory_parameters p = sectored(0, allocate);
        p.l1_bytes = 512;
        rig *r = rig_create(&p);
        for (uint32_t i = 0; i < 4; ++i)
            load(r, 0, DATA + i * 128);
        r->hold = 1;
        rig_one(r, ISA_OP_LW, 0, 0, DATA + 512, 0);
        load(r, 1, DATA + 128); /* the second line is younger now */
        rig_cycles(r, 50);
        const uint64_t before = r->counters.l1_hits;
        const uint32_t first = rig_one(r, ISA_OP_LW, 0, 2, DATA, 0);
        rig_cycles(r, 50);
        cr_expect_eq(r->counters.l1_hits - before, allocate == L1_ON_FILL, "the oldest line is still there");
        r->hold = 0;
        rig_idle(r);
        cr_expect(r->result[first].last);
        cr_expect_eq(r->counters.l1_evictions, allocate == L1_ON_FILL ? 1 : 2);
        rig_destroy(r);
    }
}

/* The dirty line that goes is written back although the network takes nothing just then. */
Test(sectors, a_line_that_comes_may_displace_a_dirty_one_at_any_time)
{
    enum { LINES = 7 };
    memory_parameters p = sectored(0, L1_ON_FILL);
    p.l1_bytes = LINES * 128;
    p.l1_ways = LINES;
    rig *r = rig_create(&p);
    uint32_t address[64];
    for (uint32_t i = 0; i < LINES; ++i) {
        rig_addresses(address, PRIVATE + 4 * i, 0);
        rig_submit(r, ISA_OP_SW, 0, 0, RIG_ALL, address, address, NULL);
    }
    rig_idle(r);
    r->hold = 1;
    for (uint32_t i = 0; i < LINES; ++i)
        rig_one(r, ISA_OP_LW, 0, 0, DATA + 128 * i, 0);
    rig_cycles(r, 60);
    r->credits = 0;
    r->hold = 0;
    rig_cycles(r, 60);
    cr_expect_eq(r->counters.l1_evictions, LINES);
    cr_expect_eq(r->counters.l1_write_backs, LINES);
    cr_expect_eq(r->sent_count, LINES);
    r->credits = 1;
    rig_idle(r);
    cr_expect_eq(r->sent_count, 2 * LINES);
    for (uint32_t i = 0; i < LINES; ++i)
        for (uint32_t lane = 0; lane < 32; ++lane)
            cr_expect_eq(rig_peek(r, rig_private(r, 0, 0, lane, 4 * i)), PRIVATE + 4 * i);
    rig_destroy(r);
}

/* The rules of docs/memory-model.md: what was sampled before a store, an acquire or a kernel is not seen after it. */
Test(sectors, no_line_in_flight_outlives_a_store_or_an_acquire)
{
    enum { STORE, ACQUIRE, GRID, ATOMIC, EVENTS };
    static const uint32_t sectors[] = {0, 32, 32, 64}, allocates[] = {L1_ON_FILL, L1_ON_MISS, L1_ON_FILL, L1_ON_FILL};
    for (uint32_t i = 0; i < 4 * EVENTS; ++i) {
        const memory_parameters p = sectored(sectors[i % 4], allocates[i % 4]);
        rig *r = rig_create(&p);
        const uint32_t old = rig_peek(r, DATA);
        if (sectors[i % 4] != 0)
            load(r, 5, DATA + 96); /* another sector is here */
        r->hold = 1;
        const uint32_t before = rig_one(r, ISA_OP_LW, 0, 0, DATA, 0);
        rig_cycles(r, 60);
        switch (i / 4) {
        case STORE: rig_one(r, ISA_OP_SW, 0, 0, DATA, old + 1); break;
        case ATOMIC: rig_one(r, ISA_OP_AMOADD_W, 0, 0, DATA, 1); break;
        case ACQUIRE:
            rig_poke(r, DATA, old + 1);
            memory_acquire(r->m);
            break;
        default:
            rig_poke(r, DATA, old + 1);
            memory_begin_grid(r->m);
            break;
        }
        const uint32_t after = rig_one(r, ISA_OP_LW, 0, 0, DATA, 0);
        rig_cycles(r, 60);
        r->hold = 0;
        rig_idle(r);
        cr_expect_eq(r->result[before].value[0], old);
        cr_expect_eq(r->result[after].value[0], old + 1, "case %u", i);
        cr_expect_eq(load(r, 1, DATA), old + 1, "case %u", i);
        rig_destroy(r);
    }
}

static void count_bytes(void *context, uint64_t address, const void *data, uint32_t bytes)
{
    (void)data;
    cr_expect_eq(address % 32, 0);
    *(uint32_t *)context += bytes;
}

Test(sectors, an_alignment_writes_back_what_is_dirty)
{
    const memory_parameters p = sectored(32, L1_ON_MISS);
    rig *r = rig_create(&p);
    uint32_t address[64];
    rig_addresses(address, PRIVATE, 0);
    rig_submit(r, ISA_OP_SW, 0, 0, 0xFF, address, address, NULL);
    rig_submit(r, ISA_OP_LW, 0, 0, 0xFFFF00, address, NULL, NULL);
    rig_idle(r);
    uint32_t bytes = 0;
    memory_align(r->m, &(hd_write_back_sink){.context = &bytes, .write_back = count_bytes});
    cr_expect_eq(bytes, 32);
    rig_destroy(r);
}
