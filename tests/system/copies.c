/* SPDX-License-Identifier: MIT */
/* Copies in queues, with and without a DMA engine, of a native host and of firmware. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "machine_run.h"
#include "stats.h"

#define COPIES SYSTEM_APPS "/copies"

static machine_run run_copies(const char *machine, const char *const *sets)
{
    machine_run run = run_machine(&(run_request){.netlist = machine, .app = COPIES, .sets = sets});
    cr_assert(run.outcome == HD_OUTCOME_PASS && !run.was_refused, "%s %s: %s", machine, sets[0], run.message);
    return run;
}

static void expect_copied(const char *machine, const char *const *sets)
{
    machine_run run = run_copies(machine, sets);
    run_free(&run);
}

static void expect_random_copies(const char *machine, unsigned seeds, int has_engine)
{
    for (unsigned seed = 1; seed <= seeds; seed++) {
        char text[32];
        snprintf(text, sizeof text, "app.seed=%u", seed);
        const char *const sets[] = {text, NULL};
        expect_copied(machine, sets);
        const char *const narrow[] = {text, "dma.channels=1", "dma.outstanding=2", "dma.burst=96 B", NULL};
        if (has_engine)
            expect_copied(machine, narrow);
    }
}

Test(copies, random_copies_between_kernels_give_what_a_model_gives)
{
    expect_random_copies(SYSTEM_MACHINES "/dma.yaml", 6, 1);
    expect_random_copies(SYSTEM_MACHINES "/firmware_dma.yaml", 2, 1);
}

Test(copies, without_a_dma_engine_the_host_copies)
{
    expect_random_copies(SYSTEM_MACHINES "/small.yaml", 2, 0);
    expect_random_copies(SYSTEM_MACHINES "/firmware.yaml", 1, 0);
}

static json_int_t part(const machine_run *run, const char *name)
{
    return json_integer_value(stats_at(stats_at(run->results, "time"), name));
}

static json_int_t least(json_int_t a, json_int_t b)
{
    return a < b ? a : b;
}

static void expect_overlap(const char *machine)
{
    static const char *const serial[] = {"app.part=serial", NULL}, *const beside[] = {"app.part=beside", NULL};
    machine_run one = run_copies(machine, serial), both = run_copies(machine, beside);
    const json_int_t shorter = least(part(&one, "kernel_ps"), part(&one, "transfer_ps") / 2); /* there and back */
    const json_int_t saved = part(&one, "total_ps") - part(&both, "total_ps");
    cr_expect_eq(part(&one, "overlap_ps"), 0);
    cr_expect_gt(part(&both, "overlap_ps"), shorter / 2);
    cr_expect_gt(saved, shorter / 2, "%s: %lld ps of %lld are saved", machine, (long long)saved, (long long)shorter);
    run_free(&one);
    run_free(&both);
}

Test(copies, a_copy_beside_a_kernel_takes_less_than_one_after_the_other)
{
    expect_overlap(SYSTEM_MACHINES "/dma.yaml");
    expect_overlap(SYSTEM_MACHINES "/firmware_dma.yaml");
}

/* The copies of a native host and of firmware are alike to the engine. */
static void expect_same_engine(const machine_run *a, const machine_run *b, const char *statistic)
{
    const json_t *of_a = stats_at(stats_at(stats_at(stats_at(a->results, "blocks"), "dma"), "total"), statistic);
    const json_t *of_b = stats_at(stats_at(stats_at(stats_at(b->results, "blocks"), "dma"), "total"), statistic);
    cr_expect_eq(json_integer_value(of_a), json_integer_value(of_b), "%s: %lld and %lld", statistic,
                 (long long)json_integer_value(of_a), (long long)json_integer_value(of_b));
    cr_expect_gt(json_integer_value(of_a), 0);
}

Test(copies, a_native_host_and_firmware_copy_the_same_bytes_in_the_same_bursts)
{
    static const char *const sets[] = {"app.part=serial", NULL};
    static const char *const names[] = {"copies", "bytes_to_device", "bytes_from_device", "host_reads",
                                        "device_writes"};
    machine_run native = run_copies(SYSTEM_MACHINES "/dma.yaml", sets);
    machine_run firmware = run_copies(SYSTEM_MACHINES "/firmware_dma.yaml", sets);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        expect_same_engine(&native, &firmware, names[i]);
    run_free(&native);
    run_free(&firmware);
}
