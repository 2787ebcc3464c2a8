/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

/* The set of `to` has this word of that of `from`, too. */
static void include(const pta_args *args, uint32_t to, uint32_t from, uint32_t word)
{
    uint32_t *sets = HD_POINTER(uint32_t, args->sets);
    uint32_t *target = &sets[to * args->words + word];
    const uint32_t more = simt_load_cg(&sets[from * args->words + word]);
    if ((more & ~simt_load_cg(target)) == 0)
        return;
    if (more & ~simt_atomic_or(target, more))
        simt_atomic_or(HD_POINTER(uint32_t, args->grown), 1);
}

static pta_constraint constraint_of(const pta_args *args, uint32_t thread)
{
    return HD_POINTER(const pta_constraint, args->constraints)[thread / args->words];
}

/* p = q */
SIMT_KERNEL(pta_copy, const pta_args *args)
{
    const uint32_t thread = simt_global_index();
    if (thread >= args->count * args->words)
        return;
    const pta_constraint c = constraint_of(args, thread);
    include(args, c.p, c.q, thread % args->words);
}

/* p = *q: what whatever q points to points to */
SIMT_KERNEL(pta_load, const pta_args *args)
{
    const uint32_t thread = simt_global_index();
    if (thread >= args->count * args->words)
        return;
    const pta_constraint c = constraint_of(args, thread);
    for (uint32_t word = 0; word < args->words; word++) {
        uint32_t pointed = simt_load_cg(&HD_POINTER(uint32_t, args->sets)[c.q * args->words + word]);
        for (uint32_t bit = 0; pointed != 0; bit++, pointed >>= 1)
            if (pointed & 1)
                include(args, c.p, word * 32 + bit, thread % args->words);
    }
}

/* *p = q */
SIMT_KERNEL(pta_store, const pta_args *args)
{
    const uint32_t thread = simt_global_index();
    if (thread >= args->count * args->words)
        return;
    const pta_constraint c = constraint_of(args, thread);
    for (uint32_t word = 0; word < args->words; word++) {
        uint32_t pointed = simt_load_cg(&HD_POINTER(uint32_t, args->sets)[c.p * args->words + word]);
        for (uint32_t bit = 0; pointed != 0; bit++, pointed >>= 1)
            if (pointed & 1)
                include(args, word * 32 + bit, c.q, thread % args->words);
    }
}
