/* SPDX-License-Identifier: MIT */
/* The port of transactions (tx/tx_core.h), as this core fills it in. */
#include "analysis.h"
#include "core_lanes.h"
#include "hd_link.h"
#include "tx/tx.h"

/* ---- Registers ------------------------------------------------------------------------------------------------------ */

static void addresses(const void *context, uint32_t path, uint32_t *address)
{
    const simt_core *core = context;
    const isa_instruction *instruction = core->path_states[path].instruction;
    const uint64_t mask = core->paths[path].mask;
    isa_addresses(instruction, registers_gather(&core->registers, core_homes(core, path), instruction->reads, mask),
                  mask, address);
}

static void save_registers(const void *context, uint32_t path, uint64_t lanes, uint32_t *words, uint8_t *fcsr)
{
    const simt_core *core = context;
    registers_save(&core->registers, core_homes(core, path), lanes, words, fcsr);
}

static void restore_registers(const void *context, uint32_t path, uint64_t lanes, const uint32_t *words,
                              const uint8_t *fcsr)
{
    const simt_core *core = context;
    registers_restore(&core->registers, core_homes(core, path), lanes, words, fcsr);
}

/* ---- Paths ---------------------------------------------------------------------------------------------------------- */

static void suspend(void *context, uint32_t path)
{
    simt_core *core = context;
    core->path_states[path].sequence++;
    path_set_status(core, path, PATH_TRANSACTION);
}

static void resume(void *context, uint32_t path)
{
    control_step(context, path);
}

static void start(void *context, uint32_t path)
{
    front_end_start(context, path);
}

static void recheck(void *context, uint32_t warp)
{
    front_end_recheck_warp(context, warp);
}

static void recheck_ready(void *context, uint32_t warp)
{
    front_end_recheck_ready(context, warp);
}

static void before_lanes_change(void *context)
{
    simt_core *core = context;
    account_until(core, core->account.settled);
}

static void recheck_ends(void *context)
{
    residency_recheck_ends(context);
}

/* ---- Accesses and messages ------------------------------------------------------------------------------------------- */

static uint32_t accesses_in_flight(const void *context, uint32_t path)
{
    const simt_core *core = context;
    return core->path_states[path].memory_in_flight;
}

static void keep_ticket(void *context, uint32_t ticket, const ticket_state *state)
{
    simt_core *core = context;
    core->tickets[ticket] = *state;
    core->path_states[state->path].in_flight++;
    core->path_states[state->path].memory_in_flight++;
}

static uint32_t can_send(const void *context)
{
    const simt_core *core = context;
    return hd_link_has_credit(core->services, core->links.transaction_request, core->now.t);
}

static void send(void *context, hd_packet *packet)
{
    const simt_core *core = context;
    core->services->send(core->services->context, core->links.transaction_request, packet, core->now.t);
}

void tx_port_receive(simt_core *core)
{
    const hd_services *services = core->services;
    while (core->edges.transaction_arrival <= core->now.t) {
        hd_packet *packet = services->pop(services->context, core->links.transaction_reply, core->now.t);
        core->edges.transaction_arrival = hd_link_arrival(core->links.transaction_reply);
        tx_receive(core->tx.transactions, packet);
        services->free(services->context, packet);
    }
    core->edges.changed = 1;
}

/* ---- Time and ends ---------------------------------------------------------------------------------------------------- */

static void wake(void *context, uint64_t edge)
{
    simt_core *core = context;
    if (edge < core->tx.next)
        core->tx.next = edge;
    core->edges.changed = 1;
}

static void await_room(void *context)
{
    simt_core *core = context;
    if (core->now.n + 1 < core->tx.room_from) /* others may wait since before */
        core->tx.room_from = core->now.n + 1;
    core->edges.changed = 1;
}

void tx_port_work(simt_core *core)
{
    core->tx.next = core->tx.room_from = UINT64_MAX;
    const uint64_t next = tx_work(core->tx.transactions);
    if (next < core->tx.next)
        core->tx.next = next;
}

static void fault(void *context, uint32_t warp, uint32_t pc, uint64_t lanes, const char *text)
{
    core_fault(context, homes_of_row(warp), pc, lanes, HD_DEBUG_FAULT_TRAP, "%s", text);
}

static uint32_t is_halted(const void *context)
{
    return ((const simt_core *)context)->fault.halted;
}

static tx_block block_of(const void *context, uint32_t warp)
{
    const simt_core *core = context;
    const block_state *block = &core->blocks[core->warps[warp].block];
    return (tx_block){.grid = &block->launch.grid,
                      .warps = block->warps,
                      .slot = core->warps[warp].block,
                      .index = core->warps[warp].index,
                      .scratchpad_offset = block->scratchpad_offset,
                      .number = block->number};
}

/* ---- Whoever watches -------------------------------------------------------------------------------------------------- */

static void state_changes(void *context, uint32_t warp, uint32_t before, uint32_t now)
{
    simt_core *core = context;
    if (core->tracing.trace)
        core_trace_transaction(core, warp, before, now);
}

static uint32_t commit_of(const void *context, uint32_t path)
{
    const simt_core *core = context;
    const struct path *p = &core->paths[path];
    const block_state *block = &core->blocks[core->warps[p->warp].block];
    return isa_table_value(block->program, block->commits, p->pc);
}

static void lanes_begin(void *context, uint32_t warp, uint32_t pc, uint64_t lanes)
{
    simt_core *core = context;
    if (profile_is_asked(core))
        profile_count_at(core, warp, pc, PROFILE_tx_attempts, bits_count(lanes));
}

static void lanes_commit(void *context, uint32_t warp, uint32_t pc, uint64_t lanes)
{
    simt_core *core = context;
    if (profile_is_asked(core))
        profile_count_at(core, warp, pc, PROFILE_tx_commits, bits_count(lanes));
    if (core->levels.watched)
        levels_count_attempts(core, warp, bits_count(lanes), 0);
    words_commit(core, warp);
}

static void lanes_count(void *context, uint32_t warp, uint64_t lanes)
{
    const simt_core *core = context;
    if (core->accesses && lanes)
        core_report_order(core, warp, lanes, HD_ACCESS_COMMIT, 0);
}

/* In the order of tx_core.chosen: the second needs the first. */
static const enum core_unit slots[TX_PROTOCOLS] = {CORE_TX, CORE_TX_SCRATCHPAD};

enum core_unit tx_port_slot(const simt_core *core, uint32_t warp)
{
    return slots[tx_chosen_of(core->tx.transactions, warp)];
}

static void lanes_abort(void *context, uint32_t warp, uint64_t lanes, const tx_cause *cause)
{
    simt_core *core = context;
    const uint32_t count = bits_count(lanes);
    if (core->levels.watched)
        levels_count_attempts(core, warp, 0, count);
    if (profile_is_asked(core)) {
        profile_count_at(core, warp, cause->pc, PROFILE_tx_aborts, count);
        profile_count_at(core, warp, cause->pc,
                         cause->reason < TX_OWN_REASONS
                             ? PROFILE_tx_aborts_intra_warp + cause->reason
                             : profile_column(core, tx_port_slot(core, warp), cause->reason - TX_OWN_REASONS),
                         count);
        if (cause->refused)
            profile_conflict(core, warp, cause->pc, cause->winner == TX_NOBODY ? 0 : cause->winner_pc, count);
    }
    if (core->tracing.trace)
        core_trace_abort(core, warp, lanes, cause);
    if (core->accesses)
        core_report_order(core, warp, lanes, HD_ACCESS_ABORT, 0);
}

static const tx_port port = {
    .addresses = addresses,
    .save_registers = save_registers,
    .restore_registers = restore_registers,
    .suspend = suspend,
    .resume = resume,
    .start = start,
    .recheck = recheck,
    .recheck_ready = recheck_ready,
    .before_lanes_change = before_lanes_change,
    .look_for_ends = recheck_ends,
    .commit_of = commit_of,
    .accesses_in_flight = accesses_in_flight,
    .keep_ticket = keep_ticket,
    .can_send = can_send,
    .send = send,
    .wake = wake,
    .await_room = await_room,
    .fault = fault,
    .is_halted = is_halted,
    .block_of = block_of,
    .state_changes = state_changes,
    .lanes_begin = lanes_begin,
    .lanes_commit = lanes_commit,
    .lanes_count = lanes_count,
    .lanes_abort = lanes_abort,
};

_Static_assert(PARAMETER_COUNT - PARAMETER_TX == TX_PARAMETER_COUNT, "parameters of transactions are the last");

int tx_port_create(simt_core *core, const hd_value *values)
{
    tx_chosen chosen[TX_PROTOCOLS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < TX_PROTOCOLS; i++)
        if (core->chosen[slots[i]])
            chosen[count++] = (tx_chosen){core->chosen[slots[i]]->unit->functions, core_share(core, slots[i], values)};
    if (!count)
        return 0;
    core->tx.transactions = tx_create(&(tx_core){
        .context = core,
        .port = &port,
        .services = core->services,
        .parameters = core->values + PARAMETER_TX,
        .chosen = chosen,
        .chosen_count = count,
        .lane_count = core->lane_count,
        .warp_count = core->warp_count,
        .block_count = core->block_count,
        .scratchpad_bytes = (uint32_t)core_parameter_of(core, PARAMETER_SCRATCHPAD_BYTES),
        .scratchpad_banks = (uint32_t)core_parameter_of(core, PARAMETER_SCRATCHPAD_BANKS),
        .accesses = (uint32_t)core_parameter_of(core, PARAMETER_MEMORY_TICKETS),
        .log_line_bytes = (uint32_t)core_parameter_of(core, PARAMETER_L1_LINE),
        .register_read_time = core->issue.register_read_time,
        .reconvergence_unit = core->reconvergence.unit,
        .reconvergence = core->reconvergence.state,
        .memory = core->memory,
        .trace = core->tracing.trace,
        .warp_tracks = core->tracing.warp_tracks,
        .now = &core->now,
        .paths = core->paths,
        .counters = &core->counters.tx,
    });
    core->tx.wants_issues = tx_wants_issues(core->tx.transactions);
    return core->tx.transactions ? 0 : -1;
}
