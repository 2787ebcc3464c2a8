/* SPDX-License-Identifier: MIT */
/* FNV-1a of 64 bits, a hash of bytes in the order in which they come: the same on every machine. Source: Fowler, Noll, Vo. */
#ifndef HD_FNV_H
#define HD_FNV_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HD_FNV_START UINT64_C(0xCBF29CE484222325) /* of no bytes */

/* The hash of what came before, and of these bytes behind it. */
static inline uint64_t hd_fnv_add(uint64_t hash, const void *bytes, size_t count)
{
    const uint8_t *byte = (const uint8_t *)bytes;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ byte[i]) * UINT64_C(0x100000001B3);
    return hash;
}

#ifdef __cplusplus
}
#endif

#endif
