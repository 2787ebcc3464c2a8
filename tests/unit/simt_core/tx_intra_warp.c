/* SPDX-License-Identifier: MIT */
/* Logs of a warp, and conflicts between its lanes at commit (Fung 2015 §6.3, Fig. 6.6). */
#include "intra_warp.h"
#include "kit.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#define LANES 32u
#define VOID UINT32_MAX

typedef struct logs {
    tx_log reads, writes;
} logs;

static logs *make(void)
{
    logs *l = calloc(1, sizeof *l);
    cr_assert_eq(tx_log_create(&l->reads, LANES, 64) | tx_log_create(&l->writes, LANES, 64), 0);
    return l;
}

static void drop(logs *l)
{
    tx_log_destroy(&l->reads);
    tx_log_destroy(&l->writes);
    free(l);
}

/* One entry: a word for each of the first lanes, VOID = none. */
static void put(tx_log *log, const uint32_t *words, uint32_t count)
{
    uint64_t mask = 0;
    for (uint32_t lane = 0; lane < count; lane++)
        mask |= (uint64_t)(words[lane] != VOID) << lane;
    const uint32_t entry = tx_log_append(log, mask);
    for (uint32_t lane = 0; lane < count; lane++) {
        log->address[tx_log_at(log, entry, lane)] = words[lane];
        log->bytes[tx_log_at(log, entry, lane)] = 0xF;
    }
}
#define PUT(log, ...) put(log, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4)

static uint64_t two_phases(const logs *l, uint64_t lanes, uint32_t entries)
{
    uint8_t table[4096];
    return intra_warp_2pcr(&l->reads, &l->writes, lanes, table, entries);
}

/* Figure 6.6: X1 to X4 are lanes 0 to 3. */
static logs *figure(void)
{
    logs *l = make();
    PUT(&l->reads, 0x04, 0x04, 0x04, 0x04);
    PUT(&l->reads, 0x0c, 0x08, 0x10, VOID);
    PUT(&l->writes, 0x0c, 0x08, 0x10, 0x04);
    PUT(&l->writes, 0x10, 0x14, 0x14, 0x08);
    return l;
}

/* Owners after the first phase, of words 04 to 14; before the second write 10 is X3's, and 14 nobody's. */
static void expect_owners(const logs *l)
{
    static const uint8_t owners[2][5] = {{3, 1, 0, 2, OWNERSHIP_NULL}, {3, 1, 0, 0, 1}};
    for (uint32_t writes = 1; writes <= 2; writes++) {
        uint8_t table[4096];
        tx_log some = l->writes;
        some.length = writes;
        intra_warp_2pcr(&l->reads, &some, 0xF, table, 4096);
        for (uint32_t word = 0; word < 5; word++)
            cr_expect_eq(table[intra_warp_slot(4 + 4 * word, 4096)], owners[writes - 1][word], "%u writes, word %u: %u",
                         writes, word, table[intra_warp_slot(4 + 4 * word, 4096)]);
    }
}

Test(tx_intra_warp, decides_the_worked_example)
{
    logs *l = figure();
    expect_owners(l);
    cr_expect_eq(two_phases(l, 0xF, 4096), 0xC, "X3 reads what X1 writes, X4 writes what X2 writes");
    cr_expect_eq(two_phases(l, 0xF, 0), 0xC);
    cr_expect_eq(two_phases(l, 0xE, 4096), 0xC, "without X1, X3 loses to X2 at 0x14");
    cr_expect_eq(two_phases(l, 0x8, 4096), 0);
    cr_expect_eq(intra_warp_cycles(INTRA_WARP_2PCR, &l->reads, &l->writes, 0xF, 0x3, 4096), 32 + 6);
    cr_expect_eq(intra_warp_cycles(INTRA_WARP_SCR, &l->reads, &l->writes, 0xF, 0x3, 4096), 4 + 2 + 4 + 2 + 4 + 3);
    cr_expect_eq(intra_warp_cycles(INTRA_WARP_PERFECT, &l->reads, &l->writes, 0xF, 0x3, 4096), 0);
    drop(l);
}

/* A row of 128 bytes of the ownership table is cleared in a cycle, and so is a table that is smaller than a row. */
Test(tx_intra_warp, clears_the_ownership_table_row_by_row)
{
    static const struct {
        uint32_t entries, rows;
    } tables[] = {{0, 0}, {1, 1}, {64, 1}, {128, 1}, {256, 2}, {4096, 32}};
    logs *l = figure();
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        cr_expect_eq(intra_warp_cycles(INTRA_WARP_2PCR, &l->reads, &l->writes, 0xF, 0x3, tables[i].entries),
                     tables[i].rows + 6, "%u entries", tables[i].entries);
    drop(l);
}

/* X3 loses to X1; what X3 would have written hurts nobody where lanes are looked at one after the other. */
Test(tx_intra_warp, looks_at_survivors_alone_where_lanes_come_one_after_the_other)
{
    logs *l = make();
    PUT(&l->writes, 0x10, 0x10, VOID);
    PUT(&l->writes, VOID, 0x20, 0x20);
    cr_expect_eq(two_phases(l, 7, 4096), 6);
    cr_expect_eq(intra_warp_scr(&l->reads, &l->writes, 7, 1), 2);
    cr_expect_eq(intra_warp_scr(&l->reads, &l->writes, 7, 0), 2);
    drop(l);
}

Test(tx_intra_warp, lets_a_higher_lane_write_what_a_lower_one_has_read)
{
    logs *l = make();
    PUT(&l->reads, 0x40, VOID);
    PUT(&l->writes, VOID, 0x40);
    cr_expect_eq(two_phases(l, 3, 4096), 0);
    cr_expect_eq(intra_warp_scr(&l->reads, &l->writes, 3, 1), 0);
    drop(l);
}

Test(tx_intra_warp, takes_words_of_one_slot_for_one)
{
    logs *l = make();
    PUT(&l->writes, 0x00, 0x04);
    cr_expect_eq(two_phases(l, 3, 4096), 0);
    cr_expect_eq(two_phases(l, 3, 1), 2);
    cr_expect_eq(intra_warp_slot(4 * 4096, 4096), 17, "the next round of words starts elsewhere");
    drop(l);
}

static uint32_t shares(const tx_log *a, uint32_t lane, const tx_log *b, uint32_t other)
{
    for (uint32_t i = 0; i < a->length; i++)
        for (uint32_t j = 0; a->mask[i] >> lane & 1 && j < b->length; j++)
            if (b->mask[j] >> other & 1 && a->address[tx_log_at(a, i, lane)] == b->address[tx_log_at(b, j, other)])
                return 1;
    return 0;
}

static void check(const logs *l, uint64_t lanes, uint64_t losers, uint64_t seed)
{
    const uint64_t survivors = lanes & ~losers;
    cr_assert_eq(losers & ~lanes, 0, "seed %lu", seed);
    cr_assert(!lanes || survivors & (lanes & -lanes), "seed %lu: the lowest lane survives", seed);
    for (uint32_t low = 0; low < LANES; low++)
        for (uint32_t high = low + 1; high < LANES; high++) {
            if (!(survivors >> low & 1) || !(survivors >> high & 1))
                continue;
            cr_assert_not(shares(&l->writes, low, &l->writes, high), "seed %lu: both write", seed);
            cr_assert_not(shares(&l->writes, low, &l->reads, high), "seed %lu: lane %u reads too early", seed, high);
        }
}

Test(tx_intra_warp, leaves_lanes_that_can_run_in_their_order)
{
    fprintf(stderr, "random logs: seeds 1 to 3000\n");
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        uint64_t state = seed;
        logs *l = make();
        const uint64_t lanes = kit_random(&state) & UINT32_MAX;
        const uint32_t spread = 8 + (uint32_t)(kit_random(&state) % 200);
        for (uint32_t i = 0; i < 6; i++) {
            uint32_t words[LANES];
            for (uint32_t lane = 0; lane < LANES; lane++)
                words[lane] = kit_random(&state) % 3 ? 4 * (uint32_t)(kit_random(&state) % spread) : VOID;
            put(i % 2 ? &l->reads : &l->writes, words, LANES);
        }
        const uint64_t perfect = intra_warp_scr(&l->reads, &l->writes, lanes, 1);
        const uint64_t phases = two_phases(l, lanes, 0);
        check(l, lanes, perfect, seed);
        check(l, lanes, phases, seed);
        check(l, lanes, two_phases(l, lanes, 64), seed);
        check(l, lanes, intra_warp_scr(&l->reads, &l->writes, lanes, 0), seed);
        cr_assert_eq(perfect & ~phases, 0, "seed %lu: two phases abort no less", seed);
        cr_assert_eq(two_phases(l, lanes, 4096), phases, "seed %lu: no two of these words share a slot", seed);
        drop(l);
    }
}

Test(tx_log, finds_the_newest_bytes_of_a_word)
{
    logs *l = make();
    uint32_t value;
    PUT(&l->writes, 0x40, 0x80);
    l->writes.value[tx_log_at(&l->writes, 0, 0)] = 0x11223344;
    PUT(&l->writes, 0x40, VOID);
    l->writes.value[tx_log_at(&l->writes, 1, 0)] = 0xAAAA0000;
    l->writes.bytes[tx_log_at(&l->writes, 1, 0)] = 0xC;
    cr_expect_eq(tx_log_bytes(&l->writes, 0, 0x40, &value), 0xF);
    cr_expect_eq(value, 0xAAAA3344);
    cr_expect_eq(tx_log_bytes(&l->writes, 1, 0x40, &value), 0);
    cr_expect_eq(tx_log_find(&l->writes, 0, 0x40), 1);
    cr_expect_eq(tx_log_find(&l->writes, 0, 0x44), TX_NO_ENTRY);
    cr_expect_eq(tx_log_words(&l->writes, 0), 2);
    for (uint32_t i = 2; i < 64; i++)
        cr_expect_eq(tx_log_append(&l->writes, 1), i);
    cr_expect_eq(tx_log_append(&l->writes, 1), TX_NO_ENTRY, "full");
    drop(l);
}
