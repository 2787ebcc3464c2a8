/* SPDX-License-Identifier: MIT */
/* For programs that are about pinning: two cores, number 0 with vectors of 256 bits and number 1 with 128. */
#ifndef HEDDLE_PINS_H
#define HEDDLE_PINS_H

#include "vector.h"

#define BIG 0u
#define LITTLE 1u

/* The number of the check that fails is what the program ends with. */
#define CHECK(number, condition)                                                                                       \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            call(CALL_EXIT, number, 0);                                                                                \
    } while (0)

static inline uint32_t move_to(uint32_t core)
{
    return call(CALL_MOVE, core, 0);
}
static inline uint32_t core_now(void)
{
    return call(CALL_CORE, 0, 0);
}

/* pins.S. Bytes of a vector register: an instruction that depends on the vector length. */
uint32_t vector_bytes(void);
/* Vector register 8, all of it: its bytes become first, first + 1, ...; how many are not. */
void fill_vector(uint32_t first);
uint32_t count_wrong(uint32_t first);
/* The same of 32 bytes, whatever vl is now. */
uint32_t lost_elements(uint32_t first);
/* Executes unpin.vl, or pin.vl; returns the cause of the exception that it raises, or 0. */
uint32_t cause_of_unpin(void);
uint32_t cause_of_pin(void);

#endif
