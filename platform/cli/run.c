/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "debugger.h"
#include "interrupt.h"
#include "kernel_warnings.h"
#include "machine_trace.h"
#include "opencl_app_run.h"
#include "progress.h"
#include "results.h"
#include "run_setup.h"
#include "sample_option.h"
#include "standard_streams.h"

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void print_line(void *context, const char *line)
{
    hd_progress_end(context);
    puts(line);
    standard_streams_flush();
}

static void print_progress(hd_progress *progress, hd_machine *machine, double now)
{
    hd_progress_state state = {.simulated = hd_machine_time(machine),
                               .warp_instructions = hd_machine_count(machine, "simt_core", "warp_instructions"),
                               .blocks_done = hd_machine_count(machine, "simt_core", "blocks_run")};
    uint32_t count;
    const hd_host_launch *launches = hd_machine_launches(machine, &count);
    for (uint32_t i = 0; i < count; i++)
        state.blocks += (uint64_t)launches[i].grid_size[0] * launches[i].grid_size[1] * launches[i].grid_size[2];
    hd_progress_print(progress, &state, now);
}

/* What the run is watched with. */
typedef struct run_watch {
    hd_progress *progress;
    debugger *debugger; /* NULL: none */
} run_watch;

static uint32_t on_pause(void *context, hd_machine *machine)
{
    const run_watch *watch = context;
    double now = seconds();
    if (hd_progress_due(watch->progress, now))
        print_progress(watch->progress, machine, now);
    if (watch->debugger && debugger_look(watch->debugger))
        return HD_WATCH_END_NOW;
    return interrupt_is_requested() ? HD_WATCH_END : HD_WATCH_GO_ON;
}

static uint32_t is_interrupted(void *context)
{
    (void)context;
    return (uint32_t)interrupt_is_requested();
}

static int exit_code(uint32_t outcome)
{
    switch (outcome) {
    case HD_OUTCOME_PASS: return HD_EXIT_PASS;
    case HD_OUTCOME_INTERRUPTED: return interrupt_exit_code();
    /* A block that waits for another process, as a remote port does, can end its wait only by a fault. */
    case HD_OUTCOME_FAULT: return interrupt_is_requested() ? interrupt_exit_code() : HD_EXIT_FAIL;
    default: return HD_EXIT_FAIL;
    }
}

static void say(char *text)
{
    fputs(text, stderr);
    free(text);
}

static uint32_t write_files(const run_setup *setup, const hd_machine *machine, const hd_results *results, char **error)
{
    if (setup->stats_path && !hd_results_file_write(setup->stats_path, results, error))
        return 0;
    return !setup->series_path || hd_results_text_write(setup->series_path, hd_machine_series(machine), error);
}

/* Of each app, what it did not say of its options. */
static void add_inputs(const run_setup *setup, hd_results *results)
{
    results->inputs = setup->apps.items[0].read.inputs;
    results->input_count = setup->apps.items[0].read.count;
    for (uint32_t i = 0; i < results->app_count; i++) {
        results->apps[i].inputs = setup->apps.items[i].read.inputs;
        results->apps[i].input_count = setup->apps.items[i].read.count;
    }
}

/* Shows and writes the results; returns the exit code. */
static int conclude(const run_setup *setup, hd_machine *machine, double wall)
{
    hd_results results;
    char *error;
    int code = exit_code(hd_machine_outcome(machine));
    hd_machine_results(machine, &results);
    add_inputs(setup, &results);
    run_checkpoint_results(&setup->checkpoint, &results);
    results.host.seconds = wall;
    results.host.tlm = hd_machine_tlm_name(&setup->machine.tlm);
    results.host.threads = hd_engine_threads(hd_machine_engine(machine));
    results.host.transport_calls = hd_machine_transport_calls(machine);
    if (!setup->quiet)
        hd_results_headline(&results, stdout);
    standard_streams_flush();
    if (code)
        fprintf(stderr, "error: %s%s", results.message, setup->quiet ? "\n" : "\n\n");
    if (!setup->quiet)
        hd_results_summary(&results, stdout);
    standard_streams_flush();
    if (write_files(setup, machine, &results, &error))
        return code;
    say(error);
    return code == HD_EXIT_PASS ? HD_EXIT_USAGE : code;
}

static void note_threads(const run_setup *setup, hd_machine *machine)
{
    const hd_engine *engine = hd_machine_engine(machine);
    const int shortage = hd_engine_thread_shortage(engine);
    if (shortage)
        fprintf(stderr, "note: only %u of %u threads could be started: %s\n", hd_engine_threads(engine),
                setup->machine.tlm.threads, strerror(shortage));
    else if (setup->machine.tlm.threads > hd_engine_threads(engine))
        fputs("note: cores of this type touch memory directly, which only one thread can do at a time: "
              "--threads has no effect\n",
              stderr);
}

static int check_trace(hd_recorder *recorder, const run_setup *setup, const hd_machine *machine)
{
    const char *what, *useless = hd_machine_trace_begin(recorder, &setup->machine, machine, &what);
    if (!useless)
        return HD_EXIT_PASS;
    return hd_usage_error(NULL, NULL, 0, "--trace-%s %s: the machine has no %s of this name", what, useless,
                          strcmp(what, "unit") ? "trace event" : "unit or track");
}

/* Puts the files in place; returns the exit code. */
static int conclude_trace(hd_recorder *recorder, const run_setup *setup, hd_machine *machine, int code)
{
    char *note, *error;
    if (!recorder)
        return code;
    const uint32_t good = hd_recorder_finish(recorder, hd_engine_now(hd_machine_engine(machine)), &note, &error);
    if (note && !setup->quiet)
        fputs(note, stderr);
    free(note);
    if (good)
        return code;
    say(error);
    return code == HD_EXIT_PASS ? HD_EXIT_USAGE : code;
}

static void say_of_gdb(void *context, const char *line)
{
    hd_progress_end(context);
    fprintf(stderr, "%s\n", line);
}

static int run_and_conclude(const run_setup *setup, hd_machine *machine, hd_progress *progress)
{
    run_watch watched = {.progress = progress};
    const hd_machine_watch watch = {.context = &watched, .look = on_pause};
    const debugger_setup gdb = {.port = setup->gdb_port,
                                .app = setup->apps.count ? setup->apps.items[0].folder : NULL,
                                .context = progress,
                                .is_interrupted = is_interrupted,
                                .say = say_of_gdb};
    char *error;
    double start = seconds();
    interrupt_catch();
    if (setup->has_gdb && !(watched.debugger = debugger_create(machine, &gdb, &error))) {
        say(error);
        return HD_EXIT_USAGE;
    }
    if (watched.debugger)
        debugger_begin(watched.debugger);
    hd_machine_run(machine, &watch);
    hd_progress_end(progress);
    int code = conclude(setup, machine, seconds() - start);
    if (run_checkpoint_conclude(&setup->checkpoint, machine) && code == HD_EXIT_PASS)
        code = HD_EXIT_USAGE;
    if (watched.debugger)
        debugger_end(watched.debugger, code);
    debugger_destroy(watched.debugger);
    return code;
}

static int run_machine(run_setup *setup)
{
    char *error;
    hd_progress progress;
    setup->machine.print = print_line;
    setup->machine.is_interrupted = is_interrupted;
    setup->machine.context = &progress;
    hd_recorder *recorder = hd_machine_trace_prepare(&setup->trace.recorder, &setup->machine, &setup->series);
    hd_progress_begin(&progress, setup->quiet ? NULL : standard_streams_progress(), seconds());
    hd_machine *machine = hd_machine_open(&setup->machine, &error);
    int code = HD_EXIT_USAGE;
    if (!machine) {
        say(error);
        goto destroy;
    }
    if (check_trace(recorder, setup, machine) || run_setup_check_outputs(setup))
        goto close;
    if (!setup->quiet) {
        if (hd_machine_kernels(machine))
            kernel_warnings_print_for(hd_machine_kernels(machine), hd_machine_netlist(machine), stderr);
        note_threads(setup, machine);
    }
    code = run_and_conclude(setup, machine, &progress);
    code = conclude_trace(recorder, setup, machine, code);
close:
    hd_machine_close(machine);
destroy:
    hd_recorder_destroy(recorder);
    return code;
}

static int run(const hd_command *command, int count, char **words)
{
    run_setup setup;
    if (run_setup_read(&setup, command, count, words))
        return HD_EXIT_USAGE;
    if (!setup.stats_path && !setup.trace.recorder.perfetto && !setup.trace.recorder.vcd)
        standard_streams_end_with_reader();
    const int is_opencl = opencl_app_is_asked_for(&setup);
    int code = is_opencl && setup.machine.checkpoint
                   ? hd_usage_error(NULL, NULL, 0, "the app is an OpenCL program, which no checkpoint can hold")
               : is_opencl ? opencl_app_run(&setup)
                           : run_machine(&setup);
    run_setup_free(&setup);
    return code;
}

const hd_command hd_command_run = {
    .name = "run",
    .usage = "NETLIST [APP] [--with APP]... [--set PATH=VALUE]... [--plugin FILE]... [--firmware FILE] [--seed N] "
             "[--out DIR | --stats FILE] "
             "[--tlm=auto|always|checked] [--threads N] [--gdb PORT] [--check-memory] [--check-races] [--check-tx] "
             "[--profile] " RUN_CHECKPOINT_USAGE
             "[--sample SIZES] [--series INTERVAL [--statistic PATTERN]...] " TRACE_OPTION_USAGE " [--quiet]",
    .doc = "run an app on a machine, or a self-driven machine",
    .help =
        "  APP               name of an app, or path of a folder (with a slash or a dot in it)\n"
        "                    with host.so and kernel.elf, or with host.c and kernel.c, which are then compiled,\n"
        "                    or with an app.yaml that names an OpenCL program.\n"
        "                    Without it, self-driven blocks such as simt_core/traffic run until their\n"
        "                    work is done\n"
        "  --with APP        run this app at the same time on the same device, with queues and memory of its own; at\n"
        "                    most 3 of them. Its options are app2.NAME, those of the next one app3.NAME\n"
        "  --set PATH=VALUE  override a value of the machine (core.warps=16) or of the app "
        "(app.n=4096)\n" MACHINE_FILE_PLUGIN_HELP "  --seed N          seed of the blocks' random streams (default 1)\n"
        "  --firmware FILE   what the host CPU runs, any ELF file for RV64: in place of the app's firmware, or without "
        "an app\n"
        "  --out DIR         write the results to DIR/stats.json\n"
        "  --stats FILE      write the results to FILE\n"
        "  --tlm=always      make real TLM transport calls on every link; the results are the same\n"
        "  --tlm=checked     the same, and check memory links for violations of the TLM-2.0 base protocol\n"
        "  --threads N       simulate with N threads (default 1); the results are the same\n"
        "  --gdb PORT        wait for gdb: at PORT for firmware, at the next one for kernels; 0: any that are free\n"
        "  --check-memory    check that kernels stay within allocations and read what was written; a mistake ends the "
        "run\n"
        "  --check-races     check that something orders accesses of different threads; a race ends the run\n"
        "  --check-tx        check that committed transactions are serialisable; a violation ends the run\n"
        "  --profile         also count by program location; 'heddle profile' shows the counts by source "
        "line\n" SAMPLE_OPTION_HELP
        "  --series INTERVAL  write statistics per interval, such as '2 us' or '1000 cycles' of the\n"
        "                    cores, to DIR/series.csv, or beside FILE\n"
        "  --statistic PATTERN  statistics of the series: BLOCK.NAME, or BLOCK[0].NAME and BLOCK[*].NAME for "
        "instances, with *, ?\n"
        "                    and [...] (default: every BLOCK.NAME)\n" TRACE_OPTION_HELP RUN_CHECKPOINT_HELP
        "  --quiet           no summary and no progress line\n"
        "\n"
        "Exit code: 0 the app says PASS, or all work is done; 1 it says FAIL, or a program fault or hang; 2 bad "
        "usage or configuration;\n"
        "130 interrupted; 143 and 129 likewise, by SIGTERM and SIGHUP. A second signal ends it at once, also where a "
        "plug-in never "
        "returns.\n",
    .run = run,
};
