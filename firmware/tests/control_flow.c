/* SPDX-License-Identifier: MIT */
/*
 * The shapes of control_flow.S as a compiler makes them, at several levels of optimisation, and the worst it can make
 * without the flags of kernels. flow_oracle compares all of their meeting points with what paths say; PARTS and MEETS are
 * its markers, and hold where the compiler may not copy code.
 */
#include "simt.h"

typedef struct flow_args {
    hd_device_ptr in;
    hd_device_ptr out;
    uint32_t n;
} flow_args;

#define IN HD_POINTER(volatile uint32_t, args->in)
#define OUT HD_POINTER(volatile uint32_t, args->out)

#ifdef MARKERS
#define MARKER(name) __asm__ volatile(".type " name ", @object\n\t.size " name ", 0\n" name ":")
#else
#define MARKER(name) ((void)0)
#endif
#define PARTS(name) MARKER(name "_parts")
#define MEETS(name) MARKER(name "_meets")

#define NOINLINE __attribute__((noinline))

NOINLINE static _Noreturn void give_up(volatile uint32_t *out)
{
    *out = 99;
    __builtin_trap();
}

NOINLINE static _Noreturn void wait_for_ever(volatile uint32_t *out)
{
    for (;;)
        *out += *out & 1 ? 3 : 1;
}

NOINLINE static uint32_t leaf(volatile uint32_t *in, uint32_t n)
{
    return in[n] ? in[0] : in[1] + n;
}

NOINLINE static uint32_t several_returns(volatile uint32_t *in, uint32_t n)
{
    if (in[0] == n)
        return in[3];
    if (in[1] > n) {
        in[2] = n;
        return 7;
    }
    while (in[n]) {
        if (in[n] == 9)
            return in[4];
        n++;
    }
    return n;
}

NOINLINE static uint32_t factorial(volatile uint32_t *in, uint32_t n)
{
    uint32_t below = 1;
    in[n]++;
    if (n > 1)
        below = factorial(in, n - 1);
    in[n]--;
    return n * below;
}

NOINLINE static uint32_t odd(volatile uint32_t *in, uint32_t n);

NOINLINE static uint32_t even(volatile uint32_t *in, uint32_t n)
{
    return n == 0 ? in[0] : odd(in, n - 1);
}

NOINLINE static uint32_t odd(volatile uint32_t *in, uint32_t n)
{
    return n == 0 ? in[1] : even(in, n - 1);
}

NOINLINE static uint32_t tail(volatile uint32_t *in, uint32_t n)
{
    if (in[n] & 1)
        return leaf(in, n + 1);
    if (in[n] & 2)
        return several_returns(in, n);
    return in[n];
}

NOINLINE static uint32_t dense_switch(volatile uint32_t *in, uint32_t n)
{
    switch (in[n]) {
    case 0: return in[5];
    case 1: in[1] = n; break;
    case 2: in[2]++; /* fall through */
    case 3: in[3] = n ? 4 : 5; break;
    case 4: return leaf(in, n);
    case 5: in[6] = 1; break;
    case 6: give_up(in);
    default: in[7] = 2;
    }
    return in[8];
}

SIMT_KERNEL(two_arms, const flow_args *args)
{
    PARTS("two_arms");
    if (IN[0] > args->n)
        OUT[1] = 1;
    else
        OUT[2] = 2;
    MEETS("two_arms");
    OUT[3] = IN[3];
}

SIMT_KERNEL(loop_with_break, const flow_args *args)
{
    uint32_t i = 0;
    for (; IN[i] != args->n; i++) {
        if (IN[i + 1] == 5)
            break;
        if (IN[i] == 7)
            continue;
        OUT[i] = i;
    }
    OUT[i] = 1;
}

SIMT_KERNEL(arm_that_gives_up, const flow_args *args)
{
    PARTS("arm_that_gives_up");
    if (IN[0] > args->n)
        give_up(OUT);
    MEETS("arm_that_gives_up");
    OUT[1] = IN[1];
}

SIMT_KERNEL(arm_that_never_ends, const flow_args *args)
{
    PARTS("arm_that_never_ends");
    if (IN[0] > args->n)
        wait_for_ever(OUT);
    MEETS("arm_that_never_ends");
    OUT[1] = IN[1];
}

SIMT_KERNEL(calls_of_all_kinds, const flow_args *args)
{
    uint32_t n = args->n;
    OUT[0] = several_returns(IN, n);
    OUT[1] = factorial(IN, n);
    OUT[2] = even(IN, n);
    OUT[3] = tail(IN, n);
    OUT[4] = dense_switch(IN, n);
}

SIMT_KERNEL(arm_with_recursion, const flow_args *args)
{
    PARTS("arm_with_recursion");
    if (IN[0])
        OUT[0] = factorial(IN, args->n);
    MEETS("arm_with_recursion");
    OUT[1] = IN[1];
}

SIMT_KERNEL(pointers_to_functions, const flow_args *args)
{
    static uint32_t (*const functions[])(volatile uint32_t *, uint32_t) = {leaf, several_returns, tail};
    PARTS("pointers_to_functions");
    if (IN[0] < 3)
        OUT[0] = functions[IN[0]](IN, args->n);
    MEETS("pointers_to_functions");
    OUT[1] = IN[1];
}

SIMT_KERNEL(go_to, const flow_args *args)
{
    uint32_t i = 0;
    if (IN[0])
        goto middle;
again:
    OUT[i] = i;
middle:
    i++;
    if (IN[i] == 3)
        goto again;
    if (IN[i] == 4)
        goto end;
    if (IN[i] < args->n)
        goto middle;
    OUT[1] = 8;
end:
    OUT[2] = 9;
}
