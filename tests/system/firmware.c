/* SPDX-License-Identifier: MIT */
/* Host programs natively, as firmware and embedding the library: every app passes, and the device cannot tell the difference. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "machine_run.h"
#include "process.h"
#include "stats.h"
#include "test_inputs.h"

static machine_run run_input(const char *machine, const test_input *input)
{
    const char *sets[INPUT_OPTIONS_MAX + 1] = {0};
    for (size_t i = 0; i < input->option_count; i++)
        sets[i] = input->options[i];
    char *app = path_in(HEDDLE_APPS, input->app);
    machine_run run = run_machine(&(run_request){.netlist = machine, .app = app, .sets = sets});
    cr_expect(run.outcome == HD_OUTCOME_PASS && !run.was_refused, "%s %s on %s: %s", input->app, input->options[0],
              machine, run.message);
    free(app);
    return run;
}

/* How often the host looks whether the kernel is complete is its own matter. */
static void forget_host_side(json_t *statistics)
{
    static const char *const blocks[] = {"host", "cpu", "bus", "timer", "interrupts", "uart", "exit"};
    json_t *processor = json_object_get(statistics, "command_processor");
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        json_object_del(statistics, blocks[i]);
    json_object_del(processor, "register_accesses");
    json_object_del(processor, "max_host_requests");
}

/* Of every kernel what does not depend on when it began, and the statistics of the device. */
static json_t *kernels_of(const machine_run *run)
{
    json_t *kernels = json_deep_copy(stats_at(run->results, "kernels")), *kernel;
    size_t i;
    json_array_foreach(kernels, i, kernel)
    {
        json_object_del(kernel, "begin_ps");
        json_object_del(kernel, "end_ps");
        forget_host_side(json_object_get(kernel, "statistics"));
    }
    return kernels;
}

/* The app as a program that embeds the library. */
static machine_run run_embedded(const char *machine, const test_input *input)
{
    char *folder = folder_new(), *stats = path_in(folder, "stats.json"), *app = path_in(HEDDLE_APPS, input->app);
    char *program = path_in(EMBEDDED_APPS, input->app);
    const char *words[2 * INPUT_OPTIONS_MAX + 6] = {program, machine, app, "--stats", stats};
    for (size_t i = 0; i < input->option_count; i++) {
        words[5 + 2 * i] = "--set";
        words[6 + 2 * i] = input->options[i];
    }
    finished process = heddle_wait(folder, program_start(folder, words));
    expect_code(&process, 0);
    expect_output(&process, "PASS");
    machine_run run = {.outcome = HD_OUTCOME_PASS, .results = stats_read(stats)};
    finished_free(&process);
    free(program);
    free(app);
    free(stats);
    folder_remove(folder);
    return run;
}

static void expect_same(const test_input *input, const char *host, const machine_run *native, const machine_run *other)
{
    if (native->was_refused || other->was_refused)
        return;
    json_t *of_native = kernels_of(native), *of_other = kernels_of(other);
    cr_expect_gt(json_array_size(of_native), 0);
    cr_expect(json_equal(of_native, of_other), "%s %s: its kernels differ on a host of kind %s", input->app,
              input->options[0], host);
    expect_same_stats(of_native, of_other);
    expect_same_stats(stats_at(native->results, "app/reports"), stats_at(other->results, "app/reports"));
    json_decref(of_native);
    json_decref(of_other);
}

static void expect_same_kernels(const test_input *input, const char *of_native_host, const char *of_firmware_host)
{
    machine_run native = run_input(of_native_host, input);
    machine_run firmware = run_input(of_firmware_host, input);
    machine_run embedded = run_embedded(of_native_host, input);
    expect_same(input, "firmware", &native, &firmware);
    expect_same(input, "embedded", &native, &embedded);
    if (!native.was_refused && !firmware.was_refused)
        expect_same_stats(stats_at(native.results, "app"), stats_at(firmware.results, "app"));
    run_free(&native);
    run_free(&firmware);
    run_free(&embedded);
}

static void expect_apps_alike(const char *of_native_host, const char *of_firmware_host)
{
    size_t count;
    test_input *inputs = test_inputs_read(&count);
    for (size_t i = 0; i < count; i++)
        if (!inputs[i].needs_independent_lanes)
            expect_same_kernels(&inputs[i], of_native_host, of_firmware_host);
    free(inputs);
}

Test(firmware, apps_pass_with_the_statistics_of_kernels_that_a_native_host_has)
{
    expect_apps_alike(SYSTEM_MACHINES "/small.yaml", SYSTEM_MACHINES "/firmware.yaml");
}

Test(firmware, apps_whose_copies_go_through_a_dma_engine_do_so_too)
{
    expect_apps_alike(SYSTEM_MACHINES "/dma.yaml", SYSTEM_MACHINES "/firmware_dma.yaml");
}

static void expect_embedded(const char *stats, const char *machine, const char *to, int code, const char *said)
{
    char *folder = folder_new();
    char *line = text_of("exec %s/vecadd %s %s/vecadd --set app.n=1 --stats %s %s", EMBEDDED_APPS, machine, HEDDLE_APPS,
                         stats, to);
    finished run = heddle_wait(folder, program_start(folder, (const char *const[]){"/bin/sh", "-c", line, NULL}));
    expect_code(&run, code);
    expect_error(&run, said);
    finished_free(&run);
    free(line);
    folder_remove(folder);
}

Test(firmware, results_of_programs_that_embed_arrive_or_the_exit_code_says_so)
{
    char *folder = folder_new(), *machine = path_in(folder, "m.yaml"), *stats = path_in(folder, "r.json");
    const char text[] = "heddle: 1\nname: mine\nextends: " SYSTEM_MACHINES "/small.yaml\n";
    file_write(machine, text, sizeof text - 1);
    expect_embedded("/dev/full", machine, "", 1, "results cannot be written to /dev/full: No space left on device");
    expect_embedded("/nowhere/r.json", machine, "", 1, "results cannot be written to /nowhere/r.json: No such file");
    expect_embedded(stats, machine, ">/dev/full", 1, "standard output: ");
    expect_embedded(machine, machine, "", 2, "--stats: it is one of the files that are read");
    char *kept = file_read(machine, NULL), *left = folder_list(folder);
    cr_expect_str_eq(kept, text);
    cr_expect_str_eq(left, "m.yaml r.json ");
    free(left);
    free(kept);
    free(stats);
    free(machine);
    folder_remove(folder);
}
