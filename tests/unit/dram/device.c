/* SPDX-License-Identifier: MIT */
/* Every constraint between two commands: not ready one cycle before, ready on the cycle, as an oracle has it. */
#include "device.h"

#include <stdio.h>
#include <time.h>

#include "bench.h"
#include "device_oracle.h"

static const char *const command_names[] = {"activate", "precharge", "read", "write"};

static const struct dram_timing gddr5 = {.burst = 2,
                                         .tcl = 12,
                                         .tcwl = 4,
                                         .trcd = 12,
                                         .trp = 12,
                                         .tras = 28,
                                         .trc = 40,
                                         .trrd_s = 6,
                                         .trrd_l = 6,
                                         .tccd_s = 2,
                                         .tccd_l = 3,
                                         .twr = 12,
                                         .twtr_s = 5,
                                         .twtr_l = 5,
                                         .trtp = 2,
                                         .turnaround = 2};
static const struct dram_timing ddr4 = {.burst = 4,
                                        .tcl = 16,
                                        .tcwl = 12,
                                        .trcd = 16,
                                        .trp = 16,
                                        .tras = 39,
                                        .trc = 55,
                                        .trrd_s = 4,
                                        .trrd_l = 6,
                                        .tfaw = 26,
                                        .tccd_s = 4,
                                        .tccd_l = 6,
                                        .twr = 18,
                                        .twtr_s = 3,
                                        .twtr_l = 9,
                                        .trtp = 9,
                                        .turnaround = 2};

/* Each of 1 .. 40, so that each is sometimes what binds. */
static struct dram_timing random_timing(uint64_t *seed)
{
    struct dram_timing timing = {0};
    uint32_t *const fields[] = {&timing.burst,  &timing.tcl,       &timing.tcwl,   &timing.trcd,   &timing.trp,
                                &timing.tras,   &timing.trc,       &timing.trrd_s, &timing.trrd_l, &timing.tfaw,
                                &timing.tccd_s, &timing.tccd_l,    &timing.twr,    &timing.twtr_s, &timing.twtr_l,
                                &timing.trtp,   &timing.turnaround};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        *fields[i] = 1 + (uint32_t)(kit_random(seed) % (kit_random(seed) % 4 ? 12 : 40));
    timing.trfc = 20 + (uint32_t)(kit_random(seed) % 100);
    return timing;
}

typedef struct pair {
    struct dram_device device;
    oracle oracle;
    uint64_t n;
} pair;

static void pair_init(pair *p, const struct dram_timing *timing)
{
    dram_device_init(&p->device, timing, BANKS, 4);
    oracle_init(&p->oracle, timing, BANKS, 4);
    p->n = 0;
}

static uint64_t pair_probe(const pair *p, enum dram_command command, uint32_t bank)
{
    return dram_probe(&p->device, command, bank);
}

static void pair_issue(pair *p, enum dram_command command, uint32_t bank, uint64_t row, uint64_t n)
{
    cr_assert(oracle_allows(&p->oracle, command, bank, n));
    dram_issue(&p->device, command, bank, row, n);
    oracle_issue(&p->oracle, command, bank, row, n);
    p->n = n;
}

/* Long after anything else the bank is as the command needs it. */
static void prepare(pair *p, enum dram_command command, uint32_t bank)
{
    const uint32_t is_open = p->device.banks[bank].row != DRAM_NO_ROW;
    p->n += 1000;
    if (is_open == (command == DRAM_ACTIVATE))
        pair_issue(p, is_open ? DRAM_PRECHARGE : DRAM_ACTIVATE, bank, 3, p->n);
    p->n += 1000;
}

/* The earliest cycle, and the one before it. */
static void expect_ready(const pair *p, enum dram_command command, uint32_t bank, const char *after)
{
    const uint64_t ready = pair_probe(p, command, bank);
    const uint64_t right = oracle_earliest(&p->oracle, command, bank, p->n);
    cr_assert_eq(ready > p->n ? ready : p->n, right, "%s of bank %u after %s at %llu: %llu, not %llu",
                 command_names[command], bank, after, (unsigned long long)p->n, (unsigned long long)ready,
                 (unsigned long long)right);
    if (right > p->n && right != DRAM_NEVER)
        cr_assert(!oracle_allows(&p->oracle, command, bank, right - 1));
}

static void expect_pair(const struct dram_timing *timing, enum dram_command first, enum dram_command second,
                        uint32_t bank, uint32_t other)
{
    pair p;
    pair_init(&p, timing);
    if (bank != other)
        prepare(&p, second, other);
    prepare(&p, first, bank);
    pair_issue(&p, first, bank, 5, p.n);
    expect_ready(&p, second, other, command_names[first]);
}

static void expect_all_pairs(const struct dram_timing *timing)
{
    static const uint32_t others[] = {0, 4, 1}; /* the same bank, another of its group, one of another group */
    for (enum dram_command first = 0; first < DRAM_COMMANDS; first++)
        for (enum dram_command second = 0; second < DRAM_COMMANDS; second++)
            for (uint32_t i = 0; i < 3; i++)
                expect_pair(timing, first, second, 0, others[i]);
}

Test(dram_device, every_pair_of_commands_keeps_every_constraint)
{
    uint64_t seed = (uint64_t)time(NULL);
    printf("seed %llu\n", (unsigned long long)seed);
    expect_all_pairs(&gddr5);
    expect_all_pairs(&ddr4);
    for (uint32_t i = 0; i < 300; i++) {
        const struct dram_timing timing = random_timing(&seed);
        expect_all_pairs(&timing);
    }
}

/* A timing in which one rule alone takes time: the pair must wait for it, and for nothing else. */
static void set_all(struct dram_timing *timing, uint32_t value)
{
    *timing = (struct dram_timing){value, value, value, value, value, value, value, value, value, value,
                                   value, value, value, value, value, value, value, value, 0};
}

Test(dram_device, every_rule_of_the_oracle_binds_somewhere)
{
    uint64_t seed = 3;
    uint32_t bound[64] = {0};
    for (uint32_t i = 0; i < 2000; i++) {
        const struct dram_timing timing = random_timing(&seed);
        for (uint32_t r = 0; r < oracle_rule_count; r++) {
            uint32_t binds = 1;
            for (uint32_t other = 0; other < oracle_rule_count; other++)
                binds &= other == r || oracle_rules[other].first != oracle_rules[r].first ||
                         oracle_rules[other].second != oracle_rules[r].second ||
                         oracle_rules[other].cycles(&timing) < oracle_rules[r].cycles(&timing);
            bound[r] += binds;
        }
    }
    for (uint32_t r = 0; r < oracle_rule_count; r++)
        cr_expect(bound[r] || strncmp(oracle_rules[r].name, "bus_read_commands", 9) == 0 ||
                      strncmp(oracle_rules[r].name, "bus_write_commands", 9) == 0 ||
                      strncmp(oracle_rules[r].name, "tccd_s_write_read", 13) == 0,
                  "%s never binds", oracle_rules[r].name);
    struct dram_timing timing;
    set_all(&timing, 1);
    expect_all_pairs(&timing);
}

Test(dram_device, a_fifth_activate_waits_for_tfaw)
{
    struct dram_timing timing = ddr4;
    timing.trrd_s = timing.trrd_l = 4;
    pair p;
    pair_init(&p, &timing);
    for (uint32_t i = 0; i < 4; i++)
        pair_issue(&p, DRAM_ACTIVATE, i, 1, 100 + 4 * i);
    cr_expect_eq(pair_probe(&p, DRAM_ACTIVATE, 4), 100 + 26);
    expect_ready(&p, DRAM_ACTIVATE, 4, "four activates");
    pair_issue(&p, DRAM_ACTIVATE, 4, 1, 126);
    cr_expect_eq(pair_probe(&p, DRAM_ACTIVATE, 5), 104 + 26);
    timing.tfaw = 0;
    pair_init(&p, &timing);
    for (uint32_t i = 0; i < 5; i++)
        pair_issue(&p, DRAM_ACTIVATE, i, 1, 100 + 4 * i);
}

static void expect_all_ready(const pair *p, const char *after)
{
    for (uint32_t bank = 0; bank < BANKS; bank++)
        for (enum dram_command command = 0; command < DRAM_COMMANDS; command++)
            expect_ready(p, command, bank, after);
}

/* Banks and commands at random, each as soon as it is legal or some time later, refreshes among them. */
static void random_walk(uint64_t *seed, uint32_t steps, uint32_t all_every)
{
    struct dram_timing timing = random_timing(seed);
    timing.trefi = kit_random(seed) % 2 ? 400 + kit_random(seed) % 2000 : 0;
    pair p;
    pair_init(&p, &timing);
    for (uint32_t i = 0; i < steps; i++) {
        const uint32_t bank = (uint32_t)(kit_random(seed) % (kit_random(seed) % 2 ? BANKS : 3));
        const enum dram_command command = (enum dram_command)(kit_random(seed) % DRAM_COMMANDS);
        p.n += kit_random(seed) % 4 ? 0 : kit_random(seed) % 50;
        dram_refresh(&p.device, p.n);
        oracle_refresh(&p.oracle, p.n);
        cr_assert_eq(p.device.refresh_due, p.oracle.refresh_due);
        expect_ready(&p, command, bank, "a random walk");
        if (i % all_every == 0)
            expect_all_ready(&p, "a random walk");
        const uint64_t ready = dram_later(pair_probe(&p, command, bank), p.n);
        if (ready < p.oracle.refresh_due)
            pair_issue(&p, command, bank, i, ready);
        else if (ready != DRAM_NEVER)
            p.n = p.oracle.refresh_due;
    }
}

Test(dram_device, agrees_with_the_oracle_on_random_walks)
{
    uint64_t seed = (uint64_t)time(NULL);
    printf("seed %llu\n", (unsigned long long)seed);
    for (uint32_t i = 0; i < 40; i++)
        random_walk(&seed, 400, 20);
}

Test(dram_device, probing_changes_nothing)
{
    struct dram_device device, before;
    dram_device_init(&device, &ddr4, BANKS, 4);
    dram_issue(&device, DRAM_ACTIVATE, 3, 7, 10);
    before = device;
    for (uint32_t bank = 0; bank < BANKS; bank++)
        for (enum dram_command command = 0; command < DRAM_COMMANDS; command++)
            dram_probe(&device, command, bank);
    cr_expect_eq(memcmp(&device, &before, sizeof device), 0);
}

Test(dram_device, a_row_is_opened_in_a_closed_bank_and_read_in_an_open_one)
{
    struct dram_device device;
    dram_device_init(&device, &ddr4, BANKS, 4);
    cr_expect_eq(dram_probe(&device, DRAM_READ, 3), DRAM_NEVER);
    cr_expect_eq(dram_probe(&device, DRAM_PRECHARGE, 3), DRAM_NEVER);
    dram_issue(&device, DRAM_ACTIVATE, 3, 7, 10);
    cr_expect_eq(device.banks[3].row, 7);
    cr_expect_eq(dram_probe(&device, DRAM_ACTIVATE, 3), DRAM_NEVER);
    cr_expect_eq(dram_issue(&device, DRAM_READ, 3, 7, 26), 26 + 16 + 4);
    cr_expect_eq(dram_issue(&device, DRAM_WRITE, 3, 7, 36), 36 + 12 + 4);
}

static struct dram_timing refreshed(void)
{
    struct dram_timing timing = gddr5;
    timing.trefi = 1000;
    timing.trfc = 60;
    return timing;
}

Test(dram_device, refresh_closes_rows_and_keeps_the_banks_for_trfc)
{
    const struct dram_timing timing = refreshed();
    struct dram_device device;
    dram_device_init(&device, &timing, BANKS, 4);
    dram_issue(&device, DRAM_ACTIVATE, 3, 5, 100);
    cr_expect_eq(dram_refresh(&device, 999), 0);
    cr_expect_eq(device.banks[3].row, 5);
    cr_expect_eq(dram_refresh(&device, 1000), 1 << 3);
    cr_expect_eq(device.banks[3].row, DRAM_NO_ROW);
    cr_expect_eq(dram_probe(&device, DRAM_ACTIVATE, 9), 1000 + TRP + 60);
    cr_expect_eq(device.refreshes, 1);
}

Test(dram_device, missed_refreshes_are_caught_up_as_if_each_had_been_asked_for)
{
    const struct dram_timing timing = refreshed();
    const uint64_t end = UINT64_C(987654321);
    struct dram_device lazy, eager;
    dram_device_init(&lazy, &timing, BANKS, 4);
    dram_device_init(&eager, &timing, BANKS, 4);
    dram_issue(&lazy, DRAM_ACTIVATE, 3, 5, 990);
    dram_issue(&eager, DRAM_ACTIVATE, 3, 5, 990);
    dram_refresh(&lazy, end);
    for (uint64_t n = 0; n < 100000; n += 250)
        dram_refresh(&eager, n);
    dram_refresh(&eager, end);
    cr_expect_eq(lazy.refreshes, end / 1000);
    cr_expect_eq(eager.refreshes, lazy.refreshes);
    cr_expect_eq(eager.refresh_due, lazy.refresh_due);
    for (uint32_t bank = 0; bank < BANKS; bank++) {
        cr_expect_eq(dram_probe(&lazy, DRAM_ACTIVATE, bank), end / 1000 * 1000 + 60);
        cr_expect_eq(dram_probe(&eager, DRAM_ACTIVATE, bank), dram_probe(&lazy, DRAM_ACTIVATE, bank));
    }
}
