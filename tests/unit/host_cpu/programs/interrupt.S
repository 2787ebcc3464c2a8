# SPDX-License-Identifier: MIT
# Works in a loop; every external interrupt tells the device at a0 the cycle at which its handler ran, which the device
# answers by taking the line back.
    li a0, 0x180
    slli a0, a0, 32
    la t0, handler
    csrw mtvec, t0
    li t0, 0x800
    csrw mie, t0
    csrsi mstatus, 8
    la a1, data
work:
    ld t1, 0(a1)
    addi t1, t1, 1
    mul t2, t1, t1
    sd t1, 0(a1)
    sd t2, 8(a1)
    j work
    .balign 4
handler:
    csrr t3, mcycle
    csrr t4, mepc
    csrr t5, mcause
    sd t3, 0(a0)
    sd t4, 8(a0)
    sd t5, 16(a0)
    ld t6, 0(a1)
    sd t6, 24(a0)           # the device takes the line back
    mret
    .balign 8
data:
    .dword 0, 0
