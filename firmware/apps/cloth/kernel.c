/* SPDX-License-Identifier: MIT */
/*
 * The distance constraints of cloth, all in parallel: Fung 2015 §4.3 (CL) and §6.6 (CLto: what is only read is loaded
 * before the transaction). Each form of synchronisation is a kernel.
 */
#include "args.h"
#include "common/atomically.h"
#include "simt_synchronization.h"

SIMT_INLINE volatile cloth_particle *particle_of(const cloth_args *args, uint32_t index)
{
    return HD_POINTER(volatile cloth_particle, hd_offset(args->particles, index * args->particle_bytes));
}

SIMT_INLINE void hold(const cloth_args *args, const volatile cloth_constraint *constraint)
{
    uint32_t a = constraint->a, b = constraint->b;
    float rest = constraint->rest, longest = constraint->longest;
    cloth_hold(rest, longest, particle_of(args, a), particle_of(args, b));
}

#define FOR_EACH_CONSTRAINT(c)                                                                                         \
    const volatile cloth_constraint *end =                                                                             \
        HD_POINTER(const volatile cloth_constraint, args->constraints) + args->count;                                  \
    for (const volatile cloth_constraint *c =                                                                          \
             HD_POINTER(const volatile cloth_constraint, args->constraints) + simt_global_index();                     \
         c < end; c += simt_global_size())

SIMT_KERNEL(cloth_tm, const cloth_args *args)
{
    FOR_EACH_CONSTRAINT(c)
    ATOMICALLY_TM(hold(args, c));
}

SIMT_KERNEL(cloth_tm_preloaded, const cloth_args *args)
{
    FOR_EACH_CONSTRAINT(c)
    {
        volatile cloth_particle *a = particle_of(args, c->a), *b = particle_of(args, c->b);
        float rest = c->rest, longest = c->longest;
        ATOMICALLY_TM(cloth_hold(rest, longest, a, b));
    }
}

/* The particles to lock must be known before; the constraint is read again while they are locked. */
SIMT_KERNEL(cloth_locks, const cloth_args *args)
{
    volatile uint32_t *locks = HD_POINTER(volatile uint32_t, args->locks);
    FOR_EACH_CONSTRAINT(c)
    {
        uint32_t a = c->a, b = c->b;
        volatile uint32_t *outer = &locks[simt_min(a, b)], *inner = &locks[simt_max(a, b)];
        ATOMICALLY_LOCKED_BOTH(outer, inner, hold(args, c));
    }
}
SIMT_NO_ALIAS(cloth_locks);

SIMT_KERNEL(cloth_locks_preloaded, const cloth_args *args)
{
    volatile uint32_t *locks = HD_POINTER(volatile uint32_t, args->locks);
    FOR_EACH_CONSTRAINT(c)
    {
        uint32_t a = c->a, b = c->b;
        float rest = c->rest, longest = c->longest;
        volatile uint32_t *outer = &locks[simt_min(a, b)], *inner = &locks[simt_max(a, b)];
        volatile cloth_particle *first = particle_of(args, a), *second = particle_of(args, b);
        ATOMICALLY_LOCKED_BOTH(outer, inner, cloth_hold(rest, longest, first, second));
    }
}
SIMT_NO_ALIAS(cloth_locks_preloaded);

SIMT_KERNEL(cloth_coarse, const cloth_args *args)
{
    volatile uint32_t *lock = HD_POINTER(volatile uint32_t, args->locks);
    FOR_EACH_CONSTRAINT(c)
    ATOMICALLY_LOCKED(lock, hold(args, c));
}
SIMT_NO_ALIAS(cloth_coarse);

SIMT_KERNEL(cloth_serial, const cloth_args *args)
{
    FOR_EACH_CONSTRAINT(c)
    ATOMICALLY_ALONE(hold(args, c));
}
