/* SPDX-License-Identifier: MIT */
#include "ideal_rig.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static kit_block *kit_of(const ideal_rig *g)
{
    return rig_kit(g->rig);
}

static void answer(ideal_rig *g, const char *message, uint32_t warp, const hd_packet *request, const void *body,
                   uint32_t bytes, hd_time t)
{
    hd_packet *packet = kit_packet(kit_of(g), message, bytes);
    packet->flow = warp;
    packet->epoch = g->epoch[warp];
    packet->traffic_class = HD_CLASS_TRANSACTION;
    if (request) {
        packet->tag = request->tag;
        packet->address = request->address;
        packet->argument = request->argument;
    }
    if (bytes)
        memcpy(hd_body(packet), body, bytes);
    kit_send(kit_of(g), TRANSACTION_REPLY, 0, packet, t + kit_cycles(kit_of(g), g->delay));
}

/* ---- What is committed and not in memory ------------------------------------------------------------------------------ */

static uint32_t merge(uint32_t value, const hd_ideal_write *write)
{
    for (uint32_t byte = 0; byte < 4; byte++)
        if (write->byte_mask >> byte & 1)
            value = (value & ~(0xFFu << 8 * byte)) | (write->value & 0xFFu << 8 * byte);
    return value;
}

static uint32_t is_pending(const ideal_rig *g, uint32_t warp)
{
    for (uint32_t i = 0; i < g->pending_count; i++)
        if (g->pending[i].warp == warp)
            return 1;
    return 0;
}

static void apply_first(ideal_rig *g, hd_time t)
{
    const ideal_pending first = g->pending[0];
    rig_set_word(g->rig, first.write.address, merge(rig_word(g->rig, first.write.address), &first.write));
    memmove(g->pending, g->pending + 1, --g->pending_count * sizeof *g->pending);
    if (first.warp == IDEAL_STRANGER || is_pending(g, first.warp))
        return;
    g->seen.settled++;
    answer(g, HD_IDEAL_SETTLED, first.warp, NULL, NULL, 0, t);
}

static void pass_message(ideal_rig *g, hd_time t)
{
    for (uint32_t i = 0; i < g->pending_count; i++)
        g->pending[i].wait -= g->pending[i].wait != 0;
    while (g->pending_count && !g->pending[0].wait)
        apply_first(g, t);
}

static void add_pending(ideal_rig *g, uint32_t warp, uint32_t epoch, const hd_ideal_write *write)
{
    cr_assert_lt(g->pending_count, IDEAL_WRITES);
    g->pending[g->pending_count++] = (ideal_pending){.write = *write, .warp = warp, .epoch = epoch, .wait = g->hold};
}

void ideal_rig_commit_word(ideal_rig *g, uint64_t address, uint32_t value, uint32_t byte_mask)
{
    add_pending(g, IDEAL_STRANGER, 1,
                &(hd_ideal_write){.address = address, .value = value, .byte_mask = (uint8_t)byte_mask});
}

void ideal_rig_apply(ideal_rig *g)
{
    while (g->pending_count)
        apply_first(g, kit_now(kit_of(g)));
}

/* ---- Readers ------------------------------------------------------------------------------------------------------------ */

static void forget(ideal_rig *g, uint32_t warp)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < g->reader_count; i++)
        if (g->readers[i].warp != warp)
            g->readers[kept++] = g->readers[i];
    g->reader_count = kept;
    g->doomed[warp] = 0;
}

/* All who have read the word but `spared` lanes of the winner. */
static void doom(ideal_rig *g, uint64_t address, uint32_t winner, uint64_t spared, hd_time t)
{
    for (uint32_t i = 0; i < g->reader_count; i++) {
        const ideal_reader *reader = &g->readers[i];
        const uint64_t lanes = reader->lanes & ~g->doomed[reader->warp] & ~(reader->warp == winner ? spared : 0);
        if (reader->address != address || !lanes)
            continue;
        const hd_ideal_doom body = {.lanes = lanes, .address = address, .pc = reader->pc, .winner = winner};
        g->doomed[reader->warp] |= lanes;
        g->seen.dooms++;
        answer(g, HD_IDEAL_DOOM, reader->warp, NULL, &body, sizeof body, t);
    }
}

static void attempt(ideal_rig *g, const hd_packet *packet)
{
    cr_assert_lt(packet->flow, IDEAL_WARPS);
    cr_assert(packet->epoch >= 1 && packet->epoch <= 255);
    if (g->epoch[packet->flow] != packet->epoch)
        forget(g, packet->flow);
    g->epoch[packet->flow] = packet->epoch;
    for (uint32_t i = 0; i < g->pending_count; i++)
        cr_assert(g->pending[i].warp != packet->flow || g->pending[i].epoch != packet->epoch,
                  "an epoch comes again while what was written in it is on its way");
}

static void answer_read(ideal_rig *g, const hd_packet *packet, hd_time t)
{
    const hd_ideal_read *read = hd_body_const(packet);
    hd_ideal_words words = {0};
    for (uint32_t i = 0; i < g->pending_count; i++) {
        const hd_ideal_write *write = &g->pending[i].write;
        const uint32_t at = write->address % HD_LINE_BYTES;
        if (write->address / HD_LINE_BYTES != packet->address / HD_LINE_BYTES)
            continue;
        words.byte_mask[at / 32] |= (uint32_t)write->byte_mask << at % 32;
        for (uint32_t byte = 0; byte < 4; byte++)
            if (write->byte_mask >> byte & 1)
                words.data[at + byte] = (uint8_t)(write->value >> 8 * byte);
    }
    for (uint64_t left = read->lanes; left; left &= left - 1) {
        cr_assert_lt(g->reader_count, IDEAL_READERS);
        g->readers[g->reader_count++] = (ideal_reader){.address = (packet->address & ~(uint64_t)(HD_LINE_BYTES - 1)) +
                                                                  4 * read->word[__builtin_ctzll(left)],
                                                       .lanes = left & -left,
                                                       .warp = packet->flow,
                                                       .pc = read->pc};
    }
    answer(g, HD_IDEAL_WORDS, packet->flow, packet, &words, sizeof words, t);
}

static void doom_all_of(ideal_rig *g, const hd_packet *packet, hd_time t)
{
    const hd_ideal_read *read = hd_body_const(packet);
    const hd_ideal_doom body = {.lanes = read->lanes, .pc = read->pc, .winner = IDEAL_STRANGER, .winner_pc = CODE};
    g->epoch[packet->flow] -= g->doom_late;
    if (!g->doom_late)
        g->doomed[packet->flow] |= read->lanes;
    g->seen.dooms++;
    answer(g, HD_IDEAL_DOOM, packet->flow, NULL, &body, sizeof body, t);
    g->epoch[packet->flow] += g->doom_late;
}

static uint32_t take_read(ideal_rig *g, hd_packet *packet, hd_time t)
{
    g->last = *(const hd_ideal_read *)hd_body_const(packet);
    g->seen.reads++;
    if (g->mute) {
        g->held[g->held_count++] = packet;
        return 1;
    }
    answer_read(g, packet, t);
    if (g->seen.reads == g->doom_at)
        doom_all_of(g, packet, t);
    return 0;
}

void ideal_rig_answer(ideal_rig *g)
{
    for (uint32_t i = 0; i < g->held_count; i++) {
        answer_read(g, g->held[i], kit_now(kit_of(g)));
        kit_free(kit_of(g), g->held[i]);
    }
    g->held_count = g->mute = 0;
}

/* ---- Commits ------------------------------------------------------------------------------------------------------------ */

static uint64_t decide(ideal_rig *g, const hd_packet *packet, uint64_t lanes, hd_time t)
{
    uint64_t committed = 0;
    for (uint64_t left = lanes; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        if (g->doomed[packet->flow] >> lane & 1)
            continue;
        committed |= left & -left;
        for (uint32_t i = 0; i < g->arrived_count; i++)
            if (g->arrived[i].lane == lane) {
                add_pending(g, packet->flow, packet->epoch, &g->arrived[i]);
                doom(g, g->arrived[i].address, packet->flow, committed | ~lanes, t);
            }
    }
    return committed;
}

static void expect_order(const ideal_rig *g)
{
    for (uint32_t i = 1; i < g->arrived_count; i++)
        cr_assert_leq(g->arrived[i - 1].lane, g->arrived[i].lane);
    for (uint32_t i = 0; i < g->arrived_count; i++)
        for (uint32_t other = 0; other < i; other++)
            cr_assert(g->arrived[i].lane != g->arrived[other].lane ||
                          g->arrived[i].address != g->arrived[other].address,
                      "a word of a lane comes once");
}

static void take_commit(ideal_rig *g, const hd_packet *packet, hd_time t)
{
    const hd_ideal_commit *body = hd_body_const(packet);
    memcpy(g->arrived + g->arrived_count, body + 1, packet->argument * sizeof *g->arrived);
    g->arrived_count += packet->argument;
    g->seen.parts++;
    if (!body->is_last)
        return;
    expect_order(g);
    const uint32_t before = g->pending_count;
    g->last_lanes = body->lanes;
    g->seen.commits++;
    hd_ideal_verdict verdict = {.order = ++g->order, .committed = t};
    verdict.lanes = decide(g, packet, body->lanes, t);
    verdict.is_written = g->pending_count != before;
    answer(g, HD_IDEAL_VERDICT, packet->flow, NULL, &verdict, sizeof verdict, t);
    forget(g, packet->flow);
    g->epoch[packet->flow] = 0;
    g->arrived_count = 0;
}

static void take(core_rig *rig, void *context, hd_packet *packet, hd_time t)
{
    ideal_rig *g = context;
    uint32_t is_kept = 0;
    g->rig = g->record.rig = rig;
    attempt(g, packet);
    if (packet->message == kit_message(rig_kit(rig), HD_IDEAL_READ)) {
        is_kept = take_read(g, packet, t);
    } else {
        cr_assert_eq(packet->message, kit_message(rig_kit(rig), HD_IDEAL_COMMIT));
        take_commit(g, packet, t);
    }
    pass_message(g, t);
    if (!is_kept)
        kit_free(kit_of(g), packet);
}

/* ---- Life --------------------------------------------------------------------------------------------------------------- */

ideal_rig *ideal_rig_create(const char *const *parameters, const uint32_t *words)
{
    const char *all[32] = {"tx=ideal"};
    ideal_rig *g = calloc(1, sizeof *g);
    for (uint32_t i = 0; parameters && parameters[i]; i++)
        all[i + 1] = parameters[i];
    g->delay = 1;
    g->record.told = (hd_transactions){.context = &g->record, .committed = getm_rig_keep};
    rig_has_unit(take, g, &g->record.told);
    g->rig = g->record.rig = rig_create(all, words);
    return g;
}

void ideal_rig_destroy(ideal_rig *g)
{
    rig_destroy(g->rig);
    free(g);
}

void ideal_rig_set(ideal_rig *g, uint64_t address, uint32_t value)
{
    getm_rig_set(&g->record, address, value);
}

void ideal_rig_launch(ideal_rig *g, uint32_t threads)
{
    rig_launch(g->rig, threads, kit_now(kit_of(g)));
}

void ideal_rig_pass(ideal_rig *g, uint32_t cycles)
{
    kit_run_until(kit_of(g), kit_now(kit_of(g)) + kit_cycles(kit_of(g), cycles));
}

void ideal_rig_finish(ideal_rig *g)
{
    do {
        kit_drain(kit_of(g), kit_edge(kit_of(g), 20000000));
        ideal_rig_pass(g, 1000);
        if (!g->pending_count)
            break;
        ideal_rig_apply(g);
    } while (1);
    rig_finish(g->rig);
    cr_assert_eq(g->reader_count, 0, "somebody is registered who has committed");
    getm_rig_replay(&g->record);
}

uint64_t ideal_rig_statistic(ideal_rig *g, const char *name)
{
    return kit_statistic(kit_of(g), name);
}
