/* SPDX-License-Identifier: MIT */
/* Life, loads, and what comes from the block and the commit units. */
#include "tx/warptm_el/warptm_el.h"
#include "tx/tx_units.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- Life ---------------------------------------------------------------------------------------------------------- */

static void destroy(tx *unit)
{
    warptm_el *u = (warptm_el *)unit;
    for (uint32_t warp = 0; u->warps && warp < u->t->core.warp_count; warp++) {
        free(u->warps[warp].places);
        free(u->warps[warp].changed);
    }
    ideal_registration_destroy(&u->registration);
    free(u->warps);
    free(u->telling.warps);
    free(u->sending.warps);
    free(u);
}

static void intern(warptm_el *u)
{
    const hd_message_number messages[] = {
        {&u->message_commit, HD_IDEAL_COMMIT},      {&u->message_verdict, HD_IDEAL_VERDICT},
        {&u->message_changed, HD_IDEAL_CHANGED},    {&u->message_written, HD_IDEAL_WRITTEN},
        {&u->message_write_set, HD_KILO_WRITE_SET}, {&u->message_done_skip, HD_KILO_DONE_SKIP},
        {&u->message_committed, HD_KILO_COMMITTED}};
    hd_number_messages(u->t->core.services, messages, sizeof messages / sizeof *messages);
}

static int create_warps(warptm_el *u)
{
    const uint32_t warps = u->t->core.warp_count;
    u->warps = calloc(warps, sizeof *u->warps);
    u->telling = (tx_queue){.warps = calloc(warps, sizeof *u->telling.warps), .capacity = warps};
    u->sending = (tx_queue){.warps = calloc(warps, sizeof *u->sending.warps), .capacity = warps};
    for (uint32_t warp = 0; u->warps && warp < warps; warp++)
        if (!(u->warps[warp].places = calloc(u->partitions, sizeof *u->warps[warp].places)))
            return -1;
    return u->warps && u->telling.warps && u->sending.warps ? 0 : -1;
}

static tx *create(transactions *t, const hd_unit_share *share)
{
    warptm_el *u = calloc(1, sizeof *u);
    if (!u)
        return NULL;
    u->t = t;
    u->share = share;
    u->partitions = memory_map(t->core.memory)->partitions;
    u->compares_accesses = share->values[WARPTM_EL_COMPARE].u == COMPARE_ACCESSES;
    u->compares_commits = share->values[WARPTM_EL_TEST_LAST].u == LAST_COMMIT;
    if (ideal_registration_create(&u->registration, t) || create_warps(u)) {
        destroy((tx *)u);
        return NULL;
    }
    intern(u);
    return (tx *)u;
}

static void reset(tx *unit)
{
    warptm_el *u = (warptm_el *)unit;
    for (uint32_t warp = 0; warp < u->t->core.warp_count; warp++) {
        warptm_el_warp *ew = &u->warps[warp];
        *ew = (warptm_el_warp){.places = ew->places, .changed = ew->changed, .changed_capacity = ew->changed_capacity};
    }
    ideal_registration_reset(&u->registration);
    u->telling.head = u->telling.count = u->sending.head = u->sending.count = 0;
    u->cursor = (ideal_log_cursor){0};
}

static void align(tx *unit)
{
    const warptm_el *u = (const warptm_el *)unit;
    (void)u;
    assert(!u->telling.count && !u->sending.count && "kernels end without anything left to send");
}

/* ---- Attempts ------------------------------------------------------------------------------------------------------- */

static void begin(tx *unit, uint32_t warp, uint64_t lanes)
{
    warptm_el *u = (warptm_el *)unit;
    warptm_el_warp *ew = &u->warps[warp];
    (void)lanes;
    assert(ew->phase == WARPTM_EL_RUNS);
    ew->changed_count = ew->changes = 0;
    ideal_registration_begin(&u->registration, warp);
}

static void aborted(tx *unit, uint32_t warp, uint64_t lanes, uint32_t reason)
{
    (void)unit, (void)warp, (void)lanes, (void)reason;
}

static void new_warp(tx *unit, uint32_t warp)
{
    (void)unit, (void)warp;
}

/* Who has written waits for all of it. */
static uint32_t in_flight(const tx *unit, uint32_t warp)
{
    (void)unit, (void)warp;
    return 0;
}

/* Of the warp's latest commit: an attempt has none before. */
static uint32_t timestamp(const tx *unit, uint32_t warp)
{
    return (uint32_t)((const warptm_el *)unit)->warps[warp].group.first;
}

/* ---- Loads, and what is sent ------------------------------------------------------------------------------------------- */

static hd_packet *request(tx *unit, const memory_access *access, uint64_t lanes, uint64_t address, uint32_t bytes,
                          uint64_t tag)
{
    ideal_register(&((warptm_el *)unit)->registration, access, lanes, address, bytes, tag);
    return NULL;
}

static uint64_t loaded(tx *unit, memory_access *access, uint64_t lanes, const hd_packet *reply)
{
    return ideal_loaded(&((const warptm_el *)unit)->registration, access, lanes, reply);
}

static hd_packet *next_packet(tx *unit)
{
    warptm_el *u = (warptm_el *)unit;
    hd_packet *load = ideal_next_load(&u->registration);
    return load ? load : warptm_el_next_log(u);
}

static void work(tx *unit)
{
    warptm_el *u = (warptm_el *)unit;
    ideal_register_waiting(&u->registration);
    warptm_el_tell(u);
}

/* ---- What comes ---------------------------------------------------------------------------------------------------------- */

static void reply(tx *unit, const hd_packet *packet)
{
    warptm_el *u = (warptm_el *)unit;
    const tx_core *core = &u->t->core;
    const uint32_t warp = packet->flow - core->services->index * core->warp_count;
    if (packet->message == u->registration.message_words)
        ideal_registered(&u->registration, packet);
    else if (packet->message == u->message_changed)
        warptm_el_changed(u, warp, packet);
    else if (packet->message == u->message_verdict)
        warptm_el_decided(u, warp, hd_body_const(packet));
    else if (packet->message == u->message_committed)
        warptm_el_written(u, warp, packet->argument, hd_body_const(packet));
    else
        core->services->fault(core->services->context, core->now->t,
                              "%s: a reply of unknown message %u from endpoint %u", core->services->name,
                              packet->message, packet->source);
}

const tx_unit tx_warptm_el = {
    .domains = TX_GLOBAL,
    .serial_rule = HD_SERIAL_BY_VALUE,
    .sends_at_once = 1,
    .create = create,
    .destroy = destroy,
    .reset = reset,
    .align = align,
    .begin = begin,
    .request = request,
    .before_access = warptm_el_before_access,
    .loaded = loaded,
    .reply = reply,
    .next_packet = next_packet,
    .doomed = warptm_el_doomed,
    .aborted = aborted,
    .at_commit = warptm_el_at_commit,
    .commit = warptm_el_commit,
    .in_flight = in_flight,
    .work = work,
    .timestamp = timestamp,
    .new_warp = new_warp,
    .transfer = warptm_el_transfer,
};
