/* SPDX-License-Identifier: MIT */
/* Every parameter changes what a fixed load sees. */
#include "bench.h"

#include <stdlib.h>

static uint64_t fingerprint(const char *parameter)
{
    struct memory *memory = make_memory();
    /* Scarce enough for every limit to be met. */
    static const char *const standard[] = {"bytes=4 KiB",    "ways=4",       "replacement=lru", "port_bytes=64 B",
                                           "atomic_words=1", "mshrs=4",      "mshr_targets=3",  "write_backs=1",
                                           "reply_queue=1",  "versions=4096"};
    const char *parameters[16];
    uint32_t count = 0;
    for (size_t i = 0; i < sizeof standard / sizeof *standard; i++) {
        const size_t name = strcspn(standard[i], "=") + 1;
        parameters[count++] = parameter && strncmp(parameter, standard[i], name) == 0 ? parameter : standard[i];
    }
    parameters[count] = NULL;
    kit_block *kit = make(memory, parameters, 1);
    kit_hold_credits(kit, REPLY, 0, 1);
    uint64_t seed = 3;
    for (uint32_t i = 0; i < 1500; i++) {
        const uint64_t line = kit_random(&seed) % 64 * LINE;
        const hd_atomic_operation operations[] = {
            {.operation = HD_ATOMIC_ADD, .word = 1, .operand = i},
            {.operation = HD_ATOMIC_LOAD_RESERVED, .word = 2},
        };
        const uint64_t kind = kit_random(&seed) % 4;
        if (kind == 0)
            atomic(kit, 0, line, operations, 2, i, 0);
        else if (kind == 1)
            store(kit, 0, line, LINE, UINT32_MAX, (uint8_t)i, i, 0);
        else
            load(kit, 0, i % 8 ? line : 0, LINE, i, 0);
    }
    kit_run_until(kit, 2000 * CYCLE);
    kit_hold_credits(kit, REPLY, 0, 0);
    kit_release_credits(kit, REPLY, 0, UINT32_MAX, 2000 * CYCLE);
    kit_run_until(kit, 200000 * CYCLE);
    cr_assert_eq(kit_waiting(kit, REPLY, 0), 1500, "%s", parameter ? parameter : "standard");
    const uint64_t result = kit_fingerprint(kit);
    kit_destroy(kit);
    free(memory);
    return result;
}

Test(l2_slice, every_parameter_matters)
{
    static const char *const changes[] = {
        "bytes=8 KiB", "ways=2",         "replacement=fifo", "port_bytes=32 B", "atomic_words=2",
        "mshrs=8",     "mshr_targets=1", "write_backs=9",    "reply_queue=9",   "versions=1",
    };
    const uint64_t standard = fingerprint(NULL);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        cr_expect_neq(fingerprint(changes[i]), standard, "%s changes nothing", changes[i]);
}
