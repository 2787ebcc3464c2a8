/* SPDX-License-Identifier: MIT */
/* What a thread does in each kernel, alone: the kernels run it, and the host expects it. `in` is the thread's random word. */
#ifndef DIVERGENCE_BODIES_H
#define DIVERGENCE_BODIES_H

#include <stdint.h>

#include "args.h"

/* alone_NAME */
#define BODY(name) static inline __attribute__((always_inline, unused)) uint32_t alone_##name(thread t)

typedef struct thread {
    uint32_t index; /* in the grid */
    uint32_t lane, warp;
    uint32_t in;
    const uint32_t *table;
    const divergence_args *args;
} thread;

#ifndef LOAD_TEXTURE /* kernels: through the texture cache */
#define LOAD_TEXTURE(word) (*(word))
#endif

/* Some instructions that no compiler turns into others: of `kind`, which makes the ways differ. */
#define STEP(x, kind) ((x) = ((x) << 5 ^ (x) >> 3) + (kind))
#define STEPS_8(x, kind)                                                                                               \
    (STEP(x, kind), STEP(x, kind), STEP(x, kind), STEP(x, kind), STEP(x, kind), STEP(x, kind), STEP(x, kind),          \
     STEP(x, kind))
#define STEPS(x, kind) (STEPS_8(x, kind), STEPS_8(x, kind), STEPS_8(x, kind), STEPS_8(x, kind))

static inline uint32_t draw(uint32_t in, uint32_t i)
{
    uint32_t x = in + i * 0x9E3779B9u;
    x = (x ^ x >> 16) * 0x85EBCA6Bu;
    return (x ^ x >> 13) >> 8;
}

BODY(hammock)
{
    uint32_t x = t.in;
    if (draw(t.in, 0) % 1024 < t.args->share)
        STEPS(x, 1);
    else
        STEPS(x, 2);
    return x;
}

BODY(nested)
{
    uint32_t x = t.in;
    if (t.in & 0x100) {
        STEPS_8(x, 1);
        if (t.in & 0x200) {
            STEPS_8(x, 2);
            if (t.in & 0x400)
                STEPS(x, 3);
            else
                STEPS(x, 4);
        } else {
            STEPS(x, 5);
        }
    } else {
        STEPS(x, 6);
    }
    return x;
}

BODY(trips)
{
    uint32_t x = t.in;
    for (uint32_t left = 1 + draw(t.in, 0) % 16; left; left--)
        STEPS(x, 1);
    return x;
}

#define CASE(n)                                                                                                        \
    if (way == (n))                                                                                                    \
        STEPS(x, (n) + 1);                                                                                             \
    else

BODY(many_ways)
{
    uint32_t x = t.in;
    const uint32_t way = draw(t.in, 0) % t.args->ways;
    CASE(0) CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) STEPS(x, 8);
    return x;
}

/* A loop with four ways through it, one of which leaves it: most threads meet at its end (Fung 2015, figure 3.8). */
BODY(broken_loop)
{
    uint32_t x = t.in;
    for (uint32_t i = 0; i < t.args->rounds; i++) {
        if (draw(t.in, i) % 4 == 0) {
            STEPS_8(x, 1);
        } else {
            STEPS_8(x, 2);
            if (draw(t.in, i) % 40 == 1)
                break;
        }
        STEPS(x, 3);
    }
    return x;
}

BODY(by_lane)
{
    uint32_t x = t.in;
    if (t.lane & 1)
        STEPS(x, 1);
    else
        STEPS(x, 2);
    return x;
}

BODY(by_warp)
{
    uint32_t x = t.in;
    if (t.warp & 1)
        STEPS(x, 1);
    else
        STEPS(x, 2);
    return x;
}

/* Each warp a long way of its own. */
BODY(specialised)
{
    uint32_t x = t.in;
    const uint32_t way = t.warp % t.args->ways;
    for (uint32_t i = 0; i < t.args->rounds; i++) {
        CASE(0) CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) STEPS(x, 8);
    }
    return x;
}

/* Threads part and load from consecutive words. */
BODY(coalesced)
{
    uint32_t x = t.in;
    for (uint32_t i = 0; i < t.args->rounds; i++) {
        if (draw(t.in, i) & 1)
            STEPS_8(x, 1);
        else
            STEPS_8(x, 2);
        x += t.table[(t.index + i * 32) % DIVERGENCE_TABLE];
    }
    return x;
}

/* Threads part, and all blocks load the same words, those of 128 B in each round. */
BODY(texture)
{
    uint32_t x = t.in;
    for (uint32_t i = 0; i < t.args->rounds; i++) {
        if (draw(t.in, i) & 1)
            STEPS_8(x, 1);
        else
            STEPS(x, 2);
        x += LOAD_TEXTURE(&t.table[(i * 32 + t.index * 5 % 32) % DIVERGENCE_TABLE]);
    }
    return x;
}

/* Few threads take a long way, before all of them take another. */
BODY(eddy)
{
    uint32_t x = t.in;
    for (uint32_t i = 0; i < t.args->rounds; i++) {
        if (draw(t.in, i) % 64 == 0)
            STEPS(x, 1), STEPS(x, 2), STEPS(x, 3);
        STEPS(x, 4);
    }
    return x;
}

BODY(guarded)
{
    uint32_t x = t.in;
    for (uint32_t i = 0; i < t.args->rounds; i++)
        x += t.table[(t.index + i * 32) % DIVERGENCE_TABLE];
    return x;
}

#define NEST(n, inner)                                                                                                 \
    if (t.in % 41 > (n)) {                                                                                             \
        STEP(x, n);                                                                                                    \
        inner;                                                                                                         \
        STEP(x, n);                                                                                                    \
    } else {                                                                                                           \
        STEP(x, 99);                                                                                                   \
    }
#define NEST_4(n, inner) NEST(n, NEST((n) + 1, NEST((n) + 2, NEST((n) + 3, inner))))
#define NEST_20(n, inner) NEST_4(n, NEST_4((n) + 4, NEST_4((n) + 8, NEST_4((n) + 12, NEST_4((n) + 16, inner)))))

BODY(deep)
{
    uint32_t x = t.in;
    NEST_20(0, NEST_20(20, STEP(x, 7)));
    return x;
}

BODY(uniform_loop)
{
    uint32_t x = t.in;
    for (uint32_t i = 0; i < t.args->rounds; i++)
        STEP(x, i);
    return x;
}

#define BODIES(X)                                                                                                      \
    X(hammock)                                                                                                         \
    X(nested)                                                                                                          \
    X(trips)                                                                                                           \
    X(many_ways)                                                                                                       \
    X(broken_loop) X(by_lane) X(by_warp) X(specialised) X(coalesced) X(texture) X(eddy) X(guarded) X(deep)             \
        X(uniform_loop)

#endif
