/* SPDX-License-Identifier: MIT */
/* Something of everything that the machine can be asked for. What the kernels compute is of no use to anybody. */
#include "args.h"
#include "simt.h"

#define APART static __attribute__((noinline)) void

static volatile uint32_t *own_word(const live_args *args)
{
    uint32_t offset = simt_global_index() * args->stride % (LIVE_BYTES / 2);
    return HD_POINTER(volatile uint32_t, (hd_device_ptr){args->data.address + LIVE_BYTES / 2 + offset});
}

static volatile uint32_t *shared_word(const live_args *args, uint32_t index)
{
    return HD_POINTER(volatile uint32_t, (hd_device_ptr){args->data.address + index * 4});
}

/* Two of a kind, independent, then one that waits for both. */
#define TWO(instruction, type, a, b)                                                                                   \
    do {                                                                                                               \
        __asm__ volatile(instruction " %0, %2, %3\n\t" instruction " %1, %3, %2"                                       \
                         : "=&" type(a), "=&" type(b)                                                                  \
                         : type(a), type(b));                                                                          \
    } while (0)

APART integers(const live_args *args)
{
    uint32_t a = simt_lane() + 1, b = 77, c;
    for (uint32_t i = 0; i < args->rounds; i++) {
        TWO("add", "r", a, b);
        TWO("mul", "r", a, b);
        TWO("divu", "r", a, b);
        TWO("sll", "r", a, b);
        TWO("sltu", "r", a, b);
        __asm__ volatile("add %0, %1, %2" : "=r"(c) : "r"(a), "r"(b));
    }
}

APART floats(const live_args *args)
{
    float a = 1.5f, b = 0.75f, c;
    for (uint32_t i = 0; i < args->rounds; i++) {
        TWO("fadd.s", "f", a, b);
        __asm__ volatile("fmadd.s %0, %1, %2, %2" : "=f"(c) : "f"(a), "f"(b));
        __asm__ volatile("fmadd.s %0, %1, %2, %2" : "=f"(a) : "f"(c), "f"(b));
        TWO("fdiv.s", "f", a, b);
        TWO("fmax.s", "f", a, b);
        __asm__ volatile(".insn r 0x2B, 7, 2, %0, %2, f0\n\t.insn r 0x2B, 7, 2, %1, %3, f0"
                         : "=&f"(a), "=&f"(b)
                         : "f"(a), "f"(b));
        __asm__ volatile("fadd.s %0, %1, %2" : "=f"(c) : "f"(a), "f"(b));
    }
}

/* 10 lanes one way, 22 the other; then 20 and 12. The fewer divide, and need not wait for it before the others go. */
APART lanes(const live_args *args)
{
    uint32_t lane = simt_lane(), unused;
    for (uint32_t i = 0; i < args->rounds; i++) {
        if (lane < 10)
            __asm__ volatile("divu %0, %1, %1" : "=r"(unused) : "r"(lane));
        else
            __asm__ volatile("mul %0, %1, %1\n\tadd %0, %0, %0" : "=r"(unused) : "r"(lane));
        if (lane < 20)
            __asm__ volatile("mul %0, %1, %1\n\tadd %0, %0, %0" : "=r"(unused) : "r"(lane));
        else
            __asm__ volatile("divu %0, %1, %1" : "=r"(unused) : "r"(lane));
        for (uint32_t left = lane; left; left--)
            __asm__ volatile("addi %0, %1, 1" : "=r"(unused) : "r"(left));
        simt_warp_sync();
        uint32_t any = simt_vote_any(lane & i);
        (void)simt_shuffle_xor(any + lane, 1);
        simt_barrier();
    }
}

APART streams(const live_args *args)
{
    volatile uint32_t *own = own_word(args);
    for (uint32_t i = 0; i < args->rounds; i++) {
        uint32_t a, b, c, d;
        __asm__ volatile("lw %0, 0(%4)\n\tlw %1, 4(%4)\n\tlw %2, 8(%4)\n\tlw %3, 12(%4)"
                         : "=&r"(a), "=&r"(b), "=&r"(c), "=&r"(d)
                         : "r"(own)
                         : "memory");
        *own = a + b + c + d;
        (void)*shared_word(args, 0);                                     /* one line for all */
        (void)*shared_word(args, (i * 32 + (simt_warp() & 1) * 64) * 4); /* one line for every second warp */
    }
}

/* Loads past the cache and through it, while others drop what is being fetched. */
APART orders(const live_args *args)
{
    for (uint32_t i = 0; i < args->rounds; i++) {
        uint32_t a, b;
        volatile uint32_t *line = shared_word(args, 32 * (8 + i));
        __asm__ volatile("lw %0, 0(%2)\n\tlw %1, 128(%2)" : "=&r"(a), "=&r"(b) : "r"(line) : "memory");
        if (simt_warp() & 1)
            simt_fence();
        __asm__ volatile("amoswap.w.aq %0, %1, (%2)" : "=r"(a) : "r"(b), "r"(shared_word(args, 40)) : "memory");
        (void)simt_load_cg(shared_word(args, 4));
        *line = a;
    }
}

APART atomics(const live_args *args)
{
    for (uint32_t i = 0; i < args->rounds; i++) {
        uint32_t value,
            failed; /* the store conditional does not need what its load reserved gives, and comes too early */
        simt_atomic_add(shared_word(args, 64 + simt_lane()), 1);
        simt_atomic_cas(shared_word(args, 96), i, i + 1);
        __asm__ volatile("lr.w %0, (%2)\n\tsc.w %1, %3, (%2)"
                         : "=&r"(value), "=&r"(failed)
                         : "r"(own_word(args)), "r"(i)
                         : "memory");
    }
}

APART spills(const live_args *args)
{
    volatile uint32_t local[192];
    uint32_t a, b;
    for (uint32_t i = 0; i < args->rounds; i++) {
        __asm__ volatile("lw %0, 4(%2)\n\tlw %1, 4(%2)" : "=&r"(a), "=&r"(b) : "r"(local) : "memory"); /* of one line */
        for (uint32_t k = 0; k < 192; k += 8)
            local[k] = i;
        for (uint32_t k = 0; k < 192; k += 8)
            (void)local[k];
    }
}

/* The same word for all lanes, then a word each, then what was evicted meanwhile. */
APART constants(const live_args *args)
{
    const volatile uint32_t *table = args->table;
    for (uint32_t i = 0; i < args->rounds; i++) {
        (void)table[i * 16 % LIVE_TABLE];
        (void)table[simt_lane() * 8 % LIVE_TABLE];
        (void)table[(i * 16 + 64) % LIVE_TABLE];
    }
}

/* A word each in lines that nobody has loaded, and back at once. */
APART results(const live_args *args)
{
    for (uint32_t i = 0; i < args->rounds; i++) {
        volatile uint32_t *word = shared_word(args, 2048 + (i * 512 + simt_global_index()) % 2048);
        *word = i;
        (void)*word;
    }
}

APART scratch(const live_args *args)
{
    volatile uint32_t *words = (volatile uint32_t *)simt_scratchpad;
    for (uint32_t i = 0; i < args->rounds; i++) {
        words[simt_thread_x() * 2] = i; /* two lanes to a bank of 32 */
        simt_barrier_number(1);
        (void)words[(simt_thread_x() ^ 1) * 2];
        simt_atomic_add(words, 1);
    }
}

/* How long warps wait for the first, and what the lanes of one side find of the other, is a matter of order. */
APART sides(const live_args *args)
{
    volatile uint32_t *flag = shared_word(args, 256 + 32 * simt_block_x());
    volatile uint32_t *side = shared_word(args, 320 + 32 * (simt_block_x() * 4 + simt_warp()));
    uint32_t unused;
    if (simt_warp() == 0) {
        for (uint32_t i = 0; i < 100 * args->rounds; i++)
            __asm__ volatile("addi %0, %1, 1" : "=r"(unused) : "r"(i));
        *flag = 1;
    }
    while (!simt_load_cg(flag))
        ;
    if (simt_lane() < 10)
        *side = 20;
    else
        for (uint32_t left = simt_load_cg(side); left; left--)
            __asm__ volatile("addi %0, %1, 1" : "=r"(unused) : "r"(left));
}

#define KERNEL_OF(name, function)                                                                                      \
    SIMT_KERNEL(name, const live_args *args)                                                                           \
    {                                                                                                                  \
        function(args);                                                                                                \
    }
KERNEL_OF(integer, integers)
KERNEL_OF(floating, floats)
KERNEL_OF(divergent, lanes)
KERNEL_OF(stream, streams)
KERNEL_OF(order, orders)
KERNEL_OF(atomic, atomics)
KERNEL_OF(spill, spills)
KERNEL_OF(constant, constants)
KERNEL_OF(shared, scratch)
KERNEL_OF(side, sides)
KERNEL_OF(result, results)

SIMT_KERNEL(everything, const live_args *args)
{
    integers(args);
    floats(args);
    lanes(args);
    streams(args);
    orders(args);
    atomics(args);
    spills(args);
    constants(args);
    scratch(args);
}

/* The first warp never comes to the barrier of the others. */
SIMT_KERNEL(leave, const live_args *args)
{
    (void)args;
    if (simt_warp() == 0)
        return;
    simt_barrier_number(2);
}

SIMT_KERNEL(nothing, const live_args *args)
{
    (void)args;
}

/* A quarter of each warp goes one way, and other lanes of the next warp; then all but the first thread of the block. */
APART scatters(const live_args *args)
{
    uint32_t lane = simt_lane(), warp = simt_warp(), unused;
    volatile uint32_t *own = own_word(args);
    for (uint32_t i = 0; i < args->rounds; i++) {
        if (((lane ^ warp ^ i) & 3) == 0)
            __asm__ volatile("divu %0, %1, %1\n\tadd %0, %0, %0" : "=r"(unused) : "r"(lane));
        else
            __asm__ volatile("mul %0, %1, %1" : "=r"(unused) : "r"(lane));
        if (lane + warp)
            *own = i;
        simt_barrier();
    }
}
KERNEL_OF(scattered, scatters)

/* A loop that one lane after the other leaves from its middle, while the others meet at the end of each turn. */
APART leaves(const live_args *args)
{
    uint32_t lane = simt_lane(), unused;
    volatile uint32_t *own = own_word(args);
    for (uint32_t i = 0; i < 16 * args->rounds; i++) {
        if ((lane ^ i) & 1) {
            __asm__ volatile("mul %0, %1, %1" : "=r"(unused) : "r"(lane));
        } else {
            __asm__ volatile("add %0, %1, %1" : "=r"(unused) : "r"(lane));
            if (i > lane)
                break;
        }
        __asm__ volatile("add %0, %1, %1\n\tadd %0, %1, %1\n\tadd %0, %1, %1\n\tadd %0, %1, %1"
                         : "=r"(unused)
                         : "r"(lane));
    }
    *own = lane;
}
KERNEL_OF(leaving, leaves)
