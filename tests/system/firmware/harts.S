/* SPDX-License-Identifier: MIT */
/*
 * HARTS harts count together: with amo, with lr and sc, and without either in a critical section. Then each is woken by a software
 * interrupt of the one before it, sleeps until its own timer, and hart 0 ends the run: PASS if nothing was lost.
 */
        .equ    TIMER, 0x18000000000
        .equ    TIMECMP, 0x18000004000
        .equ    TIME, 0x1800000bff8
        .equ    EXIT, 0x18030000000
        .equ    ROUNDS, 300
        .globl  _start
        .text
_start:
        csrr    s0, mhartid
        bne     s0, a0, fail            # a0 says it, too
        la      s1, counters
        li      s2, ROUNDS
1:      li      t0, 1
        amoadd.d zero, t0, (s1)
        addi    t1, s1, 64
2:      lr.d    t0, (t1)
        addi    t0, t0, 1
        sc.d    t2, t0, (t1)
        bnez    t2, 2b
        addi    t1, s1, 128             # the lock
        li      t0, 1
3:      amoswap.w.aq t2, t0, (t1)
        bnez    t2, 3b
        ld      t2, 192(s1)
        addi    t2, t2, 1
        sd      t2, 192(s1)
        amoswap.w.rl zero, zero, (t1)
        addi    s2, s2, -1
        bnez    s2, 1b

        li      t0, 8                   # mie.MSIE: what wfi goes on for; nothing is taken, mstatus.MIE is 0
        csrw    mie, t0
        beqz    s0, wake_next
4:      wfi
        csrr    t0, mip
        andi    t0, t0, 8
        beqz    t0, 4b
        li      t1, TIMER
        slli    t0, s0, 2
        add     t1, t1, t0
        sw      zero, 0(t1)             # its own, back
        csrr    t0, mip
5:      csrr    t0, mip
        andi    t0, t0, 8
        bnez    t0, 5b
wake_next:
        addi    t0, s0, 1
        li      t1, HARTS
        rem     t0, t0, t1
        slli    t0, t0, 2
        li      t1, TIMER
        add     t1, t1, t0
        li      t0, 1
        sw      t0, 0(t1)

        li      t1, TIME                # its own timer, later for higher numbers
        ld      t0, 0(t1)
        addi    t2, s0, 5
        add     s3, t0, t2
        li      t1, TIMECMP
        slli    t0, s0, 3
        add     t1, t1, t0
        sd      s3, 0(t1)
        li      t0, 0x80
        csrw    mie, t0
6:      wfi
        csrr    t0, mip
        andi    t0, t0, 0x80
        beqz    t0, 6b
        li      t1, TIME
        ld      t0, 0(t1)
        bltu    t0, s3, fail            # too early
        addi    t1, s1, 256
        li      t0, 1
        amoadd.w zero, t0, (t1)         # it is done
        beqz    s0, check
7:      j       7b
check:
        li      t1, HARTS
8:      lw      t0, 256(s1)
        bne     t0, t1, 8b
        li      t0, HARTS * ROUNDS
        ld      t1, 0(s1)
        bne     t0, t1, fail
        ld      t1, 64(s1)
        bne     t0, t1, fail
        ld      t1, 192(s1)
        bne     t0, t1, fail
        li      t0, 0x5555
        j       end
fail:   li      t0, 0x3333
end:    li      t1, EXIT
        sw      t0, 0(t1)
9:      j       9b
        .balign 64
        .section .bss
counters: .space 512
