/* SPDX-License-Identifier: MIT */
#include "vector.h"
        .text

/* float v_row(const float *values, const uint32_t *offsets, uint32_t count, const float *vector): of one row of a sparse matrix the
 * product with a vector, summed in order (Beaumont 2019, Figure 5.4). Offsets are in bytes. */
        function v_row
        pin_vl
        vsetivli zero, 1, e32, m1, ta, ma
        vmv.v.i v4, 0
        beqz    a2, 2f
1:      vsetvli t0, a2, e32, m1, ta, ma
        vle32.v v1, (a0)
        vle32.v v2, (a1)
        vluxei32.v v3, (a3), v2
        vfmul.vv v1, v1, v3
        vfredosum.vs v4, v1, v4
        slli    t1, t0, 2
        add     a0, a0, t1
        add     a1, a1, t1
        sub     a2, a2, t0
        bnez    a2, 1b
2:      vsetivli zero, 1, e32, m1, ta, ma
        vfmv.f.s fa0, v4
        unpin_vl
        ret

/* uint32_t v_relax(const uint32_t *offsets, const uint32_t *weights, uint32_t count, uint32_t from, uint32_t *distances,
 * uint32_t *active): shortens the distances of a node's neighbours, which differ, by way of a node at that distance; those that
 * are shorter become active. Returns how many. */
        function v_relax
        pin_vl
        li      t2, 0
        beqz    a2, 2f
1:      vsetvli t0, a2, e32, m1, ta, ma
        vle32.v v1, (a0)
        vle32.v v2, (a1)
        vadd.vx v2, v2, a3
        vluxei32.v v3, (a4), v1
        vmsltu.vv v0, v2, v3
        vcpop.m t3, v0
        add     t2, t2, t3
        beqz    t3, 3f
        vmin.vv v2, v2, v3
        vsuxei32.v v2, (a4), v1, v0.t
        vmv.v.i v4, 1
        vsuxei32.v v4, (a5), v1, v0.t
3:      slli    t1, t0, 2
        add     a0, a0, t1
        add     a1, a1, t1
        sub     a2, a2, t0
        bnez    a2, 1b
2:      mv      a0, t2
        unpin_vl
        ret
