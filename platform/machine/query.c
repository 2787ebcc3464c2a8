/* SPDX-License-Identifier: MIT */
#include "beside.h"

#include <stdio.h>
#include <string.h>

#include "program.h"
#include "program_check.h"
#include "sampling.h"
#include "transactions_check.h"

void machine_place(const hd_machine *machine, uint32_t module, uint32_t pc, char *text, size_t bytes)
{
    const isa_program *program = hd_program_registry_find(machine->programs, module);
    if (program)
        isa_program_place(program, pc, text, bytes);
    else
        snprintf(text, bytes, "0x%x", pc);
}

uint32_t hd_machine_outcome(const hd_machine *machine)
{
    return machine->outcome;
}

const char *hd_machine_message(const hd_machine *machine)
{
    return machine->message ? machine->message : "";
}

hd_time hd_machine_time(const hd_machine *machine)
{
    hd_time ended = HD_NEVER;
    if (machine->has_app)
        ended = machine->progress->ended(machine->host);
    else if (machine->outcome == HD_OUTCOME_PASS && machine->message)
        ended = hd_engine_progress(machine->engine);
    return ended < machine->time ? ended : machine->time;
}

hd_time hd_machine_stands_at(const hd_machine *machine)
{
    return machine->time;
}

void hd_machine_results(const hd_machine *machine, hd_results *results)
{
    *results = (hd_results){.statistics = machine->statistics,
                            .app = machine->app.name,
                            .options = machine->options,
                            .option_count = machine->option_count,
                            .partial = machine->outcome > HD_OUTCOME_ERROR,
                            .seed = machine->seed,
                            .status = hd_outcome_name(machine->outcome),
                            .message = hd_machine_message(machine),
                            .checks = transactions_check_counts(machine->check),
                            .memory_checks = program_check_memory(machine->program_check),
                            .race_checks = program_check_races(machine->program_check),
                            .sampling = sampling_results(machine->sampling),
                            .profile = machine->shows_profile ? machine->profile : NULL,
                            .counted = machine->profile,
                            .simulated = hd_machine_time(machine)};
    if (!machine->has_app && !machine->driver)
        return;
    results->launches = machine->progress->launches(machine->host, &results->launch_count);
    results->reports = machine->progress->reports(machine->host, &results->report_count);
    results->app_count = beside_results(machine, results->apps);
    for (uint32_t i = 0; results->app_count && i < HD_QUEUES_MAX; i++)
        results->queue_apps[i] = beside_owner(machine, i);
}

const char *hd_machine_series(const hd_machine *machine)
{
    return machine->series ? hd_series_text(machine->series) : NULL;
}

const netlist *hd_machine_netlist(const hd_machine *machine)
{
    return machine->netlist;
}

const struct isa_program *hd_machine_kernels(const hd_machine *machine)
{
    return hd_program_registry_find(machine->programs, machine->module);
}

hd_engine *hd_machine_engine(hd_machine *machine)
{
    return machine->engine;
}

const struct hd_statistics *hd_machine_statistics(const hd_machine *machine)
{
    return machine->statistics;
}

const hd_host_launch *hd_machine_launches(const hd_machine *machine, uint32_t *count)
{
    return machine->progress->launches(machine->host, count);
}

struct host_driver *hd_machine_driver(hd_machine *machine)
{
    return machine->driver;
}

struct hd_program_registry *hd_machine_programs(hd_machine *machine)
{
    return machine->programs;
}

void hd_machine_update(hd_machine *machine)
{
    hd_statistics_update(machine->statistics, machine->time);
}

uint64_t hd_machine_transport_calls(const hd_machine *machine)
{
    return machine->systemc ? hd_tlm_transport_calls(machine->systemc) : 0;
}

uint64_t hd_machine_monitored_calls(const hd_machine *machine)
{
    return machine->systemc ? hd_tlm_monitored_calls(machine->systemc) : 0;
}

const char *hd_machine_tlm_name(const hd_tlm_options *options)
{
    return options->checked ? "checked" : options->always ? "always" : "auto";
}

uint64_t hd_machine_count(hd_machine *machine, const char *kind, const char *statistic)
{
    const hd_engine *engine = machine->engine;
    uint64_t sum = 0;
    for (uint32_t block = 0; block < hd_engine_block_count(engine); block++) {
        const hd_block_class *type = hd_engine_block_class(engine, block);
        for (uint32_t i = 0; i < type->statistic_count && !strcmp(type->kind, kind); i++)
            if (!strcmp(type->statistics[i].name, statistic))
                sum += hd_engine_counters(engine, block)[i];
    }
    return sum;
}
