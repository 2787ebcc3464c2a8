/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "kit_random.h"
#include "rig.h"

#define PIN 0x0000600Bu
#define UNPIN 0x8000600Bu
#define READ_VLENB 0xC22022F3u  /* csrr t0, vlenb */
#define READ_VL 0xC20022F3u     /* csrr t0, vl */
#define READ_VTYPE 0xC21022F3u  /* csrr t0, vtype */
#define READ_LEVEL 0x800022F3u  /* csrr t0, PIN_LEVEL */
#define WRITE_LEVEL 0x80029073u /* csrw PIN_LEVEL, t0 */
#define SET_BYTES 0x0C0072D7u   /* vsetvli t0, zero, e8, m1, ta, ma */
#define ADD 0x022180D7u         /* vadd.vv v1, v2, v3 */
#define PLAIN 0x00000013u       /* nop */
#define T0 5u

static rig r;

static void open_at(uint32_t bits)
{
    rig_open(&r, bits, 4096);
}

static uint32_t read_register(uint32_t word)
{
    cr_assert_eq(rig_step(&r, word), VEC_NO_CAUSE);
    return r.hart.thread.x[T0];
}

Test(vec_core, a_pair_pins_and_lets_go)
{
    open_at(256);
    cr_expect(rig_move(&r, 128, 0));
    cr_expect_eq(rig_step(&r, PIN), VEC_NO_CAUSE);
    cr_expect_eq(read_register(READ_VLENB), 16);
    cr_expect_eq(read_register(READ_LEVEL), 1);
    cr_expect_not(r.hart.thread.legacy);
    cr_expect(rig_move(&r, 512, 0), "to longer vectors it may go");
    cr_expect_eq(read_register(READ_VLENB), 16, "and has those that it had");
    cr_expect_not(rig_move(&r, 64, 0));
    cr_expect_eq(rig_step(&r, UNPIN), VEC_NO_CAUSE);
    cr_expect_eq(r.hart.bits, 512, "from the next instruction on");
    cr_expect(rig_move(&r, 128, 0));
    rig_close(&r);
}

Test(vec_core, only_the_outermost_pair_lets_go)
{
    open_at(256);
    for (uint32_t i = 0; i < 3; i++)
        cr_expect_eq(rig_step(&r, PIN), VEC_NO_CAUSE);
    for (uint32_t i = 0; i < 3; i++) {
        cr_expect_not(rig_move(&r, 128, 0));
        cr_expect_eq(rig_step(&r, UNPIN), VEC_NO_CAUSE);
    }
    cr_expect(rig_move(&r, 128, 0));
    rig_close(&r);
}

Test(vec_core, what_is_left_behind_is_dead)
{
    open_at(256);
    rig_step(&r, PIN);
    rig_step(&r, SET_BYTES);
    cr_expect_eq(rig_step(&r, ADD), VEC_NO_CAUSE);
    rig_step(&r, UNPIN);
    cr_expect_eq(r.hart.v[256 / 8], VEC_DEAD_BYTE);
    cr_expect_eq(vec_hart_leave(&r.hart).vector_bytes, 0, "and need not be moved");
    rig_step(&r, PIN);
    cr_expect_eq(rig_step(&r, ADD), VEC_CAUSE_ILLEGAL, "vtype is gone too");
    rig_close(&r);
}

Test(vec_core, unpin_without_a_pin_and_a_pin_too_many_are_exceptions)
{
    open_at(256);
    cr_expect_eq(rig_step(&r, UNPIN), HD_CAUSE_UNPIN);
    r.hart.thread.x[T0] = UINT32_MAX;
    cr_expect_eq(rig_step(&r, WRITE_LEVEL), VEC_NO_CAUSE);
    cr_expect_eq(rig_step(&r, PIN), HD_CAUSE_PIN_OVERFLOW);
    cr_expect_eq(read_register(READ_LEVEL), UINT32_MAX);
    cr_expect_not(rig_move(&r, 128, 0));
    rig_close(&r);
}

Test(vec_core, every_use_of_the_vector_length_outside_of_a_pair_pins_for_good)
{
    enum { ONE = 0, VX = 4 << 12, XI = VX, VXI = VX }; /* all that have forms have one with a scalar */
    static const uint32_t uses[] = {
#define RVV_OPERATION(name, mnemonic, group, forms, match, mask) (match) | (forms),
#include "rvv_operations.def"
#undef RVV_OPERATION
        READ_VLENB, READ_VL, READ_VTYPE};
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
        const vec_operation op = vec_decode(uses[i]);
        cr_expect(op.uses_vl, "0x%08x", uses[i]);
    }
    cr_expect_not(vec_decode(READ_LEVEL).uses_vl);
    cr_expect_not(vec_decode(PIN).uses_vl);
    cr_expect_not(vec_decode(PLAIN).uses_vl);
    cr_expect_not(vec_decode(0x00052007).uses_vl, "flw is not a vector load");
    for (uint32_t i = 0; i < 4; i++) {
        open_at(256);
        cr_expect_eq(rig_step(&r, (const uint32_t[]){READ_VLENB, READ_VL, READ_VTYPE, SET_BYTES}[i]), VEC_NO_CAUSE);
        cr_expect_not(rig_move(&r, 128, 0));
        cr_expect_eq(rig_step(&r, PIN), VEC_NO_CAUSE);
        cr_expect_eq(rig_step(&r, UNPIN), VEC_NO_CAUSE);
        cr_expect_not(rig_move(&r, 128, 0), "pairs behind it do not matter");
        cr_expect(rig_move(&r, 512, 0));
        cr_expect_eq(r.hart.bits, 256);
        rig_close(&r);
    }
}

/* ---- Against the state machine of the thesis ---------------------------------------------------------------------------- */

typedef struct machine {
    uint32_t level, legacy, bits, core;
} machine;

static uint32_t pinned(const machine *m)
{
    return m->level || m->legacy;
}

/* One random event. Returns 0 if the hart does otherwise. */
static uint32_t step(machine *m, uint64_t *seed)
{
    switch (kit_random(seed) % 8) {
    case 0:
    case 1:
        if (!pinned(m))
            m->bits = m->core;
        m->level++;
        return rig_step(&r, PIN) == VEC_NO_CAUSE;
    case 2:
    case 3:
        if (!m->level)
            return rig_step(&r, UNPIN) == HD_CAUSE_UNPIN;
        m->level--;
        return rig_step(&r, UNPIN) == VEC_NO_CAUSE;
    case 4:
        if (kit_random(seed) % 50)
            return rig_step(&r, PLAIN) == VEC_NO_CAUSE;
        if (!pinned(m)) {
            m->legacy = 1;
            m->bits = m->core;
        }
        return rig_step(&r, READ_VLENB) == VEC_NO_CAUSE && r.hart.thread.x[T0] == m->bits / 8;
    case 5: {
        const uint32_t level = (uint32_t)(kit_random(seed) % 3);
        if (!pinned(m) && level)
            m->bits = m->core;
        m->level = level;
        r.hart.thread.x[T0] = level;
        return rig_step(&r, WRITE_LEVEL) == VEC_NO_CAUSE;
    }
    default: {
        const uint32_t target = 128u << kit_random(seed) % 5;
        const uint32_t may = !pinned(m) || target >= m->bits;
        if (may)
            m->core = target;
        return rig_move(&r, target, 0) == may;
    }
    }
}

Test(vec_core, random_events_follow_the_state_machine)
{
    uint64_t seed = 26;
    for (uint32_t run = 0; run < 1000; run++) {
        machine m = {.core = 128u << run % 5};
        open_at(m.core);
        for (uint32_t i = 0; i < 200; i++) {
            cr_assert(step(&m, &seed), "run %u, event %u", run, i);
            cr_assert_eq(r.hart.thread.pin_level, m.level, "run %u, event %u", run, i);
            cr_assert_eq(r.hart.thread.legacy, m.legacy, "run %u, event %u", run, i);
            cr_assert_eq(r.hart.bits, pinned(&m) ? m.bits : m.core, "run %u, event %u", run, i);
        }
        rig_close(&r);
    }
}
