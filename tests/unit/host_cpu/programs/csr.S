# SPDX-License-Identifier: MIT
# Traps of every kind with the trap handler noting mcause, mepc - start and mtval in a table at s0; ends with a device write.
start:
    li a0, 0x180
    slli a0, a0, 32
    auipc s0, 1
    la s1, start
    la t0, handler
    csrw mtvec, t0
    .word 0xffffffff        # illegal
    ecall
    ebreak
    li t1, 0x10
    ld t2, 0(t1)            # nobody answers
    sd t2, 0(t1)
    addi t1, a0, 1
    lw t2, 0(t1)            # not aligned
    sw t2, 0(t1)
    addi t1, s1, 2
    amoadd.w t2, t2, (t1)   # not aligned
    lr.w t2, (t1)
    csrr t2, 0x7c0          # no such CSR
    csrw mhartid, t2        # read only
    csrw mscratch, a0
    csrrs t2, mscratch, x0
    sd t2, 0x400(s0)
    csrrwi t2, mscratch, 21
    csrrsi t2, mscratch, 10
    sd t2, 0x408(s0)
    csrrci t2, mscratch, 3
    csrr t2, mscratch
    sd t2, 0x410(s0)
    csrr t2, misa
    sd t2, 0x418(s0)
    csrw minstret, x0
    csrr t2, minstret
    csrr t3, minstret
    sd t2, 0x420(s0)
    sd t3, 0x428(s0)
    csrw mcycle, x0
    csrr t2, mcycle
    sd t2, 0x430(s0)
    li t1, 0x88
    csrw mstatus, t1
    csrr t2, mstatus
    sd t2, 0x438(s0)
    sd x0, 0x100(a0)        # done
1:  j 1b
    .balign 4
handler:
    csrr t3, mcause
    csrr t4, mepc
    csrr t5, mtval
    sub t6, t4, s1
    sd t3, 0(s0)
    sd t6, 8(s0)
    sd t5, 16(s0)
    addi s0, s0, 24
    lhu t5, 0(t4)
    andi t5, t5, 3
    li t6, 3
    addi t4, t4, 2
    bne t5, t6, 1f
    addi t4, t4, 2
1:  csrw mepc, t4
    mret
