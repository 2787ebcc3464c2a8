/* SPDX-License-Identifier: MIT */
/* Firmware that makes the mistake whose number a debugger puts into s0. */
        .globl  _start
        .globl  load
        .globl  illegal
        .globl  break
        .globl  call
        .text
_start:
        nop
        li      t0, 1
        beq     s0, t0, load
        li      t0, 2
        beq     s0, t0, illegal
        li      t0, 3
        beq     s0, t0, break
        li      t0, 4
        beq     s0, t0, call
        li      t0, 0x40
        jr      t0
load:   li      t0, 0x48
        ld      t1, 0(t0)
illegal:
        .word   0xFFFFFFFF
break:  ebreak
call:   ecall
