/* SPDX-License-Identifier: MIT */
/* Nothing is declared in vain: every parameter changes something that can be seen, every statistic counts something. */
#include "core_everything.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* Another value than the default of every declared parameter, and what else it needs to matter. */
static const struct {
    const char *name;
    const char *value;
    const char *with;
} others[] = {
    {"lanes", "16", NULL},
    {"warps", "4", NULL},
    {"blocks", "1", NULL},
    {"registers", "30000", NULL},
    {"registers_per_thread", "21", NULL},
    {"simd_width", "8", NULL},
    {"fetch.width", "2", NULL},
    {"fetch.latency", "2 cycles", NULL},
    {"schedulers", "1", NULL},
    {"scheduler", "lrr", NULL},
    {"scheduler.age_rotation", "100 cycles", NULL},
    {"reconvergence", "mimd", NULL},
    {"reconvergence.first", "not_taken", NULL},
    {"scoreboard", "simple", NULL},
    {"register_read.latency", "3 cycles", NULL},
    {"write_back.latency", "2 cycles", NULL},
    {"integer.latency", "5 cycles", NULL},
    {"multiply.latency", "9 cycles", NULL},
    {"multiply.interval", "9 cycles", NULL},
    {"divide.latency", "146 cycles", NULL},
    {"divide.interval", "60 cycles", NULL},
    {"float.latency", "5 cycles", NULL},
    {"float_fma.latency", "60 cycles", NULL},
    {"float_divide.latency", "40 cycles", NULL},
    {"float_divide.interval", "50 cycles", NULL},
    {"branch.latency", "3 cycles", NULL},
    {"cross_lane.latency", "9 cycles", NULL},
    {"barrier.latency", "6 cycles", NULL},
    {"barrier.early_exit", "fault", NULL},
    {"memory.queue", "1", NULL},
    {"memory.accesses", "2", NULL},
    {"memory.sector", "64 B", NULL},
    {"scratchpad.bytes", "1 KiB", NULL},
    {"scratchpad.banks", "16", NULL},
    {"scratchpad.latency", "25 cycles", NULL},
    {"l1.bytes", "768 B", NULL},
    {"l1.ways", "1", "l1.bytes=1536 B"},
    {"l1.latency", "31 cycles", NULL},
    {"l1.mshrs", "1", "l1.global=cache"},
    {"l1.mshr_merges", "1", "l1.global=cache"},
    {"l1.global", "cache", NULL},
    {"constant_cache.bytes", "1 KiB", NULL},
    {"constant_cache.ways", "1", "constant_cache.bytes=192 B,constant_cache.line=32 B"},
    {"constant_cache.line", "128 B", "constant_cache.bytes=1 KiB"},
    {"constant_cache.latency", "9 cycles", "constant_cache.bytes=1 KiB"},
    {"constant_cache.mshrs", "1", "constant_cache.bytes=1 KiB,constant_cache.line=32 B"},
    {"constant_cache.mshr_merges", "1", "constant_cache.bytes=1 KiB"},
    {"instruction_cache.bytes", "1 KiB", NULL},
    {"instruction_cache.ways", "1", "instruction_cache.bytes=256 B,instruction_cache.line=32 B"},
    {"instruction_cache.line", "64 B", "instruction_cache.bytes=512 B"},
    {"instruction_cache.mshrs", "1",
     "instruction_cache.bytes=64 B,instruction_cache.line=32 B,instruction_cache.ways=1"},
    {"instruction_cache.mshr_merges", "1", "instruction_cache.bytes=512 B"},
};
#define OTHERS (sizeof others / sizeof *others)

static uint64_t fingerprint(const char *const *parameters)
{
    core_rig *rig = everything_create(parameters);
    kit_expect_fault(rig_kit(rig));
    everything_launch(rig);
    rig_finish(rig);
    uint64_t result = kit_fingerprint(rig_kit(rig));
    rig_destroy(rig);
    return result;
}

static size_t other_of(const char *name)
{
    size_t i = 0;
    while (i < OTHERS && strcmp(others[i].name, name))
        i++;
    return i;
}

Test(simt_core, every_parameter_changes_something)
{
    const char *const standard[] = {NULL};
    uint64_t usual = fingerprint(standard);
    cr_expect_eq(fingerprint(standard), usual, "the same parameters give the same results");
    for (uint32_t i = 0; i < hd_simt_core_timed.parameter_count; i++) {
        size_t other = other_of(hd_simt_core_timed.parameters[i].name);
        cr_expect_lt(other, OTHERS, "%s has no other value here", hd_simt_core_timed.parameters[i].name);
        if (other == OTHERS)
            continue;
        uint32_t count = 0;
        char text[64];
        snprintf(text, sizeof text, "%s=%s", others[other].name, others[other].value);
        char needs[160] = "";
        if (others[other].with)
            snprintf(needs, sizeof needs, "%s", others[other].with);
        const char *with[5] = {NULL};
        const char *changed[5] = {text};
        for (char *rest = needs, *one; (one = strtok_r(rest, ",", &rest));) {
            with[count++] = one;
            changed[count] = one;
        }
        cr_expect_neq(fingerprint(changed), others[other].with ? fingerprint(with) : usual, "%s changes nothing", text);
    }
}

Test(simt_core, every_choice_differs_from_the_others)
{
    static const char *const choices[][3] = {
        {"reconvergence.first=taken", "reconvergence.first=not_taken", "reconvergence.first=fewer"},
        {"memory.sector=32 B", "memory.sector=64 B", "memory.sector=128 B"},
    };
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        uint64_t prints[3];
        for (uint32_t c = 0; c < 3; c++)
            prints[c] = fingerprint((const char *const[]){choices[i][c], NULL});
        cr_expect(prints[0] != prints[1] && prints[1] != prints[2] && prints[0] != prints[2], "%s", choices[i][0]);
    }
}

static void collect(const char *const *parameters, uint32_t starved, uint64_t *sums)
{
    core_rig *rig = everything_create(parameters);
    kit_block *kit = rig_kit(rig);
    kit_hold_credits(kit, REQUEST, 0, starved);
    everything_launch(rig);
    if (starved) {
        kit_run_until(kit, kit_edge(kit, 5000));
        kit_release_credits(kit, REQUEST, 0, UINT32_MAX, kit_edge(kit, 5000));
        kit_hold_credits(kit, REQUEST, 0, 0);
    }
    rig_finish(rig);
    for (uint32_t i = 0; i < hd_simt_core_timed.statistic_count; i++)
        sums[i] += kit_statistic(kit, hd_simt_core_timed.statistics[i].name);
    rig_destroy(rig);
}

Test(simt_core, every_statistic_counts_something)
{
    static const char *const standard[] = {NULL};
    static const char *const small[] = {"l1.global=cache",   "l1.bytes=768 B", "l1.mshrs=2", "memory.queue=1",
                                        "scoreboard=simple", "blocks=2",       NULL};
    static const char *const caching[] = {"l1.global=cache", NULL};
    static const char *const constants[] = {"constant_cache.bytes=64 B", "constant_cache.line=32 B", NULL};
    static const char *const code[] = {"instruction_cache.bytes=256 B", "instruction_cache.line=32 B",
                                       "instruction_cache.ways=2", "instruction_cache.mshr_merges=2", NULL};
    uint64_t sums[128] = {0};
    cr_assert_leq(hd_simt_core_timed.statistic_count, 128);
    collect(standard, 1, sums);
    collect(small, 0, sums);
    collect(caching, 0, sums);
    collect(constants, 0, sums);
    collect(code, 0, sums);
    for (uint32_t i = 0; i < hd_simt_core_timed.statistic_count; i++)
        cr_expect_gt(sums[i], 0, "%s is always 0", hd_simt_core_timed.statistics[i].name);
}
