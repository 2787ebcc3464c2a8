/* SPDX-License-Identifier: MIT */
/* Commands as a trace shows them, at their own times: no rule of JEDEC is ever broken, with any devices, scheduler or policy. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bench.h"
#include "timing_sets.h"

enum { REQUESTS = 1200, CHOICES = 3 };

static const char *const schedulers[CHOICES] = {"scheduler=fr_fcfs", "scheduler=fcfs", "scheduler.starvation_cap=3"};
static const char *const policies[CHOICES] = {"page_policy=open", "page_policy=closed", "page_policy=adaptive"};
static const char *const mappings[CHOICES] = {"mapping=row column[..8] bank bank_group column[7..0]",
                                              "mapping=row bank bank_group column",
                                              "mapping=row bank^row column[..6] bank_group^row column[5..0]"};

/* Crowds and pauses, some longer than several refresh intervals; few rows, many rows, streams; of reads, of writes, and mixed. */
static hd_time send_load(kit_block *kit, uint64_t *seed, uint32_t requests)
{
    hd_time t = kit_now(kit);
    uint64_t stream = 0, reach = 1 << 20, writes = 2;
    for (uint32_t i = 0; i < requests; i++) {
        if (kit_random(seed) % 40 == 0) {
            reach = UINT64_C(1) << (12 + kit_random(seed) % 14);
            writes = kit_random(seed) % 5; /* of four */
            stream = kit_random(seed) % reach;
        }
        if (kit_random(seed) % 25 == 0)
            t += kit_random(seed) % (kit_random(seed) % 6 ? 300000 : 12000000);
        const uint32_t bytes = 1 + (uint32_t)(kit_random(seed) % (kit_random(seed) % 4 ? 64 : 300));
        const uint64_t address = kit_random(seed) % 3 ? kit_random(seed) % reach : (stream += 128);
        if (kit_random(seed) % 4 < writes)
            write_at(kit, address, bytes, (uint8_t)i, i, t);
        else
            read_at(kit, address, bytes, i, t);
    }
    return t;
}

static jedec_verdict checked(kit_block *kit, const jedec_device *device)
{
    uint32_t count;
    const kit_traced *events = kit_recorded(kit, &count);
    return jedec_check(device, events, count, kit_now(kit));
}

static void run_trial(const timing_set *set, const char *const *more, uint64_t seed)
{
    const jedec_device device = timing_set_device(set, more);
    kit_block *kit = timing_set_make(set, more);
    kit_disturb(kit, seed % 4 == 0 ? seed : 0);
    const hd_time end = send_load(kit, &seed, REQUESTS);
    kit_run_until(kit, end + UINT64_C(60000000));
    cr_assert_eq(kit_statistic(kit, "reads") + kit_statistic(kit, "writes"), REQUESTS);
    const jedec_verdict verdict = checked(kit, &device);
    cr_assert_eq(verdict.findings, 0, "%s %s %s %s: %u, the first: %s", set->file, more[0], more[1], more[2],
                 verdict.findings, verdict.first);
    cr_assert_eq(verdict.activates, kit_statistic(kit, "activates"));
    cr_assert_geq(verdict.precharges, kit_statistic(kit, "precharges"));
    cr_assert_eq(verdict.columns * device.timing.burst, kit_statistic(kit, "bus_busy_cycles"));
    cr_assert_gt(verdict.refreshes, 5);
    kit_destroy(kit);
}

Test(dram_commands, keep_every_rule_with_all_devices_schedulers_policies_and_mappings)
{
    timing_set sets[TIMING_SETS];
    const uint32_t count = timing_sets_read(sets);
    uint64_t seed = (uint64_t)time(NULL);
    printf("seed %llu\n", (unsigned long long)seed);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t s = 0; s < CHOICES; s++)
            for (uint32_t p = 0; p < CHOICES; p++)
                run_trial(&sets[i],
                          (const char *[]){schedulers[s], policies[p], mappings[kit_random(&seed) % CHOICES], NULL},
                          kit_random(&seed));
}

Test(dram_commands, keep_every_rule_with_refreshes_in_each_others_way)
{
    timing_set sets[TIMING_SETS];
    const uint32_t count = timing_sets_read(sets);
    uint64_t seed = (uint64_t)time(NULL);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t p = 0; p < CHOICES; p++)
            run_trial(&sets[i], (const char *[]){"trefi=900 ns", policies[p], mappings[p], NULL}, kit_random(&seed));
}

/* ---- The checker can fail -------------------------------------------------------------------------------------------- */

/* A rule told one cycle longer than it is. */
static uint32_t breaks(const timing_set *set, uint32_t *(*field)(struct dram_timing *))
{
    uint64_t seed = 11;
    for (uint32_t p = 0; p < CHOICES; p++) {
        const char *const more[] = {"trefi=2 us", policies[p], mappings[p], NULL};
        jedec_device device = timing_set_device(set, more);
        kit_block *kit = timing_set_make(set, more);
        kit_run_until(kit, send_load(kit, &seed, 3000) + UINT64_C(20000000));
        ++*field(&device.timing);
        const uint32_t findings = checked(kit, &device).findings;
        kit_destroy(kit);
        if (findings)
            return 1;
    }
    return 0;
}

#define FIELD(name)                                                                                                    \
    static uint32_t *of_##name(struct dram_timing *timing)                                                             \
    {                                                                                                                  \
        return &timing->name;                                                                                          \
    }
FIELD(burst)
FIELD(tcl)
FIELD(tcwl)
FIELD(trcd)
FIELD(trp)
FIELD(tras)
FIELD(trc)
FIELD(trrd_s)
FIELD(trrd_l)
FIELD(tfaw)
FIELD(tccd_s)
FIELD(tccd_l)
FIELD(twr)
FIELD(twtr_s)
FIELD(twtr_l)
FIELD(trtp)
FIELD(turnaround)
FIELD(trfc)

Test(dram_commands, of_which_each_binds_somewhere)
{
    static const struct {
        const char *name;
        uint32_t *(*field)(struct dram_timing *);
    } rules[] = {{"burst", of_burst}, {"tcl", of_tcl},       {"tcwl", of_tcwl},
                 {"trcd", of_trcd},   {"trp", of_trp},       {"tras", of_tras},
                 {"trc", of_trc},     {"trrd_s", of_trrd_s}, {"trrd_l", of_trrd_l},
                 {"tfaw", of_tfaw},   {"tccd_s", of_tccd_s}, {"tccd_l", of_tccd_l},
                 {"twr", of_twr},     {"twtr_s", of_twtr_s}, {"twtr_l", of_twtr_l},
                 {"trtp", of_trtp},   {"trfc", of_trfc},     {"turnaround", of_turnaround}};
    timing_set sets[TIMING_SETS];
    const uint32_t count = timing_sets_read(sets);
    for (uint32_t rule = 0; rule < sizeof rules / sizeof *rules; rule++) {
        uint32_t is_found = 0;
        for (uint32_t i = 0; i < count && !is_found; i++)
            is_found = breaks(&sets[i], rules[rule].field);
        cr_expect(is_found, "%s one cycle longer is kept too: the checker does not look at it", rules[rule].name);
    }
}

/* One event moved, added or left out is found. */
static uint32_t findings_without(const char *event, uint32_t form, int64_t moved)
{
    timing_set sets[TIMING_SETS];
    const uint32_t is_automatic = strcmp(event, "command.auto_precharge") == 0;
    const char *const more[] = {"trefi=1 us", policies[is_automatic], mappings[0], NULL};
    timing_sets_read(sets);
    uint64_t seed = 5;
    kit_block *kit = timing_set_make(&sets[1], more);
    kit_run_until(kit, send_load(kit, &seed, 1500) + UINT64_C(20000000));
    uint32_t count, at = 0, seen = 0;
    const kit_traced *events = kit_recorded(kit, &count);
    kit_traced *copy = calloc(count, sizeof *copy);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t is_it = !strcmp(events[i].event, event) && events[i].form == form && ++seen == 3;
        if (is_it && !moved)
            continue;
        copy[at] = events[i];
        if (is_it)
            copy[at].t = (hd_time)((int64_t)copy[at].t + moved);
        at++;
    }
    cr_assert_geq(seen, 3, "%s: %u", event, seen);
    const jedec_device device = timing_set_device(&sets[1], more);
    const uint32_t findings = jedec_check(&device, copy, at, kit_now(kit)).findings;
    free(copy);
    kit_destroy(kit);
    return findings;
}

Test(dram_commands, that_are_missing_or_late_are_found)
{
    static const struct {
        const char *event;
        uint32_t form;
    } shown[] = {{"command.activate", 2},
                 {"command.precharge", 2},
                 {"command.read", 2},
                 {"command.write", 2},
                 {"command.auto_precharge", 2},
                 {"command.precharge_all", 2},
                 {"command.refresh", 2},
                 {"row", 0},
                 {"row", 1},
                 {"read", 0},
                 {"write", 1},
                 {"refresh", 0}};
    for (uint32_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        if (shown[i].form == 2 || shown[i].form == 0)
            cr_expect_gt(findings_without(shown[i].event, shown[i].form, 0), 0, "%s is missing", shown[i].event);
        cr_expect_gt(findings_without(shown[i].event, shown[i].form, 834), 0, "%s is a cycle late", shown[i].event);
    }
    cr_expect_eq(findings_without("queue", 3, 0), 0);
}

/* ---- Refreshes of a channel at rest ---------------------------------------------------------------------------------- */

Test(dram_commands, a_channel_at_rest_shows_its_refreshes_and_has_no_work)
{
    kit_block *kit = make_with((const char *[]){"latency=10 cycles", "trefi=1 us", "trfc=60 ns", NULL}, 8);
    kit_record(kit);
    read_at(kit, 0, LINE, 1, 0);
    kit_run_until(kit, 4500 * CYCLE);
    cr_expect_eq(kit_next(kit), HD_NEVER);
    cr_expect_eq(kit_recorded_count(kit, "command.refresh"), 4);
    cr_expect_eq(kit_recorded_count(kit, "command.precharge_all"), 1);
    cr_expect_eq(kit_statistic(kit, "refreshes"), 0, "they are counted with the next command");
    uint32_t count, seen = 0;
    const kit_traced *events = kit_recorded(kit, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(events[i].event, "command.refresh") != 0)
            continue;
        seen++;
        cr_expect_eq(events[i].t, (seen * 1000 + (seen == 1 ? TRP : 0)) * CYCLE);
        cr_expect_eq(events[i].values[0], seen);
    }
    read_at(kit, LINE, LINE, 2, 4500 * CYCLE);
    kit_run_until(kit, 4700 * CYCLE);
    cr_expect_eq(kit_statistic(kit, "refreshes"), 4);
    cr_expect_eq(kit_statistic(kit, "precharges"), 1);
    kit_destroy(kit);
}
