/* SPDX-License-Identifier: MIT */
#include "vector.h"
        .text

        function vector_bytes
        csrr    a0, vlenb
        ret

        function fill_vector
        vsetvli t0, zero, e8, m1, ta, ma
        vid.v   v8
        vadd.vx v8, v8, a0
        ret

        function count_wrong
        vsetvli t0, zero, e8, m1, ta, ma
        vid.v   v9
        vadd.vx v9, v9, a0
        vmsne.vv v0, v8, v9
        vcpop.m a0, v0
        ret

        function lost_elements
        vsetvli t0, zero, e8, m1, ta, ma
        li      t1, 32
        bltu    t0, t1, 1f
        mv      t0, t1
1:      vsetvli t0, t0, e8, m1, ta, ma
        vid.v   v9
        vadd.vx v9, v9, a0
        vmsne.vv v0, v8, v9
        vcpop.m a0, v0
        ret

        /* What raises an exception goes on at 1, with the cause in a0. */
        .macro  cause_of instruction
        la      a0, 1f
        li      a7, CALL_HANDLER
        ecall
        \instruction
        li      a0, 0
        li      a7, CALL_HANDLER
        ecall
        li      a0, 0
1:      ret
        .endm

        function cause_of_unpin
        cause_of unpin_vl

        function cause_of_pin
        cause_of pin_vl

/* int save(uint32_t *where), void resume(uint32_t *where, int value): as setjmp and longjmp, of what a call keeps but for PIN_LEVEL */
        function save
        sw      ra, 0(a0)
        sw      sp, 4(a0)
        sw      s0, 8(a0)
        sw      s1, 12(a0)
        sw      s2, 16(a0)
        sw      s3, 20(a0)
        sw      s4, 24(a0)
        sw      s5, 28(a0)
        sw      s6, 32(a0)
        sw      s7, 36(a0)
        sw      s8, 40(a0)
        sw      s9, 44(a0)
        sw      s10, 48(a0)
        sw      s11, 52(a0)
        li      a0, 0
        ret

        function resume
        lw      ra, 0(a0)
        lw      sp, 4(a0)
        lw      s0, 8(a0)
        lw      s1, 12(a0)
        lw      s2, 16(a0)
        lw      s3, 20(a0)
        lw      s4, 24(a0)
        lw      s5, 28(a0)
        lw      s6, 32(a0)
        lw      s7, 36(a0)
        lw      s8, 40(a0)
        lw      s9, 44(a0)
        lw      s10, 48(a0)
        lw      s11, 52(a0)
        mv      a0, a1
        ret
