/* SPDX-License-Identifier: MIT */
#include "rig.h"

#include <stdlib.h>
#include <string.h>

void rig_open(rig *r, uint32_t bits, uint32_t bytes)
{
    const hd_thread_context thread = {
        .pc = RIG_BASE, .memory_base = RIG_BASE, .memory_end = RIG_BASE + bytes, .vtype = VEC_VTYPE_ILLEGAL};
    memset(r, 0, sizeof *r);
    r->memory = calloc(1, bytes);
    r->bytes = bytes;
    if (!r->memory || !vec_plan_create(&r->plan, HD_VECTOR_BITS_MAX))
        abort();
    vec_hart_init(&r->hart, bits);
    vec_hart_enter(&r->hart, &thread);
}

void rig_close(rig *r)
{
    vec_plan_destroy(&r->plan);
    free(r->memory);
}

static void fill(rig *r)
{
    for (uint32_t i = 0; i < r->plan.count; i++)
        memcpy(r->plan.bytes[i], r->memory + (r->plan.lines[i] - RIG_BASE), VEC_LINE_BYTES);
    r->accesses += r->plan.count;
}

static void write_back(rig *r)
{
    for (uint32_t i = 0; i < r->plan.count; i++)
        for (uint32_t b = 0; b < VEC_LINE_BYTES; b++)
            if (r->plan.enabled[i] >> b & 1)
                r->memory[r->plan.lines[i] - RIG_BASE + b] = r->plan.bytes[i][b];
}

uint32_t rig_step(rig *r, uint32_t word)
{
    const vec_operation op = vec_decode(word);
    vec_prepare(&r->hart, &op, &r->plan);
    if (r->plan.cause != VEC_NO_CAUSE)
        return r->plan.cause;
    if (!r->plan.is_store)
        fill(r);
    vec_execute(&r->hart, &op, &r->plan);
    if (r->plan.is_store)
        write_back(r);
    return VEC_NO_CAUSE;
}

uint32_t rig_step_at_pc(rig *r)
{
    uint32_t word;
    memcpy(&word, r->memory + (r->hart.thread.pc - RIG_BASE), sizeof word);
    return rig_step(r, word);
}

uint32_t rig_move(rig *r, uint32_t bits, uint32_t forced)
{
    static uint8_t vectors[sizeof r->hart.v];
    const hd_thread_context thread = vec_hart_leave(&r->hart);
    if (!forced && !hd_thread_can_move(&thread, bits))
        return 0;
    memcpy(vectors, r->hart.v, thread.vector_bytes);
    vec_hart_init(&r->hart, bits);
    vec_hart_enter(&r->hart, &thread);
    if (thread.vector_bytes)
        vec_hart_put_vectors(&r->hart, vectors);
    return 1;
}
