/* SPDX-License-Identifier: MIT */
/*
 * printf and assert of kernels. Part of simt.h.
 *
 *     simt_printf("%u: %g\n", i, x);
 *     simt_assert(i < n);
 *
 * Each active lane prints one line, behind the place in the source, its block and its thread:
 *
 *     kernel.c:12: block (0,0,0), thread (3,0,0): 3: 0.5
 *
 * The format and the texts of %s are constants; at most 7 arguments, of at most 32 bits; doubles become floats. Integers
 * of 32 bits are printed by %d, %u, %x. A failed assertion ends the run with its text and place; with NDEBUG nothing is
 * checked. A print is one instruction and takes one issue slot, as a mark would: it disturbs timing by no more than that
 * and what gathers its arguments.
 */
#ifndef SIMT_PRINT_H
#define SIMT_PRINT_H

#include <stdint.h>

/* gcc merges instructions at the end of two arms that are alike: a number of its own keeps each where it stands. */
#define SIMT_OWN_TEXT "\t# %[own]"
#define SIMT_OWN [own] "i"(__COUNTER__)

/* Never called: lets gcc compare the format with the arguments. */
__attribute__((format(printf, 1, 2))) void simt_check_format(const char *format, ...);
__attribute__((error("simt_printf prints values of at most 32 bits"))) uint32_t simt_word_of_64(uint64_t value);

static inline uint32_t simt_word_of_integer(uint32_t value)
{
    return value;
}

static inline uint32_t simt_word_of_pointer(const volatile void *value)
{
    return (uint32_t)value;
}

static inline uint32_t simt_word_of_float(float value)
{
    union {
        float value;
        uint32_t word;
    } bits = {.value = value};
    return bits.word;
}

/* clang-format off */
#define SIMT_WORD(value)                                                                                               \
    _Generic((value), float: simt_word_of_float, double: simt_word_of_float,                                           \
             char *: simt_word_of_pointer, const char *: simt_word_of_pointer,                                         \
             void *: simt_word_of_pointer, const void *: simt_word_of_pointer,                                         \
             volatile void *: simt_word_of_pointer, const volatile void *: simt_word_of_pointer,                       \
             long long: simt_word_of_64, unsigned long long: simt_word_of_64,                                          \
             default: simt_word_of_integer)(value)

/* uint32_t is unsigned long for this gcc, which %u would refuse. */
#define SIMT_CHECKED(value) _Generic((value), long: 0, unsigned long: 0u, default: (value))

/* EACH_n(X, first, ...): X of each of n arguments. */
#define SIMT_EACH_0(X)
#define SIMT_EACH_1(X, a) , X(a)
#define SIMT_EACH_2(X, a, ...) , X(a) SIMT_EACH_1(X, __VA_ARGS__)
#define SIMT_EACH_3(X, a, ...) , X(a) SIMT_EACH_2(X, __VA_ARGS__)
#define SIMT_EACH_4(X, a, ...) , X(a) SIMT_EACH_3(X, __VA_ARGS__)
#define SIMT_EACH_5(X, a, ...) , X(a) SIMT_EACH_4(X, __VA_ARGS__)
#define SIMT_EACH_6(X, a, ...) , X(a) SIMT_EACH_5(X, __VA_ARGS__)
#define SIMT_EACH_7(X, a, ...) , X(a) SIMT_EACH_6(X, __VA_ARGS__)

/* Argument n in register a<n>, and all up to it as operands. */
#define SIMT_REGISTER(n) register uint32_t simt_a##n __asm__("a" #n) = simt_words[n];
#define SIMT_REGISTERS_0
#define SIMT_REGISTERS_1 SIMT_REGISTER(1)
#define SIMT_REGISTERS_2 SIMT_REGISTERS_1 SIMT_REGISTER(2)
#define SIMT_REGISTERS_3 SIMT_REGISTERS_2 SIMT_REGISTER(3)
#define SIMT_REGISTERS_4 SIMT_REGISTERS_3 SIMT_REGISTER(4)
#define SIMT_REGISTERS_5 SIMT_REGISTERS_4 SIMT_REGISTER(5)
#define SIMT_REGISTERS_6 SIMT_REGISTERS_5 SIMT_REGISTER(6)
#define SIMT_REGISTERS_7 SIMT_REGISTERS_6 SIMT_REGISTER(7)
#define SIMT_OPERANDS_0
#define SIMT_OPERANDS_1 , "r"(simt_a1)
#define SIMT_OPERANDS_2 SIMT_OPERANDS_1, "r"(simt_a2)
#define SIMT_OPERANDS_3 SIMT_OPERANDS_2, "r"(simt_a3)
#define SIMT_OPERANDS_4 SIMT_OPERANDS_3, "r"(simt_a4)
#define SIMT_OPERANDS_5 SIMT_OPERANDS_4, "r"(simt_a5)
#define SIMT_OPERANDS_6 SIMT_OPERANDS_5, "r"(simt_a6)
#define SIMT_OPERANDS_7 SIMT_OPERANDS_6, "r"(simt_a7)
/* clang-format on */

#define SIMT_COUNT_OF(a0, a1, a2, a3, a4, a5, a6, a7, count, ...) count
#define SIMT_COUNT(...) SIMT_COUNT_OF(__VA_ARGS__, 7, 6, 5, 4, 3, 2, 1, 0, )
#define SIMT_JOIN_(a, b) a##b
#define SIMT_JOIN(a, b) SIMT_JOIN_(a, b)

#define SIMT_PRINT(n, text, ...)                                                                                       \
    do {                                                                                                               \
        if (0)                                                                                                         \
            simt_check_format(text SIMT_JOIN(SIMT_EACH_, n)(SIMT_CHECKED, ##__VA_ARGS__));                             \
        static const char simt_text[] = text;                                                                          \
        const uint32_t simt_words[] = {0 SIMT_JOIN(SIMT_EACH_, n)(SIMT_WORD, ##__VA_ARGS__)};                          \
        (void)simt_words;                                                                                              \
        register const char *simt_a0 __asm__("a0") = simt_text;                                                        \
        SIMT_JOIN(SIMT_REGISTERS_, n)                                                                                  \
        __asm__ volatile(".insn i 0x0B, 7, x0, %1, %0" SIMT_OWN_TEXT                                                   \
                         :                                                                                             \
                         : "i"(-2048 + n), "r"(simt_a0)SIMT_JOIN(SIMT_OPERANDS_, n), SIMT_OWN);                        \
    } while (0)
#define simt_printf(...) SIMT_PRINT_COUNTED(SIMT_COUNT(__VA_ARGS__), __VA_ARGS__)
#define SIMT_PRINT_COUNTED(n, ...) SIMT_PRINT(n, __VA_ARGS__)

#ifdef NDEBUG
#define simt_assert(condition) ((void)sizeof(condition))
#else
#define simt_assert(condition)                                                                                         \
    do {                                                                                                               \
        if (__builtin_expect(!(condition), 0)) {                                                                       \
            static const char simt_text[] = #condition;                                                                \
            register const char *simt_a0 __asm__("a0") = simt_text;                                                    \
            __asm__ volatile(".insn i 0x0B, 7, x0, %0, -1024" SIMT_OWN_TEXT : : "r"(simt_a0), SIMT_OWN);               \
            __builtin_unreachable();                                                                                   \
        }                                                                                                              \
    } while (0)
#endif

#endif
