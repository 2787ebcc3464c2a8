/* SPDX-License-Identifier: MIT */
/* Accesses, and the life of it all. */
#include "tx/local/local.h"
#include "tx/tx_units.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- Accesses ----------------------------------------------------------------------------------------------------------- */

static void count(const local *l, const bank_outcome *outcome, uint64_t lanes)
{
    *local_counter(l, LOCAL_ACCESSES) += bits_count(lanes);
    *local_counter(l, LOCAL_DATA_CYCLES) += outcome->data_cycles;
    *local_counter(l, LOCAL_RESTORE_CYCLES) += outcome->restore_cycles;
    *local_counter(l, LOCAL_DETECTION_CYCLES) += outcome->cycles - outcome->data_cycles - outcome->restore_cycles;
}

/* Those of lanes that have lost are forgotten when they begin again. */
static void count_words(const local *l, const memory_access *access, uint64_t lanes)
{
    const uint32_t stores = access->instruction->instruction_class == ISA_CLASS_STORE;
    for (; lanes; lanes &= lanes - 1) {
        local_words *used = local_used(l, access->warp, (uint32_t)__builtin_ctzll(lanes));
        used->reads += !stores;
        used->writes += stores;
    }
}

static uint32_t winner_of(const local *l, const local_group *group, uint32_t thread)
{
    return thread == OWNERSHIP_THREADS ? TX_NOBODY : tx_global_warp(l->t, group->warps[thread / l->t->core.lane_count]);
}

/* Each of them for its own reason. */
static void abort_lost(local *l, const memory_access *access, const bank_outcome *outcome, const uint32_t *place)
{
    for (uint64_t left = outcome->lost; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        const uint32_t bank = place[lane] / 4 % l->t->core.scratchpad_banks;
        ++*local_counter(l, LOCAL_BANK_CONFLICTS + bank % LOCAL_BANKS);
        tx_abort_for(l->t, access->warp, left & -left,
                     &(tx_cause){.reason = TX_OWN_REASONS + outcome->conflict[lane] - CONFLICT_READ_READ,
                                 .pc = access->pc,
                                 .winner = winner_of(l, local_group_of(l, access->warp), outcome->winner[lane])});
    }
}

static uint64_t at_banks(tx *unit, const memory_access *access, uint64_t lanes, const uint32_t *place, uint32_t *cycles)
{
    local *l = (local *)unit;
    local_group *group = local_group_of(l, access->warp);
    uint32_t word[MAX_LANES];
    bank_outcome outcome;
    for (uint64_t left = lanes; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        word[lane] = (place[lane] - group->offset) / 4;
    }
    bank_steps_run(&group->ownership, &l->timing,
                   &(bank_request){.lanes = lanes,
                                   .running = tx_running(l->t, access->warp),
                                   .word = word,
                                   .first_thread = local_thread_of(l, access->warp, 0),
                                   .stores = access->instruction->instruction_class == ISA_CLASS_STORE},
                   &outcome);
    assert((l->warps[access->warp].turn.mode != TURN_IN_BLOCK || !outcome.lost) && "who is alone loses to nobody");
    count(l, &outcome, lanes);
    count_words(l, access, outcome.fresh);
    local_record_accesses(l, access, lanes & ~outcome.lost, place);
    abort_lost(l, access, &outcome, place);
    *cycles = outcome.cycles;
    return lanes & ~outcome.lost;
}

/* ---- Life --------------------------------------------------------------------------------------------------------------- */

static void destroy(tx *unit)
{
    local *l = (local *)unit;
    ownership_words_destroy(&l->words);
    for (uint32_t warp = 0; l->records && warp < l->t->core.warp_count; warp++)
        free(l->records[warp].items);
    free(l->records);
    free(l->used);
    free(l->reads);
    free(l->writes);
    free(l->warps);
    free(l->groups);
    free(l);
}

static void read_parameters(local *l)
{
    l->timing = (bank_timing){.access = (uint32_t)local_parameter(l, LOCAL_BANK_CYCLES),
                              .state = (uint32_t)local_parameter(l, LOCAL_STATE_CYCLES),
                              .restore = (uint32_t)local_parameter(l, LOCAL_RESTORE),
                              .is_strict = (uint32_t)local_parameter(l, LOCAL_STRICT)};
    l->rules = (turn_rules){.equal_masks = (uint32_t)local_parameter(l, LOCAL_EQUAL_MASKS),
                            .selection = (uint32_t)local_parameter(l, LOCAL_SELECT),
                            .in_warp = (uint32_t)local_parameter(l, LOCAL_IN_WARP),
                            .in_block = (uint32_t)local_parameter(l, LOCAL_IN_BLOCK)};
}

static void reset(tx *unit)
{
    local *l = (local *)unit;
    memset(l->warps, 0, l->t->core.warp_count * sizeof *l->warps);
    for (uint32_t warp = 0; warp < l->t->core.warp_count; warp++) {
        l->warps[warp].finishes = l->warps[warp].stands = UINT64_MAX;
        l->records[warp].count = 0;
    }
    for (uint32_t slot = 0; slot < l->t->core.block_count; slot++)
        l->groups[slot] = (local_group){.number = UINT64_MAX};
    l->next = UINT64_MAX;
    l->sequence = 0;
}

static tx *create(transactions *t, const hd_unit_share *share)
{
    local *l = calloc(1, sizeof *l);
    if (!l)
        return NULL;
    l->t = t;
    l->share = share;
    l->warps = calloc(t->core.warp_count, sizeof *l->warps);
    l->records = calloc(t->core.warp_count, sizeof *l->records);
    l->groups = calloc(t->core.block_count, sizeof *l->groups);
    l->used = calloc((size_t)t->core.warp_count * t->core.lane_count, sizeof *l->used);
    if (!l->warps || !l->records || !l->groups || !l->used ||
        ownership_words_create(&l->words, t->core.scratchpad_bytes / 4,
                               (uint32_t)local_parameter(l, LOCAL_SHARED_RELEASE))) {
        destroy((tx *)l);
        return NULL;
    }
    read_parameters(l);
    reset((tx *)l);
    return (tx *)l;
}

static void align(tx *unit)
{
    (void)unit;
}

/* ---- What there is nothing to of a protocol that sends nothing ------------------------------------------------------------ */

static hd_packet *request(tx *unit, const memory_access *access, uint64_t lanes, uint64_t address, uint32_t bytes,
                          uint64_t tag)
{
    (void)unit, (void)access, (void)lanes, (void)address, (void)bytes, (void)tag;
    return NULL;
}

static void reply(tx *unit, const hd_packet *packet)
{
    const local *l = (const local *)unit;
    const hd_services *services = l->t->core.services;
    services->fault(services->context, l->t->core.now->t, "%s: a reply of message %u from endpoint %u, to nothing",
                    services->name, packet->message, packet->source);
}

static hd_packet *next_packet(tx *unit)
{
    (void)unit;
    return NULL;
}

static uint32_t in_flight(const tx *unit, uint32_t warp)
{
    (void)unit, (void)warp;
    return 0;
}

/* Of its latest commit: an attempt has none before. */
static uint32_t timestamp(const tx *unit, uint32_t warp)
{
    return (uint32_t)tx_warp_of(((const local *)unit)->t, warp)->order;
}

static void words(const tx *unit, uint32_t warp, uint32_t lane, uint32_t *reads, uint32_t *writes)
{
    const local_words *used = local_used((const local *)unit, warp, lane);
    *reads = used->reads;
    *writes = used->writes;
}

static uint32_t backs_off(const tx *unit)
{
    return (uint32_t)local_parameter((const local *)unit, LOCAL_BACK_OFF);
}

static uint32_t register_copies(const tx *unit)
{
    return local_parameter((const local *)unit, LOCAL_CHECKPOINT) == LOCAL_CHECKPOINT_SHADOW ? 2 : 1;
}

const tx_unit tx_local = {
    .domains = TX_SCRATCHPAD,
    .detects_within_warp = 1,
    .lets_pass = 1,
    .create = create,
    .destroy = destroy,
    .reset = reset,
    .align = align,
    .may_begin = local_may_begin,
    .begin = local_begin,
    .request = request,
    .reply = reply,
    .next_packet = next_packet,
    .aborted = local_aborted,
    .commit = local_commit,
    .in_flight = in_flight,
    .work = local_work,
    .timestamp = timestamp,
    .new_warp = local_new_warp,
    .backs_off = backs_off,
    .scratchpad_rows = local_scratchpad_rows,
    .register_copies = register_copies,
    .at_banks = at_banks,
    .changed_plainly = local_changed_plainly,
    .words = words,
    .report = local_report,
    .transfer = local_transfer,
};
