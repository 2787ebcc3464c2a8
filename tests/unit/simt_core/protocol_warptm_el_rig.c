/* SPDX-License-Identifier: MIT */
#include "protocol_warptm_el_rig.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static kit_block *kit_of(const el_rig *g)
{
    return rig_kit(g->rig);
}

static uint32_t is_of(const el_rig *g, const hd_packet *packet, const char *message)
{
    return packet->message == kit_message(kit_of(g), message);
}

/* ---- The block ---------------------------------------------------------------------------------------------------------- */

static void answer(el_rig *g, const char *message, uint32_t warp, const hd_packet *request, const void *body,
                   uint32_t bytes)
{
    hd_packet *packet = kit_packet(kit_of(g), message, bytes);
    packet->flow = warp;
    packet->epoch = g->epoch[warp];
    packet->traffic_class = HD_CLASS_TRANSACTION;
    packet->argument = request ? request->argument : bytes / (uint32_t)sizeof(hd_ideal_write);
    if (request) {
        packet->tag = request->tag;
        packet->address = request->address;
    }
    memcpy(hd_body(packet), body, bytes);
    kit_send(kit_of(g), TRANSACTION_REPLY, 0, packet, kit_now(kit_of(g)) + kit_cycles(kit_of(g), g->delay));
}

static void forget(el_rig *g, uint32_t warp)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < g->read_count; i++)
        if (g->reads[i].warp != warp)
            g->reads[kept++] = g->reads[i];
    g->read_count = kept;
    g->changes[warp] = 0;
}

/* Bytes of the word that are committed and not in memory. */
static hd_ideal_write newest(const el_rig *g, uint64_t address)
{
    hd_ideal_write word = {.address = address};
    for (uint32_t i = 0; i < g->word_count; i++) {
        const hd_ideal_write *write = &g->words[i].write;
        if (write->address != address)
            continue;
        word.value = el_merge(word.value, write->value, write->byte_mask);
        word.byte_mask |= write->byte_mask;
    }
    return word;
}

static uint32_t has_read(const el_rig *g, uint32_t warp, uint64_t address)
{
    for (uint32_t i = 0; i < g->read_count; i++)
        if (g->reads[i].warp == warp && g->reads[i].address == address)
            return 1;
    return 0;
}

static uint32_t is_first(const hd_ideal_write *writes, uint32_t i)
{
    for (uint32_t before = 0; before < i; before++)
        if (writes[before].address == writes[i].address)
            return 0;
    return 1;
}

/* What the warp has read of these, as it is now. */
static void tell(el_rig *g, uint32_t warp, const hd_ideal_write *writes, uint32_t count)
{
    hd_ideal_write words[HD_IDEAL_WRITES];
    const uint32_t room = g->parts ? g->parts : HD_IDEAL_WRITES;
    uint32_t told = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (is_first(writes, i) && has_read(g, warp, writes[i].address))
            words[told++] = newest(g, writes[i].address);
        if (!told || (told < room && i + 1 < count))
            continue;
        g->changes[warp]++;
        g->seen.changes++;
        answer(g, HD_IDEAL_CHANGED, warp, NULL, words, told * (uint32_t)sizeof *words);
        told = 0;
    }
}

static void put(el_rig *g, uint32_t warp, const hd_ideal_write *writes, uint32_t count)
{
    cr_assert_leq(g->word_count + count, EL_WORDS);
    for (uint32_t i = 0; i < count; i++)
        g->words[g->word_count++] = (el_word){.write = writes[i], .warp = warp};
    for (uint32_t other = 0; other < EL_WARPS; other++)
        if (other != warp)
            tell(g, other, writes, count);
}

static void take_read(el_rig *g, const hd_packet *packet)
{
    const hd_ideal_read *read = hd_body_const(packet);
    const uint64_t line = packet->address & ~(uint64_t)(HD_LINE_BYTES - 1);
    hd_ideal_words words = {0};
    g->seen.reads++;
    for (uint64_t left = read->lanes; left; left &= left - 1) {
        const uint64_t address = line + 4 * read->word[__builtin_ctzll(left)];
        const uint32_t at = (uint32_t)(address - line);
        const hd_ideal_write word = newest(g, address);
        cr_assert_lt(g->read_count, EL_READS);
        g->reads[g->read_count++] = (el_read){.address = address, .warp = packet->flow};
        words.byte_mask[at / 32] |= (uint32_t)word.byte_mask << at % 32;
        memcpy(words.data + at, &word.value, sizeof word.value);
    }
    answer(g, HD_IDEAL_WORDS, packet->flow, packet, &words, sizeof words);
    if (g->seen.reads == g->change_at)
        el_rig_strange_word(g, DATA, 100, 15, 0);
    if (g->at_read)
        g->at_read(g, packet);
}

static void take_commit(el_rig *g, const hd_packet *packet)
{
    const hd_ideal_commit *body = hd_body_const(packet);
    cr_assert_leq(g->arrived_count + packet->argument, EL_WORDS);
    memcpy(g->arrived + g->arrived_count, body + 1, packet->argument * sizeof *g->arrived);
    g->arrived_count += packet->argument;
    g->seen.parts++;
    if (!body->is_last)
        return;
    if (g->at_commit)
        g->at_commit(g, packet);
    hd_ideal_verdict verdict = {.is_late = packet->tag != g->changes[packet->flow]};
    g->seen.late += verdict.is_late;
    g->last_lanes = body->lanes;
    g->last_commit = *body;
    if (!verdict.is_late) {
        verdict = (hd_ideal_verdict){
            .lanes = body->lanes, .order = g->order + 1, .committed = kit_now(kit_of(g)), .is_written = 1};
        for (uint32_t i = 0; i < g->arrived_count; i++)
            cr_assert(body->lanes >> g->arrived[i].lane & 1, "words of lanes that commit alone");
        g->seen.commits++;
        g->order += (uint32_t)__builtin_popcountll(body->lanes);
        el_units_expect(g, packet, verdict.order, body->lanes);
        put(g, packet->flow, g->arrived, g->arrived_count);
    }
    answer(g, HD_IDEAL_VERDICT, packet->flow, NULL, &verdict, sizeof verdict);
    if (!verdict.is_late) {
        forget(g, packet->flow);
        g->epoch[packet->flow] = 0;
    }
    g->arrived_count = 0;
}

/* Each word once for each time that it was committed. */
static void take_written(el_rig *g, const hd_packet *packet)
{
    const hd_ideal_write *writes = hd_body_const(packet);
    cr_assert_gt(packet->argument, 0);
    cr_assert(el_units_have_written(g, packet->flow), "warp %u: it is not written yet", packet->flow);
    g->seen.written++;
    for (uint32_t i = 0; i < packet->argument; i++) {
        uint32_t found = 0;
        while (found < g->word_count &&
               (g->words[found].write.address != writes[i].address || g->words[found].warp != packet->flow))
            found++;
        cr_assert_lt(found, g->word_count, "0x%lx was not committed by warp %u", writes[i].address, packet->flow);
        memmove(&g->words[found], &g->words[found + 1], (--g->word_count - found) * sizeof *g->words);
    }
}

/* It has a place in the order like others. */
static void record_stranger(el_rig *g, const hd_ideal_write *writes, uint32_t count)
{
    hd_transaction_word words[GETM_WORDS];
    cr_assert_leq(count, GETM_WORDS);
    for (uint32_t i = 0; i < count; i++)
        words[i] = (hd_transaction_word){.address = writes[i].address,
                                         .value = writes[i].value,
                                         .byte_mask = writes[i].byte_mask,
                                         .sample = HD_NO_SAMPLE};
    g->strangers++;
    getm_rig_keep(&g->record, 0,
                  &(hd_transaction){.order = ++g->order, .warp = EL_STRANGER, .write_count = count, .writes = words});
}

void el_rig_strange(el_rig *g, const hd_ideal_write *writes, uint32_t count)
{
    const uint32_t before = g->word_count;
    record_stranger(g, writes, count);
    put(g, EL_STRANGER, writes, count);
    for (uint32_t i = 0; i < count; i++)
        rig_set_word(g->rig, writes[i].address,
                     el_merge(rig_word(g->rig, writes[i].address), writes[i].value, writes[i].byte_mask));
    g->word_count = before;
}

void el_rig_strange_word(el_rig *g, uint64_t address, uint32_t value, uint32_t byte_mask, uint32_t is_held)
{
    const hd_ideal_write write = {.address = address, .value = value, .byte_mask = (uint8_t)byte_mask};
    if (!is_held) {
        el_rig_strange(g, &write, 1);
        return;
    }
    record_stranger(g, &write, 1);
    put(g, EL_STRANGER, &write, 1);
}

static void write_what_strangers_have(el_rig *g)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < g->word_count; i++) {
        const hd_ideal_write *write = &g->words[i].write;
        if (g->words[i].warp == EL_STRANGER)
            rig_set_word(g->rig, write->address,
                         el_merge(rig_word(g->rig, write->address), write->value, write->byte_mask));
        else
            g->words[kept++] = g->words[i];
    }
    g->word_count = kept;
}

/* ---- Everything ---------------------------------------------------------------------------------------------------------- */

static void note_attempt(el_rig *g, const hd_packet *packet)
{
    cr_assert_lt(packet->flow, EL_WARPS);
    cr_assert(packet->epoch >= 1 && packet->epoch <= 255);
    if (g->epoch[packet->flow] != packet->epoch)
        forget(g, packet->flow);
    g->epoch[packet->flow] = packet->epoch;
}

static void take(core_rig *rig, void *context, hd_packet *packet, hd_time t)
{
    el_rig *g = context;
    (void)t;
    g->rig = g->record.rig = rig;
    if (is_of(g, packet, HD_KILO_WRITE_SET) || is_of(g, packet, HD_KILO_DONE_SKIP)) {
        el_units_take(g, packet);
    } else if (is_of(g, packet, HD_IDEAL_WRITTEN)) {
        take_written(g, packet);
    } else {
        note_attempt(g, packet);
        if (is_of(g, packet, HD_IDEAL_READ)) {
            take_read(g, packet);
        } else {
            cr_assert(is_of(g, packet, HD_IDEAL_COMMIT));
            take_commit(g, packet);
        }
    }
    el_units_go_on(g);
    kit_free(kit_of(g), packet);
}

/* The replay is by the order of commits, which readers without an ID have none in. */
static void note(void *context, uint32_t endpoint, const hd_transaction *told)
{
    el_rig *g = context;
    hd_transaction copy = *told;
    cr_assert_eq(told->rule, HD_SERIAL_BY_VALUE);
    copy.rule = HD_SERIAL_BY_ACCESS;
    if (told->order == HD_NO_ORDER) {
        cr_assert_eq(told->write_count, 0);
        g->silent++;
    } else {
        getm_rig_keep(&g->record, endpoint, &copy);
    }
}

el_rig *el_rig_create(const char *const *parameters, const uint32_t *words)
{
    const char *all[32] = {"tx=warptm_el"};
    el_rig *g = calloc(1, sizeof *g);
    for (uint32_t i = 0; parameters && parameters[i]; i++)
        all[i + 1] = parameters[i];
    g->delay = 1;
    g->groups = calloc(EL_GROUPS, sizeof *g->groups);
    g->record.told = (hd_transactions){.context = g, .committed = note};
    rig_has_unit(take, g, &g->record.told);
    rig_has_partitions(EL_PARTITIONS);
    g->rig = g->record.rig = rig_create(all, words);
    return g;
}

void el_rig_destroy(el_rig *g)
{
    rig_destroy(g->rig);
    el_units_forget(g);
    free(g->groups);
    free(g);
}

void el_rig_reset(el_rig *g)
{
    rig_reset(g->rig);
    el_units_forget(g);
    g->order = g->strangers = g->read_count = g->word_count = g->arrived_count = g->record.commits = g->silent = 0;
    memset(g->epoch, 0, sizeof g->epoch);
    memset(g->changes, 0, sizeof g->changes);
    g->seen = (el_seen){0};
}

void el_rig_set(el_rig *g, uint64_t address, uint32_t value)
{
    getm_rig_set(&g->record, address, value);
}

void el_rig_launch(el_rig *g, uint32_t threads)
{
    rig_launch(g->rig, threads, kit_now(kit_of(g)));
}

void el_rig_pass(el_rig *g, uint32_t cycles)
{
    kit_run_until(kit_of(g), kit_now(kit_of(g)) + kit_cycles(kit_of(g), cycles));
}

/* What waits for packets of others that do not come is written. */
static void write_the_rest(el_rig *g)
{
    g->mute = 0;
    while (1) {
        kit_drain(kit_of(g), kit_edge(kit_of(g), 20000000));
        if (!el_units_wait(g))
            return;
        el_units_go_on(g);
    }
}

void el_rig_finish(el_rig *g)
{
    static const char *const phases[] = {"tx_el_decision_cycles", "tx_el_send_cycles", "tx_el_write_cycles"};
    uint64_t cycles = 0;
    write_what_strangers_have(g);
    write_the_rest(g);
    rig_finish(g->rig);
    el_rig_pass(g, 1000);
    cr_assert_eq(g->word_count, 0, "%u words are committed and not said to be in memory", g->word_count);
    getm_rig_replay(&g->record);
    cr_expect_eq(el_rig_statistic(g, "tx_el_silent_commits"), g->silent);
    cr_expect_eq(el_rig_statistic(g, "tx_commits"), g->silent + g->order - g->strangers);
    cr_expect_eq(el_rig_statistic(g, "tx_el_late_commits"), g->seen.late);
    cr_expect_eq(el_rig_statistic(g, "tx_requests"), g->seen.reads);
    cr_expect_eq(el_rig_statistic(g, "tx_logs"), g->seen.write_sets + g->seen.parts);
    for (uint32_t i = 0; i < sizeof phases / sizeof *phases; i++)
        cycles += el_rig_statistic(g, phases[i]);
    cr_expect_leq(cycles, el_rig_statistic(g, "tx_commit_cycles"));
}

uint64_t el_rig_statistic(el_rig *g, const char *name)
{
    return kit_statistic(kit_of(g), name);
}
