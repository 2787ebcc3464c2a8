/* SPDX-License-Identifier: MIT */
#include "grow.h"

#include <stdlib.h>

void *observe_grow(void *array, uint32_t count, uint32_t *capacity, size_t element_bytes)
{
    if (count < *capacity)
        return array;
    *capacity = *capacity ? 2 * *capacity : 16;
    array = realloc(array, *capacity * element_bytes);
    if (!array)
        abort();
    return array;
}
