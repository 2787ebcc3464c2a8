/* SPDX-License-Identifier: MIT */
/* A CPU model that knows nothing of this project is the host: it brings its own driver, launches a kernel, gets the interrupt. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "process.h"
#include "stats.h"

#define MACHINE SYSTEM_MACHINES "/foreign_cpu.yaml"
#define KERNELS "cpu.kernels=" HEDDLE_APPS "/vecadd/kernel.elf"

static json_t *run_with(const char *set, const char *other, const char *tlm)
{
    char *folder = folder_new(), *path = path_in(folder, "stats.json");
    finished run = heddle("run", MACHINE, "vecadd", "--plugin", FOREIGN_CPU, "--set", KERNELS, "--set", set, "--set",
                          other, "--stats", path, tlm);
    expect_code(&run, 0);
    expect_output(&run, "PASS");
    json_t *stats = stats_read(path);
    finished_free(&run);
    free(path);
    folder_remove(folder);
    return stats;
}

static int64_t number(const json_t *stats, const char *path)
{
    return json_integer_value(stats_at(stats, path));
}

/* The kernel ran while the CPU waited for its interrupt, and everything went over the bus. */
static void expect_launch(const json_t *stats)
{
    cr_expect_eq(number(stats, "blocks/command_processor/total/launches"), 1);
    cr_expect_eq(number(stats, "blocks/command_processor/total/interrupts"), 1);
    cr_expect_eq(number(stats, "blocks/interrupts/total/claims"), 1);
    cr_expect_eq(number(stats, "app/reports/untimed"), 4000, "transport_dbg through bus and device");
    cr_expect_gt(number(stats, "app/reports/accesses"), 50);
    cr_expect_eq(number(stats, "app/reports/direct_requests"), 1, "what is refused is not asked for again");
    cr_expect_gt(number(stats, "simulated_ps"), number(stats, "kernels/0/end_ps"));
}

Test(foreign_cpu, launches_a_kernel_and_gets_its_interrupt)
{
    json_t *blocking = run_with("cpu.transport=blocking", "cpu.cycle=1 ns", "--tlm=checked");
    json_t *phases = run_with("cpu.transport=phases", "cpu.cycle=1 ns", "--tlm=checked");
    expect_launch(blocking);
    expect_launch(phases);
    json_decref(blocking);
    json_decref(phases);
}

Test(foreign_cpu, does_the_same_whatever_the_transport_of_the_other_links)
{
    json_t *a = run_with("cpu.transport=phases", "cpu.cycle=3 ns", "--tlm=auto");
    json_t *b = run_with("cpu.transport=phases", "cpu.cycle=3 ns", "--tlm=checked");
    expect_same_stats(a, b);
    json_decref(a);
    json_decref(b);
}

Test(foreign_cpu, runs_ahead_by_its_quantum_and_no_further)
{
    json_t *each = run_with("cpu.quantum=0 ns", "cpu.cycle=1 ns", "--tlm=checked");
    json_t *none = run_with("cpu.quantum=1 ms", "cpu.cycle=1 ns", "--tlm=checked");
    cr_expect_gt(number(each, "app/reports/syncs"), 10 * number(none, "app/reports/syncs"));
    cr_expect_eq(number(each, "app/reports/accesses"), number(none, "app/reports/accesses"));
    json_decref(each);
    json_decref(none);
}

Test(foreign_cpu, has_its_warnings_among_the_lines_of_the_run)
{
    finished run =
        heddle("run", MACHINE, "vecadd", "--plugin", FOREIGN_CPU, "--set", KERNELS, "--set", "cpu.quantum=0 ns");
    expect_code(&run, 0);
    char *all = text_of("%s%s", run.out, run.err);
    cr_expect(strstr(all, "SystemC at 0 ps: loose_cpu: without a quantum"), "%s", all);
    cr_expect_null(strstr(all, "In file"), "SystemC prints it too:\n%s", all);
    free(all);
    finished_free(&run);
}

Test(foreign_cpu, ends_the_run_with_what_it_says_or_does_wrong)
{
    finished run = heddle("run", MACHINE, "vecadd", "--plugin", FOREIGN_CPU, "--set", "cpu.kernels=nowhere.elf");
    expect_code(&run, 1);
    expect_error(&run, "the kernel program cannot be read");
    finished_free(&run);
    run = heddle("run", MACHINE, "vecadd", "--plugin", FOREIGN_CPU);
    expect_code(&run, 2);
    expect_error(&run, "kernels");
    finished_free(&run);
}

Test(foreign_cpu, ends_the_run_with_what_it_reports)
{
    SKIP_IF_EXCEPTIONS_CONFUSE();
    finished run = heddle("run", MACHINE, "vecadd", "--plugin", FOREIGN_CPU, "--set", KERNELS, "--set",
                          "interrupts.address=0x1A000000000");
    expect_code(&run, 1);
    expect_error(&run, "loose_cpu: TLM_ADDRESS_ERROR_RESPONSE");
    finished_free(&run);
}

/* ---- A peripheral from elsewhere ---------------------------------------------------------------------------------- */

#define BELL SYSTEM_MACHINES "/doorbell.yaml"

Test(foreign_cpu, is_interrupted_by_a_peripheral_from_elsewhere)
{
    for (const char **tlm = (const char *[]){"--tlm=auto", "--tlm=checked", NULL}; *tlm; tlm++) {
        char *folder = folder_new(), *path = path_in(folder, "stats.json");
        finished run = heddle("run", BELL, "vecadd", "--plugin", FOREIGN_CPU, "--set", KERNELS, "--stats", path, *tlm);
        expect_code(&run, 0);
        json_t *stats = stats_read(path);
        cr_expect_eq(number(stats, "app/reports/rung"), 2);
        cr_expect_eq(number(stats, "blocks/interrupts/total/claims"), 3, "the kernel, and the bell twice");
        json_decref(stats);
        finished_free(&run);
        free(path);
        folder_remove(folder);
    }
}

/* A line that stays high lets no firmware sleep. */
static int64_t sleep_with(const char *rings)
{
    char *folder = folder_new(), *path = path_in(folder, "stats.json");
    finished run = heddle("run", SYSTEM_MACHINES "/bell_at_hart.yaml", "vecadd", "--plugin", FOREIGN_CPU, "--set",
                          rings, "--set", "app.n=2000", "--stats", path);
    expect_code(&run, 0);
    json_t *stats = stats_read(path);
    const int64_t count = number(stats, "blocks/cpu/total/sleep_cycles");
    json_decref(stats);
    finished_free(&run);
    free(path);
    folder_remove(folder);
    return count;
}

Test(foreign_cpu, has_a_peripheral_whose_line_leads_to_a_hart)
{
    cr_expect_gt(sleep_with("doorbell.rings=0 ns"), 2 * sleep_with("doorbell.rings=8 us"));
}
