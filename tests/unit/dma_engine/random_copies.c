/* SPDX-License-Identifier: MIT */
/* Random copies and fills of every alignment and length, both ways, as many at a time as there are channels, against memcpy. */
#include "rig.h"

#include <stdio.h>
#include <string.h>

#define SEEDS 60u
#define COPIES 40u
#define PARTS 8u /* copies under way at a time have parts of their own */
#define PART (MEMORY_BYTES / PARTS)

typedef struct reference {
    uint8_t host[MEMORY_BYTES];
    uint8_t device[MEMORY_BYTES];
} reference;

static uint64_t pick(rig *rig, uint64_t count)
{
    return kit_random(&rig->random) % count;
}

static uint64_t length(rig *rig)
{
    static const uint64_t lengths[] = {1, 2, 3, 127, 128, 129, 255, 256, 257, 1000};
    return pick(rig, 2) ? lengths[pick(rig, 10)] : 1 + pick(rig, PART / 2);
}

static void random_copy(rig *rig, reference *expected, uint32_t number, hd_time t)
{
    const uint64_t part = (uint64_t)(number % PARTS) * PART, bytes = length(rig);
    const uint64_t host = part + pick(rig, PART - bytes + 1), device = part + pick(rig, PART - bytes + 1);
    const uint32_t direction = (uint32_t)pick(rig, 3);
    rig_start(rig, number, direction, host, device, bytes, t);
    if (direction == HD_COPY_FILL)
        memset(expected->device + device, (int)(host & 0xFF), bytes);
    else if (direction == HD_COPY_TO_DEVICE)
        memcpy(expected->device + device, expected->host + host, bytes);
    else
        memcpy(expected->host + host, expected->device + device, bytes);
}

static void random_parameters(uint64_t seed, char (*texts)[32], const char **parameters)
{
    static const char *const names[] = {"channels", "burst", "outstanding", "link.width", "setup"};
    static const char *const units[] = {"", " B", "", " B", " cycles"};
    const uint64_t limits[] = {4, 300, 8, 40, 20};
    for (uint32_t i = 0; i < 5; i++) {
        snprintf(texts[i], sizeof texts[i], "%s=%llu%s", names[i],
                 (unsigned long long)(1 + kit_random(&seed) % limits[i]), units[i]);
        parameters[i] = texts[i];
    }
    parameters[5] = NULL;
}

static void one_seed(uint64_t seed)
{
    static rig rig;
    static reference expected;
    char texts[5][32];
    const char *parameters[6];
    random_parameters(seed, texts, parameters);
    rig_open(&rig, parameters);
    rig.random = seed;
    rig.host.jitter = pick(&rig, 40);
    rig.device.jitter = pick(&rig, 40);
    kit_disturb(rig.kit, seed);
    memcpy(expected.host, rig.host.bytes, MEMORY_BYTES);
    memcpy(expected.device, rig.device.bytes, MEMORY_BYTES);
    for (uint32_t i = 0; i < COPIES; i++) {
        random_copy(&rig, &expected, i, kit_now(rig.kit));
        for (uint32_t k = 0; k < PARTS && i % PARTS == PARTS - 1; k++)
            rig_expect_end(&rig, kit_now(rig.kit) + (hd_time)1000000 * CYCLE);
    }
    cr_expect_arr_eq(rig.host.bytes, expected.host, MEMORY_BYTES, "seed %llu", (unsigned long long)seed);
    cr_expect_arr_eq(rig.device.bytes, expected.device, MEMORY_BYTES, "seed %llu", (unsigned long long)seed);
    rig_close(&rig);
}

Test(dma_engine, random_copies_move_what_memcpy_moves)
{
    for (uint64_t seed = 1; seed <= SEEDS; seed++)
        one_seed(seed);
}
