/* SPDX-License-Identifier: MIT */
#include "simulation.h"

#include "machine_internal.h"

/* Models from elsewhere, calls that are made or looked at for their own sake, an owner that is a SystemC design. */
static uint32_t needs_systemc(const netlist *list, const hd_tlm_options *options)
{
    if (options->always || options->checked || options->is_guest || options->monitor)
        return 1;
    for (uint32_t block = 0; block < list->block_count; block++)
        if (!list->blocks[block].block_class->create)
            return 1;
    return 0;
}

/* ---- The engine alone ------------------------------------------------------------------------------------------------- */

static void add_blocks(hd_engine *engine, const netlist *list)
{
    for (uint32_t block = 0; block < list->block_count; block++) {
        const netlist_block *written = &list->blocks[block];
        const hd_clock clock = {list->clocks[written->clock].hz};
        for (uint32_t i = 0; i < written->count; i++) {
            char name[256];
            netlist_instance_name(list, block, i, name, sizeof name);
            hd_engine_add_block(engine, written->block_class, name, i, written->count, clock, written->values);
        }
    }
}

static hd_link_timing timing_of(const netlist_channel *channel)
{
    return (hd_link_timing){.latency = channel->latency,
                            .credit_latency = channel->credit_latency,
                            .credits = channel->credits,
                            .is_perturbed = channel->is_reply};
}

static void add_link(const hd_machine *machine, const netlist_link *link)
{
    const netlist *list = machine->netlist;
    const hd_binding binding = {
        .from_block = machine->endpoints[list->blocks[link->from.block].first_endpoint + link->from.instance],
        .from_port = link->from.port,
        .from_element = link->from.element,
        .to_block = machine->endpoints[list->blocks[link->to.block].first_endpoint + link->to.instance],
        .to_port = link->to.port,
        .to_element = link->to.element,
        .request = timing_of(&link->forward),
        .response = timing_of(&link->response)};
    hd_engine_add_link(machine->engine, &binding);
}

static void prepare(hd_engine *engine, const netlist *list, const hd_tlm_options *options,
                    const hd_tlm_extension *provide, const hd_observer *observer)
{
    if (options->threads > 1)
        hd_engine_set_threads(engine, options->threads);
    hd_engine_perturb(engine, list->perturb.seed, list->perturb.delay);
    for (; provide->id; provide++)
        hd_engine_provide(engine, provide->id, provide->pointer);
    for (uint32_t i = 0; i < options->tap_count; i++)
        hd_engine_add_tap(engine, options->taps[i].block, options->taps[i].port, options->taps[i].element,
                          options->taps[i].tap, options->taps[i].context);
    hd_engine_observe(engine, observer);
}

static uint32_t build(hd_machine *machine, const hd_tlm_options *options, const hd_tlm_extension *provide,
                      const hd_observer *observer, char **refusal)
{
    const netlist *list = machine->netlist;
    hd_text errors = {0};
    const hd_text_sink sink = hd_text_lines(&errors);
    machine->engine = hd_engine_create();
    prepare(machine->engine, list, options, provide, observer);
    add_blocks(machine->engine, list);
    for (uint32_t i = 0; i < list->link_count; i++)
        add_link(machine, &list->links[i]);
    const uint32_t failed = hd_engine_build(machine->engine, &sink) != 0;
    *refusal = hd_text_take(&errors);
    return !failed;
}

/* ---- Either ------------------------------------------------------------------------------------------------------------ */

uint32_t simulation_create(hd_machine *machine, const hd_tlm_options *options, const hd_tlm_extension *provide,
                           const hd_observer *observer, char **refusal)
{
    if (!needs_systemc(machine->netlist, options))
        return build(machine, options, provide, observer, refusal);
    machine->foreign = hd_foreign_modules_create(machine->plugins, machine->netlist, options);
    const hd_tlm_options with_models = hd_foreign_modules_options(machine->foreign);
    machine->systemc = hd_tlm_create(machine->netlist, &with_models, provide, observer, machine->seed, refusal);
    machine->engine = machine->systemc ? hd_tlm_engine(machine->systemc) : NULL;
    return machine->systemc != NULL;
}

void simulation_destroy(hd_machine *machine)
{
    if (machine->systemc)
        hd_tlm_destroy(machine->systemc);
    else
        hd_engine_destroy(machine->engine);
}

void simulation_end(hd_machine *machine, uint32_t is_fault)
{
    if (machine->systemc)
        hd_tlm_end(machine->systemc, is_fault);
}

hd_time simulation_run(hd_machine *machine, hd_time limit)
{
    return machine->systemc ? hd_tlm_run(machine->systemc, limit) : hd_engine_run(machine->engine, limit);
}

uint32_t simulation_is_interrupted(const hd_machine *machine)
{
    return machine->systemc && hd_tlm_is_interrupted(machine->systemc);
}

hd_time simulation_stopped_at(const hd_machine *machine)
{
    return machine->systemc ? hd_tlm_stopped_at(machine->systemc) : HD_NEVER;
}

void simulation_describe_owed(const hd_machine *machine, const hd_text_sink *sink)
{
    if (machine->systemc)
        hd_tlm_describe_owed(machine->systemc, sink);
}
