/* SPDX-License-Identifier: MIT */
/*
 * A protocol that validates at commit, through the interface of tx/tx.h: Kilo TM and WarpTM as far as their messages (Fung 2015
 * §4.2.5, Fig. 4.4a, §6.2), before scripted commit units. This program has it in the place of the core's own protocols.
 */
#include "core_rig.h"
#include "tx/tx.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define PARTITIONS 2u
#define PACKETS 4096u
#define DELAY 20u

enum { READ_SET, WRITE_SET, DONE_SKIP, OUTCOME, CU_REPLY, CU_DONE, KINDS };
static const char *const names[KINDS] = {"lazy.read_set/1", "lazy.write_set/1", "lazy.done_skip/1",
                                         "lazy.outcome/1",  "lazy.reply/1",     "lazy.done/1"};

typedef struct pair {
    uint32_t lane, address, value;
} pair;

typedef struct outcome {
    uint64_t lanes, pass;
} outcome;

static struct {
    uint32_t warp_level;
    uint32_t sent[KINDS];
    pair reads[PARTITIONS][1024], writes[PARTITIONS][1024];
    uint32_t read_count[PARTITIONS], write_count[PARTITIONS];
    uint32_t fail_lane; /* its first validation fails whatever it has read; UINT32_MAX = none */
} cu;

/* ---- The protocol, in the core ------------------------------------------------------------------------------------------ */

typedef struct lazy {
    transactions *t;
    uint32_t message[KINDS], load;
    hd_packet *queue[PACKETS];
    uint32_t head, tail;
    uint64_t lanes, pass, answered, to_write;
    uint64_t touched[PARTITIONS], written[PARTITIONS], awaited[PARTITIONS];
    uint32_t warp;
} lazy;

static uint32_t partition_of(uint64_t address)
{
    return (uint32_t)(address / 256 % PARTITIONS);
}

static void queue(lazy *l, uint32_t kind, uint32_t partition, const void *body, uint32_t bytes, uint32_t wire)
{
    hd_packet *packet = tx_packet(l->t, l->warp, l->message[kind], 256ull * partition, bytes);
    memcpy(hd_body(packet), body, bytes);
    packet->wire_bytes += wire;
    packet->argument = partition;
    l->queue[l->tail++ % PACKETS] = packet;
    cu.sent[kind]++;
    memory_offer_packets(l->t->core->memory, 1);
}

static hd_packet *next_packet(tx *unit)
{
    lazy *l = (lazy *)unit;
    return l->queue[l->head++ % PACKETS];
}

/* One packet per entry and partition that it touches. */
static void send_log(lazy *l, const tx_log *log, uint32_t kind, uint64_t *touched)
{
    for (uint32_t entry = 0; entry < log->length; entry++)
        for (uint32_t p = 0; p < PARTITIONS; p++) {
            pair pairs[MAX_LANES];
            uint32_t count = 0;
            for (uint64_t left = log->mask[entry] & l->lanes; left; left &= left - 1) {
                const uint32_t lane = (uint32_t)__builtin_ctzll(left);
                const size_t at = tx_log_at(log, entry, lane);
                if (partition_of(log->address[at]) != p)
                    continue;
                touched[p] |= left & -left;
                pairs[count++] = (pair){lane, log->address[at], log->value[at]};
            }
            if (count)
                queue(l, kind, p, pairs, count * (uint32_t)sizeof *pairs, 8 * count);
        }
}

static void commit(tx *unit, uint32_t warp, uint64_t lanes)
{
    lazy *l = (lazy *)unit;
    const tx_warp *w = tx_warp_of(l->t, warp);
    uint64_t empty = lanes;
    for (uint32_t entry = 0; entry < w->reads.length; entry++)
        empty &= ~w->reads.mask[entry];
    for (uint32_t entry = 0; entry < w->writes.length; entry++)
        empty &= ~w->writes.mask[entry];
    l->warp = warp;
    l->lanes = lanes & ~empty;
    l->pass = l->lanes;
    l->answered = 0;
    memset(l->touched, 0, sizeof l->touched);
    memset(l->written, 0, sizeof l->written);
    if (!l->lanes || empty) {
        tx_decide(l->t, warp, empty, 0, 0);
        if (!l->lanes)
            return;
    }
    send_log(l, &w->reads, READ_SET, l->touched);
    send_log(l, &w->writes, WRITE_SET, l->written);
    for (uint32_t p = 0; p < PARTITIONS; p++) {
        l->touched[p] |= l->written[p];
        l->awaited[p] = l->touched[p];
        queue(l, DONE_SKIP, p, &l->touched[p], sizeof l->touched[p], 4);
    }
}

static void decide(lazy *l, uint64_t lanes)
{
    l->lanes &= ~lanes;
    tx_decide(l->t, l->warp, lanes & l->pass, lanes & ~l->pass, TX_STALL_FULL);
}

static uint64_t writers(const lazy *l, uint64_t lanes)
{
    return lanes & l->pass & (l->written[0] | l->written[1]);
}

/* All units have said what they think of these lanes. */
static void finalise(lazy *l, uint64_t lanes)
{
    const outcome final = {.lanes = lanes, .pass = lanes & l->pass};
    for (uint32_t p = 0; p < PARTITIONS; p++) {
        if (l->touched[p] & lanes)
            queue(l, OUTCOME, p, &final, sizeof final, cu.warp_level ? 4 : 0);
        l->awaited[p] = (l->awaited[p] & ~lanes) | (l->written[p] & final.pass);
    }
    if (lanes & ~writers(l, lanes))
        decide(l, lanes & ~writers(l, lanes)); /* a reader, or a loser, is done */
}

static void reply(tx *unit, const hd_packet *packet)
{
    lazy *l = (lazy *)unit;
    const outcome *said = hd_body_const(packet);
    const uint32_t p = packet->argument;
    l->awaited[p] &= ~said->lanes;
    if (packet->message == l->message[CU_REPLY]) {
        l->pass &= ~(said->lanes & ~said->pass);
        l->answered |= said->lanes;
        const uint64_t open = l->awaited[0] | l->awaited[1];
        if (cu.warp_level ? !open : !(open & said->lanes))
            finalise(l, cu.warp_level ? l->lanes : said->lanes);
        return;
    }
    const uint64_t done = said->lanes & ~(l->awaited[0] | l->awaited[1]);
    if (cu.warp_level ? !(l->awaited[0] | l->awaited[1]) : done != 0)
        decide(l, cu.warp_level ? l->lanes : done);
}

static hd_packet *request(tx *unit, const memory_access *access, uint64_t lanes, uint64_t address, uint32_t bytes)
{
    lazy *l = (lazy *)unit;
    (void)lanes;
    hd_packet *packet = tx_packet(l->t, access->warp, l->load, address, 0);
    packet->traffic_class = HD_CLASS_GLOBAL;
    packet->argument = bytes;
    return packet;
}

static tx *create(transactions *t)
{
    lazy *l = calloc(1, sizeof *l);
    l->t = t;
    for (uint32_t kind = 0; kind < KINDS; kind++)
        l->message[kind] = t->core->services->message(t->core->services->context, names[kind]);
    l->load = t->core->services->message(t->core->services->context, HD_GLOBAL_LOAD);
    return (tx *)l;
}

static void destroy(tx *unit)
{
    free(unit);
}

static void nothing(tx *unit)
{
    (void)unit;
}

static uint32_t line(const tx *unit)
{
    (void)unit;
    return HD_LINE_BYTES;
}

static uint32_t always(const tx *unit, uint32_t warp)
{
    (void)unit, (void)warp;
    return 1;
}

static uint32_t never(const tx *unit, uint32_t warp)
{
    (void)unit, (void)warp;
    return 0;
}

static void of_warp(tx *unit, uint32_t warp)
{
    (void)unit, (void)warp;
}

static void loaded(tx *unit, const memory_access *access, uint64_t lanes, const hd_packet *packet)
{
    (void)unit, (void)access, (void)lanes, (void)packet;
}

static void aborted(tx *unit, uint32_t warp, uint64_t lanes, enum tx_reason reason)
{
    (void)unit, (void)warp, (void)lanes, (void)reason;
}

static const tx_unit lazy_unit = {.name = "lazy",
                                  .source = "Fung 2015 §4.2.5, §6.2",
                                  .sends_reads = 1,
                                  .create = create,
                                  .destroy = destroy,
                                  .reset = nothing,
                                  .align = nothing,
                                  .group_bytes = line,
                                  .may_begin = always,
                                  .begin = of_warp,
                                  .request = request,
                                  .loaded = loaded,
                                  .reply = reply,
                                  .next_packet = next_packet,
                                  .aborted = aborted,
                                  .commit = commit,
                                  .in_flight = never,
                                  .work = nothing,
                                  .timestamp = never,
                                  .new_warp = of_warp};
const tx_unit *const tx_units[] = {NULL, &lazy_unit}; /* instead of tx/units.c */

/* ---- Commit units -------------------------------------------------------------------------------------------------------- */

static void answer(core_rig *rig, uint32_t kind, uint32_t partition, uint64_t lanes, uint64_t pass, hd_time t)
{
    hd_packet *packet = kit_packet(rig_kit(rig), names[kind], sizeof(outcome));
    *(outcome *)hd_body(packet) = (outcome){.lanes = lanes, .pass = pass};
    packet->argument = partition;
    packet->traffic_class = HD_CLASS_TRANSACTION;
    cu.sent[kind]++;
    kit_send(rig_kit(rig), REPLY, 0, packet, t + kit_cycles(rig_kit(rig), DELAY));
}

static uint64_t validate(core_rig *rig, uint32_t p, uint64_t lanes)
{
    uint64_t pass = lanes;
    for (uint32_t i = 0; i < cu.read_count[p]; i++)
        if (rig_word(rig, cu.reads[p][i].address) != cu.reads[p][i].value)
            pass &= ~(UINT64_C(1) << cu.reads[p][i].lane);
    if (cu.fail_lane < 64 && lanes >> cu.fail_lane & 1) {
        pass &= ~(UINT64_C(1) << cu.fail_lane);
        cu.fail_lane = UINT32_MAX;
    }
    cu.read_count[p] = 0;
    return pass;
}

static void report(core_rig *rig, uint32_t kind, uint32_t p, uint64_t lanes, uint64_t pass, hd_time t)
{
    if (cu.warp_level && lanes)
        answer(rig, kind, p, lanes, pass, t);
    for (uint64_t left = cu.warp_level ? 0 : lanes; left; left &= left - 1)
        answer(rig, kind, p, left & -left, pass & left & -left, t);
}

static uint64_t apply(core_rig *rig, uint32_t p, const outcome *final)
{
    uint64_t wrote = 0;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < cu.write_count[p]; i++) {
        const pair *write = &cu.writes[p][i];
        if (final->pass >> write->lane & 1) {
            rig_set_word(rig, write->address, write->value);
            wrote |= UINT64_C(1) << write->lane;
        } else if (!(final->lanes >> write->lane & 1)) {
            cu.writes[p][kept++] = *write;
        }
    }
    cu.write_count[p] = kept;
    return wrote;
}

static void take(core_rig *rig, void *context, hd_packet *packet, hd_time t)
{
    kit_block *kit = rig_kit(rig);
    const uint32_t p = packet->argument, count = packet->body_bytes / (uint32_t)sizeof(pair);
    (void)context;
    if (packet->message == kit_message(kit, names[READ_SET])) {
        memcpy(&cu.reads[p][cu.read_count[p]], hd_body(packet), packet->body_bytes);
        cu.read_count[p] += count;
        cr_expect_eq(packet->wire_bytes, 8 + 8 * count);
    } else if (packet->message == kit_message(kit, names[WRITE_SET])) {
        memcpy(&cu.writes[p][cu.write_count[p]], hd_body(packet), packet->body_bytes);
        cu.write_count[p] += count;
    } else if (packet->message == kit_message(kit, names[DONE_SKIP])) {
        const uint64_t lanes = *(const uint64_t *)hd_body_const(packet);
        report(rig, CU_REPLY, p, lanes, validate(rig, p, lanes), t);
    } else {
        const uint64_t wrote = apply(rig, p, hd_body_const(packet));
        report(rig, CU_DONE, p, wrote, wrote, t);
    }
    kit_free(kit, packet);
}

/* ---- Counts --------------------------------------------------------------------------------------------------------------- */

#define LANES 12u

/* Of lane l: loads, a store by every second lane. Partitions change every 256 bytes. */
static uint32_t first_load(uint32_t lane)
{
    return DATA + 64 * lane;
}
static uint32_t second_load(uint32_t lane)
{
    return DATA + 2048 + 128 * lane;
}
static uint32_t store(uint32_t lane)
{
    return DATA + 8192 + 4 * lane;
}

static core_rig *run(uint32_t warp_level, uint32_t fail_lane)
{
    const char *const parameters[] = {"tx=getm", "tx.ownership=0 B", NULL};
    const uint32_t words[] = {lui(A0, DATA),
                              csrr(S0, 0xCCC),
                              slli(A1, S0, 6),
                              add(A1, A1, A0),
                              slli(A2, S0, 7),
                              add(A2, A2, A0),
                              addi(A2, A2, 2047),
                              slli(A3, S0, 2),
                              lui(A4, DATA + 8192),
                              add(A3, A3, A4),
                              andi(T0, S0, 1),
                              begin_tx(1),
                              lw(T1, 0, A1),
                              lw(T2, 1, A2),
                              add(T1, T1, T2),
                              bne(T0, ZERO, 8),
                              sw(T1, 0, A3),
                              commit_tx(),
                              ret(),
                              0};
    memset(&cu, 0, sizeof cu);
    cu.warp_level = warp_level;
    cu.fail_lane = fail_lane;
    rig_has_unit(take, NULL, NULL);
    core_rig *rig = rig_create(parameters, words);
    for (uint32_t lane = 0; lane < LANES; lane++) {
        rig_set_word(rig, first_load(lane), 100 + lane);
        rig_set_word(rig, second_load(lane), 1000 * lane);
    }
    rig_launch(rig, LANES, 0);
    rig_finish(rig);
    for (uint32_t lane = 0; lane < LANES; lane += 2)
        cr_expect_eq(rig_word(rig, store(lane)), 100 + lane + 1000 * lane, "lane %u", lane);
    cr_expect_eq(kit_statistic(rig_kit(rig), "tx_commits"), LANES);
    return rig;
}

typedef struct counts {
    uint32_t read_sets, write_sets, lane_partitions, lane_writes, partitions, write_partitions;
} counts;

/* kilotm-warptm: log packets = sum over entries of distinct partitions; p(l), w(l), and their unions over the warp. */
static counts expected(void)
{
    uint32_t first = 0, second = 0, stores = 0;
    counts c = {0};
    for (uint32_t lane = 0; lane < LANES; lane++) {
        const uint32_t a = 1u << partition_of(first_load(lane)), b = 1u << partition_of(second_load(lane));
        const uint32_t w = lane % 2 ? 0 : 1u << partition_of(store(lane));
        first |= a;
        second |= b;
        stores |= w;
        c.lane_partitions += bits_count(a | b | w);
        c.lane_writes += bits_count(w);
    }
    c.read_sets = bits_count(first) + bits_count(second);
    c.write_sets = c.write_partitions = bits_count(stores);
    c.partitions = bits_count(first | second | stores);
    return c;
}

Test(tx_lazy, sends_what_kilo_tm_sends)
{
    const counts c = expected();
    core_rig *rig = run(0, UINT32_MAX);
    cr_expect_eq(cu.sent[READ_SET], c.read_sets);
    cr_expect_eq(cu.sent[WRITE_SET], c.write_sets);
    cr_expect_eq(cu.sent[DONE_SKIP], PARTITIONS);
    cr_expect_eq(cu.sent[CU_REPLY], c.lane_partitions, "one per transaction and unit that it touches");
    cr_expect_eq(cu.sent[OUTCOME], c.lane_partitions);
    cr_expect_eq(cu.sent[CU_DONE], c.lane_writes);
    cr_expect_gt(c.lane_partitions, LANES, "some touch both");
    rig_destroy(rig);
}

Test(tx_lazy, sends_what_warp_tm_sends)
{
    const counts c = expected();
    core_rig *rig = run(1, UINT32_MAX);
    cr_expect_eq(cu.sent[READ_SET], c.read_sets);
    cr_expect_eq(cu.sent[WRITE_SET], c.write_sets);
    cr_expect_eq(cu.sent[DONE_SKIP], PARTITIONS);
    cr_expect_eq(cu.sent[CU_REPLY], c.partitions, "one per warp and unit");
    cr_expect_eq(cu.sent[OUTCOME], c.partitions);
    cr_expect_eq(cu.sent[CU_DONE], c.write_partitions);
    rig_destroy(rig);
}

/* What fails validation starts again, alone; it is told to those that it touched, and writes nothing. */
Test(tx_lazy, tries_again_what_a_unit_has_refused)
{
    for (uint32_t warp_level = 0; warp_level < 2; warp_level++) {
        core_rig *rig = run(warp_level, 4);
        cr_expect_eq(kit_statistic(rig_kit(rig), "tx_aborts"), 1);
        cr_expect_eq(kit_statistic(rig_kit(rig), "tx_attempts"), LANES + 1);
        cr_expect_eq(cu.sent[DONE_SKIP], 2 * PARTITIONS);
        rig_destroy(rig);
    }
}
