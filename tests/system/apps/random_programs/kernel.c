/* SPDX-License-Identifier: MIT */
/* Threads that run through a random program, each on its own ways, and move amounts between accounts. */
#include "args.h"
#include "common/atomically.h"
#include "common/in_scratchpad.h"

typedef void move(const random_programs_args *args, uint32_t x, uint32_t count);

/* From each account to the next: their sum stays. */
SIMT_INLINE void move_amounts(volatile uint32_t *accounts, uint32_t words, uint32_t x, uint32_t count)
{
    for (uint32_t i = 0; i < simt_opaque(count); i++) {
        volatile uint32_t *from = &accounts[(x + i * i) & (words - 1)], *to = &accounts[(x >> 8) & (words - 1)];
        *from = *from - (x >> 16);
        *to = *to + (x >> 16);
    }
}

SIMT_INLINE void move_tm(const random_programs_args *args, uint32_t x, uint32_t count)
{
    ATOMICALLY_TM(move_amounts(HD_POINTER(volatile uint32_t, args->accounts), args->account_words, x, count));
}

SIMT_INLINE void move_scratchpad_tm(const random_programs_args *args, uint32_t x, uint32_t count)
{
    IN_SCRATCHPAD_TM(move_amounts(simt_scratchpad, args->account_words, x, count));
}

SIMT_INLINE void move_locks(const random_programs_args *args, uint32_t x, uint32_t count)
{
    volatile uint32_t *lock = HD_POINTER(volatile uint32_t, args->locks);
    ATOMICALLY_LOCKED(lock, move_amounts(HD_POINTER(volatile uint32_t, args->accounts), args->account_words, x, count));
}

SIMT_INLINE void move_atomics(const random_programs_args *args, uint32_t x, uint32_t count)
{
    volatile uint32_t *accounts = HD_POINTER(volatile uint32_t, args->accounts);
    for (uint32_t i = 0; i < simt_opaque(count); i++) {
        simt_atomic_add(&accounts[(x + i * i) & (args->account_words - 1)], 0u - (x >> 16));
        simt_atomic_add(&accounts[(x >> 8) & (args->account_words - 1)], x >> 16);
    }
}

SIMT_INLINE uint32_t run_program(const random_programs_args *args, move *move)
{
    const random_instruction *program = HD_POINTER(const random_instruction, args->program), *now = program;
    const uint32_t *constants = HD_POINTER(const uint32_t, args->constants);
    uint32_t x = random_mix(simt_global_index(), 1), counters = 0; /* a byte for each loop */
    uint32_t operation = now->operation;
    while (simt_opaque(operation) != OP_END) {
        const uint32_t number = now->number, to = now->to, shift = 8 * number;
        uint32_t is_jump = 0;
        switch (operation) {
        case OP_MIX: x = random_mix(x, number); break;
        case OP_READ: x = random_mix(x, constants[x & (args->constant_words - 1)]); break;
        case OP_SKIP: is_jump = !(x >> number & 1); break;
        case OP_LOOP: counters = (counters & ~(0xFFu << shift)) | ((x >> number) % 4 + 1) << shift; break;
        case OP_AGAIN:
            counters -= 1u << shift;
            is_jump = counters >> shift & 0xFF;
            break;
        default: move(args, x, number); break;
        }
        now = is_jump ? program + to : now + 1;
        operation = now->operation;
    }
    return x;
}

#define KERNEL(form)                                                                                                   \
    SIMT_KERNEL(random_##form, const random_programs_args *args)                                                       \
    {                                                                                                                  \
        HD_POINTER(uint32_t, args->results)[simt_global_index()] = run_program(args, move_##form);                     \
    }

KERNEL(tm)
KERNEL(locks)
KERNEL(atomics)

SIMT_KERNEL(random_scratchpad_tm, const random_programs_args *args)
{
    for (uint32_t i = simt_thread_x(); i < args->account_words; i += simt_block_size_x())
        simt_scratchpad[i] = 0;
    simt_barrier();
    const uint32_t x = run_program(args, move_scratchpad_tm);
    HD_POINTER(uint32_t, args->results)[simt_global_index()] = x;
    simt_barrier();
    in_scratchpad_copy_out(args->accounts, args->account_words);
}
