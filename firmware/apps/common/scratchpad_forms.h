/* SPDX-License-Identifier: MIT */
/* What host programs of apps share whose threads meet in the scratchpad: forms (app.sync), blocks, sizes. Kernels: in_scratchpad.h. */
#ifndef SCRATCHPAD_FORMS_H
#define SCRATCHPAD_FORMS_H

#include "packed.h"
#include "transactional.h"

enum { FORM_TM, FORM_LOCKS, FORM_SERIAL, FORM_ATOMICS };

/* The last one is not for apps without atomics. */
static inline uint32_t scratchpad_form(const char *sync, uint32_t has_atomics)
{
    static const char *const names[] = {
        [FORM_TM] = "tm", [FORM_LOCKS] = "locks", [FORM_SERIAL] = "serial", [FORM_ATOMICS] = "atomics"};
    return host_choice("sync", sync, names, has_atomics ? 4 : 3);
}

/* Blocks, and threads of each. */
typedef struct form_shape {
    uint32_t grid, block;
} form_shape;

/* Different numbers below a limit, ascending: locks are taken in this order. */
static inline void host_random_ascending(uint64_t *random, uint32_t below, uint32_t *numbers, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t number = host_random_below(random, below - i), place = 0;
        for (; place < i && numbers[place] <= number; place++)
            number++;
        memmove(&numbers[place + 1], &numbers[place], (i - place) * sizeof *numbers);
        numbers[place] = number;
    }
}

#endif
