/* SPDX-License-Identifier: MIT */
/* Kernel programs that come and go among the allocations of device memory; firmware has one, which stays. */
#ifndef HD_HOST_HEAP_IMAGES_H
#define HD_HOST_HEAP_IMAGES_H

#include "runtime_heap.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A block that has a byte of begin .. end - 1; NULL: none. Lent. */
const heap_block *heap_images_in_the_way(const runtime_heap *heap, uint64_t begin, uint64_t end);
/* The lowest multiple of `alignment` from which on so many bytes are free; 0: there is none. */
uint64_t heap_images_place(const runtime_heap *heap, uint64_t bytes, uint32_t alignment);
/* Takes out a block that heap_enter has entered for a program at this address. */
void heap_images_leave(runtime_heap *heap, uint32_t address);

#ifdef __cplusplus
}
#endif

#endif
