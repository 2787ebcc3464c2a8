/* SPDX-License-Identifier: MIT */
/* Life, loads, and lanes that commit without being seen. */
#include "tx/kilo/kilo.h"
#include "tx/tx_units.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- Life ---------------------------------------------------------------------------------------------------------- */

void kilo_release(kilo *k)
{
    for (uint32_t warp = 0; k->warps && warp < k->t->core.warp_count; warp++) {
        free(k->warps[warp].places);
        free(k->warps[warp].first);
    }
    free(k->warps);
    free(k->asking.warps);
    free(k->sending.warps);
    free(k->resends);
    free(k->mishaps);
}

static void destroy(tx *unit)
{
    kilo_release((kilo *)unit);
    free(unit);
}

static void intern(kilo *k)
{
    const hd_message_number messages[] = {{&k->message_load, HD_GLOBAL_LOAD},
                                          {&k->message_read_set, HD_KILO_READ_SET},
                                          {&k->message_write_set, HD_KILO_WRITE_SET},
                                          {&k->message_done_skip, HD_KILO_DONE_SKIP},
                                          {&k->message_verdict, HD_KILO_VERDICT},
                                          {&k->message_outcome, HD_KILO_OUTCOME},
                                          {&k->message_committed, HD_KILO_COMMITTED},
                                          {&k->message_resend, HD_KILO_RESEND},
                                          {&k->message_resent, HD_KILO_RESENT},
                                          {&k->message_take_ids, HD_KILO_TAKE_IDS},
                                          {&k->message_ids, HD_KILO_IDS}};
    hd_number_messages(k->t->core.services, messages, sizeof messages / sizeof *messages);
}

static int create_warps(kilo *k)
{
    const tx_core *core = &k->t->core;
    k->warps = calloc(core->warp_count, sizeof *k->warps);
    for (uint32_t warp = 0; k->warps && warp < core->warp_count; warp++) {
        kilo_warp *kw = &k->warps[warp];
        kw->places = calloc(k->partitions, sizeof *kw->places);
        kw->first = calloc(core->lane_count, sizeof *kw->first);
        if (!kw->places || !kw->first)
            return -1;
    }
    return k->warps ? 0 : -1;
}

int kilo_create(kilo *k, transactions *t, const hd_unit_share *share, uint32_t reasons)
{
    const uint32_t warps = t->core.warp_count;
    k->t = t;
    k->share = share;
    k->counters = share->counters + reasons;
    k->partitions = memory_map(t->core.memory)->partitions;
    k->aggregates = (uint32_t)share->values[KILO_AGGREGATE].u;
    k->has_times = (uint32_t)share->values[KILO_TCD].u;
    k->asking = (tx_queue){.warps = calloc(warps, sizeof *k->asking.warps), .capacity = warps};
    k->sending = (tx_queue){.warps = calloc(warps, sizeof *k->sending.warps), .capacity = warps};
    intern(k);
    return create_warps(k) || !k->asking.warps || !k->sending.warps ? -1 : 0;
}

static tx *create(transactions *t, const hd_unit_share *share)
{
    kilo *k = calloc(1, sizeof *k);
    if (k && kilo_create(k, t, share, KILO_REASONS)) {
        destroy((tx *)k);
        return NULL;
    }
    if (k)
        k->shows_failures = 1;
    return (tx *)k;
}

void kilo_reset(tx *unit)
{
    kilo *k = (kilo *)unit;
    for (uint32_t warp = 0; warp < k->t->core.warp_count; warp++) {
        kilo_warp *kw = &k->warps[warp];
        *kw = (kilo_warp){.places = kw->places, .first = kw->first};
    }
    k->asking.head = k->asking.count = k->sending.head = k->sending.count = 0;
    hd_ring_clear(&k->resend_ring);
    k->mishap_count = 0;
}

void kilo_align(tx *unit)
{
    const kilo *k = (const kilo *)unit;
    (void)k;
    assert(!k->asking.count && !k->sending.count && !k->resend_ring.count &&
           "kernels end without anything left to send");
}

/* ---- Attempts ------------------------------------------------------------------------------------------------------- */

void kilo_begin(tx *unit, uint32_t warp, uint64_t lanes)
{
    kilo *k = (kilo *)unit;
    kilo_warp *kw = &k->warps[warp];
    (void)lanes;
    assert(kw->phase == KILO_RUNS);
    kw->has_loaded = kw->conflicts = 0;
    if (!tx_warp_of(k->t, warp)->failures)
        kw->cut_short = 0; /* another transaction */
    kilo_forget_mishaps(k, warp);
}

void kilo_aborted(tx *unit, uint32_t warp, uint64_t lanes, uint32_t reason)
{
    (void)unit, (void)warp, (void)lanes, (void)reason;
}

void kilo_new_warp(tx *unit, uint32_t warp)
{
    (void)unit, (void)warp;
}

/* Who has written waits for all of it. */
uint32_t kilo_in_flight(const tx *unit, uint32_t warp)
{
    (void)unit, (void)warp;
    return 0;
}

/* Of the warp's latest commit: an attempt has none before. */
uint32_t kilo_timestamp(const tx *unit, uint32_t warp)
{
    return (uint32_t)((const kilo *)unit)->warps[warp].group.first;
}

/* ---- Loads ---------------------------------------------------------------------------------------------------------- */

static void note_first(kilo *k, uint32_t warp, uint64_t lanes)
{
    kilo_warp *kw = &k->warps[warp];
    for (uint64_t left = lanes & ~kw->has_loaded; left; left &= left - 1)
        kw->first[__builtin_ctzll(left)] = k->t->core.now->t;
    kw->has_loaded |= lanes;
}

/* An ordinary load, but for its epoch. */
hd_packet *kilo_request(tx *unit, const memory_access *access, uint64_t lanes, uint64_t address, uint32_t bytes,
                        uint64_t tag)
{
    kilo *k = (kilo *)unit;
    (void)tag;
    if (k->has_times)
        note_first(k, access->warp, lanes);
    ++*kilo_counter(k, KILO_SLICE_LOADS);
    hd_packet *packet = tx_packet(k->t, access->warp, k->message_load, address, 0);
    packet->traffic_class = HD_CLASS_GLOBAL;
    packet->argument = bytes;
    return packet;
}

/* Lanes that have seen the state of memory at the end of the cycle of their first load see it still (Fung 2015 §6.4). */
uint64_t kilo_loaded(tx *unit, memory_access *access, uint64_t lanes, const hd_packet *reply)
{
    const kilo *k = (const kilo *)unit;
    kilo_warp *kw = &k->warps[access->warp];
    hd_kilo_written written = {.t = HD_NEVER};
    if (!k->has_times)
        return 0;
    if (reply->body_bytes >= reply->argument + sizeof written)
        memcpy(&written, (const uint8_t *)hd_body_const(reply) + reply->argument, sizeof written);
    for (uint64_t left = lanes; left; left &= left - 1)
        if (written.is_pending || written.t > kw->first[__builtin_ctzll(left)])
            kw->conflicts |= left & -left;
    return 0;
}

/* ---- Commits that nobody is asked about -------------------------------------------------------------------------------- */

uint64_t kilo_at_commit(tx *unit, uint32_t warp, uint64_t lanes)
{
    kilo *k = (kilo *)unit;
    tx_warp *w = tx_warp_of(k->t, warp);
    const uint64_t idle = lanes & ~tx_log_users(&w->writes);
    const uint64_t readers = idle & tx_log_users(&w->reads);
    const uint64_t in_doubt = k->has_times ? readers & k->warps[warp].conflicts : readers;
    const uint64_t silent = idle & ~in_doubt;
    if (k->has_times)
        *kilo_counter(k, KILO_SECOND_CHANCES) += bits_count(in_doubt);
    *kilo_counter(k, KILO_SILENT_COMMITS) += bits_count(silent);
    kilo_trace_silent(k, warp, silent, in_doubt);
    w->order = HD_NO_ORDER;
    tx_report_commits(k->t, warp, silent, k->t->core.now->t);
    return silent;
}

/* ---- Others ----------------------------------------------------------------------------------------------------------- */

/* Those that have read nothing have nothing to be validated by. */
static void drop_clear_suspects(const kilo *k, uint32_t warp)
{
    kilo_warp *kw = &k->warps[warp];
    const uint64_t clear = kw->suspects & ~tx_log_readers(&tx_warp_of(k->t, warp)->reads);
    if (clear)
        kilo_blame(k, warp, clear);
    kw->suspects &= ~clear;
}

void kilo_commit(tx *unit, uint32_t warp, uint64_t lanes)
{
    kilo *k = (kilo *)unit;
    if (k->warps[warp].suspects)
        drop_clear_suspects(k, warp);
    if (lanes | k->warps[warp].suspects)
        kilo_take_ids(k, warp, lanes);
    else
        tx_decide(k->t, warp, 0, 0, KILO_VALIDATION);
}

void kilo_reply(tx *unit, const hd_packet *packet)
{
    kilo *k = (kilo *)unit;
    const tx_core *core = &k->t->core;
    const uint32_t warp = packet->flow - core->services->index * core->warp_count;
    if (packet->message == k->message_ids)
        kilo_got_ids(k, warp, packet->address);
    else if (packet->message == k->message_verdict)
        kilo_judged(k, warp, packet);
    else if (packet->message == k->message_committed)
        kilo_written(k, warp, packet->argument, hd_body_const(packet));
    else if (packet->message == k->message_resend)
        kilo_send_again(k, warp, packet->argument, hd_body_const(packet));
    else
        core->services->fault(core->services->context, core->now->t,
                              "%s: a reply of unknown message %u from endpoint %u", core->services->name,
                              packet->message, packet->source);
}

hd_packet *kilo_offered(tx *unit)
{
    return kilo_next_packet((kilo *)unit);
}

void kilo_work(tx *unit)
{
    kilo_ask((kilo *)unit);
}

const tx_unit tx_kilo = {
    .domains = TX_GLOBAL,
    .sends_reads = 1,
    .serial_rule = HD_SERIAL_BY_VALUE,
    .sends_at_once = 1,
    .create = create,
    .destroy = destroy,
    .reset = kilo_reset,
    .align = kilo_align,
    .begin = kilo_begin,
    .request = kilo_request,
    .loaded = kilo_loaded,
    .reply = kilo_reply,
    .next_packet = kilo_offered,
    .doomed = kilo_doomed,
    .aborted = kilo_aborted,
    .at_commit = kilo_at_commit,
    .commit = kilo_commit,
    .in_flight = kilo_in_flight,
    .work = kilo_work,
    .timestamp = kilo_timestamp,
    .new_warp = kilo_new_warp,
    .transfer = kilo_transfer,
};
