/* SPDX-License-Identifier: MIT */
/* Sleeps until a character is typed, echoes it, and so on up to a full stop. Then writes a line, each character when the last one is sent. */
        .equ    UART, 0x18020000000
        .equ    PLIC, 0x18010000000
        .equ    CLAIM, 0x18010200004
        .equ    EXIT, 0x18030000000
        .equ    SOURCE, 29
        .globl  _start
        .text
_start:
        la      t0, handler
        csrw    mtvec, t0
        li      s0, UART
        li      s1, PLIC
        li      s2, CLAIM
        li      t0, 1
        sw      t0, 4 * SOURCE(s1)      # priority
        li      t1, 0x2000
        add     t1, t1, s1
        li      t0, 1 << SOURCE
        sw      t0, 0(t1)               # enabled
        li      t0, 1
        sb      t0, 1(s0)               # IER: reception
        li      t0, 0x800
        csrw    mie, t0
        csrsi   mstatus, 8
        la      s4, line
1:      wfi
        beqz    s3, 1b
        csrci   mstatus, 8
        li      t0, 0x5555
        li      t1, EXIT
        sw      t0, 0(t1)
2:      j       2b

        .balign 4
handler:
        lw      s5, 0(s2)
        li      t0, SOURCE
        bne     s5, t0, fail
        lbu     t0, 2(s0)               # IIR
        li      t1, 4
        beq     t0, t1, received
        li      t1, 2
        bne     t0, t1, fail
        lbu     t0, 0(s4)               # the next one of the line
        addi    s4, s4, 1
        beqz    t0, ended
        sb      t0, 0(s0)
        j       done
ended:  sb      zero, 1(s0)
        li      s3, 1
        j       done
received:
        lbu     t0, 0(s0)
        li      t1, '.'
        beq     t0, t1, stop
        sb      t0, 0(s0)
        j       done
stop:   li      t0, 2
        sb      t0, 1(s0)               # IER: transmission, and no more reception
done:   sw      s5, 0(s2)
        mret
fail:   li      t0, 0x3333
        li      t1, EXIT
        sw      t0, 0(t1)
3:      j       3b
        .section .rodata
line:   .string "\nthat is all\n"
