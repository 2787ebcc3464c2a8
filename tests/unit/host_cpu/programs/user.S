# SPDX-License-Identifier: MIT
# User mode with nothing locked and no trigger: only that it is user mode says that protection has to be asked. The handler notes
# mcause, mtval and the previous mode in a table at s0 and goes on behind the instruction, in the mode that it was in.
    .option norvc
    auipc s0, 2             # the table
    la t0, handler
    csrw mtvec, t0
    la a1, word
    srli t0, a1, 2
    csrw pmpaddr0, t0       # 8 bytes that user mode may read
    li t0, -1
    csrw pmpaddr1, t0       # all else
    li t0, 0x1f19
    csrw pmpcfg0, t0
    sd s0, 0(a1)            # allowed: machine mode, not locked
    li t0, 1 << 17          # MPRV, as MPP, which is 3: allowed
    csrs mstatus, t0
    sd s0, 0(a1)
    li t0, 3 << 11          # ... and as user mode: refused
    csrc mstatus, t0
    sd x0, 0(a1)            # the handler gives MPRV back
    la t0, as_user
    csrw mepc, t0
    mret
as_user:
    ld t1, 0(a1)            # allowed
    sd x0, 0(a1)            # refused
    li t0, -1
    sd t0, 0(s0)
1:  j 1b
    .balign 4
handler:
    csrr t3, mcause
    csrr t4, mtval
    csrr t5, mstatus
    srli t5, t5, 11
    andi t5, t5, 3
    li t0, 1 << 17
    csrc mstatus, t0
    sd t3, 0(s0)
    sd t4, 8(s0)
    sd t5, 16(s0)
    addi s0, s0, 24
    csrr t4, mepc
    addi t4, t4, 4
    csrw mepc, t4
    mret
    .balign 8
word: .dword 0
