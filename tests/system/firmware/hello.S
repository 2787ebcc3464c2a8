/* SPDX-License-Identifier: MIT */
/* Firmware without a runtime: prints a line, what it is given up to a full stop if ECHO, looks at a CSR, and ends the run with CODE. */
        .equ    UART, 0x18020000000
        .equ    EXIT, 0x18030000000
        .globl  _start
        .text
_start:
        la      a0, text
        li      a1, UART
1:      lbu     a2, 0(a0)
        beqz    a2, 2f
4:      lbu     a3, 5(a1)
        andi    a3, a3, 0x20 /* has the transmitter room? */
        beqz    a3, 4b
        sb      a2, 0(a1)
        addi    a0, a0, 1
        j       1b
2:
        .ifdef  ECHO
        li      t0, '.'
5:      lbu     a3, 5(a1)
        andi    a3, a3, 1           /* has a character come? */
        beqz    a3, 5b
        lbu     a2, 0(a1)
        beq     a2, t0, 6f
8:      lbu     a3, 5(a1)
        andi    a3, a3, 0x20
        beqz    a3, 8b
        sb      a2, 0(a1)
        j       5b
6:      li      a2, '\n'
        sb      a2, 0(a1)
        .endif
7:      lbu     a3, 5(a1)
        andi    a3, a3, 0x40 /* has everything been sent? */
        beqz    a3, 7b
        csrr    a3, mhartid
        bnez    a3, 3f
        li      a4, CODE
        li      a5, EXIT
        sw      a4, 0(a5)
3:      j       3b
        .section .rodata
text:   .string "hello from firmware alone\n"
