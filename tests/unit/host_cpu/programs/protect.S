# SPDX-License-Identifier: MIT
# Protection, user mode and triggers as firmware meets them. The handler notes mcause, mtval and the previous mode in a table at s0 and
# goes on behind the instruction, or at s2 if that is not 0; the last row is -1.
    .equ TDATA1_LOAD, (2 << 60) | (1 << 6) | 1
    .option norvc
start:
    auipc s0, 2             # the table
    li s2, 0
    la t0, handler
    csrw mtvec, t0
    # a double word that may be read only, locked
    la a1, word
    srli t0, a1, 2
    csrw pmpaddr0, t0
    li t0, 0x99             # locked, a power of two, read
    csrw pmpcfg0, t0
    ld t1, 0(a1)            # allowed
    sd t1, 0(a1)            # refused
    amoadd.d t1, t1, (a1)   # refused
    lr.d t1, (a1)           # allowed
    # everything else: user mode may read, write and execute
    li t0, -1
    csrw pmpaddr1, t0
    li t0, 0x1f99
    csrw pmpcfg0, t0
    # user mode
    la t0, as_user
    csrw mepc, t0
    mret
as_user:
    ld t1, 0(a1)            # allowed
    sb t1, 4(a1)            # refused
    csrr t1, mstatus        # illegal
    csrr t1, cycle          # illegal: mcounteren
    mret                    # illegal
    la s2, as_machine
    ecall
as_machine:
    li s2, 0
    # a store as user mode would make it
    li t0, 1 << 17
    csrs mstatus, t0
    la t2, other
    sd t1, 0(t2)            # allowed
    sd t1, 0(a1)            # refused
    csrc mstatus, t0
    # triggers, in a handler-free stretch only
    la t2, other
    csrw tselect, x0
    csrw tdata2, t2
    li t0, TDATA1_LOAD
    csrw tdata1, t0
    ld t1, 0(t2)            # mte is 0: nothing
    li t0, 8
    csrw 0x7a5, t0          # tcontrol.mte
    ld t1, 0(t2)            # stops
    sd t1, 0(t2)            # nothing
    csrw tdata1, x0
    ld t1, 0(t2)            # nothing
    la t0, stops_here
    csrw tdata2, t0
    li t0, (2 << 60) | (1 << 6) | 4
    csrw tdata1, t0
stops_here:
    nop
    csrw tdata1, x0
    # no user may fetch there
    la t0, hidden
    srli t0, t0, 2
    csrw pmpaddr0, t0       # locked: stays
    csrr t1, pmpaddr0
    la t2, word
    srli t2, t2, 2
    sub t1, t1, t2
    bnez t1, 1f
    li t0, -1
    sd t0, 0(s0)
1:  j 1b
hidden:
    nop
    .balign 4
handler:
    csrr t3, mcause
    csrr t4, mtval
    csrr t5, mstatus
    srli t5, t5, 11
    andi t5, t5, 3
    sd t3, 0(s0)
    sd t4, 8(s0)
    sd t5, 16(s0)
    addi s0, s0, 24
    csrr t4, mepc
    addi t4, t4, 4
    beqz s2, 2f
    mv t4, s2
    li t5, 3 << 11          # go on in machine mode
    csrs mstatus, t5
2:  csrw mepc, t4
    mret
    .balign 8
word:  .dword 0x1234
other: .dword 5
