# SPDX-License-Identifier: MIT
# Everything at once, for the test that the quantum changes no result: arithmetic over a table that others write too, device
# accesses now and then, interrupts, atomics, sleep.
    li a0, 0x180
    slli a0, a0, 32
    la t0, handler
    csrw mtvec, t0
    li t0, 0x888
    csrw mie, t0
    csrsi mstatus, 8
    auipc a1, 1             # the table
    li s0, 1
    li s1, 0                # turns
turn:
    li t0, 0
inner:
    andi t1, s0, 0x1f8
    add t2, a1, t1
    ld t3, 0(t2)
    xor s0, s0, t3
    slli t4, s0, 13
    xor s0, s0, t4
    srli t4, s0, 7
    xor s0, s0, t4
    slli t4, s0, 17
    xor s0, s0, t4
    sd s0, 0(t2)
    amoadd.d t5, s0, (t2)
1:  lr.d t5, (t2)
    addi t5, t5, 1
    sc.d t6, t5, (t2)
    bnez t6, 1b
    addi t0, t0, 1
    li t1, 20
    bne t0, t1, inner
    addi s1, s1, 1
    andi t1, s1, 3
    bnez t1, 2f
    sd s0, 0(a0)
    ld t1, 32(a0)
    add s0, s0, t1
2:  andi t1, s1, 15
    bnez t1, turn
    wfi
    j turn
    .balign 4
handler:
    csrr s2, mcause
    csrr s3, mcycle
    sd s2, 8(a0)
    sd s3, 24(a0)           # the device takes all lines back
    mret
