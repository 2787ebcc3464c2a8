/* SPDX-License-Identifier: MIT */
/* Two are crossed, and a third makes room for the child if that is fitter: Villegas et al., GPU-LocalTM, §5, "GA". */
#include "args.h"
#include "common/in_scratchpad.h"
#include "common/packed.h"

typedef struct family {
    uint32_t low, high; /* as in CHILD_LOW, CHILD_HIGH */
    uint32_t genes;
    uint32_t found, born;
} family;

typedef void run(const block_genetic_args *args, family *f);

/* Worked out anew each time: registers do not suffice to keep all of them. */
SIMT_INLINE volatile uint32_t *individual_of(family *f, uint32_t i)
{
    return &simt_scratchpad[i < 2 ? packed_half(simt_opaque(f->low), i) : packed_half(simt_opaque(f->high), 0)];
}

SIMT_INLINE void cross(family *f)
{
    const uint32_t i0 = *individual_of(f, 0), i1 = *individual_of(f, 1), i2 = *individual_of(f, 2);
    const uint32_t place = packed_half(f->high, 1) & ((1u << PLACE_BITS) - 1);
    const uint32_t change = 1u << (packed_half(f->high, 1) >> PLACE_BITS);
    const uint32_t father = place == 0 ? i1 : i0, mother = place == 2 ? i1 : i2;
    f->found = place == 0 ? i0 : place == 1 ? i1 : i2;
    f->born = ((father & f->genes) | (mother & ~f->genes)) ^ change;
    if (simt_count_ones(f->born) > simt_count_ones(f->found))
        *individual_of(f, place) = f->born;
}

SIMT_INLINE void run_tm(const block_genetic_args *args, family *f)
{
    (void)args;
    IN_SCRATCHPAD_TM(cross(f));
}

SIMT_INLINE void run_locks(const block_genetic_args *args, family *f)
{
    IN_SCRATCHPAD_LOCKED_ALL(i, FAMILY, individual_of(f, i) + args->individuals, cross(f));
}

SIMT_INLINE void run_serial(const block_genetic_args *args, family *f)
{
    (void)args;
    cross(f);
}

SIMT_INLINE void run_child(const block_genetic_args *args, uint32_t i, run *run)
{
    family f = {.low = in_scratchpad_item_word(args->children, CHILD_LOW, args->child_count, i),
                .high = in_scratchpad_item_word(args->children, CHILD_HIGH, args->child_count, i),
                .genes = in_scratchpad_item_word(args->children, CHILD_GENES, args->child_count, i)};
    run(args, &f);
    const uint32_t at = simt_block_x() * args->child_count + i;
    HD_POINTER(uint32_t, args->found)[at] = f.found;
    HD_POINTER(uint32_t, args->born)[at] = f.born;
}

#define KERNEL(form, DEAL)                                                                                             \
    SIMT_KERNEL(block_genetic_##form, const block_genetic_args *args)                                                  \
    {                                                                                                                  \
        in_scratchpad_copy_in(args->population, args->individuals);                                                    \
        DEAL(i, args->child_count, run_child(args, i, run_##form));                                                    \
        in_scratchpad_copy_out(args->results, args->individuals);                                                      \
    }

KERNEL(tm, IN_SCRATCHPAD_PARALLEL)
KERNEL(locks, IN_SCRATCHPAD_PARALLEL)
KERNEL(serial, IN_SCRATCHPAD_SERIAL)
