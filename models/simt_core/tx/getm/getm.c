/* SPDX-License-Identifier: MIT */
/* Clocks, requests and refusals. */
#include "tx/getm/getm.h"
#include "tx/tx_units.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void destroy(tx *unit)
{
    getm *g = (getm *)unit;
    for (uint32_t warp = 0; g->warps && warp < g->t->core.warp_count; warp++)
        free(g->warps[warp].approved);
    free(g->warps);
    free(g->committing.warps);
    free(g->regions);
    free(g->partitions);
    free(g->order);
    free(g);
}

static void intern(getm *g)
{
    const hd_message_number messages[] = {{&g->message_load, HD_GETM_LOAD},
                                          {&g->message_store, HD_GETM_STORE},
                                          {&g->message_store_ok, HD_GETM_STORE_OK},
                                          {&g->message_abort, HD_GETM_ABORT},
                                          {&g->message_log, HD_GETM_LOG},
                                          {&g->message_log_ack, HD_GETM_LOG_ACK},
                                          {&g->message_rollover, HD_GETM_ROLLOVER},
                                          {&g->message_rolled_over, HD_GETM_ROLLED_OVER},
                                          {&g->message_rollover_end, HD_GETM_ROLLOVER_END}};
    hd_number_messages(g->t->core.services, messages, sizeof messages / sizeof *messages);
}

/* Untouched memory is not there. */
static int create_approved(getm *g, size_t words)
{
    for (uint32_t warp = 0; warp < g->t->core.warp_count; warp++)
        if (!(g->warps[warp].approved = calloc(words, sizeof(uint64_t))))
            return -1;
    return 0;
}

static void forget_approved(const getm *g, getm_warp *gw)
{
    memset(gw->approved, 0, (size_t)gw->touched * g->t->core.lane_count * sizeof *gw->approved);
    gw->touched = 0;
}

static tx *create(transactions *t, const hd_unit_share *share)
{
    const tx_core *core = &t->core;
    const size_t words = (size_t)core->lane_count * t->warps[0].writes.capacity;
    getm *g = calloc(1, sizeof *g);
    if (!g)
        return NULL;
    g->t = t;
    g->share = share;
    g->granule = (uint32_t)getm_parameter_of(g, GETM_GRANULE);
    g->region_bytes = g->granule < HD_GETM_REGION_BYTES ? g->granule : HD_GETM_REGION_BYTES;
    g->warps = calloc(core->warp_count, sizeof *g->warps);
    g->committing =
        (tx_queue){.warps = calloc(core->warp_count, sizeof *g->committing.warps), .capacity = core->warp_count};
    g->regions = calloc(words + 1, sizeof *g->regions); /* and the gate */
    g->partitions = calloc(words + 1, sizeof *g->partitions);
    g->order = calloc(words + 1, sizeof *g->order);
    if (!g->warps || !g->committing.warps || !g->regions || !g->partitions || !g->order || create_approved(g, words)) {
        destroy((tx *)g);
        return NULL;
    }
    if (getm_parameter_of(g, GETM_TIE_BREAK) == TIE_BREAK_WARP)
        while (1u << g->warp_bits <= core->services->count * core->warp_count)
            g->warp_bits++;
    intern(g);
    return (tx *)g;
}

static void reset(tx *unit)
{
    getm *g = (getm *)unit;
    for (uint32_t warp = 0; warp < g->t->core.warp_count; warp++) {
        getm_warp *gw = &g->warps[warp];
        forget_approved(g, gw);
        *gw = (getm_warp){.cause = HD_GETM_NO_CAUSE, .approved = gw->approved};
    }
    g->committing.head = g->committing.count = 0;
    g->region_count = 0;
    g->latest = 0;
    g->era = 0;
    g->rolls = ROLLS_NOT;
}

static void align(tx *unit)
{
    getm *g = (getm *)unit;
    for (uint32_t warp = 0; warp < g->t->core.warp_count; warp++)
        assert(tx_warp_of(g->t, warp)->state == TX_OUTSIDE && !g->warps[warp].logs &&
               "I10: kernels end without logs in flight");
    getm_new_era(g);
}

static uint32_t group_bytes(const tx *unit)
{
    return ((const getm *)unit)->granule;
}

/* ---- Attempts ------------------------------------------------------------------------------------------------------- */

static uint64_t may_begin(const tx *unit, uint32_t warp, uint64_t lanes)
{
    const getm *g = (const getm *)unit;
    const getm_warp *gw = &g->warps[warp];
    const uint32_t is_numbered = !gw->logs || g->t->warps[warp].attempt - gw->settled < EPOCHS_MAX;
    return g->rolls == ROLLS_NOT && is_numbered ? lanes : 0;
}

static void put_forward(getm *g, getm_warp *gw, uint64_t clock)
{
    if (clock <= gw->clock)
        return;
    *getm_counter(g, GETM_CLOCK_STEPS) += clock - gw->clock;
    gw->clock = clock;
    g->latest = clock > g->latest ? clock : g->latest;
}

/* A refusal puts the clock of its warp beyond the highest cause; with CLOCK_START_CORE a new transaction starts where the core's
 * latest one stood. */
static void begin(tx *unit, uint32_t warp, uint64_t lanes)
{
    (void)lanes;
    getm *g = (getm *)unit;
    getm_warp *gw = &g->warps[warp];
    tx_warp *w = tx_warp_of(g->t, warp);
    if (gw->cause != HD_GETM_NO_CAUSE)
        put_forward(g, gw, (gw->cause >> g->warp_bits) + 1);
    else if (w->failures == 0 && getm_parameter_of(g, GETM_CLOCK_START) == CLOCK_START_CORE)
        put_forward(g, gw, g->latest);
    gw->cause = HD_GETM_NO_CAUSE;
    gw->no_logs = 0;
    forget_approved(g, gw);
    gw->timestamp = gw->clock << g->warp_bits | (g->warp_bits ? tx_global_warp(g->t, warp) : 0);
    w->order = gw->timestamp;
    w->era = g->era;
    getm_gate_begin(g, warp);
}

static void note_cause(getm_warp *gw, uint64_t cause)
{
    if (cause != HD_GETM_NO_CAUSE && (gw->cause == HD_GETM_NO_CAUSE || cause > gw->cause))
        gw->cause = cause;
}

/* What this attempt has stored to is written at timestamp + 1, whether it commits or not: the next one starts beyond that. */
static void aborted(tx *unit, uint32_t warp, uint64_t lanes, uint32_t reason)
{
    const getm *g = (const getm *)unit;
    getm_warp *gw = &g->warps[warp];
    (void)lanes;
    if ((reason == TX_INTRA_WARP || reason == TX_PROGRAM || reason == TX_WATCHDOG || reason == TX_PREEMPTED) &&
        (tx_warp_of(g->t, warp)->writes.length || gw->gate == GATE_HELD))
        note_cause(gw, gw->timestamp + 1);
}

static void new_warp(tx *unit, uint32_t warp)
{
    getm *g = (getm *)unit;
    const uint64_t seed = getm_parameter_of(g, GETM_CLOCK_SEED);
    if (seed == CLOCK_SEED_SLOT)
        return;
    g->warps[warp].clock = seed == CLOCK_SEED_CORE ? g->latest : 0;
}

static uint32_t timestamp(const tx *unit, uint32_t warp)
{
    return (uint32_t)((const getm *)unit)->warps[warp].timestamp;
}

static uint32_t in_flight(const tx *unit, uint32_t warp)
{
    return ((const getm *)unit)->warps[warp].logs;
}

static void commit(tx *unit, uint32_t warp, uint64_t lanes)
{
    getm *g = (getm *)unit;
    if (g->warps[warp].no_logs) {
        tx_decide(g->t, warp, 0, 0, GETM_ROLLOVER);
        return;
    }
    tx_report_commits(g->t, warp, lanes, g->t->core.now->t);
    getm_send_logs(g, warp, lanes);
}

/* ---- Messages ------------------------------------------------------------------------------------------------------- */

hd_packet *getm_access(const getm *g, uint32_t warp, uint32_t message, uint64_t address, uint32_t count, uint32_t pc)
{
    hd_packet *packet = tx_packet(g->t, warp, message, address, (uint32_t)sizeof(hd_getm_access));
    *(hd_getm_access *)hd_body(packet) = (hd_getm_access){.timestamp = g->warps[warp].timestamp,
                                                          .warp = tx_global_warp(g->t, warp),
                                                          .count = count,
                                                          .era = (uint32_t)g->era,
                                                          .pc = pc};
    packet->unit = HD_DESTINATION_VALIDATION_UNIT;
    packet->wire_bytes += HD_GETM_ACCESS_WIRE_BYTES;
    return packet;
}

static hd_packet *request(tx *unit, const memory_access *access, uint64_t lanes, uint64_t address, uint32_t bytes,
                          uint64_t tag)
{
    (void)tag;
    const getm *g = (const getm *)unit;
    const uint32_t loads = access->instruction->instruction_class == ISA_CLASS_LOAD;
    hd_packet *packet = getm_access(g, access->warp, loads ? g->message_load : g->message_store, address,
                                    loads ? 0 : bits_count(lanes), access->pc);
    packet->argument = bytes;
    return packet;
}

static void approved(const getm *g, uint64_t tag)
{
    uint64_t lanes;
    const memory_access *access = memory_find_access(g->t->core.memory, tag, &lanes);
    if (!access)
        return;
    const tx_log *log = &tx_warp_of(g->t, access->warp)->writes;
    getm_warp *gw = &g->warps[access->warp];
    for (; lanes; lanes &= lanes - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(lanes);
        const uint32_t entry = tx_log_find(log, lane, access->address[lane] & ~3u);
        assert(entry != TX_NO_ENTRY);
        gw->approved[tx_log_at(log, entry, lane)]++;
        gw->touched = entry < gw->touched ? gw->touched : entry + 1;
    }
    memory_complete(g->t->core.memory, tag);
}

void getm_refused(getm *g, uint32_t warp, uint64_t lanes, const hd_packet *packet, uint32_t pc)
{
    static const uint32_t reasons[HD_GETM_REASON_COUNT] = {[HD_GETM_LOAD_WRITTEN] = GETM_ABORTS_LOAD_WRITTEN,
                                                           [HD_GETM_STORE_WRITTEN] = GETM_ABORTS_STORE_WRITTEN,
                                                           [HD_GETM_STORE_READ] = GETM_ABORTS_STORE_READ,
                                                           [HD_GETM_STALL_FULL] = GETM_ABORTS_STALL_FULL};
    const hd_getm_refusal *refusal = hd_body_const(packet);
    assert(tx_warp_of(g->t, warp)->state < TX_RESOLVE && "I7: nothing is refused once logs are on their way");
    note_cause(&g->warps[warp], refusal->cause);
    tx_abort_for(g->t, warp, lanes,
                 &(tx_cause){.reason = TX_OWN_REASONS + reasons[refusal->reason],
                             .pc = pc,
                             .winner = refusal->winner == HD_GETM_NOBODY ? TX_NOBODY : refusal->winner,
                             .winner_pc = refusal->winner_pc,
                             .refused = 1,
                             .tag = packet->tag});
}

static void refused(getm *g, const hd_packet *packet)
{
    uint64_t lanes;
    const memory_access *access = memory_find_access(g->t->core.memory, packet->tag, &lanes);
    if (!access)
        return;
    getm_refused(g, access->warp, lanes, packet, access->pc);
    memory_complete(g->t->core.memory, packet->tag);
}

static void reply(tx *unit, const hd_packet *packet)
{
    getm *g = (getm *)unit;
    const hd_services *services = g->t->core.services;
    if ((packet->message == g->message_store_ok || packet->message == g->message_abort) && getm_is_of_gate(g, packet))
        getm_gate_answered(g, packet);
    else if (packet->message == g->message_store_ok)
        approved(g, packet->tag);
    else if (packet->message == g->message_abort)
        refused(g, packet);
    else if (packet->message == g->message_log_ack)
        getm_acknowledged(g, (uint32_t)packet->tag);
    else if (packet->message == g->message_rollover)
        getm_rollover(g, packet->source);
    else if (packet->message == g->message_rollover_end)
        getm_rollover_end(g);
    else
        services->fault(services->context, g->t->core.now->t, "%s: a reply of unknown message %u from endpoint %u",
                        services->name, packet->message, packet->source);
}

static hd_packet *next_packet(tx *unit)
{
    getm *g = (getm *)unit;
    if (g->region_count)
        return getm_next_log(g);
    return g->rolls == ROLLS_TELLS ? getm_rolled_over(g) : getm_next_gate(g);
}

static void work(tx *unit)
{
    getm *g = (getm *)unit;
    if (g->rolls == ROLLS)
        getm_roll(g);
}

const tx_unit tx_getm = {
    .domains = TX_GLOBAL,
    .merges_writes = 1,
    .asks_for_stores = 1,
    .create = create,
    .destroy = destroy,
    .reset = reset,
    .align = align,
    .group_bytes = group_bytes,
    .may_begin = may_begin,
    .begin = begin,
    .request = request,
    .reply = reply,
    .next_packet = next_packet,
    .aborted = aborted,
    .commit = commit,
    .in_flight = in_flight,
    .work = work,
    .timestamp = timestamp,
    .new_warp = new_warp,
    .transfer = getm_transfer,
};
