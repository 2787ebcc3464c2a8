/* SPDX-License-Identifier: MIT */
#ifndef OBSERVE_GROW_H
#define OBSERVE_GROW_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Room for one element more than count: the array, maybe moved. Ends the process where there is no memory. */
void *observe_grow(void *array, uint32_t count, uint32_t *capacity, size_t element_bytes);

#ifdef __cplusplus
}
#endif

#endif
