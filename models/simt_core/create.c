/* SPDX-License-Identifier: MIT */
/* A core is made, bound, brought to its state after power-on, and taken apart. */
#include "common/deadlock_removal.h"
#include "common/meeting_points.h"
#include "core.h"
#include "reconvergence_port.h"
#include "regrouped.h"
#include "tx/tx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void set_latencies(simt_core *core)
{
    functional_units_init(&core->units, core->values);
    core->issue.dual_issue = core_parameter_of(core, PARAMETER_ISSUE_PER_WARP) > 1;
    core->issue.register_read_time =
        hd_clock_cycles(core->services->clock, core_parameter_of(core, PARAMETER_REGISTER_READ));
    const tx_unit *tx = core->chosen[CORE_TX] ? core->chosen[CORE_TX]->unit->functions : NULL; /* it alone sends */
    const reconvergence_unit *reconvergence = core->chosen[CORE_RECONVERGENCE]->unit->functions;
    const uint32_t next_edge = core->front_end.instruction_cache || tx || reconvergence->accessed;
    const uint64_t cycles = next_edge ? 1 : core_parameter_of(core, PARAMETER_REGISTER_READ) + 1;
    core->edges.work_to_network_time = hd_clock_cycles(core->services->clock, tx && tx->sends_at_once ? 0 : cycles);
}

static int create_memory(simt_core *core, const hd_value *values, char *error, size_t error_bytes)
{
    memory_events answers = memory_answers;
    memory_parameters parameters = {
        .lanes = core->lane_count,
        .warps = core->warp_count,
        .homes = core->path_homes ? &core->kept : NULL,
        .paths = core->path_count,
        .queue = (uint32_t)core_parameter_of(core, PARAMETER_MEMORY_QUEUE),
        .width = (uint32_t)core_parameter_of(core, PARAMETER_MEMORY_LANES),
        .schedulers = core->scheduler_count,
        .address_interval = (uint32_t)core_parameter_of(core, PARAMETER_ADDRESS_INTERVAL),
        .address_latency = (uint32_t)core_parameter_of(core, PARAMETER_ADDRESS_LATENCY),
        .tickets = (uint32_t)core_parameter_of(core, PARAMETER_MEMORY_TICKETS),
        .context_cached = (uint32_t)core_parameter_of(core, PARAMETER_CONTEXT_CACHEABLE),
        .scratchpad_bytes = (uint32_t)core_parameter_of(core, PARAMETER_SCRATCHPAD_BYTES),
        .scratchpad_banks = (uint32_t)core_parameter_of(core, PARAMETER_SCRATCHPAD_BANKS),
        .scratchpad_group = (uint32_t)core_parameter_of(core, PARAMETER_SCRATCHPAD_GROUP),
        .scratchpad_latency = (uint32_t)core_parameter_of(core, PARAMETER_SCRATCHPAD_LATENCY),
        .l1_bytes = (uint32_t)core_parameter_of(core, PARAMETER_L1_BYTES),
        .l1_ways = (uint32_t)core_parameter_of(core, PARAMETER_L1_WAYS),
        .l1_line = (uint32_t)core_parameter_of(core, PARAMETER_L1_LINE),
        .l1_sector = (uint32_t)core_parameter_of(core, PARAMETER_L1_SECTOR),
        .l1_allocate = (uint32_t)core_parameter_of(core, PARAMETER_L1_ALLOCATE),
        .l1_write = (uint32_t)core_parameter_of(core, PARAMETER_L1_WRITE),
        .l1_write_allocate = (uint32_t)core_parameter_of(core, PARAMETER_L1_WRITE_ALLOCATE),
        .l1_lookups = (uint32_t)core_parameter_of(core, PARAMETER_L1_LOOKUPS),
        .l1_replacement = core->chosen[CORE_L1_REPLACEMENT]->unit->functions,
        .l1_share = core_share(core, CORE_L1_REPLACEMENT, values),
        .l1_set_hash = (uint32_t)core_parameter_of(core, PARAMETER_L1_SET_HASH),
        .l1_private = (uint32_t)core_parameter_of(core, PARAMETER_L1_PRIVATE),
        .l1_port_bytes = (uint32_t)core_parameter_of(core, PARAMETER_L1_PORT_BYTES),
        .l1_latency = (uint32_t)core_parameter_of(core, PARAMETER_L1_LATENCY),
        .l1_mshrs = (uint32_t)core_parameter_of(core, PARAMETER_L1_MSHRS),
        .l1_mshr_merges = (uint32_t)core_parameter_of(core, PARAMETER_L1_MERGES),
        .l1_global = (uint32_t)core_parameter_of(core, PARAMETER_L1_GLOBAL),
        .atomic_request = (uint32_t)core_parameter_of(core, PARAMETER_ATOMIC_REQUEST),
        .responses = (uint32_t)core_parameter_of(core, PARAMETER_MEMORY_RESPONSES),
        .sector_bytes = (uint32_t)core_parameter_of(core, PARAMETER_SECTOR_BYTES),
        .spare = core->chosen[CORE_TX] != NULL,
        .constant_latency = (uint32_t)core_parameter_of(core, PARAMETER_CONSTANT_LATENCY),
        .constant = {.bytes = (uint32_t)core_parameter_of(core, PARAMETER_CONSTANT_BYTES),
                     .ways = (uint32_t)core_parameter_of(core, PARAMETER_CONSTANT_WAYS),
                     .line_bytes = (uint32_t)core_parameter_of(core, PARAMETER_CONSTANT_LINE),
                     .mshrs = (uint32_t)core_parameter_of(core, PARAMETER_CONSTANT_MSHRS),
                     .merges = (uint32_t)core_parameter_of(core, PARAMETER_CONSTANT_MERGES),
                     .replacement = &replacement_lru},
        .texture_latency = (uint32_t)core_parameter_of(core, PARAMETER_TEXTURE_LATENCY),
        .texture = {.bytes = (uint32_t)core_parameter_of(core, PARAMETER_TEXTURE_BYTES),
                    .ways = (uint32_t)core_parameter_of(core, PARAMETER_TEXTURE_WAYS),
                    .line_bytes = (uint32_t)core_parameter_of(core, PARAMETER_TEXTURE_LINE),
                    .mshrs = (uint32_t)core_parameter_of(core, PARAMETER_TEXTURE_MSHRS),
                    .merges = (uint32_t)core_parameter_of(core, PARAMETER_TEXTURE_MERGES),
                    .replacement = &replacement_lru},
        .code = {.bytes = (uint32_t)core_parameter_of(core, PARAMETER_CODE_BYTES),
                 .ways = (uint32_t)core_parameter_of(core, PARAMETER_CODE_WAYS),
                 .line_bytes = (uint32_t)core_parameter_of(core, PARAMETER_CODE_LINE),
                 .mshrs = (uint32_t)core_parameter_of(core, PARAMETER_CODE_MSHRS),
                 .merges = (uint32_t)core_parameter_of(core, PARAMETER_CODE_MERGES),
                 .tags_only = 1,
                 .replacement = &replacement_lru},
    };
    answers.context = core;
    core->memory = memory_create(core->services, &parameters, &answers, &core->counters.memory, error, error_bytes);
    core->memory_status = core->memory ? memory_status_of(core->memory) : NULL;
    core->tickets = calloc(parameters.tickets, sizeof *core->tickets);
    return core->memory && core->tickets ? 0 : -1;
}

/* Beside what it is called for. */
static uint32_t reconvergence_wants(const simt_core *core)
{
    if (!core->reconvergence.unit->wants)
        return 0;
    return core->reconvergence.unit->wants(core->reconvergence.state) & ~(PATH_BRANCHED | PATH_ARRIVED | PATH_EXITED);
}

hd_unit_share core_share(simt_core *core, enum core_unit slot, const hd_value *values)
{
    return hd_unit_share_of(core->block_class, core->chosen[slot], core->services, values, core->unit_counters);
}

static int create_scoreboard(simt_core *core, const hd_value *values)
{
    core_scoreboard *board = &core->scoreboard;
    board->unit = core->chosen[CORE_SCOREBOARD]->unit->functions;
    if (pending_create(&board->pending, core->warp_count))
        return -1;
    const scoreboard_parameters parameters = {.rows = core->warp_count,
                                              .lanes = core->lane_count,
                                              .paths = core->path_count,
                                              .pending = &board->pending,
                                              .share = core_share(core, CORE_SCOREBOARD, values)};
    if (board->unit->create && !(board->state = board->unit->create(&parameters)))
        return -1;
    core->front_end.waits_apart = board->unit->always_asked || core->path_homes;
    return 0;
}

static int create_units(simt_core *core, const hd_value *values)
{
    reconvergence_events events = control_events;
    events.context = core;
    core->reconvergence.unit = core->chosen[CORE_RECONVERGENCE]->unit->functions;
    core->reconvergence.state = core->reconvergence.unit->create(
        &(reconvergence_parameters){.warps = core->warp_count,
                                    .lanes = core->lane_count,
                                    .share = core_share(core, CORE_RECONVERGENCE, values),
                                    .memory = reconvergence_port_create(core)},
        &events);
    if (!core->reconvergence.state)
        return -1;
    core->wanted.by_reconvergence = reconvergence_wants(core);
    core->reconvergence.acts = core->reconvergence.unit->next != NULL;
    core->reconvergence.drains =
        core->reconvergence.unit->drains && core->reconvergence.unit->drains(core->reconvergence.state);
    core->path_count = core->reconvergence.unit->path_count(core->reconvergence.state);
    core->paths = core->reconvergence.unit->paths(core->reconvergence.state);
    core->paths_per_warp = core->path_count / core->warp_count;
    core->path_homes =
        core->reconvergence.unit->homes ? core->reconvergence.unit->homes(core->reconvergence.state) : NULL;
    core->issue.issues_apart = core->issue.dual_issue || core->path_homes;
    homes_create(&core->kept, core->warp_count, core->lane_count);
    if (create_scoreboard(core, values) || issue_create_schedulers(core, values))
        return -1;
    core->wanted.kinds = core->wanted.by_reconvergence | core->wanted.by_scheduler;
    core_trace_create(core);
    return 0;
}

static int create_state(simt_core *core)
{
    size_t lanes = (size_t)core->warp_count * core->lane_count;
    uint32_t events = core->scheduler_count * WHEEL_CYCLES + core->path_count + BARRIERS * core->block_count;
    int failed = 0;
    core->issue.ready_words = (core->path_count + 63) / 64;
    for (uint32_t port = 0; port < core->scheduler_count; port++)
        failed |= !(core->issue.own[port] = calloc(core->issue.ready_words, sizeof(uint64_t)));
    for (uint32_t unit = 0; unit < UNIT_COUNT; unit++)
        failed |= !(core->issue.ready[unit] = calloc(core->issue.ready_words, sizeof(uint64_t)));
    failed |= !(core->issue.candidates = calloc(core->issue.ready_words, sizeof(uint64_t)));
    failed |= !(core->path_states = calloc(core->path_count, sizeof *core->path_states));
    failed |= !(core->computing = calloc(core->path_count, sizeof *core->computing));
    failed |= profile_create(core);
    failed |= !(core->warps = calloc(core->warp_count, sizeof *core->warps));
    failed |= !(core->blocks = calloc(core->block_count, sizeof *core->blocks));
    failed |= registers_create(&core->registers, core->warp_count, core->lane_count);
    failed |= !(core->account.retired = calloc(lanes, sizeof *core->account.retired));
    const size_t targets = core->path_homes ? (size_t)core->path_count * core->lane_count : lanes;
    failed |= !(core->control.jump_target = calloc(targets, sizeof *core->control.jump_target));
    failed |= core->path_homes && regrouped_create(core);
    failed |= operands_create(&core->operands, core->values, core->scheduler_count);
    failed |= pipe_exits_create(&core->exits, core_parameter_of(core, PARAMETER_WRITE_BACK_ONE_PER_PORT) != 0,
                                core->scheduler_count);
    core->results.width = (uint32_t)core_parameter_of(core, PARAMETER_WRITE_BACK_WIDTH);
    failed |= wheel_create(&core->wheel, events);
    failed |= front_end_create(&core->front_end, core->path_count);
    return failed ? -1 : 0;
}

static uint32_t remove_deadlocks(simt_core *core, char *error, size_t error_bytes)
{
    const reconvergence_parameters size = {.warps = core->warp_count, .lanes = core->lane_count};
    return deadlock_removal_create(&core->switches, core->residency.programs, &size,
                                   core_parameter_of(core, PARAMETER_SSDE), error, error_bytes);
}

/* A lane has its number by the warp that it runs in. */
static int refuse_switches(const simt_core *core, char *error, size_t error_bytes)
{
    if (deadlock_removal_refuse(core_parameter_of(core, PARAMETER_SSDE), core->reconvergence.unit,
                                core->reconvergence.state, error, error_bytes))
        return -1;
    if (!core->switches.number || !core->path_homes)
        return 0;
    snprintf(error, error_bytes,
             "ssde=virtual needs lanes that stay in their warp, which they do not with reconvergence '%s'",
             core->chosen[CORE_RECONVERGENCE]->unit->name);
    return -1;
}

hd_block *core_create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    const hd_block_class *block_class = hd_class_of(services);
    simt_core *core = calloc(1, sizeof *core + hd_unit_counters(block_class) * sizeof *core->unit_counters);
    if (!core) {
        snprintf(error, error_bytes, "out of memory");
        return NULL;
    }
    core->services = services;
    core->block_class = block_class;
    memcpy(core->values, values, sizeof core->values);
    for (uint32_t slot = 0; slot < CORE_UNITS; slot++)
        core->chosen[slot] = hd_unit_chosen(block_class, slot, values);
    core->lane_count = (uint32_t)core_parameter_of(core, PARAMETER_LANES);
    core->warp_count = (uint32_t)core_parameter_of(core, PARAMETER_WARPS);
    core->block_count = (uint32_t)core_parameter_of(core, PARAMETER_BLOCKS);
    core->scheduler_count = (uint32_t)core_parameter_of(core, PARAMETER_SCHEDULERS);
    core->front_end.instruction_cache = core_parameter_of(core, PARAMETER_CODE_BYTES) != 0;
    uint32_t width = (uint32_t)core_parameter_of(core, PARAMETER_SIMD_WIDTH);
    core->issue.cycles = (core->lane_count + width - 1) / width;
    set_latencies(core);
    error[0] = '\0';
    core->residency.programs = services->extension(services->context, HD_EXTENSION_PROGRAMS);
    if (remove_deadlocks(core, error, error_bytes) || create_units(core, values) ||
        refuse_switches(core, error, error_bytes) || spinning_create(core, values, error, error_bytes) ||
        meeting_points_require(core->residency.programs, core->reconvergence.unit, core->reconvergence.state, error,
                               error_bytes) ||
        create_state(core) || create_memory(core, values, error, error_bytes) || tx_port_create(core, values) ||
        levels_create(core) || engine_create(core) || lock_tries_create(core) ||
        live_create(core, error, error_bytes) || patterns_create(core) || words_create(core)) {
        if (!error[0])
            snprintf(error, error_bytes, "out of memory");
        core_destroy((hd_block *)core);
        return NULL;
    }
    issue_set_listeners(core);
    core->edges.attended =
        core->tracing.trace || core->levels.blocks || core->reconvergence.acts || core->results.width;
    core->accesses = services->extension(services->context, HD_EXTENSION_ACCESSES);
    core->fast.memory = services->extension(services->context, HD_EXTENSION_FAST_MEMORY);
    core->hears_accesses = (core->accesses ? HEARS_CHECKER : 0) | (core->words.entries ? HEARS_WORDS : 0);
    core->links.message_launch = services->message(services->context, HD_BLOCK_LAUNCH);
    core->links.message_capacity = services->message(services->context, HD_CORE_CAPACITY);
    core->links.message_done = services->message(services->context, HD_BLOCK_DONE);
    return (hd_block *)core;
}

void core_connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    simt_core *core = (simt_core *)block;
    (void)element;
    switch (port) {
    case PORT_REQUEST: core->links.request = out; break;
    case PORT_REPLY: core->links.reply = in; break;
    case PORT_DISPATCH: core->links.dispatch = in; break;
    case PORT_TRANSACTION_REQUEST: core->links.transaction_request = out; break;
    case PORT_TRANSACTION_REPLY: core->links.transaction_reply = in; break;
    default: core->links.event = out; break;
    }
    memory_connect(core->memory, core->links.request, PORT_REQUEST, core->links.reply);
}

static void reset_warps(simt_core *core)
{
    for (uint32_t warp = 0; warp < core->warp_count; warp++) {
        warp_state *w = &core->warps[warp];
        *w = (warp_state){.block = NO_SLOT};
        w->retired = core->account.retired + (size_t)warp * core->lane_count;
    }
}

static void reset_paths(simt_core *core)
{
    memset(core->issue.status_count, 0, sizeof core->issue.status_count);
    memset(core->issue.ready_count, 0, sizeof core->issue.ready_count);
    memset(core->issue.ready_units, 0, sizeof core->issue.ready_units);
    core->issue.ready_ports = 0;
    memset(core->path_states, 0, core->path_count * sizeof *core->path_states);
    for (uint32_t unit = 0; unit < UNIT_COUNT; unit++)
        memset(core->issue.ready[unit], 0, core->issue.ready_words * sizeof(uint64_t));
    for (uint32_t path = 0; path < core->path_count; path++) {
        uint32_t port = warp_slot_of(path, core->paths_per_warp) % core->scheduler_count;
        core->path_states[path].scheduler = (uint8_t)port;
        core->issue.own[port][path / 64] |= UINT64_C(1) << path % 64;
        core->issue.status_count[port][PATH_NONE]++;
    }
}

void core_reset(hd_block *block)
{
    simt_core *core = (simt_core *)block;
    hd_cursor_init(&core->now, core->services->clock);
    core->edges = (edge_state){.work_to_network_time = core->edges.work_to_network_time,
                               .attended = core->edges.attended,
                               .launch_arrival = HD_NEVER,
                               .credit_arrival = HD_NEVER,
                               .transaction_arrival = HD_NEVER,
                               .input_time = HD_NEVER,
                               .input_edge = UINT64_MAX};
    core->residency = (residency_state){.programs = core->residency.programs};
    core->fault = (fault_state){.halted = 0};
    watched_forget(core);
    core->account.accounted = core->account.settled = 0;
    memset(core->account.of_port, 0, sizeof core->account.of_port);
    core->context.stopping = core->control.returning = 0;
    core->context.next = UINT64_MAX;
    core->fast = (fast_forward_state){.memory = core->fast.memory};
    core->tracing.warps = core->tracing.misses = 0;
    core->issue.ports_without_room = core->issue.awaits_credit = core->issue.is_narrow = 0;
    front_end_reset(&core->front_end);
    memset(core->issue.port_busy_until, 0, sizeof core->issue.port_busy_until);
    memset(core->issue.unit_busy_until, 0, sizeof core->issue.unit_busy_until);
    operands_reset(&core->operands);
    pipe_exits_reset(&core->exits);
    memset(core->blocks, 0, core->block_count * sizeof *core->blocks);
    memset(&core->counters, 0, sizeof core->counters);
    memset(core->issued, 0, sizeof core->issued);
    memset(core->unit_counters, 0, hd_unit_counters(core->block_class) * sizeof *core->unit_counters);
    reset_warps(core);
    core->reconvergence.unit->reset(core->reconvergence.state);
    reset_paths(core);
    profile_reset(core);
    issue_reset_schedulers(core);
    if (core->spinning.unit)
        spinning_reset(core);
    lock_tries_reset(core);
    pending_reset(&core->scoreboard.pending);
    if (core->scoreboard.unit->reset)
        core->scoreboard.unit->reset(core->scoreboard.state);
    wheel_reset(&core->wheel);
    core->results.of_units.count = core->results.loaded.count = 0;
    regrouped_reset(core);
    memory_reset(core->memory);
    core->tx.next = core->tx.room_from = core->reconvergence.next = UINT64_MAX;
    core->reconvergence.draining = core->reconvergence.acquiring = 0;
    tx_reset(core->tx.transactions);
    engine_reset(core);
    levels_reset(core);
    patterns_reset(core);
    words_reset(core);
}

void core_destroy(hd_block *block)
{
    simt_core *core = (simt_core *)block;
    if (!core)
        return;
    if (core->reconvergence.state)
        core->reconvergence.unit->destroy(core->reconvergence.state);
    issue_destroy_schedulers(core);
    spinning_destroy(core);
    for (uint32_t port = 0; port < MAX_SCHEDULERS; port++)
        free(core->issue.own[port]);
    for (uint32_t unit = 0; unit < UNIT_COUNT; unit++)
        free(core->issue.ready[unit]);
    tx_destroy(core->tx.transactions);
    if (core->memory)
        memory_destroy(core->memory);
    pending_destroy(&core->scoreboard.pending);
    if (core->scoreboard.state)
        core->scoreboard.unit->destroy(core->scoreboard.state);
    wheel_destroy(&core->wheel);
    virtual_switches_destroy(&core->switches);
    free(core->results.of_units.results);
    free(core->results.loaded.results);
    free(core->issue.candidates);
    watched_forget(core);
    free(core->tickets);
    repetition_end(core);
    free(core->path_states);
    free(core->computing);
    profile_destroy(core);
    free(core->warps);
    free(core->blocks);
    engine_destroy(core);
    lock_tries_destroy(core);
    live_destroy(core);
    patterns_destroy(core);
    words_destroy(core);
    levels_destroy(core);
    registers_destroy(&core->registers);
    operands_destroy(&core->operands);
    pipe_exits_destroy(&core->exits);
    free(core->account.retired);
    free(core->control.jump_target);
    regrouped_destroy(core);
    front_end_destroy(&core->front_end);
    free(core);
}
