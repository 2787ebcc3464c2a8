/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "run_setup.h"

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void print_line(void *context, const char *line)
{
    (void)context;
    puts(line);
}

static int run(const hd_command *command, int count, char **words)
{
    run_setup setup;
    char *error;
    if (run_setup_read(&setup, command, count, words))
        return HD_EXIT_USAGE;
    setup.machine.print = print_line;
    hd_machine *machine = hd_machine_open(&setup.machine, &error);
    if (!machine) {
        fputs(error, stderr);
        free(error);
        run_setup_free(&setup);
        return HD_EXIT_USAGE;
    }
    double start = seconds();
    uint32_t outcome = hd_machine_run(machine, NULL);
    double wall = seconds() - start;
    printf("%s\n%s\n", hd_outcome_name(outcome), hd_machine_message(machine));
    uint64_t instructions = hd_machine_count(machine, "simt_core", "warp_instructions");
    printf("%llu ns, %llu warp instructions, %.3f s, %.0f warp instructions/s\n",
           (unsigned long long)(hd_machine_time(machine) / 1000), (unsigned long long)instructions, wall,
           (double)instructions / wall);
    hd_machine_close(machine);
    run_setup_free(&setup);
    return outcome == HD_OUTCOME_PASS ? HD_EXIT_PASS : HD_EXIT_FAIL;
}

const hd_command hd_command_run = {
    .name = "run",
    .usage = "NETLIST APP [--set PATH=VALUE]... [--seed N] [--out DIR | --stats FILE] [--tlm=auto|always] [--quiet]",
    .doc = "run an app on a machine",
    .help = "  APP               an app of the apps folder, or a folder with host.so and kernel.elf\n"
            "  --set PATH=VALUE  override a value of the machine (core.warps=16) or of the app (app.n=4096)\n"
            "  --seed N          seed of the blocks' random streams, 1 unless given\n"
            "  --out DIR         write the results to DIR/stats.json\n"
            "  --stats FILE      write the results to FILE\n"
            "  --tlm=always      make real TLM transport calls on every link; the results are the same\n"
            "  --quiet           no summary and no progress line\n",
    .run = run,
};
