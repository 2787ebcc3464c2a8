/* SPDX-License-Identifier: MIT */
/* A launch of KERNEL_ALONE: its parameters are words at ARGUMENTS, the sixth less the number of the thread where BY_THREAD is. */
    .section .text.start, "ax"
    .globl start
start:
    lui t0, %hi(ARGUMENTS)
    addi t0, t0, %lo(ARGUMENTS)
    csrr t1, 0xcc0
    lw a0, 0(t0)
    lw a1, 4(t0)
    lw a2, 8(t0)
    lw a3, 12(t0)
    lw a4, 16(t0)
    lw a5, 20(t0)
    lw a6, 24(t0)
    lw a7, 28(t0)
    BY_THREAD
    jal KERNEL_ALONE
    li ra, 0
    ret
