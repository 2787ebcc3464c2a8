/* SPDX-License-Identifier: MIT */
/* A core with GPU-LocalTM, for tests of what it does. */
#ifndef TX_LOCAL_RIG_H
#define TX_LOCAL_RIG_H

#include "core_rig.h"

#define THREAD 0xCC0
#define LANE 0xCCC
#define WARP 0xCCD
#define ATTEMPT 0xCD0
/* a0 = DATA, a1 = the scratchpad, s0 = lane, t0 = 1 */
#define PROLOGUE lui(A0, DATA), lui(A1, HD_SCRATCHPAD_BASE), csrr(S0, LANE), addi(T0, ZERO, 1)
#define COUNT(offset) lw(T1, offset, A1), addi(T1, T1, 1), sw(T1, offset, A1)

/* Eight warps of 32 lanes that do not back off, but for what `more` says. */
core_rig *tx_local_create(const char *const *more, const uint32_t *words);
/* One block. */
void tx_local_launch(core_rig *rig, uint32_t threads, uint32_t scratchpad);
/* Both, to its end. */
core_rig *tx_local_run(const char *const *more, const uint32_t *words, uint32_t threads);
uint64_t tx_local_statistic(core_rig *rig, const char *name);
/* Of hd_transactions, for listeners that do not ask what scratchpads hold. */
void tx_local_ignore_word(void *context, uint32_t endpoint, const hd_transaction_word *word, uint64_t order);
void tx_local_ignore_end(void *context, uint32_t endpoint, const hd_scratchpad_contents *contents);

#endif
