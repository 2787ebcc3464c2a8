# SPDX-License-Identifier: MIT
# 300 turns of table work with a device access each tenth, interrupts taken meanwhile; then it sleeps for good.
    li a0, 0x180
    slli a0, a0, 32
    li s5, 3                # interrupts that may still come
    la t0, handler
    csrw mtvec, t0
    li t0, 0x880
    csrw mie, t0
    csrsi mstatus, 8
    auipc a1, 1
    li s1, 300
    li s2, 0
turn:
    andi t1, s0, 0x1f8
    add t2, a1, t1
    ld t3, 0(t2)
    add s0, s0, t3
    addi s0, s0, 77
    sd s0, 0(t2)
    addi s2, s2, 1
    li t4, 10
    rem t4, s2, t4
    bnez t4, 1f
    sd s0, 0(a0)
    lw t5, 4(a0)
    add s0, s0, t5
    fence.i
1:  addi s1, s1, -1
    bnez s1, turn
    csrw mie, x0
2:  wfi
    j 2b
    .balign 4
handler:
    csrr s3, mcycle
    add s0, s0, s3
    addi s5, s5, -1
    bnez s5, 3f
    csrw mie, x0
3:  mret
