/* SPDX-License-Identifier: MIT */
/* What a core reports of its accesses, kept; and what any core has to report of one program. */
#ifndef TEST_CORE_TOLD_H
#define TEST_CORE_TOLD_H

#include "core_rig.h"

#define TOLD_MAX 64u

typedef struct core_told {
    hd_accesses extension;
    uint32_t count;
    hd_access access[TOLD_MAX]; /* without arrays */
    uint32_t address[TOLD_MAX]; /* of the highest lane */
    uint32_t value[TOLD_MAX];
    uint32_t block[TOLD_MAX];
} core_told;

/* To be passed to rig_tells, and to be kept as long as the rig. */
const hd_accesses *told_begin(core_told *told);
/* Runs a program with all that is reported outside of transactions, and looks at what was; then without anybody who asks, which
 * takes as long. */
void told_expect_all(const hd_block_class *type);
/* Where the only report of this kind is; the test fails if there is none, or another one. */
uint32_t told_find(const core_told *told, uint32_t kind);

#endif
