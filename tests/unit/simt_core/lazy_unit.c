/* SPDX-License-Identifier: MIT */
/* The protocol, in the core. */
#include "lazy.h"
#include "tx/protocol.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define PACKETS 4096u

/* A warp that commits: lanes that are not decided, and which units have yet to say something about them. */
typedef struct lazy_warp {
    uint64_t lanes, pass;
    uint64_t touched[LAZY_PARTITIONS], written[LAZY_PARTITIONS], awaited[LAZY_PARTITIONS];
} lazy_warp;

typedef struct lazy_protocol {
    transactions *t;
    uint32_t message[LAZY_KINDS], load;
    hd_packet *queue[PACKETS];
    uint32_t head, tail;
    lazy_warp warps[LAZY_WARPS];
} lazy_protocol;

static void queue(lazy_protocol *l, uint32_t warp, uint32_t kind, uint32_t partition, const void *body, uint32_t bytes,
                  uint32_t wire)
{
    hd_packet *packet = tx_packet(l->t, warp, l->message[kind], 256ull * partition, bytes);
    cr_assert_lt(l->tail - l->head, PACKETS);
    memcpy(hd_body(packet), body, bytes);
    packet->wire_bytes += wire;
    packet->argument = partition;
    l->queue[l->tail++ % PACKETS] = packet;
    lazy_count(kind, packet->wire_bytes);
    memory_offer_packets(l->t->core.memory, 1);
}

static hd_packet *next_packet(tx *unit)
{
    lazy_protocol *l = (lazy_protocol *)unit;
    return l->queue[l->head++ % PACKETS];
}

/* One packet per entry and partition that it touches. */
static void send_log(lazy_protocol *l, uint32_t warp, const tx_log *log, uint32_t kind, uint64_t *touched)
{
    const hd_address_map *map = memory_map(l->t->core.memory);
    for (uint32_t entry = 0; entry < log->length; entry++)
        for (uint32_t p = 0; p < LAZY_PARTITIONS; p++) {
            lazy_pair pairs[MAX_LANES];
            uint32_t count = 0;
            for (uint64_t left = log->mask[entry] & l->warps[warp].lanes; left; left &= left - 1) {
                const uint32_t lane = (uint32_t)__builtin_ctzll(left);
                const size_t at = tx_log_at(log, entry, lane);
                if (hd_partition_of(map, log->address[at]) != p)
                    continue;
                touched[p] |= left & -left;
                pairs[count++] = (lazy_pair){lane, log->address[at], log->value[at]};
            }
            if (count)
                queue(l, warp, kind, p, pairs, count * (uint32_t)sizeof *pairs, 8 * count);
        }
}

/* Lanes with a word in one of the logs. */
static uint64_t users(const tx_warp *w)
{
    uint64_t lanes = 0;
    for (uint32_t entry = 0; entry < w->reads.length; entry++)
        lanes |= w->reads.mask[entry];
    for (uint32_t entry = 0; entry < w->writes.length; entry++)
        lanes |= w->writes.mask[entry];
    return lanes;
}

static uint64_t at_commit(tx *unit, uint32_t warp, uint64_t lanes)
{
    const lazy_protocol *l = (const lazy_protocol *)unit;
    const tx_log *writes = &tx_warp_of(l->t, warp)->writes;
    uint64_t readers = lazy.silent ? lanes : 0;
    cr_assert_eq(tx_running(l->t, warp), lanes);
    cr_assert_neq(lanes, 0);
    for (uint32_t entry = 0; entry < writes->length; entry++)
        readers &= ~writes->mask[entry];
    tx_report_commits(l->t, warp, readers, l->t->core.now->t);
    return readers;
}

static void commit(tx *unit, uint32_t warp, uint64_t lanes)
{
    lazy_protocol *l = (lazy_protocol *)unit;
    const tx_warp *w = tx_warp_of(l->t, warp);
    lazy_warp *lw = &l->warps[warp];
    const uint64_t empty = lanes & ~users(w);
    *lw = (lazy_warp){.lanes = lanes & ~empty, .pass = lanes & ~empty};
    if (!lw->lanes || empty) {
        tx_decide(l->t, warp, empty, 0, 0);
        if (!lw->lanes)
            return;
    }
    send_log(l, warp, &w->reads, READ_SET, lw->touched);
    send_log(l, warp, &w->writes, WRITE_SET, lw->written);
    for (uint32_t p = 0; p < LAZY_PARTITIONS; p++) {
        lw->awaited[p] = lw->touched[p] |= lw->written[p];
        queue(l, warp, DONE_SKIP, p, &(lazy_outcome){.lanes = lw->touched[p]}, sizeof(lazy_outcome), 4);
    }
}

static uint64_t any(const uint64_t *of_partition)
{
    uint64_t lanes = 0;
    for (uint32_t p = 0; p < LAZY_PARTITIONS; p++)
        lanes |= of_partition[p];
    return lanes;
}

static void decide(lazy_protocol *l, uint32_t warp, uint64_t lanes)
{
    lazy_warp *lw = &l->warps[warp];
    lw->lanes &= ~lanes;
    tx_report_commits(l->t, warp, lanes & lw->pass, l->t->core.now->t);
    tx_decide(l->t, warp, lanes & lw->pass, lanes & ~lw->pass, TX_OWN_REASONS);
}

/* All units have said what they think of these lanes. A reader, or a loser, is done; others when they are written. */
static void finalise(lazy_protocol *l, uint32_t warp, uint64_t lanes)
{
    lazy_warp *lw = &l->warps[warp];
    const lazy_outcome final = {.lanes = lanes, .pass = lanes & lw->pass};
    const uint64_t writers = final.pass & any(lw->written);
    for (uint32_t p = 0; p < LAZY_PARTITIONS; p++) {
        if (lw->touched[p] & lanes)
            queue(l, warp, OUTCOME, p, &final, sizeof final, lazy.warp_level ? 4 : 0);
        lw->awaited[p] = (lw->awaited[p] & ~lanes) | (lw->written[p] & final.pass);
    }
    if (lanes & ~writers)
        decide(l, warp, lanes & ~writers);
}

static void reply(tx *unit, const hd_packet *packet)
{
    lazy_protocol *l = (lazy_protocol *)unit;
    const lazy_outcome *said = hd_body_const(packet);
    const uint32_t warp = packet->flow;
    lazy_warp *lw = &l->warps[warp];
    cr_assert_eq(said->lanes & ~lw->awaited[packet->argument], 0, "what nobody asked");
    lw->awaited[packet->argument] &= ~said->lanes;
    const uint64_t open = any(lw->awaited);
    const uint64_t complete = lazy.warp_level ? (open ? 0 : lw->lanes) : said->lanes & ~open;
    if (packet->message == l->message[CU_REPLY])
        lw->pass &= ~(said->lanes & ~said->pass);
    if (complete && packet->message == l->message[CU_REPLY])
        finalise(l, warp, complete);
    else if (complete)
        decide(l, warp, complete);
}

static hd_packet *request(tx *unit, const memory_access *access, uint64_t lanes, uint64_t address, uint32_t bytes,
                          uint64_t tag)
{
    lazy_protocol *l = (lazy_protocol *)unit;
    (void)lanes, (void)tag;
    hd_packet *packet = tx_packet(l->t, access->warp, l->load, address, 0);
    packet->traffic_class = HD_CLASS_GLOBAL;
    packet->argument = bytes;
    return packet;
}

static tx *create(transactions *t, const hd_unit_share *share)
{
    const hd_services *services = t->core.services;
    lazy_protocol *l = calloc(1, sizeof *l);
    cr_assert_leq(t->core.warp_count, LAZY_WARPS);
    (void)share;
    l->t = t;
    for (uint32_t kind = 0; kind < LAZY_KINDS; kind++)
        l->message[kind] = services->message(services->context, lazy_messages[kind]);
    l->load = services->message(services->context, HD_GLOBAL_LOAD);
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

static uint64_t lowest(const tx *unit, uint32_t warp, uint64_t lanes)
{
    uint64_t rest = lanes;
    (void)unit, (void)warp;
    for (uint32_t lane = 0; lane < lazy.at_once; lane++)
        rest &= rest - 1;
    return lazy.at_once ? lanes & ~rest : lanes;
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

static void begin(tx *unit, uint32_t warp, uint64_t lanes)
{
    const lazy_protocol *l = (const lazy_protocol *)unit;
    cr_assert_eq(tx_warp_of(l->t, warp)->lanes, lanes);
    cr_assert(!lazy.at_once || !tx_warp_of(l->t, warp)->failures, "no lane has aborted");
    cr_assert(!lazy.at_once || (uint32_t)__builtin_popcountll(lanes) <= lazy.at_once);
}

static void aborted(tx *unit, uint32_t warp, uint64_t lanes, uint32_t reason)
{
    (void)unit, (void)warp, (void)lanes, (void)reason;
}

static uint64_t doomed(tx *unit, uint32_t warp, uint64_t lanes, const tx_mishap *mishap, uint32_t *reason)
{
    const lazy_protocol *l = (const lazy_protocol *)unit;
    cr_assert(lanes && !(lanes & ~tx_running(l->t, warp)));
    *reason = TX_OWN_REASONS;
    return lazy.dooms ? lazy.dooms(warp, lanes, mishap->trouble) : 0;
}

static const tx_unit lazy_unit = {.domains = TX_GLOBAL | TX_SCRATCHPAD,
                                  .sends_reads = 1,
                                  .serial_rule = HD_SERIAL_BY_VALUE,
                                  .create = create,
                                  .destroy = destroy,
                                  .reset = nothing,
                                  .align = nothing,
                                  .may_begin = lowest,
                                  .begin = begin,
                                  .request = request,
                                  .reply = reply,
                                  .next_packet = next_packet,
                                  .doomed = doomed,
                                  .aborted = aborted,
                                  .at_commit = at_commit,
                                  .commit = commit,
                                  .in_flight = never,
                                  .work = nothing,
                                  .timestamp = never,
                                  .new_warp = of_warp};

static const hd_statistic statistics[] = {
    {"tx_aborts_refused", "attempts", HD_STATISTIC_COUNT, 0, "aborted: a commit unit has refused it"},
};

static const hd_unit lazy_descriptor = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_unit),
    .kind = "tx",
    .name = "lazy",
    .doc = "validates at commit",
    .source = "Fung 2015 §4.2.5",
    .interface = TX_INTERFACE,
    .functions = &lazy_unit,
    .abilities = TX_GLOBAL_ABILITY "|" TX_SCRATCHPAD_ABILITY,
    .statistic_count = 1,
    .statistics = statistics,
    .profiled_count = 1,
};

/* All cores of the program that this is linked into have it. */
__attribute__((constructor)) static void fit(void)
{
    kit_fit_unit(&lazy_descriptor);
}
