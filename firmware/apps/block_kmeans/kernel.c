/* SPDX-License-Identifier: MIT */
/* Points find their nearest centre, and are added to its sums, which is a small part of the work: Villegas et al., GPU-LocalTM, §5, "KM". */
#include "args.h"
#include "common/in_scratchpad.h"

/* In registers: loops over dimensions are unrolled. */
typedef struct point {
    uint32_t x[DIMENSIONS];
} point;
#define EACH_DIMENSION(d) _Pragma("GCC unroll 4") for (uint32_t d = 0; d < DIMENSIONS; d++)
_Static_assert(DIMENSIONS == 4, "as in the pragma");

typedef void run(const block_kmeans_args *args, uint32_t cluster, const point *p);

SIMT_INLINE point point_at(const block_kmeans_args *args, uint32_t i)
{
    const uint32_t all = simt_grid_size_x() * args->point_count, at = simt_block_x() * args->point_count + i;
    point p;
    EACH_DIMENSION(d)
    p.x[d] = HD_POINTER(const uint32_t, args->points)[d * all + at];
    return p;
}

SIMT_INLINE uint32_t nearest_to(const block_kmeans_args *args, const point *p)
{
    const uint32_t *centre = HD_POINTER(const uint32_t, args->centres);
    uint32_t nearest = 0, least = UINT32_MAX;
    for (uint32_t c = 0; c < args->clusters; c++) {
        uint32_t distance = 0;
        EACH_DIMENSION(d)
        {
            const uint32_t difference = p->x[d] - centre[c * DIMENSIONS + d];
            distance += difference * difference;
        }
        nearest = distance < least ? c : nearest;
        least = simt_min(distance, least);
    }
    return nearest;
}

SIMT_INLINE void add(uint32_t cluster, const point *p)
{
    volatile uint32_t *sums = &simt_scratchpad[cluster * SUM_WORDS];
    EACH_DIMENSION(d)
    sums[d] = sums[d] + p->x[d];
    sums[DIMENSIONS] = sums[DIMENSIONS] + 1;
}

SIMT_INLINE void run_tm(const block_kmeans_args *args, uint32_t cluster, const point *p)
{
    (void)args;
    IN_SCRATCHPAD_TM(add(cluster, p));
}

SIMT_INLINE void run_locks(const block_kmeans_args *args, uint32_t cluster, const point *p)
{
    volatile uint32_t *lock = &simt_scratchpad[args->clusters * SUM_WORDS + cluster];
    IN_SCRATCHPAD_LOCKED(lock, add(cluster, p));
}

SIMT_INLINE void run_atomics(const block_kmeans_args *args, uint32_t cluster, const point *p)
{
    volatile uint32_t *sums = &simt_scratchpad[cluster * SUM_WORDS];
    (void)args;
    EACH_DIMENSION(d)
    simt_atomic_add(&sums[d], p->x[d]);
    simt_atomic_add(&sums[DIMENSIONS], 1);
}

SIMT_INLINE void assign(const block_kmeans_args *args, uint32_t i, run *run)
{
    const point p = point_at(args, i);
    const uint32_t cluster = nearest_to(args, &p);
    HD_POINTER(uint32_t, args->nearest)[simt_block_x() * args->point_count + i] = cluster;
    run(args, cluster, &p);
}

/* All find their centres; one adds them. */
SIMT_INLINE void note(const block_kmeans_args *args, uint32_t cluster, const point *p)
{
    (void)args, (void)cluster, (void)p;
}

SIMT_INLINE void add_noted(const block_kmeans_args *args, uint32_t i)
{
    const point p = point_at(args, i);
    add(simt_load_cg(HD_POINTER(volatile uint32_t, args->nearest) + simt_block_x() * args->point_count + i), &p);
}

#define KERNEL(form)                                                                                                   \
    SIMT_KERNEL(block_kmeans_##form, const block_kmeans_args *args)                                                    \
    {                                                                                                                  \
        IN_SCRATCHPAD_PARALLEL(i, args->point_count, assign(args, i, run_##form));                                     \
        in_scratchpad_copy_out(args->results, args->clusters *SUM_WORDS);                                              \
    }

KERNEL(tm)
KERNEL(locks)
KERNEL(atomics)

SIMT_KERNEL(block_kmeans_serial, const block_kmeans_args *args)
{
    IN_SCRATCHPAD_PARALLEL(i, args->point_count, assign(args, i, note); simt_fence());
    IN_SCRATCHPAD_SERIAL(i, args->point_count, add_noted(args, i));
    in_scratchpad_copy_out(args->results, args->clusters * SUM_WORDS);
}
