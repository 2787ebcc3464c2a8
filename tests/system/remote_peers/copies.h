/* SPDX-License-Identifier: MIT */
/* What a host of a machine with a DMA engine does, whatever it speaks: two copies, from its memory to the device and back to another place. */
#ifndef SYSTEM_COPIES_H
#define SYSTEM_COPIES_H

#include <stdint.h>

#define COPIES_COUNT 2u
#define COPIES_HOST_BYTES 65536u /* host memory, from address 0 on */

/* One write, as the machine knows it, after the other; then it waits for COPIES_COUNT interrupts. */
typedef struct copies_step {
    uint64_t address;
    const void *data;
    uint32_t bytes;
} copies_step;
#define COPIES_STEPS 5u
extern const copies_step copies_steps[COPIES_STEPS];

#define COPIES_REGISTERS UINT64_C(0x10000000000)
#define COPIES_IDENTIFICATION 0x31444548u /* what is there */

void copies_fill(uint8_t *memory);
/* 1: both have been made. */
int copies_are_made(const uint8_t *memory);

#endif
