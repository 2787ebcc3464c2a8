/* SPDX-License-Identifier: MIT */
/*
 * What host.c and kernel.c of one app share: device pointers and argument blocks, laid out alike on both sides.
 *
 * An app declares its arguments once, in a header that both include:
 *
 *     typedef struct vecadd_args {
 *         hd_device_ptr a, b, c;
 *         uint32_t n;
 *     } vecadd_args;
 *     HD_ARGUMENT_BLOCK(vecadd_args, 16);
 *
 * The host passes &args and sizeof args to hd_launch. The kernel's entry function receives the block's address:
 *
 *     void vecadd(const vecadd_args *args)
 *     {
 *         float *c = HD_POINTER(float, args->c);
 *
 * Fields are of 4 bytes or less: uint32_t, int32_t, float, hd_device_ptr, smaller integers, arrays and structs of them.
 */
#ifndef HEDDLE_ARGS_H
#define HEDDLE_ARGS_H

#include <stdint.h>

/* An address in device memory; a type of its own, so that a host pointer cannot be mistaken for one. address 0 = null. */
typedef struct hd_device_ptr {
    uint32_t address;
} hd_device_ptr;

#define HD_ARGUMENT_BYTES_MAX 4096u

/*
 * A record of the kernel file's section .heddle.arguments: the size of an argument block and the name of its type; or, size
 * HD_ARGUMENT_KERNEL, the name of a kernel and, behind its 0, the parameters that it is declared with. So a launch with a
 * block that is not the kernel's is refused. Records lie one behind the other.
 */
#define HD_ARGUMENT_KERNEL 0xFFFFFFFFu
#if defined(__riscv) && __riscv_xlen == 32
#define HD_ARGUMENT_RECORD(label, size, words)                                                                         \
    static const struct {                                                                                              \
        uint32_t record_bytes, argument_bytes;                                                                         \
        char text[sizeof(words)];                                                                                      \
    } label __attribute__((used, aligned(4), section(".heddle.arguments"))) = {sizeof label, size, words}
#else
#define HD_ARGUMENT_RECORD(label, size, words) _Static_assert(1, "")
#endif

/* Stands behind the struct. Refuses what a 32-bit device would lay out differently: host pointers, long, double, 64-bit
 * integers (their alignment is 8), and a size that is not the one stated. */
#define HD_ARGUMENT_BLOCK(type, bytes)                                                                                 \
    _Static_assert(_Alignof(type) <= 4, #type ": an argument block holds fields of at most 4 bytes");                  \
    _Static_assert(sizeof(type) == (bytes), #type ": the argument block is not of the stated size");                   \
    _Static_assert(sizeof(type) <= HD_ARGUMENT_BYTES_MAX, #type ": the argument block is too large");                  \
    HD_ARGUMENT_RECORD(heddle_block_##type, bytes, #type)

/* A device pointer as the kernel uses it. On the device only: the host cannot dereference it. */
#if defined(__riscv) && __riscv_xlen == 32
#define HD_POINTER(type, pointer) ((type *)(uintptr_t)(pointer).address)
#endif

/* The pointer `bytes` further on. */
static inline hd_device_ptr hd_offset(hd_device_ptr pointer, uint32_t bytes)
{
    hd_device_ptr moved = {pointer.address + bytes};
    return moved;
}

#endif
