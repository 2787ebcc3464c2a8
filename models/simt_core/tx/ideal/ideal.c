/* SPDX-License-Identifier: MIT */
/* Loads are registered and then sent; verdicts; whose reads another has overwritten. */
#include "tx/ideal/ideal.h"
#include "tx/tx_units.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void drop_packets(ideal *g)
{
    const hd_services *services = g->t->core.services;
    for (; g->asking_count; g->asking_count--, g->asking_first = (g->asking_first + 1) % g->capacity)
        services->free(services->context, g->asking[g->asking_first]);
}

static void destroy(tx *unit)
{
    ideal *g = (ideal *)unit;
    if (g->asking)
        drop_packets(g);
    free(g->warps);
    free(g->words);
    free(g->loads);
    free(g->asking);
    free(g->committing.warps);
    free(g);
}

static void intern(ideal *g)
{
    const hd_message_number messages[] = {
        {&g->message_read, HD_IDEAL_READ},     {&g->message_words, HD_IDEAL_WORDS},
        {&g->message_commit, HD_IDEAL_COMMIT}, {&g->message_verdict, HD_IDEAL_VERDICT},
        {&g->message_doom, HD_IDEAL_DOOM},     {&g->message_settled, HD_IDEAL_SETTLED},
        {&g->message_load, HD_GLOBAL_LOAD}};
    hd_number_messages(g->t->core.services, messages, sizeof messages / sizeof *messages);
}

static tx *create(transactions *t)
{
    const tx_core *core = &t->core;
    const uint32_t warps = core->warp_count, lanes = core->lane_count;
    ideal *g = calloc(1, sizeof *g);
    if (!g)
        return NULL;
    g->t = t;
    g->capacity = (uint32_t)core->accesses * lanes;
    g->warps = calloc(warps, sizeof *g->warps);
    g->words = calloc(g->capacity, sizeof *g->words);
    g->loads = calloc(g->capacity, sizeof *g->loads);
    g->asking = calloc(g->capacity, sizeof *g->asking);
    g->committing = (tx_queue){.warps = calloc(warps, sizeof *g->committing.warps), .capacity = warps};
    if (!g->warps || !g->words || !g->loads || !g->asking || !g->committing.warps) {
        destroy((tx *)g);
        return NULL;
    }
    intern(g);
    return (tx *)g;
}

static void reset(tx *unit)
{
    ideal *g = (ideal *)unit;
    drop_packets(g);
    memset(g->warps, 0, g->t->core.warp_count * sizeof *g->warps);
    g->committing.head = g->committing.count = 0;
    g->load_first = g->load_count = g->asking_first = 0;
    g->lane = g->entry = 0;
}

static void align(tx *unit)
{
    (void)unit;
}

static uint32_t group_bytes(const tx *unit)
{
    (void)unit;
    return HD_LINE_BYTES;
}

/* ---- The port for transactions ------------------------------------------------------------------------------------------ */

hd_packet *ideal_packet(const ideal *g, uint32_t warp, uint32_t message, uint32_t body_bytes)
{
    const hd_services *services = g->t->core.services;
    hd_packet *packet = services->alloc(services->context, body_bytes);
    packet->message = message;
    packet->source = (uint16_t)services->endpoint;
    packet->traffic_class = HD_CLASS_TRANSACTION;
    packet->flow = tx_global_warp(g->t, warp);
    packet->epoch = g->warps[warp].heard = tx_warp_of(g->t, warp)->epoch;
    packet->wire_bytes = HD_HEADER_WIRE_BYTES;
    packet->body_bytes = body_bytes;
    return packet;
}

uint32_t ideal_has_credit(const ideal *g)
{
    return g->t->core.port->can_send(g->t->core.context);
}

void ideal_send(ideal *g, hd_packet *packet)
{
    g->t->core.port->send(g->t->core.context, packet);
}

static void ask(ideal *g, hd_packet *packet)
{
    if (!g->asking_count && ideal_has_credit(g)) {
        ideal_send(g, packet);
        return;
    }
    g->asking[(g->asking_first + g->asking_count++) % g->capacity] = packet;
    tx_wake(g->t, g->t->core.now->n + 1);
}

static void work(tx *unit)
{
    ideal *g = (ideal *)unit;
    for (; g->asking_count && ideal_has_credit(g);
         g->asking_count--, g->asking_first = (g->asking_first + 1) % g->capacity)
        ideal_send(g, g->asking[g->asking_first]);
    if (g->asking_count)
        tx_wake(g->t, g->t->core.now->n + 1);
    ideal_send_commits(g);
}

/* ---- Loads --------------------------------------------------------------------------------------------------------------- */

static hd_packet *request(tx *unit, const memory_access *access, uint64_t lanes, uint64_t address, uint32_t bytes,
                          uint64_t tag)
{
    ideal *g = (ideal *)unit;
    hd_packet *packet = ideal_packet(g, access->warp, g->message_read, sizeof(hd_ideal_read));
    hd_ideal_read *body = hd_body(packet);
    *body = (hd_ideal_read){.lanes = lanes, .pc = access->pc};
    for (uint64_t left = lanes; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        body->word[lane] = (uint8_t)(access->address[lane] % HD_LINE_BYTES / 4);
    }
    packet->tag = tag;
    packet->address = address;
    packet->argument = bytes;
    ask(g, packet);
    return NULL;
}

static ideal_word *word_of(const ideal *g, uint64_t tag, uint32_t lane)
{
    return &g->words[memory_ticket(tag) * g->t->core.lane_count + lane];
}

/* The load is registered: it may leave. What is not in memory yet is kept until it comes back. */
static void registered(ideal *g, const hd_packet *packet)
{
    memory *memory = g->t->core.memory;
    const hd_ideal_words *body = hd_body_const(packet);
    uint64_t lanes;
    const memory_access *access = memory_awaiting(memory, packet->tag, &lanes);
    if (!access)
        return;
    if (!(lanes & tx_running(g->t, access->warp))) {
        memory_complete(memory, packet->tag);
        return;
    }
    for (uint64_t left = lanes; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left), at = access->address[lane] % HD_LINE_BYTES & ~3u;
        ideal_word *word = word_of(g, packet->tag, lane);
        word->byte_mask = body->byte_mask[at / 32] >> at % 32 & 0xF;
        memcpy(&word->value, body->data + at, sizeof word->value);
    }
    g->loads[(g->load_first + g->load_count++) % g->capacity] =
        (ideal_load){.tag = packet->tag, .address = packet->address, .bytes = packet->argument};
    memory_offer_packets(memory, 1);
}

static hd_packet *next_packet(tx *unit)
{
    ideal *g = (ideal *)unit;
    memory *memory = g->t->core.memory;
    while (g->load_count) {
        const ideal_load *load = &g->loads[g->load_first];
        uint64_t lanes;
        const memory_access *access = memory_awaiting(memory, load->tag, &lanes);
        g->load_first = (g->load_first + 1) % g->capacity;
        g->load_count--;
        if (!access)
            continue;
        hd_packet *packet = tx_packet(g->t, access->warp, g->message_load, load->address, 0);
        packet->traffic_class = HD_CLASS_GLOBAL;
        packet->argument = load->bytes;
        packet->tag = load->tag;
        memory_count_load(memory, packet);
        return packet;
    }
    return NULL;
}

/* Bytes of the access that are newer than what has come. */
static uint32_t newer_bytes(const memory_access *access, uint32_t lane, const ideal_word *word)
{
    return word->byte_mask >> access->address[lane] % 4 & ((1u << access->instruction->access_bytes) - 1);
}

static uint64_t loaded(tx *unit, memory_access *access, uint64_t lanes, const hd_packet *reply)
{
    const ideal *g = (const ideal *)unit;
    uint64_t changed = 0;
    for (uint64_t left = lanes; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left), shift = 8 * (access->address[lane] % 4);
        const ideal_word *word = word_of(g, reply->tag, lane);
        const uint32_t bits = hd_bits_of_bytes(newer_bytes(access, lane, word));
        access->data[lane] = (access->data[lane] & ~bits) | (word->value >> shift & bits);
        changed |= bits ? left & -left : 0;
    }
    return changed;
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
    if (packet->message == g->message_words)
        registered(g, packet);
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

/* The block knows an attempt by its epoch, from its first message on, until it hears of another: one that has sent none since
 * then must not be taken for it. */
static void begin(tx *unit, uint32_t warp, uint64_t lanes)
{
    (void)lanes;
    const ideal *g = (const ideal *)unit;
    tx_warp *w = tx_warp_of(g->t, warp);
    if (w->epoch == g->warps[warp].heard)
        w->epoch = tx_next_epoch(w);
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
    .group_bytes = group_bytes,
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
};
