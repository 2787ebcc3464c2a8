/* SPDX-License-Identifier: MIT */
/* What programs of the tests of transactions begin with. */
#ifndef TEST_TX_PROGRAM_H
#define TEST_TX_PROGRAM_H

#include "getm_rig.h"

#define RESULTS (DATA + 0x2000u) /* in other slots of the ownership table */
#define ATTEMPT 0xCD0

/* a0 = DATA, a1 = DATA + 32 * lane, s0 = lane, s1 = RESULTS + 4 * lane, t0 = 1 */
#define PROLOGUE                                                                                                       \
    lui(A0, DATA), csrr(S0, 0xCCC), slli(A1, S0, 5), add(A1, A0, A1), addi(T0, ZERO, 1), lui(S1, RESULTS),             \
        slli(T2, S0, 2), add(S1, S1, T2)

/* One word per lane from RESULTS on. */
void tx_expect_results(getm_rig *g, uint32_t lanes, uint32_t (*expected)(uint32_t lane));

#endif
