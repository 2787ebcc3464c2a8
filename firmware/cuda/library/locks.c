/* SPDX-License-Identifier: MIT */
/* Atomics of 64 bits, which the hardware has not: under a lock. The words are read and written by atomics of 32 bits, past caches. */
#include <stdint.h>

#define LOCKS 256u

static uint32_t locks[LOCKS];

static uint64_t read_words(uint32_t *place)
{
    const uint32_t low = __atomic_fetch_or(place, 0, __ATOMIC_RELAXED);
    return (uint64_t)__atomic_fetch_or(place + 1, 0, __ATOMIC_RELAXED) << 32 | low;
}

static void write_words(uint32_t *place, uint64_t value)
{
    __atomic_exchange_n(place, (uint32_t)value, __ATOMIC_RELAXED);
    __atomic_exchange_n(place + 1, (uint32_t)(value >> 32), __ATOMIC_RELAXED);
}

static void fence(void)
{
    __asm__ volatile("fence rw, rw" ::: "memory");
}

/* Lanes of a warp may want one lock: whoever has it gives it back within the round in which it got it. The compiler must not know that the
 * flag has just been set, or it moves the release behind the loop, where lanes that have it would wait for those that want it. */
#define LOCKED(change)                                                                                                 \
    uint32_t *lock = &locks[((uintptr_t)place >> 3) % LOCKS], waits = 1;                                               \
    uint64_t before = 0;                                                                                               \
    do {                                                                                                               \
        if (!__atomic_exchange_n(lock, 1, __ATOMIC_RELAXED)) {                                                         \
            fence();                                                                                                   \
            before = read_words(place);                                                                                \
            write_words(place, change);                                                                                \
            fence();                                                                                                   \
            __atomic_exchange_n(lock, 0, __ATOMIC_RELAXED);                                                            \
            waits = 0;                                                                                                 \
        }                                                                                                              \
        __asm__ volatile("" : "+r"(waits));                                                                            \
    } while (waits);                                                                                                   \
    return before

#define LOCKED_FUNCTION(name, change)                                                                                  \
    __attribute__((noinline)) uint64_t name(uint32_t *place, uint64_t value);                                          \
    uint64_t name(uint32_t *place, uint64_t value)                                                                     \
    {                                                                                                                  \
        LOCKED(change);                                                                                                \
    }

LOCKED_FUNCTION(heddle_locked_add, before + value)
LOCKED_FUNCTION(heddle_locked_exchange, value)
LOCKED_FUNCTION(heddle_locked_and, before &value)
LOCKED_FUNCTION(heddle_locked_or, before | value)
LOCKED_FUNCTION(heddle_locked_xor, before ^ value)
LOCKED_FUNCTION(heddle_locked_min, before < value ? before : value)
LOCKED_FUNCTION(heddle_locked_max, before > value ? before : value)
LOCKED_FUNCTION(heddle_locked_min_signed, (int64_t)before < (int64_t)value ? before : value)
LOCKED_FUNCTION(heddle_locked_max_signed, (int64_t)before > (int64_t)value ? before : value)

__attribute__((noinline)) uint64_t heddle_locked_compare_and_swap(uint32_t *place, uint64_t expected, uint64_t desired);
uint64_t heddle_locked_compare_and_swap(uint32_t *place, uint64_t expected, uint64_t desired)
{
    LOCKED(before == expected ? desired : before);
}

static double as_double(uint64_t bits)
{
    double value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

static uint64_t as_bits(double value)
{
    uint64_t bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint64_t add_double(uint32_t *place, double value)
{
    LOCKED(as_bits(as_double(before) + value));
}

__attribute__((noinline)) double heddle_locked_add_double(uint32_t *place, double value);
double heddle_locked_add_double(uint32_t *place, double value)
{
    return as_double(add_double(place, value));
}
