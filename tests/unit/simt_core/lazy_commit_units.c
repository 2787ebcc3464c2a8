/* SPDX-License-Identifier: MIT */
/* Commit units that answer at once: no order among warps, no hazards. */
#include "lazy.h"

#include <criterion/criterion.h>
#include <string.h>

#define DELAY 20u
#define FLIT_BYTES 32u
#define SHORT_BYTES 8u /* a message about lanes, without a mask */

const char *const lazy_messages[LAZY_KINDS] = {"lazy.read_set/1", "lazy.write_set/1", "lazy.done_skip/1",
                                               "lazy.outcome/1",  "lazy.reply/1",     "lazy.done/1"};

lazy_units lazy;

void lazy_count(uint32_t kind, uint32_t wire_bytes)
{
    lazy.sent[kind]++;
    lazy.flits[kind] += (wire_bytes + FLIT_BYTES - 1) / FLIT_BYTES;
}

static uint32_t outcome_bytes(void)
{
    return lazy.warp_level ? SHORT_BYTES + 4 : SHORT_BYTES;
}

static void answer(core_rig *rig, uint32_t kind, const hd_packet *to, uint64_t lanes, uint64_t pass, hd_time t)
{
    hd_packet *packet = kit_packet(rig_kit(rig), lazy_messages[kind], sizeof(lazy_outcome));
    *(lazy_outcome *)hd_body(packet) = (lazy_outcome){.lanes = lanes, .pass = pass};
    packet->argument = to->argument;
    packet->flow = to->flow;
    packet->traffic_class = HD_CLASS_TRANSACTION;
    packet->wire_bytes = outcome_bytes();
    lazy_count(kind, packet->wire_bytes);
    kit_send(rig_kit(rig), REPLY, 0, packet, t + kit_cycles(rig_kit(rig), DELAY));
}

static void report(core_rig *rig, uint32_t kind, const hd_packet *to, uint64_t lanes, uint64_t pass, hd_time t)
{
    if (lazy.warp_level && lanes)
        answer(rig, kind, to, lanes, pass, t);
    for (uint64_t left = lazy.warp_level ? 0 : lanes; left; left &= left - 1)
        answer(rig, kind, to, left & -left, pass & left & -left, t);
}

static void validate(core_rig *rig, const hd_packet *packet, hd_time t)
{
    const uint32_t p = packet->argument, warp = packet->flow;
    const lazy_outcome *done = hd_body_const(packet);
    lazy_log *reads = &lazy.reads[p][warp];
    const lazy_log *writes = &lazy.writes[p][warp];
    uint64_t pass = done->lanes, users = 0;
    const uint32_t attempt = ++lazy.attempts[p][warp];
    for (uint32_t i = 0; i < reads->count; i++) {
        users |= UINT64_C(1) << reads->pairs[i].lane;
        if (rig_word(rig, reads->pairs[i].address) != reads->pairs[i].value)
            pass &= ~(UINT64_C(1) << reads->pairs[i].lane);
    }
    for (uint32_t i = 0; i < writes->count; i++)
        users |= UINT64_C(1) << writes->pairs[i].lane;
    cr_assert_eq(users, done->lanes, "marked as done are those that have sent something here");
    for (uint64_t left = lazy.refuses ? pass : 0; left; left &= left - 1)
        if (lazy.refuses(warp, attempt, (uint32_t)__builtin_ctzll(left), p))
            pass &= ~(left & -left);
    reads->count = 0;
    report(rig, CU_REPLY, packet, done->lanes, pass, t);
}

static void apply(core_rig *rig, const hd_packet *packet, hd_time t)
{
    const lazy_outcome *final = hd_body_const(packet);
    lazy_log *writes = &lazy.writes[packet->argument][packet->flow];
    uint64_t wrote = 0;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < writes->count; i++) {
        const lazy_pair *write = &writes->pairs[i];
        if (final->pass >> write->lane & 1) {
            rig_set_word(rig, write->address, write->value);
            wrote |= UINT64_C(1) << write->lane;
        } else if (!(final->lanes >> write->lane & 1)) {
            writes->pairs[kept++] = *write;
        }
    }
    writes->count = kept;
    report(rig, CU_DONE, packet, wrote, wrote, t);
}

static void enter(lazy_log *log, const hd_packet *packet)
{
    const uint32_t count = packet->body_bytes / (uint32_t)sizeof(lazy_pair);
    cr_assert_leq(log->count + count, LAZY_PAIRS);
    memcpy(&log->pairs[log->count], hd_body_const(packet), packet->body_bytes);
    log->count += count;
    cr_assert_eq(packet->wire_bytes, SHORT_BYTES + 8 * count, "an address and a value for each lane");
}

static void take(core_rig *rig, void *context, hd_packet *packet, hd_time t)
{
    kit_block *kit = rig_kit(rig);
    const uint32_t p = packet->argument, warp = packet->flow;
    (void)context;
    cr_assert(p < LAZY_PARTITIONS && warp < LAZY_WARPS);
    cr_assert_eq(packet->destination, 1 + p, "the partition of its words");
    if (packet->message == kit_message(kit, lazy_messages[READ_SET])) {
        cr_assert_eq(lazy.writes[p][warp].count, 0, "read logs come first");
        enter(&lazy.reads[p][warp], packet);
    } else if (packet->message == kit_message(kit, lazy_messages[WRITE_SET])) {
        enter(&lazy.writes[p][warp], packet);
    } else if (packet->message == kit_message(kit, lazy_messages[DONE_SKIP])) {
        cr_assert_eq(packet->wire_bytes, SHORT_BYTES + 4);
        validate(rig, packet, t);
    } else {
        cr_assert_eq(packet->message, kit_message(kit, lazy_messages[OUTCOME]));
        cr_assert_eq(packet->wire_bytes, outcome_bytes());
        apply(rig, packet, t);
    }
    kit_free(kit, packet);
}

static void note(void *context, uint32_t endpoint, const hd_transaction *told)
{
    (void)context, (void)endpoint;
    if (lazy.commits)
        lazy.commits(told);
}

static void ignore_word(void *context, uint32_t endpoint, const hd_transaction_word *word, uint64_t order)
{
    (void)context, (void)endpoint, (void)word, (void)order;
}

static void ignore_end(void *context, uint32_t endpoint, const hd_scratchpad_contents *contents)
{
    (void)context, (void)endpoint, (void)contents;
}

static const hd_transactions observer = {.committed = note, .holds = ignore_word, .ended = ignore_end};

void lazy_start(uint32_t warp_level)
{
    memset(&lazy, 0, sizeof lazy);
    lazy.warp_level = warp_level;
    rig_has_unit(take, NULL, &observer);
    rig_has_partitions(LAZY_PARTITIONS);
}
