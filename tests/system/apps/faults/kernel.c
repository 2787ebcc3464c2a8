/* SPDX-License-Identifier: MIT */
/* Each kernel makes one mistake, in the lanes that the argument block names. */
#include "args.h"
#include "simt.h"

static uint32_t is_chosen(const faults_args *args)
{
    return simt_thread_x() >= args->first && simt_thread_x() <= args->last;
}

SIMT_KERNEL(null_dereference, const faults_args *args)
{
    if (is_chosen(args))
        *HD_POINTER(volatile uint32_t, (hd_device_ptr){args->offset}) = 1;
}

SIMT_KERNEL(misaligned_access, const faults_args *args)
{
    if (is_chosen(args))
        *HD_POINTER(volatile uint32_t, (hd_device_ptr){args->data.address + args->offset}) = 1;
}

SIMT_KERNEL(illegal_instruction, const faults_args *args)
{
    if (is_chosen(args))
        __asm__ volatile(".word 0xFFFFFFFF");
}

SIMT_KERNEL(scratchpad_overrun, const faults_args *args)
{
    if (is_chosen(args))
        ((volatile uint32_t *)simt_scratchpad)[args->offset / 4] = 1;
}

static __attribute__((noinline)) uint32_t deep(uint32_t depth, volatile uint32_t *frame)
{
    volatile uint32_t local[64];
    local[depth % 64] = frame[0] + depth;
    return depth ? deep(depth - 1, local) + local[depth % 64] : local[0];
}

SIMT_KERNEL(stack_overflow, const faults_args *args)
{
    volatile uint32_t local[1] = {simt_thread_x()};
    if (is_chosen(args))
        *HD_POINTER(volatile uint32_t, args->data) = deep(args->offset, local);
}

SIMT_KERNEL(wild_jump, const faults_args *args)
{
    if (is_chosen(args))
        ((void (*)(void))(uintptr_t)args->offset)();
}

SIMT_KERNEL(write_to_constants, const faults_args *args)
{
    if (is_chosen(args))
        ((volatile faults_args *)(uintptr_t)args)->offset = 1;
}

SIMT_KERNEL(false_assertion, const faults_args *args)
{
    uint32_t thread = simt_thread_x();
    simt_assert(thread < args->first || thread > args->last);
}

static __attribute__((noinline)) uint32_t endless(uint32_t depth)
{
    return simt_cycle() ? endless(depth + 1) + simt_lane() : depth;
}

SIMT_KERNEL(endless_recursion, const faults_args *args)
{
    if (is_chosen(args))
        *HD_POINTER(volatile uint32_t, args->data) = endless(0);
}

SIMT_KERNEL(unknown_csr, const faults_args *args)
{
    if (is_chosen(args))
        __asm__ volatile("csrr zero, 0xCFF");
}

SIMT_KERNEL(divergent_barrier, const faults_args *args)
{
    if (is_chosen(args))
        simt_barrier();
    *HD_POINTER(volatile uint32_t, args->data) = 1;
}

/* The chosen threads do not come to the barrier at which the others wait. */
SIMT_KERNEL(early_exit, const faults_args *args)
{
    if (is_chosen(args))
        return;
    simt_barrier();
}

SIMT_KERNEL(bad_print, const faults_args *args)
{
    const char *text = (const char *)(uintptr_t)args->data.address;
    if (is_chosen(args))
        simt_printf("%s", text);
}

SIMT_KERNEL(print, const faults_args *args)
{
    if (is_chosen(args))
        simt_printf("%u: %g of %s\n", simt_thread_x(), (float)simt_thread_x() / 4, "four");
}

SIMT_KERNEL(nothing, const faults_args *args)
{
    (void)args;
}

/* One lane never comes to the barrier. */
SIMT_KERNEL(endless_loop, const faults_args *args)
{
    volatile uint32_t *word = HD_POINTER(volatile uint32_t, args->data);
    while (is_chosen(args) && *word != 1)
        ;
    simt_barrier();
}

/* Each warp waits at another barrier. */
SIMT_KERNEL(crossed_barriers, const faults_args *args)
{
    if (is_chosen(args))
        simt_barrier_number(1);
    else
        simt_barrier_number(2);
}
