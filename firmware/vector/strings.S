/* SPDX-License-Identifier: MIT */
/* Functions of strings for any vector length. Each is a region of its own: it pins, and leaves nothing in vector registers. */
#include "vector.h"
        .text

/* uint32_t v_strlen(const char *s) */
        function v_strlen
        pin_vl
        mv      a3, a0
1:      vsetvli a1, zero, e8, m1, ta, ma
        vle8ff.v v1, (a3)
        csrr    a1, vl
        vmseq.vi v0, v1, 0
        vfirst.m a2, v0
        add     a3, a3, a1
        bltz    a2, 1b
        sub     a3, a3, a1
        add     a3, a3, a2
        sub     a0, a3, a0
        unpin_vl
        ret

/* const char *v_strchr(const char *s, int c): NULL, if it does not occur */
        function v_strchr
        pin_vl
        andi    a1, a1, 255
1:      vsetvli a2, zero, e8, m1, ta, ma
        vle8ff.v v1, (a0)
        csrr    a2, vl
        vmseq.vx v0, v1, a1
        vmseq.vi v2, v1, 0
        vmor.mm v2, v2, v0
        vfirst.m a3, v2
        add     a0, a0, a2
        bltz    a3, 1b
        sub     a0, a0, a2
        add     a0, a0, a3
        vfirst.m a4, v0
        unpin_vl
        beq     a3, a4, 2f
        li      a0, 0
2:      ret

/* int v_strcmp(const char *a, const char *b) */
        function v_strcmp
        pin_vl
1:      vsetvli a2, zero, e8, m1, ta, ma
        vle8ff.v v1, (a0)
        vle8ff.v v2, (a1)
        csrr    a2, vl
        vmsne.vv v0, v1, v2
        vmseq.vi v3, v1, 0
        vmor.mm v0, v0, v3
        vfirst.m a3, v0
        add     a0, a0, a2
        add     a1, a1, a2
        bltz    a3, 1b
        sub     a0, a0, a2
        sub     a1, a1, a2
        add     a0, a0, a3
        add     a1, a1, a3
        lbu     a0, 0(a0)
        lbu     a1, 0(a1)
        sub     a0, a0, a1
        unpin_vl
        ret

/* char *v_strcpy(char *to, const char *from): what is behind the end of the copy is not touched */
        function v_strcpy
        pin_vl
        mv      a3, a0
1:      vsetvli a2, zero, e8, m1, ta, ma
        vle8ff.v v1, (a1)
        csrr    a2, vl
        vmseq.vi v2, v1, 0
        vmsif.m v0, v2
        vse8.v  v1, (a3), v0.t
        vfirst.m a4, v2
        add     a1, a1, a2
        add     a3, a3, a2
        bltz    a4, 1b
        unpin_vl
        ret

/* const char *v_strstr(const char *text, const char *part, uint32_t length): the part has that length, which is not 0 */
        function v_strstr
        pin_vl
        lbu     t0, 0(a1)
1:      vsetvli a3, zero, e8, m1, ta, ma
        vle8ff.v v1, (a0)
        csrr    a3, vl
        vmseq.vx v2, v1, t0
        vmseq.vi v3, v1, 0
        vfirst.m a4, v2
        vfirst.m a5, v3
        bltz    a4, 5f
        bltz    a5, 2f
        bltu    a5, a4, 6f
        /* a candidate: its characters, and those of the part */
2:      add     a0, a0, a4
        mv      t1, a0
        mv      t2, a1
        mv      t3, a2
3:      vsetvli t4, t3, e8, m1, ta, ma
        vle8.v  v1, (t1)
        vle8.v  v2, (t2)
        vmsne.vv v0, v1, v2
        vfirst.m t5, v0
        bgez    t5, 4f
        add     t1, t1, t4
        add     t2, t2, t4
        sub     t3, t3, t4
        bnez    t3, 3b
        unpin_vl
        ret
4:      addi    a0, a0, 1
        j       1b
5:      bgez    a5, 6f
        add     a0, a0, a3
        j       1b
6:      li      a0, 0
        unpin_vl
        ret
