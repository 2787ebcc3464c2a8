/* SPDX-License-Identifier: MIT */
/* Every thread-block policy of the source tree, in the order of the choices of `tb_scheduler.policy`; `heddle new unit` adds a
 * line. */
#ifndef THREAD_BLOCK_POLICY_UNITS_H
#define THREAD_BLOCK_POLICY_UNITS_H

#include "thread_block_policy.h"

/* clang-format off */
#define THREAD_BLOCK_POLICY_UNITS(UNIT) \
    UNIT(thread_block_policy, greedy) \
    UNIT(thread_block_policy, time_slice) \
    UNIT(thread_block_policy, kernel_profile) \
    UNIT(thread_block_policy, rut) \
    UNIT(thread_block_policy, rut_predict_only) \
    UNIT(thread_block_policy, rut_preempt_only) \
    UNIT(thread_block_policy, static_oracle) \
    /* the end */
/* clang-format on */

THREAD_BLOCK_POLICY_UNITS(HD_UNIT_DECLARATION)

#endif
