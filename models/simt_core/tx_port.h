/* SPDX-License-Identifier: MIT */
/* Transactions in this core: what its edges do for them. What they ask of it is tx/tx_core.h. */
#ifndef SIMT_CORE_TX_PORT_H
#define SIMT_CORE_TX_PORT_H

#include "hd_block.h"
#include "memory/memory.h"
#include "parameters.h"

typedef struct simt_core simt_core;

typedef struct tx_port_state {
    struct transactions *transactions; /* NULL: none */
    uint32_t wants_issues;             /* tx_wants_issues */
    uint64_t next;                     /* first edge at which something of them is due, UINT64_MAX if there is none */
    uint64_t room_from; /* they wait for room in the memory pipe from this edge on; UINT64_MAX: they do not */
} tx_port_state;

/* First edge with work for transactions, as the memory pipe stands. */
static inline uint64_t tx_port_next(const tx_port_state *tx, const memory_status *memory)
{
    return tx->room_from < tx->next && memory->room == UINT32_MAX ? tx->room_from : tx->next;
}

/* core->tx.transactions, if its parameters, with values of units behind them, ask for transactions. Nonzero: out of memory. */
int tx_port_create(simt_core *core, const hd_value *values);
/* Slot of the protocol that has the warp's transaction. */
enum core_unit tx_port_slot(const simt_core *core, uint32_t warp);
/* Edge tx_port_next has been reached. */
void tx_port_work(simt_core *core);
/* Takes what has arrived by the links for transactions. */
void tx_port_receive(simt_core *core);

#endif
