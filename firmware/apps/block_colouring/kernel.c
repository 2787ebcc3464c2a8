/* SPDX-License-Identifier: MIT */
/* A vertex takes the first colour that none of its neighbours has: Villegas et al., GPU-LocalTM, §5, "GC". */
#include "args.h"
#include "common/in_scratchpad.h"
#include "common/packed.h"

typedef struct vicinity {
    uint32_t vertex, count;
    uint32_t nearby0, nearby1, nearby2, nearby3;
} vicinity;
_Static_assert(NEARBY_WORDS == 4, "as in the struct");

typedef void run(const block_colouring_args *args, vicinity *v);

/* Worked out anew each time: registers do not suffice to keep all of them. */
SIMT_INLINE uint32_t nearby_of(vicinity *v, uint32_t i)
{
    const uint32_t word = i < 4    ? simt_opaque(v->nearby0)
                          : i < 8  ? simt_opaque(v->nearby1)
                          : i < 12 ? simt_opaque(v->nearby2)
                                   : simt_opaque(v->nearby3);
    return packed_byte(word, i % 4);
}

SIMT_INLINE void colour_vertex(vicinity *v)
{
    uint32_t taken = 0, colour = 1; /* bits */
    for (uint32_t i = 0; i < v->count; i++) {
        const uint32_t other = nearby_of(v, i);
        if (other != v->vertex)
            taken |= 1u << simt_scratchpad[other];
    }
    while (taken >> colour & 1)
        colour++;
    simt_scratchpad[v->vertex] = colour;
}

SIMT_INLINE void run_tm(const block_colouring_args *args, vicinity *v)
{
    (void)args;
    IN_SCRATCHPAD_TM(colour_vertex(v));
}

SIMT_INLINE void run_locks(const block_colouring_args *args, vicinity *v)
{
    IN_SCRATCHPAD_LOCKED_ALL(i, v->count, &simt_scratchpad[args->vertices + nearby_of(v, i)], colour_vertex(v));
}

SIMT_INLINE void run_serial(const block_colouring_args *args, vicinity *v)
{
    (void)args;
    colour_vertex(v);
}

SIMT_INLINE void run_vertex(const block_colouring_args *args, uint32_t vertex, run *run)
{
    vicinity v = {.vertex = vertex,
                  .count = in_scratchpad_item_word(args->counts, 0, args->vertices, vertex),
                  .nearby0 = in_scratchpad_item_word(args->nearby, 0, args->vertices, vertex),
                  .nearby1 = in_scratchpad_item_word(args->nearby, 1, args->vertices, vertex),
                  .nearby2 = in_scratchpad_item_word(args->nearby, 2, args->vertices, vertex),
                  .nearby3 = in_scratchpad_item_word(args->nearby, 3, args->vertices, vertex)};
    run(args, &v);
}

#define KERNEL(form, DEAL)                                                                                             \
    SIMT_KERNEL(block_colouring_##form, const block_colouring_args *args)                                              \
    {                                                                                                                  \
        for (uint32_t round = 0; round < args->rounds; round++)                                                        \
            DEAL(i, args->vertices, run_vertex(args, i, run_##form));                                                  \
        in_scratchpad_copy_out(args->results, args->vertices);                                                         \
    }

KERNEL(tm, IN_SCRATCHPAD_PARALLEL)
KERNEL(locks, IN_SCRATCHPAD_PARALLEL)
KERNEL(serial, IN_SCRATCHPAD_SERIAL)
