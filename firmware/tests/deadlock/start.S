/* SPDX-License-Identifier: MIT */
/* A launch of a kernel: what it is called with are words at ARGUMENTS, then its pc and what the sixth has less for each thread. */
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
    lw t2, 32(t0)
    lw t3, 36(t0)
    mul t1, t1, t3
    sub a5, a5, t1
    jalr t2
    li ra, 0
    ret
