/* SPDX-License-Identifier: MIT */
/* All threads meet at both ends of few queues: Villegas et al., GPU-LocalTM, §5, "QU". */
#include "args.h"
#include "common/in_scratchpad.h"

typedef struct step {
    volatile uint32_t *queue;
    uint32_t value;
} step;

typedef void run(step *s);

SIMT_INLINE void push(step *s)
{
    const uint32_t tail = s->queue[QUEUE_TAIL];
    s->queue[QUEUE_ENTRIES + tail] = s->value;
    s->queue[QUEUE_TAIL] = tail + 1;
}

SIMT_INLINE void pop(step *s)
{
    const uint32_t head = s->queue[QUEUE_HEAD];
    s->value = s->queue[QUEUE_ENTRIES + head];
    s->queue[QUEUE_HEAD] = head + 1;
}

#define FORMS(action)                                                                                                  \
    SIMT_INLINE void action##_tm(step *s)                                                                              \
    {                                                                                                                  \
        IN_SCRATCHPAD_TM(action(s));                                                                                   \
    }                                                                                                                  \
    SIMT_INLINE void action##_locks(step *s)                                                                           \
    {                                                                                                                  \
        IN_SCRATCHPAD_LOCKED(&s->queue[QUEUE_LOCK], action(s));                                                        \
    }                                                                                                                  \
    SIMT_INLINE void action##_serial(step *s)                                                                          \
    {                                                                                                                  \
        action(s);                                                                                                     \
    }

FORMS(push)
FORMS(pop)

SIMT_INLINE void push_atomics(step *s)
{
    s->queue[QUEUE_ENTRIES + simt_atomic_add(&s->queue[QUEUE_TAIL], 1)] = s->value;
}

SIMT_INLINE void pop_atomics(step *s)
{
    s->value = s->queue[QUEUE_ENTRIES + simt_atomic_add(&s->queue[QUEUE_HEAD], 1)];
}

SIMT_INLINE step step_of(const block_queue_args *args, uint32_t i)
{
    return (step){.queue = &simt_scratchpad[i % args->queues * (QUEUE_ENTRIES + args->capacity)]};
}

SIMT_INLINE void push_item(const block_queue_args *args, uint32_t i, run *run)
{
    step s = step_of(args, i);
    s.value = HD_POINTER(const uint32_t, args->values)[simt_block_x() * args->items + i];
    run(&s);
}

SIMT_INLINE void pop_item(const block_queue_args *args, uint32_t i, run *run)
{
    step s = step_of(args, i);
    run(&s);
    HD_POINTER(uint32_t, args->popped)[simt_block_x() * args->items + i] = s.value;
}

#define KERNEL(form, DEAL)                                                                                             \
    SIMT_KERNEL(block_queue_##form, const block_queue_args *args)                                                      \
    {                                                                                                                  \
        DEAL(i, args->items, push_item(args, i, push_##form));                                                         \
        DEAL(i, args->items, pop_item(args, i, pop_##form));                                                           \
        in_scratchpad_copy_out(args->results, args->queues *(QUEUE_ENTRIES + args->capacity));                         \
    }

KERNEL(tm, IN_SCRATCHPAD_PARALLEL)
KERNEL(locks, IN_SCRATCHPAD_PARALLEL)
KERNEL(atomics, IN_SCRATCHPAD_PARALLEL)
KERNEL(serial, IN_SCRATCHPAD_SERIAL)
