/* SPDX-License-Identifier: MIT */
/*
 * Maximum flow on a grid by push and relabel, a launch for each: Vineet and Narayanan 2008. Heights do not change while pixels
 * push, so no two pixels push to each other, and what leaves a pixel is its own affair. The updates of a push, or the note that
 * there was none, are a transaction: Fung 2015 §4.3.
 */
#include "args.h"
#include "common/atomically.h"
#include "simt_synchronization.h"

/* All pixels, dealt to the threads of a two-dimensional grid. */
#define FOR_EACH_PIXEL(args, x, y)                                                                                     \
    for (uint32_t y = simt_block_y() * simt_block_size_y() + simt_thread_y(); y < (args)->height;                      \
         y += simt_grid_size_y() * simt_block_size_y())                                                                \
        for (uint32_t x = simt_global_index(); x < (args)->width; x += simt_global_size())

SIMT_INLINE volatile uint32_t *word_of(const cuda_cuts_args *args, uint32_t field, uint32_t pixel)
{
    return HD_POINTER(volatile uint32_t, args->words) + args->field_words[field] + pixel * args->pixel_words;
}

SIMT_INLINE uint32_t is_at_border(const cuda_cuts_args *args, uint32_t x, uint32_t y, uint32_t direction)
{
    uint32_t place = direction & 1 ? y : x;
    uint32_t last = (direction & 1 ? args->height : args->width) - 1;
    return place == (direction & 2 ? last : 0);
}

SIMT_INLINE uint32_t neighbour_of(const cuda_cuts_args *args, uint32_t pixel, uint32_t direction)
{
    uint32_t distance = direction & 1 ? args->width : 1;
    return direction & 2 ? pixel + distance : pixel - distance;
}

/* ---- What is done at once, without regard to others --------------------------------------------------------------- */

typedef struct push {
    uint32_t from;
    uint32_t to;
    uint32_t direction;
    uint32_t flow;
} push;

SIMT_INLINE void update_sink(const cuda_cuts_args *args, const push *p)
{
    *word_of(args, CUTS_SINK, p->from) -= p->flow;
    *word_of(args, CUTS_EXCESS, p->from) -= p->flow;
}

SIMT_INLINE void update_neighbour(const cuda_cuts_args *args, const push *p)
{
    *word_of(args, CUTS_RESIDUAL + p->direction, p->from) -= p->flow;
    *word_of(args, CUTS_RESIDUAL + cuts_opposite(p->direction), p->to) += p->flow;
    *word_of(args, CUTS_EXCESS, p->from) -= p->flow;
    *word_of(args, CUTS_EXCESS, p->to) += p->flow;
}

SIMT_INLINE void update_declined(const cuda_cuts_args *args, const push *p)
{
    *word_of(args, CUTS_DECLINED + cuts_opposite(p->direction), p->to) += 1;
}

/* ---- Forms of synchronisation ----------------------------------------------------------------------------------------- */

typedef void update(const cuda_cuts_args *args, const push *p);

SIMT_INLINE void run_serial(const cuda_cuts_args *args, const push *p, update *update)
{
    ATOMICALLY_ALONE(update(args, p));
}

SIMT_INLINE void run_tm(const cuda_cuts_args *args, const push *p, update *update)
{
    ATOMICALLY_TM(update(args, p));
}

SIMT_INLINE void run_coarse(const cuda_cuts_args *args, const push *p, update *update)
{
    volatile uint32_t *lock = HD_POINTER(volatile uint32_t, args->locks);
    ATOMICALLY_LOCKED(lock, update(args, p));
}

/* Both pixels, in the order of their numbers; those without flow and to the sink have one. */
SIMT_INLINE void run_locks(const cuda_cuts_args *args, const push *p, update *update)
{
    volatile uint32_t *locks = HD_POINTER(volatile uint32_t, args->locks);
    volatile uint32_t *outer = &locks[simt_min(p->from, p->to)];
    volatile uint32_t *inner = &locks[simt_max(p->from, p->to)];
    ATOMICALLY_LOCKED_EACH(outer, inner, update(args, p));
}

/* As published: each word by itself. A sum may be seen half done, which only delays the flow. */
SIMT_INLINE void add(volatile uint32_t *word, uint32_t value)
{
    simt_atomic_add(word, value);
}

SIMT_INLINE void add_sink(const cuda_cuts_args *args, const push *p)
{
    *word_of(args, CUTS_SINK, p->from) -= p->flow;
    add(word_of(args, CUTS_EXCESS, p->from), -p->flow);
}

SIMT_INLINE void add_neighbour(const cuda_cuts_args *args, const push *p)
{
    add(word_of(args, CUTS_RESIDUAL + p->direction, p->from), -p->flow);
    add(word_of(args, CUTS_RESIDUAL + cuts_opposite(p->direction), p->to), p->flow);
    add(word_of(args, CUTS_EXCESS, p->from), -p->flow);
    add(word_of(args, CUTS_EXCESS, p->to), p->flow);
}

SIMT_INLINE void add_declined(const cuda_cuts_args *args, const push *p)
{
    add(word_of(args, CUTS_DECLINED + cuts_opposite(p->direction), p->to), 1);
}

/* ---- Push --------------------------------------------------------------------------------------------------------------- */

typedef void run(const cuda_cuts_args *args, const push *p, update *update);

/* From a pixel that flow has come to, to the sink and each neighbour that is one lower. What comes to it meanwhile waits for the
 * next round: the thread keeps count of what it has given away, and need not look again. */
SIMT_INLINE void push_from(const cuda_cuts_args *args, uint32_t x, uint32_t y, run *run, update *to_sink,
                           update *to_neighbour, update *decline)
{
    const uint32_t *heights = HD_POINTER(const uint32_t, args->heights);
    uint32_t pixel = y * args->width + x;
    uint32_t height = heights[pixel];
    if (height == CUTS_UNREACHED)
        return;
    uint32_t excess = simt_load_cg(word_of(args, CUTS_EXCESS, pixel));
    if (!excess)
        return;

    uint32_t declines = 0;
    if (height == 1) {
        push p = {.from = pixel, .to = pixel, .flow = simt_min(excess, *word_of(args, CUTS_SINK, pixel))};
        if (p.flow)
            run(args, &p, to_sink);
        excess -= p.flow;
    }
    for (uint32_t direction = 0; direction < CUTS_DIRECTIONS; direction++) {
        if (is_at_border(args, x, y, direction))
            continue;
        push p = {.from = pixel, .to = neighbour_of(args, pixel, direction), .direction = direction};
        if (heights[p.to] + 1 == height)
            p.flow = simt_min(excess, *word_of(args, CUTS_RESIDUAL + direction, pixel));
        excess -= p.flow;
        if (p.flow) {
            run(args, &p, to_neighbour);
        } else {
            p.from = p.to; /* one pixel, one lock */
            run(args, &p, decline);
            declines++;
        }
    }
    HD_POINTER(uint32_t, args->declines)[pixel] += declines;
}

#define PUSH_KERNEL(form, run, to_sink, to_neighbour, decline)                                                         \
    SIMT_KERNEL(cuda_cuts_push_##form, const cuda_cuts_args *args)                                                     \
    {                                                                                                                  \
        FOR_EACH_PIXEL(args, x, y)                                                                                     \
        push_from(args, x, y, run, to_sink, to_neighbour, decline);                                                    \
    }                                                                                                                  \
    SIMT_NO_ALIAS(cuda_cuts_push_##form);

PUSH_KERNEL(tm, run_tm, update_sink, update_neighbour, update_declined)
PUSH_KERNEL(locks, run_locks, update_sink, update_neighbour, update_declined)
PUSH_KERNEL(atomics, run_serial, add_sink, add_neighbour, add_declined)
PUSH_KERNEL(coarse, run_coarse, update_sink, update_neighbour, update_declined)
PUSH_KERNEL(serial, run_serial, update_sink, update_neighbour, update_declined)

/* ---- Heights ------------------------------------------------------------------------------------------------------------ */

SIMT_INLINE void note_progress(const cuda_cuts_args *args)
{
    simt_atomic_or(HD_POINTER(volatile uint32_t, args->progress), 1);
}

/* A pixel that still has flow rises above the lowest neighbour that can take some. */
SIMT_KERNEL(cuda_cuts_relabel, const cuda_cuts_args *args)
{
    const uint32_t *heights = HD_POINTER(const uint32_t, args->heights);
    FOR_EACH_PIXEL(args, x, y)
    {
        uint32_t pixel = y * args->width + x;
        uint32_t height = heights[pixel];
        if (height != CUTS_UNREACHED && *word_of(args, CUTS_EXCESS, pixel)) {
            height = *word_of(args, CUTS_SINK, pixel) ? 1 : CUTS_UNREACHED;
            for (uint32_t direction = 0; direction < CUTS_DIRECTIONS; direction++)
                if (!is_at_border(args, x, y, direction) && *word_of(args, CUTS_RESIDUAL + direction, pixel))
                    height = simt_min(height, heights[neighbour_of(args, pixel, direction)] + 1);
            if (height != CUTS_UNREACHED)
                note_progress(args);
        }
        HD_POINTER(uint32_t, args->next_heights)[pixel] = height;
    }
}

/* One step of a breadth-first search from the sink: the pixels of one level. */
SIMT_KERNEL(cuda_cuts_distance, const cuda_cuts_args *args)
{
    volatile uint32_t *heights = HD_POINTER(volatile uint32_t, args->heights);
    FOR_EACH_PIXEL(args, x, y)
    {
        uint32_t pixel = y * args->width + x;
        uint32_t is_found = 0;
        if (args->level == 1) {
            is_found = *word_of(args, CUTS_SINK, pixel) != 0;
            heights[pixel] = is_found ? 1 : CUTS_UNREACHED;
        } else if (heights[pixel] == CUTS_UNREACHED) {
            for (uint32_t direction = 0; direction < CUTS_DIRECTIONS; direction++)
                if (!is_at_border(args, x, y, direction) && *word_of(args, CUTS_RESIDUAL + direction, pixel))
                    is_found |= simt_load_relaxed(&heights[neighbour_of(args, pixel, direction)]) == args->level - 1;
            if (is_found)
                heights[pixel] = args->level;
        }
        if (is_found)
            note_progress(args);
    }
}
SIMT_NO_ALIAS(cuda_cuts_distance);
