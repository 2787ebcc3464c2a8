/* SPDX-License-Identifier: MIT */
/* A device for tests: it has memory, and lanes that take a time for each operation that is easy to say. */
#ifndef FAKE_DEVICE_H
#define FAKE_DEVICE_H

#include "device.h"

#define FAKE_STEP 1000u /* ps */
#define FAKE_BYTES_PER_STEP 64u
#define FAKE_MEMORY 65536u
#define FAKE_LANES 6u

typedef struct fake_device {
    uint32_t fails_at_step; /* it stops then; 0: never */
    uint32_t refuses_after; /* so many operations; 0: never */
    uint32_t refuses_launches;
    uint32_t refuses_machine;
    uint32_t steps;
    uint32_t allocations; /* that there are */
    uint32_t programs;
    uint32_t finished;
    device_operation last_launch;
    uint8_t last_arguments[256];
    char last_kernel[32];
} fake_device;

extern fake_device fake;

#endif
