/* SPDX-License-Identifier: MIT */
/* Validation and commit units of one partition or all of them: verdicts at once, logs when they are let go. */
#include "getm_rig.h"

#include <criterion/criterion.h>
#include <string.h>

#define ANSWER_CYCLES 20u

getm_granule *getm_rig_granule(getm_rig *g, uint64_t address)
{
    const uint64_t base = address & ~(uint64_t)(g->granule - 1);
    for (uint64_t probe = base / g->granule;; probe++) {
        getm_granule *found = &g->granules[probe % GETM_GRANULES];
        if (!found->used) {
            found->used = 1;
            found->address = base;
        }
        if (found->address == base)
            return found;
    }
}

static void drop(const getm_request *of)
{
    kit_free(rig_kit(of->from), of->packet);
}

/* Answers to a core come in the order in which they are given, although whoever makes room may be ahead. */
static void answer(const getm_request *of, const char *message, const void *body, uint32_t bytes, uint32_t wire,
                   hd_time t)
{
    kit_block *kit = rig_kit(of->from);
    const hd_packet *request = of->packet;
    hd_packet *reply = kit_packet(kit, message, bytes);
    reply->tag = request->tag;
    reply->address = request->address;
    reply->argument = request->argument;
    reply->epoch = request->epoch;
    reply->flow = request->flow;
    reply->traffic_class = HD_CLASS_TRANSACTION;
    reply->wire_bytes += wire;
    if (bytes)
        memcpy(hd_body(reply), body, bytes);
    rig_send_reply(of->from, reply, t + kit_cycles(kit, ANSWER_CYCLES));
}

static uint32_t is_store(const getm_request *of)
{
    return of->packet->message == kit_message(rig_kit(of->from), HD_GETM_STORE);
}

static void approve(getm_rig *g, const getm_request *of, hd_time t)
{
    const hd_packet *request = of->packet;
    uint32_t words[(HD_LINE_BYTES + HD_SAMPLE_BYTES) / 4];
    if (is_store(of)) {
        g->seen.store_oks++;
        answer(of, HD_GETM_STORE_OK, NULL, 0, 0, t);
        return;
    }
    for (uint32_t i = 0; i < request->argument / 4; i++)
        words[i] = rig_word(g->rig, request->address + 4 * i);
    memcpy(words + request->argument / 4, &g->samples, HD_SAMPLE_BYTES);
    g->samples++;
    answer(of, HD_GLOBAL_LOAD_REPLY, words, request->argument + HD_SAMPLE_BYTES, request->argument, t);
}

static void refuse(getm_rig *g, const getm_request *of, uint32_t reason, uint64_t cause, hd_time t)
{
    const hd_getm_refusal refusal = {
        .cause = cause, .reason = reason, .winner = g->winner_pc ? 7 : HD_GETM_NOBODY, .winner_pc = g->winner_pc};
    g->seen.aborts++;
    answer(of, HD_GETM_ABORT, &refusal, sizeof refusal, HD_GETM_ABORT_WIRE_BYTES, t);
}

/* 1: it waits. */
static uint32_t judge(getm_rig *g, const getm_request *of, hd_time t)
{
    const hd_packet *request = of->packet;
    const hd_getm_access *access = hd_body_const(request);
    const uint32_t stores = is_store(of);
    getm_granule *m = getm_rig_granule(g, request->address);
    const uint32_t tag = access->warp << 8 | request->epoch;
    const uint64_t limit = stores && m->rts > m->wts ? m->rts : m->wts;
    if (m->writes && m->owner == tag) {
        m->writes += access->count;
        m->rts = !stores && access->timestamp > m->rts ? access->timestamp : m->rts;
        approve(g, of, t);
        return 0;
    }
    if (limit > access->timestamp) {
        refuse(g, of,
               !stores           ? HD_GETM_LOAD_WRITTEN
               : limit == m->wts ? HD_GETM_STORE_WRITTEN
                                 : HD_GETM_STORE_READ,
               limit, t);
        return 0;
    }
    if (m->writes && g->waiters < g->stall_room) {
        g->waiting[g->waiters++] = *of;
        return 1;
    }
    if (m->writes) {
        refuse(g, of, HD_GETM_STALL_FULL, HD_GETM_NO_CAUSE, t);
        return 0;
    }
    if (stores) {
        m->writes = access->count;
        m->owner = tag;
        m->wts = access->timestamp + 1;
    } else if (access->timestamp > m->rts) {
        m->rts = access->timestamp;
    }
    approve(g, of, t);
    return 0;
}

static uint64_t timestamp_of(const getm_request *of)
{
    return ((const hd_getm_access *)hd_body_const(of->packet))->timestamp;
}

/* Who waits is asked again, the oldest first, until nobody's turn changes anything. */
static void recheck(getm_rig *g, hd_time t)
{
    for (uint32_t went = 1; went;) {
        went = 0;
        uint32_t oldest = GETM_WAITERS;
        for (uint32_t i = 0; i < g->waiters; i++) {
            const getm_granule *m = getm_rig_granule(g, g->waiting[i].packet->address);
            const uint64_t limit = m->wts > m->rts ? m->wts : m->rts;
            const uint32_t doomed = limit > timestamp_of(&g->waiting[i]) && m->wts > timestamp_of(&g->waiting[i]);
            if ((!m->writes || doomed) &&
                (oldest == GETM_WAITERS || timestamp_of(&g->waiting[i]) < timestamp_of(&g->waiting[oldest])))
                oldest = i;
        }
        if (oldest == GETM_WAITERS)
            return;
        const getm_request of = g->waiting[oldest];
        memmove(&g->waiting[oldest], &g->waiting[oldest + 1], (--g->waiters - oldest) * sizeof *g->waiting);
        went = !judge(g, &of, t);
        if (went)
            drop(&of);
    }
}

static void apply(getm_rig *g, const getm_request *of, hd_time t)
{
    const hd_packet *log = of->packet;
    const hd_getm_region *region = hd_body_const(log);
    uint32_t wire = HD_HEADER_WIRE_BYTES, cleaned = 0;
    for (uint32_t i = 0; i < log->argument; i++) {
        getm_granule *m = getm_rig_granule(g, region[i].address);
        const uint32_t owner = region[i].warp << 8 | log->epoch;
        wire += hd_getm_region_wire_bytes(&region[i]);
        if (g->seen.regions < 64) {
            g->region[g->seen.regions] = region[i];
            g->region_packet[g->seen.regions] = g->seen.acks;
        }
        g->seen.regions++;
        g->seen.cleanups += !region[i].byte_mask;
        cr_assert(!cleaned || !region[i].byte_mask, "regions with data come first");
        cleaned |= !region[i].byte_mask;
        cr_assert_geq(m->writes, region[i].count, "more is given back than was approved");
        cr_assert(!region[i].count || m->owner == owner, "what is given back is another's");
        cr_assert_eq(region[i].warp, log->flow);
        for (uint32_t byte = 0; byte < HD_GETM_REGION_BYTES; byte++) {
            if (!(region[i].byte_mask >> byte & 1))
                continue;
            const uint64_t at = (region[i].address + byte) & ~UINT64_C(3);
            const uint32_t shift = 8 * (byte % 4);
            rig_set_word(g->rig, at,
                         (rig_word(g->rig, at) & ~(0xFFu << shift)) | (uint32_t)region[i].data[byte] << shift);
        }
        m->writes -= region[i].count;
    }
    cr_assert_eq(wire, log->wire_bytes);
    cr_assert_leq(wire, HD_GETM_LOG_WIRE_BYTES);
    g->seen.acks++;
    answer(of, HD_GETM_LOG_ACK, NULL, 0, 0, t);
    drop(of);
    recheck(g, t);
}

void getm_rig_apply_due(getm_rig *g, hd_time t)
{
    while (g->held_count && !g->held_for[0]) {
        const getm_request log = g->held[0];
        g->held_count--;
        memmove(g->held, g->held + 1, g->held_count * sizeof *g->held);
        memmove(g->held_for, g->held_for + 1, g->held_count * sizeof *g->held_for);
        apply(g, &log, t);
    }
}

static void hold(getm_rig *g, const getm_request *log, hd_time t)
{
    g->held_for[g->held_count] = g->hold;
    g->held[g->held_count++] = *log;
    getm_rig_apply_due(g, t);
}

/* As the one unit that has found a clock near its end, when all have stopped. */
static void roll(getm_rig *g, hd_time t)
{
    kit_block *kit = rig_kit(g->rig);
    hd_packet *packet = kit_packet(kit, HD_GETM_ROLLOVER, 0);
    packet->source = 2;
    packet->traffic_class = HD_CLASS_TRANSACTION;
    g->stopped = 1;
    rig_send_reply(g->rig, packet, t + kit_cycles(kit, ANSWER_CYCLES));
    g->seen.late = g->delayed_count;
    for (uint32_t i = 0; i < g->delayed_count; i++) {
        if (g->late_refusals)
            refuse(g, &g->delayed[i], HD_GETM_STALL_FULL, HD_GETM_NO_CAUSE, t);
        else
            approve(g, &g->delayed[i], t);
        drop(&g->delayed[i]);
    }
    g->delayed_count = 0;
}

static void rolled_over(getm_rig *g, hd_time t)
{
    kit_block *kit = rig_kit(g->rig);
    hd_packet *packet = kit_packet(kit, HD_GETM_ROLLOVER_END, 0);
    packet->traffic_class = HD_CLASS_TRANSACTION;
    g->seen.rolled_over++;
    cr_assert_eq(g->held_count, 0, "logs that were sent before are applied");
    while (g->waiters)
        drop(&g->waiting[--g->waiters]);
    memset(g->granules, 0, sizeof g->granules);
    g->stopped = 0;
    rig_send_reply(g->rig, packet, t + kit_cycles(kit, ANSWER_CYCLES));
}

static void take_access(getm_rig *g, const getm_request *of, hd_time t)
{
    const hd_packet *packet = of->packet;
    const hd_getm_access *access = hd_body_const(packet);
    const uint32_t requests = g->seen.loads + g->seen.stores;
    cr_assert_eq(packet->unit, HD_DESTINATION_VALIDATION_UNIT);
    cr_assert_eq(packet->flow, access->warp);
    cr_assert(packet->epoch >= 1 && packet->epoch <= 255);
    cr_assert_eq(packet->wire_bytes, HD_HEADER_WIRE_BYTES + HD_GETM_ACCESS_WIRE_BYTES);
    g->last = *access;
    g->last_epoch = packet->epoch;
    g->first_at = requests == 1 ? t : g->first_at;
    g->last_at = t;
    for (uint32_t i = 0; i < g->held_count; i++)
        g->held_for[i] -= g->held_for[i] != 0;
    getm_rig_apply_due(g, t);
    if (g->stopped) {
        drop(of);
    } else if (g->rollover_at && requests == g->rollover_at) {
        roll(g, t);
        drop(of);
    } else if (g->rollover_at && requests < g->rollover_at && requests + g->late >= g->rollover_at) {
        g->delayed[g->delayed_count++] = *of;
    } else if (g->refuse) {
        const uint64_t cause = g->causes[g->refused];
        g->refuse--;
        g->refused += g->causes[g->refused + 1] != 0;
        refuse(g, of, HD_GETM_LOAD_WRITTEN, cause ? cause : access->timestamp, t);
        drop(of);
    } else if (!judge(g, of, t)) {
        drop(of);
    }
}

void getm_rig_take(core_rig *rig, void *context, hd_packet *packet, hd_time t)
{
    getm_rig *g = context;
    kit_block *kit = rig_kit(rig);
    const getm_request of = {packet, rig};
    g->rig = g->rig ? g->rig : rig;
    if (packet->message == kit_message(kit, HD_GETM_LOAD) || packet->message == kit_message(kit, HD_GETM_STORE)) {
        *(packet->message == kit_message(kit, HD_GETM_LOAD) ? &g->seen.loads : &g->seen.stores) += 1;
        take_access(g, &of, t);
    } else if (packet->message == kit_message(kit, HD_GETM_LOG)) {
        cr_assert_eq(packet->unit, HD_DESTINATION_COMMIT_UNIT);
        g->seen.logs++;
        if (g->stopped && !g->holds_on)
            apply(g, &of, t);
        else
            hold(g, &of, t);
    } else {
        cr_assert_eq(packet->message, kit_message(kit, HD_GETM_ROLLED_OVER));
        cr_assert_eq(packet->destination, 2);
        kit_free(kit, packet);
        rolled_over(g, t);
    }
    for (uint32_t i = 0; g->stopped && !g->holds_on && i < g->held_count; i++)
        g->held_for[i] = 0;
    getm_rig_apply_due(g, t);
}
