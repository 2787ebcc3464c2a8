# SPDX-License-Identifier: MIT
# What `heddle disasm` shows of this is in listing.txt.
        .text
        .globl  kernel
        .type   kernel, @function
kernel:
        lw      t0, 0(a0)
        beqz    t0, .Lelse              # an if with two arms
        addi    t0, t0, -1
        j       .Ljoin
.Lelse:
        addi    t0, t0, 1
.Ljoin:
        .insn i 0x0B, 3, x0, x0, 0      # bar.sync 0
.Lloop:
        addi    t0, t0, -1
        bgtz    t0, .Lloop
        bltz    t0, .Lbad               # nobody waits for lanes that never return
        addi    sp, sp, -16
        sw      ra, 12(sp)
        jal     ra, helper
        jalr    ra, 0(a1)               # a call through a register
        lw      ra, 12(sp)
        addi    sp, sp, 16
        beqz    a0, .Ldone              # two returns
        tail    helper                  # auipc and jalr, which the linker may make a jal
.Ldone:
        ret
.Lbad:
        jal     ra, stop
        ret                             # never reached

        .globl  helper
        .type   helper, @function
helper:
        .insn i 0x0B, 0, x0, x0, 1      # tx.begin 1
        sw      a0, 0(a1)
        .insn i 0x0B, 1, x0, x0, 0      # tx.commit
        jr      t1                      # to a place that is not known

        .globl  stop
        .type   stop, @function
stop:
        ebreak
