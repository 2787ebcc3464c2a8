/* SPDX-License-Identifier: MIT */
#include "machine_internal.h"

#include <stdlib.h>
#include <string.h>

#include "beside.h"
#include "host_side.h"
#include "machine_state.h"
#include "program_check.h"
#include "program_names.h"
#include "refusals.h"
#include "registry.h"
#include "sampling.h"
#include "simulation.h"
#include "temporary_file.h"
#include "transactions_check.h"
#include "windows.h"

static uint32_t load_netlist(hd_machine *machine, const hd_machine_setup *setup, char **error)
{
    netlist_registry built_in = hd_builtin_classes();
    machine->classes = calloc(built_in.count + setup->more.count, sizeof *machine->classes);
    if (!machine->classes)
        abort();
    for (size_t i = 0; i < built_in.count; i++)
        machine->classes[i] = built_in.classes[i];
    for (size_t i = 0; i < setup->more.count; i++)
        machine->classes[built_in.count + i] = setup->more.classes[i];
    netlist_registry all = {.classes = machine->classes, .count = built_in.count + setup->more.count};
    machine->plugins = hd_plugins_create(all, setup->plugins, setup->plugin_count);
    machine->netlist = netlist_load(setup->netlist, hd_plugins_registry(machine->plugins), setup->overrides,
                                    setup->override_count, error);
    return machine->netlist != NULL;
}

/* Engine numbers count the instances that are ours; netlist endpoints count all. */
static void number_endpoints(hd_machine *machine)
{
    const netlist *list = machine->netlist;
    uint32_t next = 0;
    machine->endpoints = calloc(list->endpoint_count + 1, sizeof *machine->endpoints);
    if (!machine->endpoints)
        abort();
    for (uint32_t block = 0; block < list->block_count; block++)
        for (uint32_t i = 0; i < list->blocks[block].count; i++)
            machine->endpoints[list->blocks[block].first_endpoint + i] =
                list->blocks[block].block_class->create ? next++ : HD_FOREIGN;
}

/* "sub/hello.elf" is hello: what there is of an app. */
static void name_firmware(hd_machine *machine, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *end = strrchr(name, '.');
    machine->app.name = hd_text_format("%.*s", (int)(end && end > name ? (size_t)(end - name) : strlen(name)), name);
}

static uint32_t load_programs(hd_machine *machine, const hd_machine_setup *setup, char **error)
{
    char refusal[512];
    if (!hd_app_open(&machine->app, setup->app, error))
        return 0;
    machine->module =
        hd_program_registry_load(machine->programs, machine->app.elf, machine->app.elf_bytes, refusal, sizeof refusal);
    if (machine->module != HD_NO_MODULE)
        return 1;
    *error = hd_text_format("error: kernels %s: %s\n", machine->app.elf_path, refusal);
    return 0;
}

/* The app's, or firmware that is there by itself: then there are no kernels but those that it brings. */
static uint32_t open_programs(hd_machine *machine, const hd_machine_setup *setup, char **error)
{
    if (!setup->app && !setup->firmware)
        return 1;
    if (!host_side_find(machine, error))
        return 0;
    if (!setup->app)
        name_firmware(machine, setup->firmware);
    return (!setup->app || load_programs(machine, setup, error)) && host_side_open(machine, setup, error) &&
           beside_open(machine, setup, error);
}

/* An app, a block that makes work of its own, or both. Launches align an idle device, which the latter never is. */
static uint32_t find_work(hd_machine *machine, const hd_machine_setup *setup, char **error)
{
    const netlist *list = machine->netlist;
    const netlist_block *driven = netlist_self_driven(list);
    if (setup->built_only || setup->guest)
        return 1;
    if (setup->with_count && !setup->app) {
        *error = hd_text_format("error: an app runs beside another: there is none\n");
        return 0;
    }
    if (setup->driven)
        return host_side_find_native(machine, error);
    if (!setup->app && !setup->firmware && !driven)
        *error = hd_text_format("error: %s: no app is given, and no block of the machine makes work of its own, as "
                                "simt_core/traffic does\n",
                                list->file);
    else if (setup->app && driven && list->launch_align)
        *error =
            hd_text_format("error: %s: '%s' (%s/%s) makes work of its own, so that no launch finds the device idle: "
                           "run it without the app, or with launch_align=false\n",
                           list->file, driven->name, driven->block_class->kind, driven->block_class->type);
    else
        return open_programs(machine, setup, error);
    return 0;
}

static void on_log(void *context, uint32_t block, uint32_t severity, hd_time t, const char *text)
{
    hd_machine *machine = context;
    const char *name = block == HD_NO_BLOCK ? NULL : hd_engine_block_name(machine->engine, block);
    if (machine->log && severity != HD_LOG_PROGRAM)
        machine->log(machine->print_context, severity, t, name, text);
    const uint32_t is_told = severity >= HD_LOG_WARNING || (severity == HD_LOG_INFO && block == HD_NO_BLOCK);
    if (!is_told || !machine->print || (machine->log && severity != HD_LOG_PROGRAM))
        return;
    if (severity == HD_LOG_PROGRAM) {
        machine->print(machine->print_context, text);
        return;
    }
    char *line = hd_text_format("%s: %s at %llu ps: %s", severity == HD_LOG_INFO ? "info" : "warning",
                                name ? name : "SystemC", (unsigned long long)t, text);
    machine->print(machine->print_context, line);
    free(line);
}

static void notify_kernel(const hd_machine *machine, uint64_t launch, uint32_t begins, hd_time t)
{
    uint32_t count = 0;
    const hd_host_launch *launches = machine->progress ? machine->progress->launches(machine->host, &count) : NULL;
    if (!machine->kernel)
        return;
    char *name = launch < count ? beside_kernel_name(machine, &launches[launch]) : NULL;
    machine->kernel(machine->kernel_context, (uint32_t)launch, name ? name : "kernel", begins, t);
    free(name);
}

static void on_rendezvous(void *context, hd_time t, uint32_t what, uint64_t argument)
{
    hd_machine *machine = context;
    if (what & HD_RENDEZVOUS_KERNEL_END) {
        hd_statistics_kernel_end(machine->statistics, (uint32_t)argument, t);
        machine_state_kernel_end(machine);
        sampling_kernel(machine->sampling, 0, t);
        transactions_check_end(machine->check, t);
        program_check_kernel_end(machine->program_check, t);
        notify_kernel(machine, argument, 0, t);
    }
    if (what & HD_RENDEZVOUS_KERNEL_BEGIN) {
        hd_statistics_kernel_begin(machine->statistics, (uint32_t)argument, t);
        sampling_kernel(machine->sampling, 1, t);
        transactions_check_begin(machine->check);
        notify_kernel(machine, argument, 1, t);
    }
}

static void on_sent(void *context, uint32_t block, uint32_t port, uint32_t element, const hd_packet *packet, hd_time t)
{
    const hd_machine *machine = context;
    machine->sent(machine->sent_context, block, port, element, packet, t);
}

/* endpoint: the engine's number. */
static uint32_t bus_windows(void *context, uint32_t endpoint, uint32_t port, hd_bus_window *windows, uint32_t capacity)
{
    const hd_machine *machine = context;
    const netlist *list = machine->netlist;
    for (uint32_t block = 0; block < list->block_count; block++)
        for (uint32_t i = 0; i < list->blocks[block].count; i++)
            if (machine->endpoints[list->blocks[block].first_endpoint + i] == endpoint)
                return netlist_bus_map(list, block, i, port, windows, capacity);
    return 0;
}

/* 0: the machine has no memory partitions. */
static uint32_t make_address_map(hd_machine *machine)
{
    const netlist_address_map *map = &machine->netlist->address_map;
    if (map->block == NETLIST_NONE)
        return 0;
    const netlist_block *partitions = &machine->netlist->blocks[map->block];
    hd_index_hash_init(&machine->partition_hash, map->hash, partitions->count);
    machine->address_map = (hd_address_map){.partitions = partitions->count,
                                            .interleave_bytes = map->interleave_bytes,
                                            .endpoints = machine->endpoints + partitions->first_endpoint,
                                            .sub_partitions = map->sub_partitions,
                                            .sub_interleave_bytes = map->sub_interleave_bytes,
                                            .hash = machine->partition_hash.bits ? &machine->partition_hash : NULL,
                                            .memory_end = netlist_memory_end(machine->netlist)};
    return 1;
}

/* refusal: of blocks, or NULL. */
static char *cannot_be_built(const hd_machine *machine, const char *refusal)
{
    const char *failure = machine->foreign ? hd_foreign_modules_failure(machine->foreign) : NULL;
    const char *why = failure ? failure : refusal ? refusal : "";
    char *placed = failure ? NULL : refusals_at_their_blocks(machine->netlist, why);
    if (placed)
        return placed;
    return hd_text_format("error: %s: the machine cannot be built\n%s%s", machine->netlist->file, why,
                          *why && why[strlen(why) - 1] == '\n' ? "" : "\n");
}

/* Checks that were asked for listen to the machine; their extensions go to `provide`. 0 and *error: it cannot be checked. */
static uint32_t add_checks(hd_machine *machine, const hd_machine_setup *setup, ordering_taps *taps,
                           hd_tlm_extension *provide, char **error)
{
    const uint32_t checks_program = setup->check_memory || setup->check_races;
    if (!setup->check_transactions && !checks_program)
        return 1;
    const ordering_points points = ordering_points_find(machine);
    if (setup->check_transactions) {
        machine->check = transactions_check_create(machine, &points, taps);
        *provide++ = transactions_check_extension(machine->check);
    }
    if (checks_program)
        machine->program_check = program_check_create(machine, setup, &points, taps, error);
    if (machine->program_check)
        *provide = program_check_extension(machine->program_check);
    free(points.taps);
    return !checks_program || machine->program_check;
}

static const char *path_of_file(void *context, const char *text)
{
    return netlist_program_path(context, text);
}

static void *note_temporary_file(void *context, const char *path)
{
    (void)context;
    return temporary_file_note(path);
}

static void forget_temporary_file(void *context, void *noted)
{
    (void)context;
    temporary_file_keep(noted);
}

static const hd_temporary_files temporary_files = {.note = note_temporary_file, .forget = forget_temporary_file};

static uint32_t build(hd_machine *machine, const hd_machine_setup *setup, char **error)
{
    hd_tlm_extension provide[11] = {
        {.id = HD_EXTENSION_PROGRAMS, .pointer = hd_program_registry_extension(machine->programs)},
        {.id = HD_EXTENSION_BUS_MAP, .pointer = &machine->bus_map},
        {.id = HD_EXTENSION_FILES, .pointer = &machine->files},
        {.id = HD_EXTENSION_TEMPORARY_FILES, .pointer = &temporary_files}};
    hd_tlm_extension *more = &provide[4];
    machine->files = (hd_files){.context = &machine->file_names, .path = path_of_file};
    machine->bus_map = (hd_bus_map){.context = machine, .windows = bus_windows};
    machine->interruption = (hd_interruption){.context = setup->context, .is_requested = setup->is_interrupted};
    if (setup->is_interrupted)
        *more++ = (hd_tlm_extension){.id = HD_EXTENSION_INTERRUPTION, .pointer = &machine->interruption};
    if (machine->host_programs)
        *more++ = (hd_tlm_extension){.id = HD_EXTENSION_HOST_PROGRAMS, .pointer = &machine->host_programs};
    if (make_address_map(machine))
        *more++ = (hd_tlm_extension){.id = HD_EXTENSION_ADDRESS_MAP, .pointer = &machine->address_map};
    if (machine->sampling)
        *more++ = sampling_extension(machine->sampling);
    const hd_observer observer = {.context = machine,
                                  .log = on_log,
                                  .rendezvous = on_rendezvous,
                                  .sent = machine->sent ? on_sent : NULL,
                                  .tracer = setup->tracer};
    char *refusal = NULL;
    uint32_t is_built = 0;
    hd_tlm_options tlm = setup->tlm;
    tlm.is_interrupted = setup->is_interrupted;
    tlm.interrupt_context = setup->context;
    tlm.is_over = run_is_over;
    tlm.program_context = machine;
    ordering_taps taps = {0};
    if (add_checks(machine, setup, &taps, more, error)) {
        tlm.taps = taps.taps;
        tlm.tap_count = taps.count;
        is_built = simulation_create(machine, &tlm, provide, &observer, &refusal);
        if (!is_built)
            *error = cannot_be_built(machine, refusal);
    }
    free(taps.taps);
    free(refusal);
    return is_built;
}

/* What is watched only if somebody asks. */
static uint32_t observe(hd_machine *machine, const hd_machine_setup *setup, char **error)
{
    hd_engine *engine = machine->engine;
    if (setup->series)
        machine->series = hd_series_create(machine->netlist, engine, machine->endpoints, setup->series, error);
    if (setup->series && !machine->series)
        return 0;
    machine->shows_profile = setup->profile;
    if (setup->profile && setup->driven && hd_machine_can_profile(machine))
        return 1;
    if ((setup->profile || machine->beside_count) && machine->module != HD_NO_MODULE)
        machine->profile = beside_profile(machine);
    if (!setup->profile || machine->profile)
        return 1;
    *error = hd_text_format("error: %s: no block of the machine can count by place in a program, as cores do%s\n",
                            machine->netlist->file, setup->app ? "" : ", and there is no app");
    return 0;
}

static uint32_t start(hd_machine *machine, const hd_machine_setup *setup, char **error)
{
    hd_engine *engine = machine->engine;
    if (!beside_check(machine, error) || (machine->sampling && !sampling_bind(machine->sampling, machine, error)))
        return 0;
    if (machine->has_app)
        host_side_prepare(machine, setup);
    if (setup->driven && !host_side_drive(machine, error))
        return 0;
    machine_state_prepare(machine, setup);
    hd_engine_reset(engine, setup->seed);
    machine->statistics = hd_statistics_create(machine->netlist, engine, machine->endpoints);
    if (!observe(machine, setup, error))
        return 0;
    return (!machine->has_app || host_side_start(machine, error)) && machine_state_begin(machine, setup, error);
}

hd_machine *hd_machine_open(const hd_machine_setup *setup, char **error)
{
    hd_machine *machine = calloc(1, sizeof *machine);
    if (!machine)
        abort();
    *error = NULL;
    machine->options = setup->options;
    machine->option_count = setup->option_count;
    machine->seed = setup->seed;
    machine->print = setup->print;
    machine->log = setup->log;
    machine->print_context = setup->context;
    machine->sent = setup->sent;
    machine->sent_context = setup->sent_context;
    machine->kernel = setup->kernel;
    machine->kernel_context = setup->kernel_context;
    machine->module = HD_NO_MODULE;
    if (setup->sampling && (*error = sampling_refuse_setup(setup)) != NULL)
        goto failed;
    machine->sampling = setup->sampling ? sampling_create(setup->sampling, setup->seed) : NULL;
    machine->outcome = setup->driven || setup->guest || setup->stepped ? HD_OUTCOME_GOING : HD_OUTCOME_PASS;
    machine->programs = hd_program_registry_create();
    if (!machine->programs)
        abort();
    if (!load_netlist(machine, setup, error))
        goto failed;
    machine->limit = machine->netlist->limit;
    number_endpoints(machine);
    if (find_work(machine, setup, error) && build(machine, setup, error) && start(machine, setup, error))
        return machine;
failed:
    hd_machine_close(machine);
    return NULL;
}

void hd_machine_close(hd_machine *machine)
{
    if (!machine)
        return;
    host_side_leave(machine);
    simulation_destroy(machine);
    hd_foreign_modules_destroy(machine->foreign);
    hd_statistics_destroy(machine->statistics);
    hd_program_profile_destroy(machine->profile);
    hd_program_profile_destroy(machine->hot_places);
    hd_series_destroy(machine->series);
    sampling_destroy(machine->sampling);
    transactions_check_destroy(machine->check);
    program_check_destroy(machine->program_check);
    hd_program_registry_destroy(machine->programs);
    hd_app_close(&machine->app);
    beside_close(machine);
    host_side_close(machine);
    netlist_free(machine->netlist);
    arena_free(&machine->file_names);
    hd_plugins_destroy(machine->plugins);
    free(machine->endpoints);
    free(machine->classes);
    free(machine->message);
    free(machine);
}
