# SPDX-License-Identifier: MIT
# Mixes a table of 2 KiB for ever: loads, stores, shifts, a multiplication, a call and branches, as in a hash table's code.
    .globl _start
_start:
    auipc s0, 1             # the table lies a page on
    la sp, _start + 32768
    li s1, 1
turn:
    li s2, 128
element:
    andi t1, s1, 0x7f8
    add t2, s0, t1
    ld a0, 0(t2)
    call mix
    sd a0, 0(t2)
    andi t3, a0, 3
    bnez t3, 1f
    addi s1, s1, 8
1:  addi s2, s2, -1
    bnez s2, element
    j turn
mix:
    addi sp, sp, -16
    sd ra, 8(sp)
    xor s1, s1, a0
    slli t4, s1, 13
    xor s1, s1, t4
    srli t4, s1, 7
    xor s1, s1, t4
    li t5, 0x2545F491
    mul t5, t5, s1
    add a0, a0, t5
    ld ra, 8(sp)
    addi sp, sp, 16
    ret
