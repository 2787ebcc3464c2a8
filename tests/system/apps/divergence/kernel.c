/* SPDX-License-Identifier: MIT */
/*
 * Small kernels whose threads part, by what they show: as they are written alone in bodies.h; and what warps do together, right only
 * where the lanes of a warp run in step.
 */
#include "simt.h"

#define LOAD_TEXTURE simt_load_texture
#include "bodies.h"

static inline __attribute__((always_inline)) thread thread_of(const divergence_args *args)
{
    const uint32_t index = simt_global_index();
    return (thread){.index = index,
                    .lane = simt_lane(),
                    .warp = simt_warp(),
                    .in = HD_POINTER(const uint32_t, args->in)[index],
                    .table = HD_POINTER(const uint32_t, args->table),
                    .args = args};
}

#define KERNEL_OF(name)                                                                                                \
    SIMT_KERNEL(name, const divergence_args *args)                                                                     \
    {                                                                                                                  \
        if (simt_global_index() >= args->threads)                                                                      \
            return;                                                                                                    \
        const thread t = thread_of(args);                                                                              \
        HD_POINTER(uint32_t, args->out)[t.index] = alone_##name(t);                                                    \
    }
BODIES(KERNEL_OF)

/* A lane takes work for its warp, and the others use what it has taken. */
SIMT_KERNEL(manager, const divergence_args *args)
{
    volatile uint32_t *mine = simt_scratchpad + simt_warp();
    uint32_t *out = HD_POINTER(uint32_t, args->out);
    for (uint32_t i = 0; i < args->rounds; i++) {
        if (simt_lane() == 0)
            *mine = simt_atomic_add(HD_POINTER(uint32_t, args->shared), 1);
        simt_atomic_add(&out[*mine % (args->threads / 32) * 32 + simt_lane()], 1);
    }
}

#define AWAY(bit)                                                                                                      \
    if (t.in & (bit))                                                                                                  \
    STEPS(x, bit)

/* Threads part, and load words of the scratchpad in a row: each its own, or two the same. */
SIMT_KERNEL(banks, const divergence_args *args)
{
    const thread t = thread_of(args);
    volatile uint32_t *words = simt_scratchpad;
    uint32_t x = t.in, sum = 0;
    words[simt_thread_x()] = t.in;
    simt_barrier();
    for (uint32_t i = 0; i < args->rounds; i++) {
        AWAY(1u << i % 8);
        sum += words[simt_thread_x() >> (i & 1)];
    }
    HD_POINTER(uint32_t, args->out)[t.index] = x == 0xFFFFFFFF ? x : sum;
}

/* The sum of a lane's word and those of the lanes before it, in a part of the warp that begins elsewhere in each; some lanes are late at each
 * step. */
SIMT_KERNEL(scan, const divergence_args *args)
{
    const thread t = thread_of(args);
    const uint32_t first = t.warp * 5 % 16;
    volatile uint32_t *own = simt_scratchpad + simt_thread_x();
    uint32_t sum = t.in, x = t.in;
    if (t.lane >= first && t.lane < first + 16) {
        *own = sum;
        AWAY(0x100);
        if (t.lane >= first + 1)
            *own = sum += own[-1];
        AWAY(0x200);
        if (t.lane >= first + 2)
            *own = sum += own[-2];
        AWAY(0x400);
        if (t.lane >= first + 4)
            *own = sum += own[-4];
        AWAY(0x800);
        if (t.lane >= first + 8)
            *own = sum += own[-8];
    }
    HD_POINTER(uint32_t, args->out)[t.index] = x == 0xFFFFFFFF ? x : sum;
}

/* Every thread adds one under a lock, of which it lets go behind its loop. */
SIMT_KERNEL(spin, const divergence_args *args)
{
    volatile uint32_t *words = HD_POINTER(volatile uint32_t, args->shared);
    while (simt_atomic_swap(words, 1))
        ;
    words[1] += 1;
    simt_fence();
    simt_atomic_swap(words, 0);
}

/* The same within it. */
SIMT_KERNEL(done_flag, const divergence_args *args)
{
    volatile uint32_t *words = HD_POINTER(volatile uint32_t, args->shared);
    for (uint32_t done = 0; !simt_opaque(done);)
        if (simt_atomic_swap(words, 1) == 0) {
            simt_fence();
            words[1] += 1;
            simt_fence();
            simt_atomic_swap(words, 0);
            done = 1;
        }
}
