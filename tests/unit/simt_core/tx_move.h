/* SPDX-License-Identifier: MIT */
/* Cores whose thread blocks move with transactions of GETM in them. */
#ifndef TEST_TX_MOVE_H
#define TEST_TX_MOVE_H

#include "getm_rig.h"

#define TX_MOVE_MACHINES 4u
#define TX_MOVE_PARAMETERS 32u

/* Parameters of a core, each ended by NULL. */
extern const char *const tx_move_machines[TX_MOVE_MACHINES][9];
/* Those of one, and more behind them, also ended by NULL. */
void tx_move_combine(const char *parameters[TX_MOVE_PARAMETERS], const char *const *machine, const char *const *more);

#endif
