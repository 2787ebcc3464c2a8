/* SPDX-License-Identifier: MIT */
/* Loads are registered and then sent; verdicts; whose reads another has overwritten. */
#include "tx/ideal/ideal.h"
#include "tx/tx_units.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void destroy(tx *unit)
{
    ideal *g = (ideal *)unit;
    ideal_registration_destroy(&g->registration);
    free(g->warps);
    free(g->committing.warps);
    free(g);
}

static void intern(ideal *g)
{
    const hd_message_number messages[] = {{&g->message_commit, HD_IDEAL_COMMIT},
                                          {&g->message_verdict, HD_IDEAL_VERDICT},
                                          {&g->message_doom, HD_IDEAL_DOOM},
                                          {&g->message_settled, HD_IDEAL_SETTLED}};
    hd_number_messages(g->t->core.services, messages, sizeof messages / sizeof *messages);
}

static tx *create(transactions *t, const hd_unit_share *share)
{
    (void)share;
    const uint32_t warps = t->core.warp_count;
    ideal *g = calloc(1, sizeof *g);
    if (!g)
        return NULL;
    g->t = t;
    g->warps = calloc(warps, sizeof *g->warps);
    g->committing = (tx_queue){.warps = calloc(warps, sizeof *g->committing.warps), .capacity = warps};
    if (ideal_registration_create(&g->registration, t) || !g->warps || !g->committing.warps) {
        destroy((tx *)g);
        return NULL;
    }
    intern(g);
    return (tx *)g;
}

static void reset(tx *unit)
{
    ideal *g = (ideal *)unit;
    ideal_registration_reset(&g->registration);
    memset(g->warps, 0, g->t->core.warp_count * sizeof *g->warps);
    g->committing.head = g->committing.count = 0;
    g->cursor = (ideal_log_cursor){0};
}

static void align(tx *unit)
{
    (void)unit;
}

static void work(tx *unit)
{
    ideal *g = (ideal *)unit;
    ideal_register_waiting(&g->registration);
    ideal_send_commits(g);
}

/* ---- Loads --------------------------------------------------------------------------------------------------------------- */

static hd_packet *request(tx *unit, const memory_access *access, uint64_t lanes, uint64_t address, uint32_t bytes,
                          uint64_t tag)
{
    ideal_register(&((ideal *)unit)->registration, access, lanes, address, bytes, tag);
    return NULL;
}

static hd_packet *next_packet(tx *unit)
{
    return ideal_next_load(&((ideal *)unit)->registration);
}

static uint64_t loaded(tx *unit, memory_access *access, uint64_t lanes, const hd_packet *reply)
{
    return ideal_loaded(&((const ideal *)unit)->registration, access, lanes, reply);
}

/* ---- Commits ------------------------------------------------------------------------------------------------------------- */

static void commit(tx *unit, uint32_t warp, uint64_t lanes)
{
    ideal *g = (ideal *)unit;
    if (!lanes) {
        tx_decide(g->t, warp, 0, 0, IDEAL_READ_COMMITTED);
        return;
    }
    tx_queue_push(&g->committing, warp);
    ideal_send_commits(g);
}

/* Whatever it runs for by now: the attempt that was meant may be over. */
static void doomed(ideal *g, uint32_t warp, const hd_packet *packet)
{
    const hd_ideal_doom *body = hd_body_const(packet);
    if (packet->epoch != tx_warp_of(g->t, warp)->epoch)
        return;
    tx_abort_for(g->t, warp, body->lanes,
                 &(tx_cause){.reason = body->winner == packet->flow ? TX_INTRA_WARP : IDEAL_READ_COMMITTED,
                             .pc = body->pc,
                             .winner = body->winner,
                             .winner_pc = body->winner_pc,
                             .refused = 1,
                             .tag = packet->tag});
    if (tx_warp_of(g->t, warp)->state == TX_DRAIN)
        memory_give_up(g->t->core.memory, tx_warp_of(g->t, warp)->path);
}

static void decided(ideal *g, uint32_t warp, const hd_packet *packet)
{
    const hd_ideal_verdict *body = hd_body_const(packet);
    assert(tx_running(g->t, warp) == body->lanes);
    tx_warp_of(g->t, warp)->order = body->order;
    tx_report_commits(g->t, warp, body->lanes, body->committed);
    if (body->is_written && !g->warps[warp].is_in_flight)
        g->warps[warp].settled = tx_warp_of(g->t, warp)->attempt;
    g->warps[warp].is_in_flight |= body->is_written;
    tx_decide(g->t, warp, body->lanes, 0, IDEAL_READ_COMMITTED);
}

static void settled(ideal *g, uint32_t warp)
{
    ideal_warp *w = &g->warps[warp];
    const uint64_t attempts = tx_warp_of(g->t, warp)->attempt - w->settled;
    w->is_in_flight = 0;
    tx_settled(g->t, warp);
    if (attempts >= IDEAL_EPOCHS)
        tx_retry_begins(g->t);
}

static void reply(tx *unit, const hd_packet *packet)
{
    ideal *g = (ideal *)unit;
    const tx_core *core = &g->t->core;
    const uint32_t warp = packet->flow - core->services->index * core->warp_count;
    if (packet->message == g->registration.message_words)
        ideal_registered(&g->registration, packet);
    else if (packet->message == g->message_doom)
        doomed(g, warp, packet);
    else if (packet->message == g->message_verdict)
        decided(g, warp, packet);
    else if (packet->message == g->message_settled)
        settled(g, warp);
    else
        core->services->fault(core->services->context, core->now->t,
                              "%s: a reply of unknown message %u from endpoint %u", core->services->name,
                              packet->message, packet->source);
}

/* ---- Attempts ------------------------------------------------------------------------------------------------------------- */

static uint64_t may_begin(const tx *unit, uint32_t warp, uint64_t lanes)
{
    const ideal *g = (const ideal *)unit;
    const ideal_warp *w = &g->warps[warp];
    return !w->is_in_flight || g->t->warps[warp].attempt - w->settled < IDEAL_EPOCHS ? lanes : 0;
}

static void begin(tx *unit, uint32_t warp, uint64_t lanes)
{
    (void)lanes;
    ideal_registration_begin(&((ideal *)unit)->registration, warp);
}

static void new_warp(tx *unit, uint32_t warp)
{
    (void)unit, (void)warp;
}

static void aborted(tx *unit, uint32_t warp, uint64_t lanes, uint32_t reason)
{
    (void)unit, (void)warp, (void)lanes, (void)reason;
}

static uint32_t in_flight(const tx *unit, uint32_t warp)
{
    return ((const ideal *)unit)->warps[warp].is_in_flight;
}

/* Of its latest commit: an attempt has none before. */
static uint32_t timestamp(const tx *unit, uint32_t warp)
{
    return (uint32_t)tx_warp_of(((const ideal *)unit)->t, warp)->order;
}

const tx_unit tx_ideal = {
    .domains = TX_GLOBAL,
    .detects_within_warp = 1,
    .merges_writes = 1,
    .sends_at_once = 1,
    .create = create,
    .destroy = destroy,
    .reset = reset,
    .align = align,
    .may_begin = may_begin,
    .begin = begin,
    .request = request,
    .loaded = loaded,
    .reply = reply,
    .next_packet = next_packet,
    .aborted = aborted,
    .commit = commit,
    .in_flight = in_flight,
    .work = work,
    .timestamp = timestamp,
    .new_warp = new_warp,
    .transfer = ideal_transfer,
};
