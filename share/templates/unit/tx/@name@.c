/* SPDX-License-Identifier: MIT */
/*
 * A protocol that lets every transaction commit at once, and brings nothing that it has written to memory: loads are plain, stores stay
 * in the log. tx/protocol.h is the contract; tx/ideal and tx/getm are protocols.
 */
#include "tx/tx_units.h"

#include <stdlib.h>

typedef struct @name@ {
    transactions *t;
    uint32_t message_load;
} @name@;

static tx *create(transactions *t)
{
    const hd_services *services = t->core.services;
    @name@ *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->t = t;
    p->message_load = services->message(services->context, HD_GLOBAL_LOAD);
    return (tx *)p;
}

static void destroy(tx *unit)
{
    free(unit);
}

static void nothing(tx *unit)
{
    (void)unit;
}

static void begin(tx *unit, uint32_t warp, uint64_t lanes)
{
    (void)unit, (void)warp, (void)lanes;
}

static hd_packet *request(tx *unit, const memory_access *access, uint64_t lanes, uint64_t address, uint32_t bytes,
                          uint64_t tag)
{
    const @name@ *p = (const @name@ *)unit;
    (void)lanes, (void)tag;
    hd_packet *packet = tx_packet(p->t, access->warp, p->message_load, address, 0);
    packet->traffic_class = HD_CLASS_GLOBAL;
    packet->argument = bytes;
    return packet;
}

static void reply(tx *unit, const hd_packet *packet)
{
    (void)unit, (void)packet; /* it sends nothing that is answered but loads */
}

static hd_packet *next_packet(tx *unit)
{
    (void)unit;
    return NULL;
}

static void aborted(tx *unit, uint32_t warp, uint64_t lanes, uint32_t reason)
{
    (void)unit, (void)warp, (void)lanes, (void)reason;
}

static void commit(tx *unit, uint32_t warp, uint64_t lanes)
{
    const @name@ *p = (const @name@ *)unit;
    tx_report_commits(p->t, warp, lanes, p->t->core.now->t);
    tx_decide(p->t, warp, lanes, 0, TX_NO_REASON);
}

static uint32_t none(const tx *unit, uint32_t warp)
{
    (void)unit, (void)warp;
    return 0;
}

static void new_warp(tx *unit, uint32_t warp)
{
    (void)unit, (void)warp;
}

/* For checkpoints: what may have changed since reset, written down or read. */
static void transfer(tx *unit, const hd_state_stream *stream)
{
    (void)unit, (void)stream;
}

const tx_unit tx_@name@ = {
    .domains = TX_GLOBAL,
    .merges_writes = 1,
    .create = create,
    .destroy = destroy,
    .reset = nothing,
    .align = nothing,
    .begin = begin,
    .request = request,
    .reply = reply,
    .next_packet = next_packet,
    .aborted = aborted,
    .commit = commit,
    .in_flight = none,
    .work = nothing,
    .timestamp = none,
    .new_warp = new_warp,
    .transfer = transfer,
};

const hd_unit hd_tx_@name@ = {
    HD_UNIT_HEAD(tx, TX, @name@),
    .doc = "every transaction commits at once, and writes nothing",
    .source = "heddle new unit",
};
