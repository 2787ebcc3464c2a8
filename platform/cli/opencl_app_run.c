/* SPDX-License-Identifier: MIT */
#include "opencl_app_run.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "app_declaration.h"
#include "device_results.h"
#include "device_run.h"
#include "interrupt.h"
#include "opencl_loader.h"
#include "results.h"
#include "temporary_file.h"
#include "text.h"

typedef struct app_run {
    const run_setup *setup;
    arena memory;
    hd_app_declaration declared;
    machine_file machine;
    device_run run;
} app_run;

int opencl_app_is_asked_for(const run_setup *setup)
{
    for (uint32_t i = 0; i < setup->apps.count; i++)
        if (hd_opencl_app_is_at(setup->apps.items[i].folder))
            return 1;
    return 0;
}

/* ---- Before ------------------------------------------------------------------------------------------------------------ */

/* An option that looks into a run from inside, which belongs to the program; NULL: none is given. */
static const char *unavailable(const run_setup *setup)
{
    const struct {
        const char *option;
        int is_given;
    } options[] = {
        {"--with", setup->apps.count > 1},
        {"--firmware", setup->machine.firmware != NULL},
        {"--tlm", setup->machine.tlm.always},
        {"--gdb", setup->has_gdb},
        {"--check-tx", setup->machine.check_transactions},
        {"--profile", setup->machine.profile},
        {"--series", setup->machine.series != NULL},
        {"--trace", setup->trace.recorder.perfetto || setup->trace.recorder.vcd},
    };
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (options[i].is_given)
            return options[i].option;
    return NULL;
}

static const char **copy_of(const char *const *texts, size_t count)
{
    const char **copy = calloc(count + 1, sizeof *copy);
    if (!copy)
        abort();
    memcpy(copy, texts, count * sizeof *copy);
    return copy;
}

/* The machine is checked here, and not by the program in the middle of its work. */
static int open_machine(app_run *at)
{
    const run_setup *setup = at->setup;
    at->machine = (machine_file){.sets = copy_of(setup->overrides, setup->machine.override_count),
                                 .set_count = setup->machine.override_count,
                                 .paths = copy_of(setup->file.paths, setup->file.path_count),
                                 .path_count = setup->file.path_count};
    return machine_file_open(&at->machine, setup->machine.netlist) ? HD_EXIT_PASS : HD_EXIT_USAGE;
}

/* What is wrong with app.yaml was said when its options were read. */
static int read_app(app_run *at)
{
    const run_setup *setup = at->setup;
    const run_app *app = &setup->apps.items[0];
    diagnostics log = {.out = stderr};
    if (!hd_app_declaration_read(&at->declared, &at->memory, &log, app->folder) || !at->declared.opencl)
        return HD_EXIT_USAGE;
    const hd_opencl_app *program = at->declared.opencl;
    at->run =
        (device_run){.prefix = OPENCL_PREFIX,
                     .machine_name = setup->machine.netlist,
                     .machine = &at->machine,
                     .seed = arena_format(&at->memory, "%" PRIu64, setup->machine.seed),
                     .threads = arena_format(&at->memory, "%u", setup->machine.tlm.threads),
                     .checks_memory = (int)setup->machine.check_memory,
                     .checks_races = (int)setup->machine.check_races,
                     .stats = setup->stats_path,
                     .process = {.words = hd_opencl_app_words(&at->memory, program, app->read.inputs, app->read.count),
                                 .folder = app->folder,
                                 .awaited = program->prints,
                                 .timeout = program->timeout,
                                 .leads = 1}};
    return HD_EXIT_PASS;
}

/* ---- After ------------------------------------------------------------------------------------------------------------- */

/* Why the program itself says that it failed; NULL: it does not. */
static const char *complaint(app_run *at)
{
    const hd_opencl_app *program = at->declared.opencl;
    const device_process *process = &at->run.process;
    if (process->code != (int)program->exit_code)
        return arena_format(&at->memory, "%s ended with exit code %d", process->words[0], process->code);
    if (!process->has_printed)
        return arena_format(&at->memory, "%s did not print '%s'", process->words[0], program->prints);
    return NULL;
}

static json_t *options_json(const hd_host_option *options, uint32_t count)
{
    json_t *object = json_object();
    for (uint32_t i = 0; i < count; i++) {
        uint64_t number;
        const int is_number = hd_host_number(options[i].value, &number) && number <= INT64_MAX;
        json_object_set_new(object, options[i].name,
                            is_number ? json_integer((json_int_t)number) : json_string(options[i].value));
    }
    return object;
}

/* A machine that has stopped says why; else the program decides. */
static void judge(app_run *at, json_t *results)
{
    const run_app *app = &at->setup->apps.items[0];
    const char *status = json_string_value(json_object_get(results, "status"));
    if (status && !strcmp(status, "embedded")) {
        const char *why = complaint(at);
        json_object_set_new(results, "status", json_string(why ? "fail" : "pass"));
        json_object_set_new(results, "message", json_string(why ? why : ""));
    }
    json_t *about = json_object_get(results, "app");
    json_object_set_new(about, "name", json_string(at->declared.name));
    json_object_set_new(about, "options", options_json(app->read.given, app->read.given_count));
    json_object_set_new(about, "inputs", options_json(app->read.inputs, app->read.count));
}

static int write_results(const app_run *at, const json_t *results)
{
    char *error;
    if (!at->run.stats)
        return HD_EXIT_PASS;
    char *text = json_dumps(results, JSON_SORT_KEYS | JSON_INDENT(1));
    char *whole = text ? hd_text_format("%s\n", text) : NULL;
    if (!whole)
        abort();
    const int is_written = (int)hd_results_text_write(at->run.stats, whole, &error);
    free(whole);
    free(text);
    if (is_written)
        return HD_EXIT_PASS;
    fputs(error, stderr);
    free(error);
    return HD_EXIT_USAGE;
}

static int conclude_with_results(app_run *at, json_t *results)
{
    judge(at, results);
    const char *status = json_string_value(json_object_get(results, "status"));
    const char *message = json_string_value(json_object_get(results, "message"));
    const int is_pass = !strcmp(status, "pass");
    if (!at->setup->quiet)
        printf("%s  %s on %s\n", is_pass ? "PASS" : "FAIL", at->declared.name, at->machine.netlist->name);
    if (!is_pass && message && *message)
        fprintf(stderr, "error: %s\n", message);
    if (!at->setup->quiet)
        device_results_show(at->run.results, stdout);
    const int code = write_results(at, results);
    return code ? code : is_pass ? HD_EXIT_PASS : HD_EXIT_FAIL;
}

/* It has not used the device, or did not live to say so. */
static int conclude_without(const app_run *at)
{
    const device_process *process = &at->run.process;
    device_run_print_ending(&at->run);
    if (interrupt_is_requested())
        return interrupt_exit_code();
    if (process->is_late)
        return HD_EXIT_FAIL;
    if (process->signal)
        return process->code;
    fprintf(stderr, "error: %s ended with exit code %d and has not opened an OpenCL device\n", process->words[0],
            process->code);
    return HD_EXIT_FAIL;
}

static int conclude(app_run *at)
{
    json_t *results = interrupt_is_requested() ? NULL : json_load_file(at->run.results, 0, NULL);
    const int code = results ? conclude_with_results(at, results) : conclude_without(at);
    json_decref(results);
    temporary_file_remove(at->run.results);
    return code;
}

int opencl_app_run(const run_setup *setup)
{
    app_run at = {.setup = setup};
    const char *option = unavailable(setup);
    int code = HD_EXIT_USAGE;
    if (option)
        hd_usage_error(NULL, NULL, 0, "%s cannot be used with app %s: it is an OpenCL program", option,
                       setup->apps.items[0].folder);
    else if (!read_app(&at) && !open_machine(&at) && !run_setup_check_outputs(setup) && !opencl_loader_set() &&
             !device_run_program(&at.run))
        code = conclude(&at);
    machine_file_close(&at.machine);
    arena_free(&at.memory);
    return code;
}
