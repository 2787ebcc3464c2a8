/* SPDX-License-Identifier: MIT */
/* From the end of an attempt to its last write: lanes are compared once more, the block decides, commit units write. */
#include "tx/warptm_el/warptm_el.h"

#include <assert.h>
#include <string.h>

static void set_phase(warptm_el *u, uint32_t warp, enum warptm_el_phase phase)
{
    static const enum warptm_el_statistic counters[] = {[WARPTM_EL_DECISION] = WARPTM_EL_DECISION_CYCLES,
                                                        [WARPTM_EL_LOGS] = WARPTM_EL_SEND_CYCLES,
                                                        [WARPTM_EL_WRITES] = WARPTM_EL_WRITE_CYCLES,
                                                        [WARPTM_EL_TELLS] = WARPTM_EL_WRITE_CYCLES};
    warptm_el_warp *ew = &u->warps[warp];
    if (ew->phase != WARPTM_EL_RUNS)
        *warptm_el_counter(u, counters[ew->phase]) += u->t->core.now->n - ew->since;
    ew->phase = phase;
    ew->since = u->t->core.now->n;
}

/* Between its last access and here another may have committed what a lane has read. */
static uint64_t outdated_at_end(warptm_el *u, uint32_t warp, uint64_t lanes)
{
    return u->compares_commits ? warptm_el_outdated(u, warp, lanes) : 0;
}

/* Lanes that have only read stand where they have been compared. */
uint64_t warptm_el_at_commit(tx *unit, uint32_t warp, uint64_t lanes)
{
    warptm_el *u = (warptm_el *)unit;
    tx_warp *w = tx_warp_of(u->t, warp);
    const uint64_t failed = outdated_at_end(u, warp, lanes);
    const uint64_t silent = lanes & ~failed & ~tx_log_users(&w->writes);
    tx_abort(u->t, warp, failed, WARPTM_EL_OUTDATED);
    *warptm_el_counter(u, WARPTM_EL_SILENT_COMMITS) += bits_count(silent);
    w->order = HD_NO_ORDER;
    tx_report_commits(u->t, warp, silent, u->t->core.now->t);
    return silent;
}

/* ---- The block ----------------------------------------------------------------------------------------------------------- */

static void tell(warptm_el *u, uint32_t warp, enum warptm_el_phase phase)
{
    set_phase(u, warp, phase);
    tx_queue_push(&u->telling, warp);
    warptm_el_tell(u);
}

/* Whatever they are compared with now counts: what comes while the request is under way does not. */
static void ask(warptm_el *u, uint32_t warp, uint64_t lanes)
{
    warptm_el_warp *ew = &u->warps[warp];
    const uint64_t failed = outdated_at_end(u, warp, lanes);
    ew->lanes = lanes & ~failed;
    ew->compared = ew->changes;
    if (ew->lanes)
        tell(u, warp, WARPTM_EL_DECISION);
    else
        set_phase(u, warp, WARPTM_EL_RUNS);
    tx_decide(u->t, warp, 0, failed, WARPTM_EL_OUTDATED);
}

void warptm_el_commit(tx *unit, uint32_t warp, uint64_t lanes)
{
    warptm_el *u = (warptm_el *)unit;
    assert(u->warps[warp].phase == WARPTM_EL_RUNS);
    ask(u, warp, lanes);
}

static void tell_next(warptm_el *u, uint32_t warp)
{
    const warptm_el_warp *ew = &u->warps[warp];
    const tx_log *log = &tx_warp_of(u->t, warp)->writes;
    const uint32_t commits = ew->phase == WARPTM_EL_DECISION;
    const uint32_t head = commits ? (uint32_t)sizeof(hd_ideal_commit) : 0;
    hd_ideal_write writes[HD_IDEAL_WRITES];
    const uint32_t count = ideal_collect(log, ew->lanes, &u->cursor, writes), bytes = count * sizeof *writes;
    hd_packet *packet =
        ideal_packet(&u->registration, warp, commits ? u->message_commit : u->message_written, head + bytes);
    const uint32_t is_last = u->cursor.lane == log->lanes;
    if (commits)
        *(hd_ideal_commit *)hd_body(packet) =
            (hd_ideal_commit){.lanes = ew->lanes, .pc = tx_warp_of(u->t, warp)->commit_pc, .is_last = is_last};
    memcpy((char *)hd_body(packet) + head, writes, bytes);
    packet->argument = count;
    packet->tag = ew->compared;
    u->t->core.counters->tx_logs += commits;
    ideal_send(u->t, packet);
    if (!is_last)
        return;
    u->cursor = (ideal_log_cursor){0};
    tx_queue_pop(&u->telling);
    if (!commits) {
        set_phase(u, warp, WARPTM_EL_RUNS);
        tx_decide(u->t, warp, ew->lanes, 0, TX_NO_REASON);
    }
}

void warptm_el_tell(warptm_el *u)
{
    while (u->telling.count && ideal_has_credit(u->t))
        tell_next(u, u->telling.warps[u->telling.head]);
    if (u->telling.count)
        tx_wake(u->t, u->t->core.now->n + 1);
}

void warptm_el_decided(warptm_el *u, uint32_t warp, const hd_ideal_verdict *verdict)
{
    warptm_el_warp *ew = &u->warps[warp];
    if (verdict->is_late) {
        ++*warptm_el_counter(u, WARPTM_EL_LATE_COMMITS);
        ask(u, warp, ew->lanes);
        return;
    }
    assert(verdict->lanes == ew->lanes && verdict->is_written);
    ew->group = (hd_kilo_group){.first = verdict->order, .lanes = ew->lanes};
    tx_warp_of(u->t, warp)->order = verdict->order;
    tx_report_commits(u->t, warp, ew->lanes, verdict->committed);
    set_phase(u, warp, WARPTM_EL_LOGS);
    warptm_el_send_logs(u, warp);
}

/* ---- Commit units --------------------------------------------------------------------------------------------------------- */

static void end_if_written(warptm_el *u, uint32_t warp)
{
    const warptm_el_warp *ew = &u->warps[warp];
    uint64_t awaited = 0;
    for (uint32_t p = 0; p < u->partitions; p++)
        awaited |= ew->places[p].awaited;
    if (ew->phase == WARPTM_EL_WRITES && !awaited)
        tell(u, warp, WARPTM_EL_TELLS);
}

void warptm_el_sent(warptm_el *u, uint32_t warp)
{
    set_phase(u, warp, WARPTM_EL_WRITES);
    end_if_written(u, warp);
}

void warptm_el_written(warptm_el *u, uint32_t warp, uint32_t partition, const hd_kilo_lanes *said)
{
    warptm_el_place *place = &u->warps[warp].places[partition];
    assert(said->group.first == u->warps[warp].group.first && !(said->lanes & ~place->awaited));
    place->awaited &= ~said->lanes;
    end_if_written(u, warp);
}
