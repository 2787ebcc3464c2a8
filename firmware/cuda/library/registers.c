/* SPDX-License-Identifier: MIT */
/* Who am I, fences and clocks: instructions and registers of docs/isa.md, by the names that clang has for NVIDIA's and those of heddle_cuda_*.h. */
#include <stdint.h>

#include "hd_address.h"

#define BUILT_IN __attribute__((always_inline))

/* platform/kernelc renames clang's llvm.nvvm.* to heddle.nvvm.*. */
#define REGISTER(function, name, number)                                                                               \
    BUILT_IN __attribute__((const)) uint32_t function(void) __asm__(name);                                             \
    uint32_t function(void)                                                                                            \
    {                                                                                                                  \
        uint32_t value;                                                                                                \
        __asm__("csrr %0, " number : "=r"(value));                                                                     \
        return value;                                                                                                  \
    }
#define THREE_REGISTERS(function, name, x, y, z)                                                                       \
    REGISTER(function##_x, name ".x", x)                                                                               \
    REGISTER(function##_y, name ".y", y)                                                                               \
    REGISTER(function##_z, name ".z", z)
THREE_REGISTERS(thread_index, "heddle.nvvm.read.ptx.sreg.tid", "0xCC0", "0xCC1", "0xCC2")
THREE_REGISTERS(block_index, "heddle.nvvm.read.ptx.sreg.ctaid", "0xCC3", "0xCC4", "0xCC5")
THREE_REGISTERS(block_size, "heddle.nvvm.read.ptx.sreg.ntid", "0xCC6", "0xCC7", "0xCC8")
THREE_REGISTERS(grid_size, "heddle.nvvm.read.ptx.sreg.nctaid", "0xCC9", "0xCCA", "0xCCB")
REGISTER(lane, "heddle_lane", "0xCCC")

/* The runtime says it to each launch (platform/kernelc/kernel_format.h). */
BUILT_IN __attribute__((const)) uint32_t heddle_warp_lanes(void);
uint32_t heddle_warp_lanes(void)
{
    return *(const uint32_t *)HD_CONSTANT_BASE;
}

BUILT_IN uint32_t heddle_cycle(void);
uint32_t heddle_cycle(void)
{
    uint32_t value;
    __asm__ volatile("csrr %0, cycle" : "=r"(value));
    return value;
}

BUILT_IN uint64_t heddle_cycle_64(void);
uint64_t heddle_cycle_64(void)
{
    uint32_t high, low, again;
    do {
        __asm__ volatile("csrr %0, cycleh\n\tcsrr %1, cycle\n\tcsrr %2, cycleh" : "=&r"(high), "=&r"(low), "=&r"(again));
    } while (high != again);
    return (uint64_t)high << 32 | low;
}

#define FENCE(function, name)                                                                                          \
    BUILT_IN void function(void) __asm__(name);                                                                        \
    void function(void)                                                                                                \
    {                                                                                                                  \
        __asm__ volatile("fence rw, rw" ::: "memory");                                                                 \
    }
FENCE(fence_of_device, "heddle.nvvm.membar.gl")
FENCE(fence_of_block, "heddle.nvvm.membar.cta")
FENCE(fence_of_system, "heddle.nvvm.membar.sys")

BUILT_IN uint32_t heddle_compare_and_swap(uint32_t *place, uint32_t expected, uint32_t desired);
uint32_t heddle_compare_and_swap(uint32_t *place, uint32_t expected, uint32_t desired)
{
    __asm__ volatile(".insn r 0x2F, 2, 0x14, %0, %1, %2" : "+&r"(expected) : "r"(place), "r"(desired) : "memory");
    return expected;
}

/* Ends the run: the text is said with the place. */
BUILT_IN __attribute__((noreturn)) void heddle_assert_fail(const char *text);
void heddle_assert_fail(const char *text)
{
    register const char *in_place __asm__("a0") = text;
    __asm__ volatile(".insn i 0x0B, 7, x0, %0, -1024" : : "r"(in_place));
    __builtin_unreachable();
}

BUILT_IN __attribute__((noreturn)) void heddle_trap(void);
void heddle_trap(void)
{
    heddle_assert_fail("__trap");
}
