/* SPDX-License-Identifier: MIT */
/* A sequence executed by both sides, and what is said of it if they differ. */
#ifndef TEST_ISA_ORACLE_REPORT_H
#define TEST_ISA_ORACLE_REPORT_H

#include "oracle.h"

typedef struct comparison {
    subject run;
    oracle_lane expected;
    uint64_t lanes;        /* executed by both, so far */
    uint64_t instructions; /* of those lanes */
    char report[8192];
} comparison;

/* 0 = no difference; else report says where: the first instruction after which they differ, its inputs, all results. */
int compare_sequence(comparison *c, oracle *o, const sequence *s);

#endif
