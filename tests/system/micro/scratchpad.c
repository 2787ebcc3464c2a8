/* SPDX-License-Identifier: MIT */
/* Bank conflicts: lane i loads word i * s of the scratchpad. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "micro_chain/args.h"
#include "path.h"

enum { LANES = 32 };

static uint32_t greatest_common_divisor(uint32_t a, uint32_t b)
{
    return b ? greatest_common_divisor(b, a % b) : a;
}

/* Words i * s fall on banks / gcd(s, banks) different banks, evenly. */
static uint32_t passes_of(uint32_t stride, uint32_t banks)
{
    const uint32_t used = banks / greatest_common_divisor(stride, banks);
    return (LANES + used - 1) / used;
}

static void expect_passes(uint32_t stride, uint32_t banks)
{
    char bytes[16], change[40];
    snprintf(bytes, sizeof bytes, "%u", stride * 4);
    snprintf(change, sizeof change, "core.scratchpad.banks=%u", banks);
    const micro_setup setup = {
        .app = "micro_chain",
        .changes = {change},
        .options = {{"threads", "32"}, {"lane_stride", bytes}, {"scratchpad", "1"}, {"warm", "1"}}};
    hd_machine *machine = micro_run(&setup);
    path *p = path_new(machine);
    const uint32_t passes = passes_of(stride, banks);

    /* One store that makes the chains, one load before, and those that are timed. */
    cr_expect_eq(hd_machine_count(machine, "simt_core", "scratchpad_passes"), (MICRO_CHAIN_TIMED + 2) * passes,
                 "stride %u, %u banks", stride, banks);
    cr_expect_eq(hd_machine_count(machine, "simt_core", "scratchpad_conflict_cycles"),
                 (MICRO_CHAIN_TIMED + 2) * (passes - 1), "stride %u, %u banks", stride, banks);
    const uint64_t cycles = micro_report(machine, "end") - micro_report(machine, "begin");
    cr_expect_eq(cycles, MICRO_CHAIN_TIMED * path_scratchpad(p, 0, passes) + 2 * path_next_issue(p),
                 "stride %u, %u banks: %llu cycles", stride, banks, (unsigned long long)cycles);
    path_free(p);
    hd_machine_close(machine);
}

Test(micro_scratchpad, takes_a_pass_for_every_word_of_the_fullest_bank)
{
    for (uint32_t stride = 1; stride <= 32; stride++)
        expect_passes(stride, 32);
}

Test(micro_scratchpad, conflicts_by_the_number_of_its_banks)
{
    for (uint32_t banks = 1; banks <= 64; banks *= 4) {
        expect_passes(1, banks);
        expect_passes(6, banks);
        expect_passes(8, banks);
    }
}

static uint64_t launch_cycles(uint32_t stride, const char *threads, const char *warm)
{
    char bytes[16];
    snprintf(bytes, sizeof bytes, "%u", stride * 4);
    const micro_setup setup = {
        .app = "micro_chain",
        .changes = {"core.scheduler=lrr"}, /* so that all warps end alike */
        .options = {{"threads", threads}, {"lane_stride", bytes}, {"scratchpad", "1"}, {"warm", warm}}};
    hd_machine *machine = micro_run(&setup);
    const uint64_t cycles = micro_report(machine, "cycles");
    hd_machine_close(machine);
    return cycles;
}

/* 16 warps keep the banks busy: 60 loads more of each take the time of their passes. */
Test(micro_scratchpad, works_one_pass_per_cycle)
{
    enum { WARPS = 16, MORE = 60 };
    for (uint32_t stride = 8; stride <= 32; stride *= 2) {
        const uint64_t few = launch_cycles(stride, "512", "20");
        const uint64_t many = launch_cycles(stride, "512", "80");
        const uint64_t passes = WARPS * MORE * passes_of(stride, 32);
        cr_expect(many - few >= passes * 99 / 100 && many - few <= passes * 101 / 100, "stride %u: %llu", stride,
                  (unsigned long long)(many - few));
    }
}

Test(micro_scratchpad, broadcasts_one_word_in_one_pass)
{
    const micro_setup setup = {.app = "micro_chain",
                               .options = {{"threads", "32"}, {"lane_stride", "0"}, {"scratchpad", "1"}}};
    hd_machine *machine = micro_run(&setup);
    cr_expect_eq(hd_machine_count(machine, "simt_core", "scratchpad_conflict_cycles"), 0);
    cr_expect_eq(hd_machine_count(machine, "simt_core", "scratchpad_passes"), MICRO_CHAIN_TIMED + 1);
    hd_machine_close(machine);
}
