/* SPDX-License-Identifier: MIT */
/* Life, and what differs from Kilo TM. */
#include "tx/eapg/eapg.h"
#include "tx/tx_units.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void destroy(tx *unit)
{
    eapg *e = (eapg *)unit;
    kilo_release(&e->kilo);
    hd_word_map_destroy(&e->table);
    free(e->signatures);
    free(e->late);
    free(e->warps);
    free(e);
}

static void take_values(eapg *e, const hd_value *values)
{
    e->aborts_early = (uint32_t)values[EAPG_EARLY_ABORT].u;
    e->pauses = values[EAPG_PAUSE].u == PAUSE_STACK;
    e->waits = values[EAPG_PAUSE].u == PAUSE_WAIT;
    e->time_out = values[EAPG_PAUSE_TIME_OUT].u;
    e->costs = (uint32_t)values[EAPG_TABLE_COST].u;
    e->keeps_pipe = values[EAPG_TEST_WAIT].u == WAIT_PIPE;
    e->repeats = (uint32_t)values[EAPG_PAUSE_REPEATS].u;
    e->in_branch = (uint32_t)values[EAPG_PAUSE_IN_BRANCH].u;
    e->store_hits = (uint32_t)values[EAPG_STORE_HITS].u;
    e->loses_logs = values[EAPG_TEST_LOGS].u == LOGS_LOSE;
    e->reprieves = values[EAPG_TEST_REPRIEVE].u == REPRIEVE_YES;
}

static void intern(eapg *e)
{
    const hd_message_number messages[] = {{&e->message_enter, HD_KILO_ENTER},
                                          {&e->message_leave, HD_KILO_LEAVE},
                                          {&e->message_signature, HD_KILO_SIGNATURE}};
    hd_number_messages(e->kilo.t->core.services, messages, sizeof messages / sizeof *messages);
}

static int create_tables(eapg *e, const hd_value *values)
{
    int failed = hd_word_map_create(&e->table, (uint32_t)values[EAPG_TABLE_ENTRIES].u);
    if (values[EAPG_TABLE].u == TABLE_SIGNATURES)
        failed |= !(e->signatures = calloc(e->kilo.partitions, sizeof *e->signatures));
    if (values[EAPG_TEST_ORDER].u == ORDER_LOSE)
        failed |= !(e->late = calloc(1, sizeof *e->late));
    return failed;
}

static tx *create(transactions *t, const hd_unit_share *share)
{
    const hd_value *values = share->values;
    eapg *e = calloc(1, sizeof *e);
    if (!e)
        return NULL;
    int failed = kilo_create(&e->kilo, t, share, EAPG_REASONS);
    failed |= create_tables(e, values);
    failed |= !(e->warps = calloc(t->core.warp_count, sizeof *e->warps));
    if (failed) {
        destroy((tx *)e);
        return NULL;
    }
    take_values(e, values);
    intern(e);
    return (tx *)e;
}

static void reset(tx *unit)
{
    eapg *e = (eapg *)unit;
    kilo_reset(unit);
    hd_word_map_clear(&e->table);
    if (e->signatures)
        memset(e->signatures, 0, e->kilo.partitions * sizeof *e->signatures);
    if (e->late)
        e->late->count = 0;
    e->has_withheld = 0;
    memset(e->warps, 0, e->kilo.t->core.warp_count * sizeof *e->warps);
}

static void begin(tx *unit, uint32_t warp, uint64_t lanes)
{
    eapg *e = (eapg *)unit;
    e->warps[warp].about_to_pause = 0;
    assert(!e->warps[warp].waits_since && "who waits has not begun again");
    if (!tx_warp_of(e->kilo.t, warp)->failures)
        e->warps[warp].ever = 0; /* another transaction */
    kilo_begin(unit, warp, lanes);
}

static void reply(tx *unit, const hd_packet *packet)
{
    eapg *e = (eapg *)unit;
    if (packet->message == e->message_enter)
        eapg_enter(e, packet);
    else if (packet->message == e->message_leave)
        eapg_leave(e, packet);
    else if (packet->message == e->message_signature)
        eapg_take_signature(e, packet);
    else
        kilo_reply(unit, packet);
}

/* A lane that was about to pause does not any more; the access, without it, is another one. */
static void aborted(tx *unit, uint32_t warp, uint64_t lanes, uint32_t reason)
{
    eapg_goes_on((eapg *)unit, warp);
    ((eapg *)unit)->warps[warp].about_to_pause &= ~lanes;
    kilo_aborted(unit, warp, lanes, reason);
}

const tx_unit tx_eapg = {
    .domains = TX_GLOBAL,
    .sends_reads = 1,
    .serial_rule = HD_SERIAL_BY_VALUE,
    .sends_at_once = 1,
    .create = create,
    .destroy = destroy,
    .reset = reset,
    .align = kilo_align,
    .begin = begin,
    .request = kilo_request,
    .loaded = kilo_loaded,
    .reply = reply,
    .next_packet = eapg_offered,
    .doomed = kilo_doomed,
    .holds = eapg_holds,
    .describe_hold = eapg_describe_hold,
    .before_issue = eapg_before_issue,
    .drained = eapg_drained,
    .aborted = aborted,
    .at_commit = kilo_at_commit,
    .resolved = eapg_resolved,
    .resolving_walks = eapg_resolving_walks,
    .commit = kilo_commit,
    .in_flight = kilo_in_flight,
    .work = eapg_work,
    .timestamp = kilo_timestamp,
    .new_warp = kilo_new_warp,
    .transfer = eapg_transfer,
};
