/* SPDX-License-Identifier: MIT */
/* How long a warp waits before it tries a transaction again, by the law of the machine. */
#ifndef SIMT_CORE_TX_BACK_OFF_H
#define SIMT_CORE_TX_BACK_OFF_H

#include <stdint.h>

/* Values of the parameter tx.back_off.law. */
#define BACK_OFF_LAWS "exponential|linear|published"
enum { BACK_OFF_EXPONENTIAL, BACK_OFF_LINEAR, BACK_OFF_PUBLISHED, BACK_OFF_LAW_COUNT };

/* The parameters tx.back_off.*, times in cycles. */
typedef struct back_off {
    uint64_t law;
    uint64_t base;     /* 0: no wait */
    uint64_t exponent; /* exponential: after so many failures the range of waits grows no more */
    uint64_t maximum;  /* longest wait; 0: no limit */
} back_off;

/* Whether the wait is random. */
uint32_t back_off_is_random(const back_off *parameters);
/* Cycles to wait after so many attempts in a row, 1 or more, in which some lane aborted. random: 64 random bits, 0 for a wait
 * that is not random. */
uint64_t back_off_cycles(const back_off *parameters, uint32_t failures, uint64_t random);

#endif
