/* SPDX-License-Identifier: MIT */
#include "protocol_kilo_rig.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hd_tap.h"

#define FLIT_BYTES 32u

static const char *const names[KILO_KINDS] = {HD_KILO_READ_SET, HD_KILO_WRITE_SET, HD_KILO_DONE_SKIP, HD_KILO_OUTCOME,
                                              HD_KILO_RESENT,   HD_KILO_TAKE_IDS,  HD_KILO_VERDICT,   HD_KILO_COMMITTED,
                                              HD_KILO_RESEND,   HD_KILO_IDS};

static kit_block *kit_of(const kilo_rig *k)
{
    return rig_kit(k->rig);
}

static void count(kilo_rig *k, enum kilo_kind kind, uint32_t wire_bytes)
{
    k->sent[kind]++;
    k->flits[kind] += (wire_bytes + FLIT_BYTES - 1) / FLIT_BYTES;
}

static uint32_t is_of(const kilo_rig *k, const hd_packet *packet, enum kilo_kind kind)
{
    return packet->message == kit_message(kit_of(k), names[kind]);
}

/* ---- Answers ---------------------------------------------------------------------------------------------------------- */

static hd_packet *new_answer(kilo_rig *k, enum kilo_kind kind, const kilo_group *group, uint32_t partition,
                             uint32_t bytes)
{
    hd_packet *packet = kit_packet(kit_of(k), names[kind], bytes);
    packet->flow = group->warp;
    packet->epoch = group->epoch;
    packet->tag = group->group.first;
    packet->argument = partition;
    packet->traffic_class = HD_CLASS_TRANSACTION;
    packet->wire_bytes = HD_HEADER_WIRE_BYTES;
    return packet;
}

static void answer_lanes(kilo_rig *k, enum kilo_kind kind, const kilo_group *group, uint32_t partition, uint64_t lanes,
                         uint64_t marked, hd_time t)
{
    for (uint64_t left = lanes, some; left; left &= ~some) {
        some = k->aggregates ? left : left & -left;
        hd_packet *packet = new_answer(k, kind, group, partition, sizeof(hd_kilo_lanes));
        *(hd_kilo_lanes *)hd_body(packet) = (hd_kilo_lanes){group->group, some, marked & some};
        packet->wire_bytes += k->aggregates ? HD_KILO_MASK_WIRE_BYTES : 0;
        count(k, kind, packet->wire_bytes);
        rig_send_reply(k->rig, packet, t + kit_cycles(kit_of(k), k->delay + partition * k->spread));
    }
}

/* ---- The vendor -------------------------------------------------------------------------------------------------------- */

static void give_ids(kilo_rig *k, const hd_packet *request, hd_time t)
{
    cr_assert_lt(k->group_count, KILO_GROUPS);
    cr_assert_lt(request->flow, KILO_RIG_WARPS);
    cr_assert(request->argument >= 1 && request->argument <= HD_KILO_GROUP_MAX);
    kilo_group *group = &k->groups[k->group_count++];
    *group = (kilo_group){.group = {.first = k->next_id},
                          .warp = request->flow,
                          .epoch = request->epoch,
                          .attempt = ++k->attempts[request->flow]};
    hd_packet *packet = kit_packet(kit_of(k), HD_KILO_IDS, 0);
    packet->flow = request->flow;
    packet->epoch = request->epoch;
    packet->tag = request->tag;
    packet->address = k->next_id;
    packet->traffic_class = HD_CLASS_TRANSACTION;
    packet->wire_bytes = HD_HEADER_WIRE_BYTES;
    k->next_id += request->argument;
    count(k, KIND_IDS, packet->wire_bytes);
    kit_send(kit_of(k), TRANSACTION_REPLY, 0, packet, t + kit_cycles(kit_of(k), k->id_delay));
}

/* ---- What is let through ------------------------------------------------------------------------------------------------- */

static uint64_t lanes_that_differ(const kilo_rig *k, const kilo_group *group, uint32_t partition)
{
    const kilo_set *set = &group->reads[partition];
    uint64_t lanes = 0;
    for (uint32_t i = 0; i < set->count; i++) {
        const hd_kilo_word *word = &set->words[i];
        const uint32_t differ = rig_word(k->rig, word->address) ^ word->value;
        for (uint32_t byte = 0; byte < 4; byte++)
            if (word->byte_mask >> byte & 1 && differ >> 8 * byte & 0xFF)
                lanes |= UINT64_C(1) << word->lane;
    }
    return lanes;
}

/* The lanes that may go on: the oldest, or all of the oldest warp. */
static uint64_t first_lanes(const kilo_rig *k, const kilo_group *group)
{
    uint64_t open = 0;
    for (uint32_t p = 0; p < KILO_PARTITIONS; p++)
        open |= group->touched[p] & ~group->ended[p];
    return k->aggregates ? open : open & -open;
}

static void judge(kilo_rig *k, kilo_group *group, uint32_t partition, uint64_t lanes, hd_time t)
{
    uint64_t passing = lanes & ~lanes_that_differ(k, group, partition);
    for (uint64_t left = k->refuses ? passing : 0; left; left &= left - 1)
        if (k->refuses(group->warp, group->attempt, (uint32_t)__builtin_ctzll(left), partition))
            passing &= ~(left & -left);
    group->judged[partition] |= lanes;
    group->passed[partition] |= passing;
    answer_lanes(k, KIND_VERDICT, group, partition, lanes, passing, t);
}

/* In whatever order they come. */
static void judge_at_once(kilo_rig *k, hd_time t)
{
    for (uint32_t i = k->first_open; i < k->group_count; i++)
        for (uint32_t p = 0; p < KILO_PARTITIONS; p++) {
            kilo_group *group = &k->groups[i];
            const uint64_t lanes = group->touched[p] & ~group->judged[p];
            if (group->done >> p & 1 && !group->asked && lanes)
                judge(k, group, p, lanes, t);
        }
}

static void go_on(kilo_rig *k, hd_time t)
{
    if (k->at_once)
        judge_at_once(k, t);
    for (; k->first_open < k->group_count; k->first_open++) {
        kilo_group *group = &k->groups[k->first_open];
        if (group->done != (1u << KILO_PARTITIONS) - 1 || group->asked)
            return;
        const uint64_t first = first_lanes(k, group);
        for (uint32_t p = 0; p < KILO_PARTITIONS; p++)
            if (first & group->touched[p] & ~group->judged[p])
                judge(k, group, p, first & group->touched[p] & ~group->judged[p], t);
        if (first)
            return;
    }
}

/* ---- Logs ---------------------------------------------------------------------------------------------------------------- */

static kilo_group *group_of(const kilo_rig *k, const hd_kilo_group *named)
{
    for (uint32_t i = k->group_count; i-- > 0;)
        if (k->groups[i].group.first == named->first) {
            kilo_group *group = &k->groups[i];
            cr_assert(!group->group.lanes || group->group.lanes == named->lanes, "lanes of a group do not change");
            group->group.lanes = named->lanes;
            return group;
        }
    cr_assert_fail("commit ID %lu was not given out", named->first);
    return NULL;
}

static uint32_t words_of_lane(const kilo_set *set, uint32_t lane)
{
    uint32_t words = 0;
    for (uint32_t i = 0; i < set->count; i++)
        words += set->words[i].lane == lane;
    return words;
}

static void add_word(kilo_set *set, const hd_kilo_word *word)
{
    if (set->count == set->capacity) {
        set->capacity = set->capacity ? 2 * set->capacity : 16;
        set->words = realloc(set->words, set->capacity * sizeof *set->words);
    }
    set->words[set->count++] = *word;
}

/* A unit has kept the first words alone: what comes again is held against what has come before. */
static void expect_again(kilo_rig *k, const kilo_set *set, const hd_kilo_word *words, uint32_t many)
{
    const uint32_t lane = words[0].lane, first = k->keep + k->again;
    uint32_t number = 0, same = 0;
    for (uint32_t i = 0; i < set->count; i++) {
        if (set->words[i].lane != lane || number++ < first || same == many)
            continue;
        cr_assert(!memcmp(&words[same++], &set->words[i], sizeof *words), "word %u of lane %u", number, lane);
    }
    cr_assert_eq(same, many, "words that there were not");
    k->again += many;
    k->again_lane = lane;
    k->again_of = set;
}

static void take_log(kilo_rig *k, const hd_packet *packet, uint32_t p, uint32_t is_write_set)
{
    const hd_kilo_log *log = hd_body_const(packet);
    const hd_kilo_word *words = (const hd_kilo_word *)(log + 1);
    kilo_group *group = group_of(k, &log->group);
    kilo_set *set = is_write_set ? &group->writes[p] : &group->reads[p];
    cr_assert_gt(packet->argument, 0);
    cr_assert_eq(packet->body_bytes, sizeof *log + packet->argument * sizeof *words);
    cr_assert_eq(packet->wire_bytes, HD_HEADER_WIRE_BYTES + packet->argument * HD_KILO_WORD_WIRE_BYTES);
    if (log->resent) {
        expect_again(k, set, words, packet->argument);
        return;
    }
    cr_assert(!(group->done >> p & 1), "logs end with DONE/SKIP");
    cr_assert(is_write_set || !group->writes[p].count, "read logs come first");
    for (uint32_t i = 0; i < packet->argument; i++) {
        cr_assert_eq((words[i].address >> 8) % KILO_PARTITIONS, p);
        cr_assert(words[i].address % 4 == 0 && words[i].byte_mask && words[i].byte_mask < 16);
        cr_assert(group->group.lanes >> words[i].lane & 1);
        cr_assert(i == 0 || words[i - 1].lane < words[i].lane, "one word of each lane: an entry of the log");
        add_word(set, &words[i]);
    }
}

static void ask_again(kilo_rig *k, kilo_group *group, uint32_t p, uint32_t is_write_set, hd_time t)
{
    const kilo_set *set = is_write_set ? &group->writes[p] : &group->reads[p];
    for (uint32_t lane = 0; lane < 64; lane++) {
        if (words_of_lane(set, lane) <= k->keep)
            continue;
        hd_packet *packet = new_answer(k, KIND_RESEND, group, p, sizeof(hd_kilo_resend));
        *(hd_kilo_resend *)hd_body(packet) =
            (hd_kilo_resend){.group = group->group, .lane = lane, .is_write_set = is_write_set, .from = k->keep};
        group->asked++;
        count(k, KIND_RESEND, packet->wire_bytes);
        rig_send_reply(k->rig, packet, t + kit_cycles(kit_of(k), k->delay));
    }
}

static uint64_t lanes_of(const kilo_set *set)
{
    uint64_t lanes = 0;
    for (uint32_t i = 0; i < set->count; i++)
        lanes |= UINT64_C(1) << set->words[i].lane;
    return lanes;
}

static void take_end(kilo_rig *k, const hd_packet *packet, uint32_t p, hd_time t)
{
    const hd_kilo_lanes *said = hd_body_const(packet);
    kilo_group *group = group_of(k, &said->group);
    cr_assert_eq(packet->wire_bytes, HD_HEADER_WIRE_BYTES + HD_KILO_MASK_WIRE_BYTES);
    cr_assert_eq(said->lanes, group->group.lanes);
    cr_assert_eq(said->marked, lanes_of(&group->reads[p]) | lanes_of(&group->writes[p]));
    cr_assert(!(group->done >> p & 1));
    group->done |= 1u << p;
    group->touched[p] = said->marked;
    ask_again(k, group, p, 0, t);
    ask_again(k, group, p, 1, t);
}

/* ---- Outcomes -------------------------------------------------------------------------------------------------------------- */

static void write(kilo_rig *k, const kilo_set *set, uint64_t lanes)
{
    for (uint32_t i = 0; i < set->count; i++) {
        const hd_kilo_word *word = &set->words[i];
        uint32_t value = rig_word(k->rig, word->address);
        for (uint32_t byte = 0; byte < 4; byte++)
            if (lanes >> word->lane & 1 && word->byte_mask >> byte & 1)
                value = (value & ~(0xFFu << 8 * byte)) | (word->value & 0xFFu << 8 * byte);
        rig_set_word(k->rig, word->address, value);
    }
}

static uint64_t failed_anywhere(const kilo_group *group)
{
    uint64_t failed = 0;
    for (uint32_t p = 0; p < KILO_PARTITIONS; p++)
        failed |= group->judged[p] & ~group->passed[p];
    return failed;
}

static void take_outcome(kilo_rig *k, const hd_packet *packet, uint32_t p, hd_time t)
{
    const hd_kilo_lanes *said = hd_body_const(packet);
    kilo_group *group = group_of(k, &said->group);
    cr_assert_eq(packet->wire_bytes, HD_HEADER_WIRE_BYTES + (k->aggregates ? HD_KILO_MASK_WIRE_BYTES : 0));
    cr_assert(said->lanes && !(said->lanes & ~(group->judged[p] & ~group->ended[p])), "one for each verdict");
    cr_assert(k->aggregates ? said->lanes == group->touched[p] : !(said->lanes & (said->lanes - 1)));
    for (uint32_t other = 0; other < KILO_PARTITIONS; other++)
        cr_assert_eq(group->touched[other] & said->lanes & ~group->judged[other], 0, "all units have been heard");
    cr_assert_eq(said->marked, said->lanes & ~failed_anywhere(group), "who passes everywhere commits");
    k->backward += said->lanes < group->ended[p];
    for (uint32_t i = k->first_open; i < k->group_count; i++)
        k->delayed += k->groups[i].asked != 0;
    group->ended[p] |= said->lanes;
    write(k, &group->writes[p], said->marked);
    answer_lanes(k, KIND_COMMITTED, group, p, said->marked & lanes_of(&group->writes[p]), UINT64_MAX, t);
}

static void take_resent(kilo_rig *k, const hd_packet *packet)
{
    const hd_kilo_lanes *said = hd_body_const(packet);
    kilo_group *group = group_of(k, &said->group);
    cr_assert_eq(packet->wire_bytes, HD_HEADER_WIRE_BYTES);
    cr_assert(said->lanes && !(said->lanes & (said->lanes - 1)));
    cr_assert_gt(group->asked, 0);
    cr_assert_eq(said->lanes, UINT64_C(1) << k->again_lane);
    cr_assert_eq(k->keep + k->again, words_of_lane(k->again_of, k->again_lane), "all of them");
    k->again = 0;
    group->asked--;
}

/* ---- Everything ------------------------------------------------------------------------------------------------------------- */

static void expect_header(const kilo_rig *k, const hd_packet *packet, uint32_t p)
{
    cr_assert(p < KILO_PARTITIONS && packet->unit == HD_DESTINATION_COMMIT_UNIT);
    const hd_kilo_group *named = hd_body_const(packet); /* each body begins with it */
    const kilo_group *group = group_of(k, named);
    cr_assert_eq(packet->flow, group->warp);
    cr_assert_eq(packet->epoch, group->epoch);
}

static void note_turn(kilo_rig *k, const hd_packet *packet)
{
    k->turns += packet->flow != k->latest_warp;
    k->latest_warp = packet->flow;
}

static void take(core_rig *rig, void *context, hd_packet *packet, hd_time t)
{
    kilo_rig *k = context;
    const uint32_t p = packet->destination - 1u;
    enum kilo_kind kind = KIND_READ_SET;
    (void)rig;
    while (kind < KIND_VERDICT && !is_of(k, packet, kind))
        kind++;
    count(k, kind, packet->wire_bytes);
    if (kind != KIND_TAKE_IDS) {
        expect_header(k, packet, p);
        note_turn(k, packet);
    }
    switch (kind) {
    case KIND_READ_SET:
    case KIND_WRITE_SET: take_log(k, packet, p, kind == KIND_WRITE_SET); break;
    case KIND_DONE_SKIP: take_end(k, packet, p, t); break;
    case KIND_OUTCOME: take_outcome(k, packet, p, t); break;
    case KIND_RESENT: take_resent(k, packet); break;
    case KIND_TAKE_IDS: give_ids(k, packet, t); break;
    default: cr_assert_fail("a packet of no kind that a core sends"); break;
    }
    kit_free(kit_of(k), packet);
    go_on(k, t);
}

static void append(core_rig *rig, void *context, const hd_packet *request, hd_packet *reply, hd_time t)
{
    kilo_rig *k = context;
    (void)rig;
    k->first_load = k->first_load ? k->first_load : t;
    if (!k->written)
        return;
    const hd_kilo_written written = k->written(request->address, t);
    cr_assert(hd_tap_append(reply, &written, sizeof written, HD_KILO_WRITTEN_WIRE_BYTES));
}

static void note(void *context, uint32_t endpoint, const hd_transaction *told)
{
    kilo_rig *k = context;
    (void)endpoint;
    cr_assert_eq(told->rule, HD_SERIAL_BY_VALUE);
    k->silent += told->order == HD_NO_ORDER;
    k->commits++;
    k->last = *told;
    if (k->told)
        k->told(told);
}

kilo_rig *kilo_rig_create(const char *const *parameters, uint32_t aggregates, const uint32_t *words)
{
    return kilo_rig_create_of("kilo", "tx_", parameters, aggregates, words);
}

kilo_rig *kilo_rig_create_of(const char *protocol, const char *names, const char *const *parameters,
                             uint32_t aggregates, const uint32_t *words)
{
    static hd_transactions observer;
    char chosen[32], together[64];
    snprintf(chosen, sizeof chosen, "tx=%s", protocol);
    snprintf(together, sizeof together, "tx.%s.aggregate=true", protocol);
    const char *all[16] = {chosen, "tx.ownership=0 B", aggregates ? together : "tx.intra_warp=protocol"};
    for (uint32_t i = 0; parameters && parameters[i]; i++)
        all[3 + i] = parameters[i];
    kilo_rig *k = calloc(1, sizeof *k);
    k->protocol = protocol;
    k->names = names;
    k->groups = calloc(KILO_GROUPS, sizeof *k->groups);
    k->aggregates = aggregates;
    k->delay = k->id_delay = 20;
    k->keep = UINT32_MAX;
    k->next_id = 1;
    observer = (hd_transactions){.context = k, .committed = note};
    rig_has_unit(take, k, &observer);
    rig_appends(append);
    rig_has_partitions(KILO_PARTITIONS);
    k->rig = rig_create(all, words);
    return k;
}

void kilo_rig_destroy(kilo_rig *k)
{
    rig_destroy(k->rig);
    for (uint32_t i = 0; i < k->group_count; i++)
        for (uint32_t p = 0; p < KILO_PARTITIONS; p++) {
            free(k->groups[i].reads[p].words);
            free(k->groups[i].writes[p].words);
        }
    free(k->groups);
    free(k);
}

void kilo_rig_finish(kilo_rig *k)
{
    static const char *const phases[] = {"id_cycles", "send_cycles", "verdict_cycles", "write_cycles"};
    rig_finish(k->rig);
    kit_run_until(kit_of(k), kit_now(kit_of(k)) + kit_cycles(kit_of(k), 200));
    cr_assert_eq(k->first_open, k->group_count, "%u of %u groups are over", k->first_open, k->group_count);
    cr_expect_eq(kilo_rig_statistic(k, "tx_commits"), k->commits);
    cr_expect_eq(kilo_rig_own(k, "silent_commits"), k->silent);
    cr_expect_eq(kilo_rig_own(k, "commit_ids"), k->next_id - 1);
    cr_expect_eq(kilo_rig_statistic(k, "tx_logs"), k->sent[KIND_READ_SET] + k->sent[KIND_WRITE_SET]);
    cr_expect_eq(kilo_rig_own(k, "slice_loads"), kilo_rig_statistic(k, "tx_requests"));
    uint64_t cycles = 0;
    for (uint32_t i = 0; i < sizeof phases / sizeof *phases; i++)
        cycles += kilo_rig_own(k, phases[i]);
    cr_expect_leq(cycles, kilo_rig_statistic(k, "tx_commit_cycles"), "others are those of accesses and logs");
}

uint64_t kilo_rig_own(kilo_rig *k, const char *name)
{
    char whole[64];
    snprintf(whole, sizeof whole, "%s%s", k->names, name);
    return kilo_rig_statistic(k, whole);
}

static void send_hint(kilo_rig *k, const char *message, uint32_t set, uint32_t argument, const void *body,
                      uint32_t bytes, hd_time t)
{
    hd_packet *packet = kit_packet(kit_of(k), message, bytes);
    memcpy(hd_body(packet), body, bytes);
    packet->tag = set;
    packet->argument = argument;
    packet->traffic_class = HD_CLASS_TRANSACTION;
    packet->wire_bytes = HD_HEADER_WIRE_BYTES;
    rig_send_reply(k->rig, packet, t);
}

void kilo_rig_tell(kilo_rig *k, const char *message, uint32_t set, uint32_t address, hd_time t)
{
    send_hint(k, message, set, 1, &address, sizeof address, t);
}

void kilo_rig_tell_words(kilo_rig *k, const char *message, uint32_t set, const uint32_t *addresses, uint32_t count,
                         hd_time t)
{
    send_hint(k, message, set, count, addresses, count * (uint32_t)sizeof *addresses, t);
}

void kilo_rig_sign(kilo_rig *k, uint32_t set, uint32_t partition, uint64_t bits, hd_time t)
{
    send_hint(k, HD_KILO_SIGNATURE, set, partition, &bits, sizeof bits, t);
}

uint64_t kilo_rig_statistic(kilo_rig *k, const char *name)
{
    return kit_statistic(kit_of(k), name);
}
