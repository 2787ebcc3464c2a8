/* SPDX-License-Identifier: MIT */
#include "beside.h"

#include <stdlib.h>
#include <string.h>

#include "hd_address.h"
#include "host_side.h"
#include "move.h"

/* Behind each program: as much as machines that put code into programs (models/isa/rewrite.h) may take. */
#define ROOM_BYTES (UINT32_C(1) << 20)

static const isa_program *program_of(const hd_machine *machine, uint32_t app)
{
    return hd_program_registry_find(machine->programs, app ? machine->beside[app - 1].module : machine->module);
}

static const char *app_name(const hd_machine *machine, uint32_t app)
{
    return app ? machine->beside[app - 1].app.name : machine->app.name;
}

static uint64_t end_of(const isa_program *program)
{
    uint64_t end = HD_GLOBAL_BASE;
    for (uint32_t i = 0; i < program->segment_count; i++) {
        const uint64_t behind = (uint64_t)program->segments[i].address + program->segments[i].memory_bytes;
        end = behind > end ? behind : end;
    }
    return end;
}

/* ---- Opening --------------------------------------------------------------------------------------------------------- */

/* The first page behind the program, with room. */
static uint64_t place_behind(const isa_program *program)
{
    return (end_of(program) + ROOM_BYTES + ISA_MOVE_PAGE_BYTES - 1) / ISA_MOVE_PAGE_BYTES * ISA_MOVE_PAGE_BYTES;
}

static char *cannot_move(const machine_app *added, const char *why)
{
    return hd_text_format("error: app '%s' cannot run beside another: %s: %s\n", added->app.name, added->app.elf_path,
                          why);
}

static uint32_t load(hd_machine *machine, machine_app *added, char **error)
{
    char refusal[512];
    const uint64_t place = place_behind(program_of(machine, machine->beside_count));
    if (place > UINT32_MAX - ROOM_BYTES) {
        *error = cannot_move(added, "there is no room behind the kernels of the others");
        return 0;
    }
    added->moved = (uint32_t)place - HD_GLOBAL_BASE;
    if (isa_move(added->app.elf, added->app.elf_bytes, added->moved, refusal, sizeof refusal)) {
        *error = cannot_move(added, refusal);
        return 0;
    }
    added->module =
        hd_program_registry_load(machine->programs, added->app.elf, added->app.elf_bytes, refusal, sizeof refusal);
    if (added->module == HD_NO_MODULE)
        *error = hd_text_format("error: kernels %s: %s\n", added->app.elf_path, refusal);
    return added->module != HD_NO_MODULE;
}

const char *hd_machine_kernels_beside(const hd_machine *machine, uint32_t app, uint32_t *moved)
{
    if (app >= machine->beside_count)
        return NULL;
    *moved = machine->beside[app].moved;
    return machine->beside[app].app.elf_path;
}

static uint32_t is_open(const hd_machine *machine, const void *library)
{
    uint32_t found = machine->app.library == library;
    for (uint32_t i = 0; i < machine->beside_count; i++)
        found |= machine->beside[i].app.library == library;
    return found;
}

static void name_app(hd_machine *machine, machine_app *added)
{
    uint32_t again = 0;
    for (uint32_t i = 0; i <= machine->beside_count; i++)
        again |= !strcmp(app_name(machine, i), added->app.name);
    added->name = again ? hd_text_format("%s#%u", added->app.name, machine->beside_count + 2)
                        : hd_text_format("%s", added->app.name);
}

static uint32_t open_one(hd_machine *machine, const hd_machine_app *wanted, char **error)
{
    machine_app *added = &machine->beside[machine->beside_count];
    *added = (machine_app){.options = wanted->options, .option_count = wanted->option_count};
    if (!hd_app_open_movable(&added->app, wanted->folder, error) || !load(machine, added, error) ||
        !hd_app_open_library(&added->app, wanted->folder, error))
        return 0;
    if (is_open(machine, added->app.library) && !hd_app_open_library_again(&added->app, wanted->folder, error))
        return 0;
    name_app(machine, added);
    machine->beside_count++;
    return 1;
}

uint32_t beside_open(hd_machine *machine, const hd_machine_setup *setup, char **error)
{
    if (!setup->with_count)
        return 1;
    if (machine->has_firmware || machine->has_foreign_cpu) {
        *error =
            hd_text_format("error: %s: an app beside another needs a host of kind host_cpu, type native: firmware is "
                           "alone on its CPU\n",
                           machine->netlist->file);
        return 0;
    }
    if (setup->with_count >= HD_HOST_PROGRAMS_MAX) {
        *error = hd_text_format("error: %u apps beside the first: at most %u can be\n", setup->with_count,
                                HD_HOST_PROGRAMS_MAX - 1);
        return 0;
    }
    for (uint32_t i = 0; i < setup->with_count; i++)
        if (!open_one(machine, &setup->with[i], error)) {
            hd_app_close(&machine->beside[machine->beside_count].app);
            return 0;
        }
    machine->host_programs = 1 + machine->beside_count;
    return 1;
}

void beside_close(hd_machine *machine)
{
    for (uint32_t i = 0; i < machine->beside_count; i++) {
        hd_app_close(&machine->beside[i].app);
        free(machine->beside[i].name);
    }
}

void beside_leave(hd_machine *machine)
{
    for (uint32_t i = 0; i < machine->beside_count; i++)
        machine->beside[i].app.library = NULL;
}

uint32_t beside_check(const hd_machine *machine, char **error)
{
    for (uint32_t i = 0; i < machine->beside_count; i++) {
        const isa_program *behind = program_of(machine, i + 1);
        if (end_of(program_of(machine, i)) <= behind->segments[0].address)
            continue;
        *error =
            hd_text_format("error: %s: the machine puts so much code into the kernels of '%s' that they reach into "
                           "those of '%s'\n",
                           machine->netlist->file, beside_name(machine, i), beside_name(machine, i + 1));
        return 0;
    }
    return 1;
}

/* ---- Running --------------------------------------------------------------------------------------------------------- */

void beside_prepare(const hd_machine *machine, const hd_host_program *first)
{
    hd_host_program programs[HD_HOST_PROGRAMS_MAX] = {*first};
    for (uint32_t i = 0; i <= machine->beside_count; i++) {
        if (i) {
            const machine_app *added = &machine->beside[i - 1];
            programs[i] = *first;
            programs[i].entry = added->app.entry;
            programs[i].kernels = program_of(machine, i);
            programs[i].module = added->module;
            programs[i].options = added->options;
            programs[i].option_count = added->option_count;
        }
        programs[i].name = machine->beside_count ? beside_name(machine, i) : NULL;
    }
    hd_host_native_set_programs(machine->host, programs, 1 + machine->beside_count);
}

const char *beside_name(const hd_machine *machine, uint32_t app)
{
    return app ? machine->beside[app - 1].name : machine->app.name;
}

uint32_t beside_owner(const hd_machine *machine, uint32_t queue)
{
    return hd_host_native_owner(machine->host, queue);
}

char *beside_kernel_name(const hd_machine *machine, const hd_host_launch *launch)
{
    const uint32_t app = machine->beside_count ? beside_owner(machine, launch->queue) : UINT32_MAX;
    return app == UINT32_MAX ? hd_text_format("%s", launch->kernel)
                             : hd_text_format("%s/%s", beside_name(machine, app), launch->kernel);
}

/* ---- Results --------------------------------------------------------------------------------------------------------- */

hd_program_profile *beside_profile(hd_machine *machine)
{
    hd_profiled_program programs[HD_HOST_PROGRAMS_MAX];
    for (uint32_t i = 0; i <= machine->beside_count; i++)
        programs[i] = (hd_profiled_program){.program = program_of(machine, i),
                                            .app = machine->beside_count ? beside_name(machine, i) : NULL,
                                            .module = i ? machine->beside[i - 1].module : machine->module};
    return hd_program_profile_begin(machine->engine, programs, 1 + machine->beside_count);
}

static const char *status_name(uint32_t status)
{
    switch (status) {
    case HD_HOST_PASS: return hd_outcome_name(HD_OUTCOME_PASS);
    case HD_HOST_FAIL: return hd_outcome_name(HD_OUTCOME_FAIL);
    case HD_HOST_ERROR: return hd_outcome_name(HD_OUTCOME_ERROR);
    default: return "unfinished";
    }
}

uint32_t beside_results(const hd_machine *machine, hd_results_app *apps)
{
    for (uint32_t i = 0; machine->beside_count && i <= machine->beside_count; i++) {
        const hd_host_standing standing = hd_host_native_standing(machine->host, i);
        const machine_app *added = i ? &machine->beside[i - 1] : NULL;
        apps[i] = (hd_results_app){.name = beside_name(machine, i),
                                   .options = added ? added->options : machine->options,
                                   .option_count = added ? added->option_count : machine->option_count,
                                   .status = status_name(standing.status),
                                   .message = standing.message,
                                   .ended = standing.ended,
                                   .module = added ? added->module : machine->module,
                                   .reports = standing.reports,
                                   .report_count = standing.report_count};
    }
    return machine->beside_count ? 1 + machine->beside_count : 0;
}
