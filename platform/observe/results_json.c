/* SPDX-License-Identifier: MIT */
#include <jansson.h>

#include "energy_results.h"
#include "estimate.h"
#include "json_text.h"
#include "program_profile.h"
#include "results.h"

static json_t *values_json(const hd_block_class *type, const uint64_t *values)
{
    json_t *object = json_object();
    for (uint32_t i = 0; i < type->statistic_count; i++)
        json_object_set_new(object, type->statistics[i].name, hd_json_number(values[i]));
    return object;
}

/* The sums of energy stand beside the blocks, so that whoever reads values of blocks has them. */
static json_t *interval_json(const hd_statistics *statistics, const hd_energy_model *energy,
                             const hd_interval *interval)
{
    const netlist *machine = hd_statistics_netlist(statistics);
    json_t *object = json_object();
    for (uint32_t b = 0; b < machine->block_count; b++)
        json_object_set_new(object, machine->blocks[b].name,
                            values_json(machine->blocks[b].block_class, hd_statistics_block(statistics, interval, b)));
    if (energy->count) {
        const hd_energy_sums sums = hd_energy_of_interval(energy, statistics, interval);
        json_object_set_new(object, NETLIST_ENERGY_BLOCK, hd_energy_sums_json(&sums));
    }
    return object;
}

static json_t *block_json(const hd_statistics *statistics, uint32_t b)
{
    const netlist *machine = hd_statistics_netlist(statistics);
    const netlist_block *block = &machine->blocks[b];
    json_t *instances = json_array();
    for (uint32_t i = 0; i < block->count; i++) {
        const uint64_t *values = hd_statistics_instance(statistics, b, i);
        json_array_append_new(instances, values ? values_json(block->block_class, values) : json_null());
    }
    json_t *object = json_object();
    json_object_set_new(object, "kind", json_string(block->block_class->kind));
    json_object_set_new(object, "type", json_string(block->block_class->type));
    json_object_set_new(
        object, "total",
        values_json(block->block_class, hd_statistics_block(statistics, hd_statistics_run(statistics), b)));
    json_object_set_new(object, "instances", instances);
    return object;
}

static json_t *size_json(const uint32_t *size)
{
    return json_pack("[i, i, i]", (int)size[0], (int)size[1], (int)size[2]);
}

static json_t *energy_block_json(const hd_statistics *statistics, const hd_energy_model *energy)
{
    const hd_energy_sums sums = hd_energy_of_interval(energy, statistics, hd_statistics_run(statistics));
    return json_pack("{s:s, s:s, s:o, s:[]}", "kind", NETLIST_ENERGY_BLOCK, "type", energy->machine->energy->name,
                     "total", hd_energy_sums_json(&sums), "instances");
}

static json_t *kernel_json(const hd_results *results, const hd_energy_model *energy, const hd_interval *interval)
{
    json_t *object = json_object();
    json_object_set_new(object, "launch", json_integer(interval->launch));
    json_object_set_new(object, "begin_ps", hd_json_number(interval->begin));
    json_object_set_new(object, "end_ps", hd_json_number(interval->end));
    json_object_set_new(object, "complete", json_boolean(!interval->is_cut));
    if (!results->sampling)
        json_object_set_new(object, "statistics", interval_json(results->statistics, energy, interval));
    if (energy->count && !results->sampling)
        json_object_set_new(object, "energy", hd_energy_interval_json(energy, results->statistics, interval));
    if (interval->launch >= results->launch_count)
        return object;
    const hd_host_launch *launch = &results->launches[interval->launch];
    json_object_set_new(object, "kernel", hd_json_text(launch->kernel));
    const hd_results_app *app = hd_results_app_of(results, launch);
    if (app)
        json_object_set_new(object, "app", hd_json_text(app->name));
    json_object_set_new(object, "queue", json_integer(launch->queue));
    json_object_set_new(object, "grid", size_json(launch->grid_size));
    json_object_set_new(object, "block", size_json(launch->block_size));
    if (launch->complete && !results->sampling)
        json_object_set_new(object, "cycles", hd_json_number(launch->end_cycle - launch->start_cycle));
    return object;
}

/* Numbers as numbers, however they were written. */
static json_t *options_json(const hd_host_option *options, uint32_t count)
{
    json_t *object = json_object();
    uint64_t value;
    for (uint32_t i = 0; i < count; i++)
        hd_json_set(object, options[i].name,
                    hd_host_number(options[i].value, &value) ? hd_json_number(value) : hd_json_text(options[i].value));
    return object;
}

static json_t *reports_json(const hd_host_report *reports, uint32_t count)
{
    json_t *object = json_object();
    for (uint32_t i = 0; i < count; i++)
        hd_json_set(object, reports[i].name, hd_json_number(reports[i].value));
    return object;
}

/* One of several. */
static json_t *apps_json(const hd_results *results)
{
    json_t *all = json_array();
    for (uint32_t i = 0; i < results->app_count; i++) {
        const hd_results_app *app = &results->apps[i];
        json_t *object = json_object();
        json_t *counts = results->counted ? hd_program_profile_sums(results->counted, app->module) : NULL;
        json_object_set_new(object, "name", hd_json_text(app->name));
        json_object_set_new(object, "status", json_string(app->status));
        json_object_set_new(object, "message", hd_json_text(app->message));
        json_object_set_new(object, "ended_ps", app->ended == HD_NEVER ? json_null() : hd_json_number(app->ended));
        json_object_set_new(object, "cycles", hd_json_number(hd_results_app_cycles(results, i)));
        json_object_set_new(object, "options", options_json(app->options, app->option_count));
        json_object_set_new(object, "inputs", options_json(app->inputs, app->input_count));
        json_object_set_new(object, "reports", reports_json(app->reports, app->report_count));
        json_object_set_new(object, "statistics", counts ? counts : json_object());
        json_array_append_new(all, object);
    }
    return all;
}

static json_t *app_json(const hd_results *results)
{
    json_t *reports = reports_json(results->reports, results->report_count), *object = json_object();
    json_object_set_new(object, "name", results->app ? hd_json_text(results->app) : json_null());
    json_object_set_new(object, "options", options_json(results->options, results->option_count));
    json_object_set_new(object, "inputs", options_json(results->inputs, results->input_count));
    json_object_set_new(object, "reports", reports);
    return object;
}

static json_t *time_json(const hd_results *results)
{
    hd_time_split split;
    if (!hd_results_time(results, &split))
        return json_null();
    json_t *object = json_object();
    json_object_set_new(object, "total_ps", hd_json_number(split.total));
    json_object_set_new(object, "host_ps", hd_json_number(split.host));
    json_object_set_new(object, "transfer_ps", hd_json_number(split.transfer));
    json_object_set_new(object, "launch_ps", hd_json_number(split.launch));
    json_object_set_new(object, "kernel_ps", hd_json_number(split.kernel));
    json_object_set_new(object, "overlap_ps", hd_json_number(split.overlap));
    return object;
}

static json_t *host_json(const hd_results *results)
{
    const hd_statistics *s = results->statistics;
    double instructions = (double)hd_statistics_sum(s, hd_statistics_run(s), "simt_core", "warp_instructions");
    json_t *object = json_object();
    json_object_set_new(object, "wall_seconds", json_real(results->host.seconds));
    if (results->host.seconds > 0)
        json_object_set_new(object, "warp_instructions_per_second", json_real(instructions / results->host.seconds));
    json_object_set_new(object, "tlm", json_string(results->host.tlm));
    json_object_set_new(object, "threads", json_integer(results->host.threads));
    json_object_set_new(object, "transport_calls", hd_json_number(results->host.transport_calls));
#ifdef __clang__
    json_object_set_new(object, "compiler", json_string(__VERSION__));
#else
    json_object_set_new(object, "compiler", json_string("gcc " __VERSION__));
#endif
    json_object_set_new(object, "build", json_string(HEDDLE_BUILD_TYPE));
    json_object_set_new(object, "version", json_string(HEDDLE_VERSION));
    return object;
}

static json_t *estimate_json(const hd_estimate *estimate)
{
    json_t *items = json_array(), *object = json_object();
    for (uint32_t i = 0; i < estimate->item_count; i++)
        json_array_append_new(items, json_pack("{s:s, s:f, s:f, s:f}", "structure", estimate->items[i].structure,
                                               "bytes", estimate->items[i].bytes, "square_millimetres",
                                               estimate->items[i].square_millimetres, "milliwatts",
                                               estimate->items[i].milliwatts));
    json_object_set_new(object, "source", json_string(estimate->source));
    json_object_set_new(object, "process", estimate->process ? json_string(estimate->process) : json_null());
    json_object_set_new(object, "square_millimetres", json_real(estimate->square_millimetres));
    json_object_set_new(object, "milliwatts", json_real(estimate->milliwatts));
    json_object_set_new(object, "structures", items);
    return object;
}

/* The same structures by their publications in other processes. */
static json_t *other_estimates_json(const netlist *machine)
{
    const char *processes[HD_ESTIMATE_PROCESSES];
    const uint32_t count = hd_estimate_other_processes(machine, processes);
    json_t *others = json_array();
    for (uint32_t i = 0; i < count; i++) {
        const hd_estimate other = hd_estimate_in(machine, processes[i]);
        json_array_append_new(others, estimate_json(&other));
    }
    return others;
}

static json_t *checks_json(const hd_transaction_checks *checks)
{
    json_t *object = json_object();
    json_object_set_new(object, "transactions", hd_json_number(checks->transactions));
    json_object_set_new(object, "reads", hd_json_number(checks->reads));
    json_object_set_new(object, "writes", hd_json_number(checks->writes));
    json_object_set_new(object, "on_scratchpad", hd_json_number(checks->on_scratchpad));
    json_object_set_new(object, "own_reads", hd_json_number(checks->own_reads));
    json_object_set_new(object, "validations", hd_json_number(checks->validations));
    json_object_set_new(object, "replayed", hd_json_number(checks->replayed));
    json_object_set_new(object, "placed", hd_json_number(checks->placed));
    json_object_set_new(object, "edges", hd_json_number(checks->edges));
    json_object_set_new(object, "mixed", hd_json_number(checks->mixed));
    json_object_set_new(object, "violations", hd_json_number(checks->violations));
    return object;
}

static json_t *memory_json(const hd_memory_checks *checks)
{
    json_t *object = json_object();
    json_object_set_new(object, "accesses", hd_json_number(checks->accesses));
    json_object_set_new(object, "errors", hd_json_number(checks->errors));
    return object;
}

static json_t *races_json(const hd_race_checks *checks)
{
    json_t *object = json_object();
    json_object_set_new(object, "accesses", hd_json_number(checks->accesses));
    json_object_set_new(object, "orders", hd_json_number(checks->orders));
    json_object_set_new(object, "races", hd_json_number(checks->races));
    return object;
}

static json_t *from_checkpoint_json(const hd_results *results)
{
    json_t *object = json_object(), *changed = json_array();
    for (uint32_t i = 0; i < results->changed_count; i++)
        json_array_append_new(changed, hd_json_text(results->changed[i]));
    json_object_set_new(object, "at_ps", hd_json_number(results->changed_at));
    json_object_set_new(object, "set", changed);
    return object;
}

/* Measured throughout the run, which a sampled one does not. */
static void set_times(json_t *object, const hd_results *results, const hd_energy_model *energy)
{
    const hd_interval *busy = hd_statistics_busy(results->statistics);
    json_object_set_new(object, "time", time_json(results));
    json_object_set_new(object, "busy_ps", hd_json_number(busy->end));
    json_object_set_new(object, "busy", interval_json(results->statistics, energy, busy));
}

json_t *hd_results_json(const hd_results *results)
{
    const hd_statistics *s = results->statistics;
    const netlist *machine = hd_statistics_netlist(s);
    hd_energy_model energy = hd_energy_model_of(machine);
    json_t *kernels = json_array(), *blocks = json_object();
    for (uint32_t i = 0; i < hd_statistics_kernel_count(s); i++)
        json_array_append_new(kernels, kernel_json(results, &energy, hd_statistics_kernel(s, i)));
    for (uint32_t b = 0; b < machine->block_count && !results->sampling; b++)
        json_object_set_new(blocks, machine->blocks[b].name, block_json(s, b));
    if (energy.count && !results->sampling)
        json_object_set_new(blocks, NETLIST_ENERGY_BLOCK, energy_block_json(s, &energy));

    json_t *object = json_object();
    json_object_set_new(object, "schema",
                        json_pack("{s: s, s: i}", "name", HD_RESULTS_SCHEMA, "version", HD_RESULTS_VERSION));
    json_object_set_new(object, "status", json_string(results->status));
    json_object_set_new(object, "message", hd_json_text(results->message));
    json_object_set_new(object, "partial", json_boolean(results->partial));
    json_object_set_new(object, "seed", hd_json_number(results->seed));
    json_object_set_new(object, "simulated_ps", hd_json_number(results->simulated));
    if (results->sampling)
        json_object_set_new(object, "sampling", hd_sampling_json(results));
    else
        set_times(object, results, &energy);
    json_object_set_new(object, "machine", netlist_json(machine));
    if (results->changed_count)
        json_object_set_new(object, "from_checkpoint", from_checkpoint_json(results));
    json_object_set_new(object, "app", app_json(results));
    if (results->app_count)
        json_object_set_new(object, "apps", apps_json(results));
    json_object_set_new(object, "kernels", kernels);
    json_object_set_new(object, "blocks", blocks);
    const hd_estimate estimate = hd_estimate_of(machine);
    if (estimate.source)
        json_object_set_new(object, "estimate", estimate_json(&estimate));
    if (estimate.source)
        json_object_set_new(object, "other_estimates", other_estimates_json(machine));
    if (energy.count && !results->sampling)
        json_object_set_new(object, "energy", hd_energy_json(&energy, s));
    if (results->checks)
        json_object_set_new(object, "transaction_check", checks_json(results->checks));
    if (results->memory_checks)
        json_object_set_new(object, "memory_check", memory_json(results->memory_checks));
    if (results->race_checks)
        json_object_set_new(object, "race_check", races_json(results->race_checks));
    if (results->profile)
        json_object_set_new(object, "profile", hd_program_profile_json(results->profile));
    json_object_set_new(object, "host", host_json(results));
    hd_energy_model_free(&energy);
    return object;
}
