/* SPDX-License-Identifier: MIT */
/* Beaumont 2019 §5.4: which vector length a thread has, and whether it may change. */
#include <string.h>

#include "vec_parts.h"

/* By contract nobody reads them any more: they hold what no program wants, so that one that does shows it on every machine. */
static void forget_vectors(vec_hart *h)
{
    h->bits = h->native_bits;
    h->thread.vl = 0;
    h->thread.vtype = VEC_VTYPE_ILLEGAL;
    memset(h->v, VEC_DEAD_BYTE, sizeof h->v);
}

void vec_pin_level_written(vec_hart *h, uint32_t level)
{
    const uint32_t was_pinned = hd_thread_is_pinned(&h->thread);
    h->thread.pin_level = level;
    if (!was_pinned && level)
        h->thread.pinned_bits = h->native_bits;
    if (was_pinned && !hd_thread_is_pinned(&h->thread))
        forget_vectors(h);
}

void vec_used_vl(vec_hart *h)
{
    if (hd_thread_is_pinned(&h->thread))
        return;
    h->thread.legacy = 1;
    h->thread.pinned_bits = h->native_bits;
}

void vec_hart_init(vec_hart *h, uint32_t native_bits)
{
    memset(h, 0, sizeof *h);
    h->native_bits = native_bits;
    h->lanes = (isa_lanes){.registers = h->thread.x, .fcsr = &h->fcsr, .lanes = 1};
    forget_vectors(h);
}

void vec_hart_enter(vec_hart *h, const hd_thread_context *thread)
{
    forget_vectors(h); /* those of the thread that was here before */
    h->thread = *thread;
    h->fcsr = (uint8_t)thread->fcsr;
    if (hd_thread_is_pinned(thread) && thread->pinned_bits < h->native_bits)
        h->bits = thread->pinned_bits;
}

void vec_hart_put_vectors(vec_hart *h, const uint8_t *bytes)
{
    const uint32_t from = h->thread.vector_bytes / HD_VECTOR_REGISTERS, to = h->bits / 8;
    for (uint32_t i = 0; i < HD_VECTOR_REGISTERS; i++)
        memcpy(vec_register(h, i), bytes + (size_t)i * from, from < to ? from : to);
}

hd_thread_context vec_hart_leave(const vec_hart *h)
{
    hd_thread_context thread = h->thread;
    thread.fcsr = h->fcsr;
    thread.vector_bytes = hd_thread_is_pinned(&thread) ? HD_VECTOR_REGISTERS * (h->bits / 8) : 0;
    return thread;
}
