/* SPDX-License-Identifier: MIT */
/*
 * Transactions through their port alone: a core that is a list of what it was asked, and a memory pipe in which nothing is
 * (tx_port_memory.c). Two warps of four lanes, of which one may be in a transaction.
 */
#ifndef TX_PORT_RIG_H
#define TX_PORT_RIG_H

#include "tx/tx.h"

#define WARPS 2u
#define LANES 4u
#define ALL 0xFu
#define BEGIN 0x100u /* pc of tx.begin, and of its tx.commit */
#define COMMIT 0x140u
#define EVENTS 256u
#define TX_BEGIN_1 0x0010000Bu /* tx.begin 1 and 2, tx.commit, tx.abort */
#define TX_BEGIN_2 0x0020000Bu
#define TX_COMMIT_WORD 0x0000100Bu
#define TX_ABORT_WORD 0x0000200Bu

typedef struct fake_core {
    tx_core port;
    hd_services services;
    hd_cursor now;
    hd_value parameters[TX_PARAMETER_COUNT];
    tx_counters counters;
    char events[EVENTS];  /* what was asked, a letter and the path or warp each */
    uint64_t wake, lanes; /* edge asked for; lanes of the latest restore */
    uint32_t in_flight;
    uint32_t address; /* of all lanes' accesses */
    char fault[128];
    const hd_transactions *told; /* the checker from the next start on; NULL: none */
} fake_core;
extern fake_core fake;

transactions *tx_port_start_with(const tx_chosen *chosen, uint32_t count, uint64_t checkpoint);
void tx_port_stop(transactions *t);
/* What it was asked since the last call. */
void tx_port_expect_events(const char *events);
void tx_port_execute(transactions *t, uint32_t path, uint32_t word);
void tx_port_reach_commit(uint32_t path);

#endif
