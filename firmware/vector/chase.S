/* SPDX-License-Identifier: MIT */
#include "vector.h"
        .text

/* void v_chase_N(const uint32_t *at[N], uint32_t steps): goes so many steps along N lists, whose elements have the address of the next
 * one. A step is N loads, which need nothing of each other, and two other instructions. */
        .macro chase lists, registers:vararg
        function v_chase_\lists
        .set    offset, 0
        .irp    r, \registers
        lw      \r, offset(a0)
        .set    offset, offset + 4
        .endr
1:      .irp    r, \registers
        lw      \r, 0(\r)
        .endr
        addi    a1, a1, -1
        bnez    a1, 1b
        .set    offset, 0
        .irp    r, \registers
        sw      \r, offset(a0)
        .set    offset, offset + 4
        .endr
        ret
        .endm

        chase   1, t0
        chase   2, t0, t1
        chase   4, t0, t1, t2, t3
        chase   8, t0, t1, t2, t3, t4, t5, t6, a2
