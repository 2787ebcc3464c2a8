/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/transactional.h"

enum { TEST_LOCK, ARRAY_MAXIMUM };
enum { SPIN, LOOK, TEST, BACK_OFF, NAMED, INSIDE, WAITS };

static const char *const kernels[][WAITS] = {[TEST_LOCK] = {[SPIN] = "test_lock_spin",
                                                            [LOOK] = "test_lock_look",
                                                            [TEST] = "test_lock_test",
                                                            [BACK_OFF] = "test_lock_back_off",
                                                            [NAMED] = "test_lock_named",
                                                            [INSIDE] = "test_lock_inside"},
                                             [ARRAY_MAXIMUM] = {[SPIN] = "array_maximum_spin",
                                                                [LOOK] = "array_maximum_look",
                                                                [TEST] = "array_maximum_test",
                                                                [BACK_OFF] = "array_maximum_back_off",
                                                                [NAMED] = "array_maximum_named",
                                                                [INSIDE] = "array_maximum_inside"}};

/* What is below its lock in the end, and the lock itself free. */
static void check(const openmp_locks_args *args, const uint32_t *array, uint32_t program)
{
    uint32_t *expected = hd_host_alloc(args->count * sizeof *expected);
    memset(expected, 0, args->count * sizeof *expected);
    for (uint32_t i = 0; i < args->elements; i++) {
        uint32_t *value = &expected[i % args->count];
        if (program == TEST_LOCK)
            *value += 1;
        else if (*value < array[i])
            *value = array[i];
    }
    const guarded *got = host_download(args->guarded, args->count * sizeof *got);
    for (uint32_t i = 0; i < args->count; i++) {
        host_check_word("value", i, got[i].value, expected[i]);
        host_check_word("lock", i, got[i].lock, 0);
    }
}

int hd_app_main(void)
{
    static const char *const programs[] = {[TEST_LOCK] = "test_lock", [ARRAY_MAXIMUM] = "array_maximum"};
    static const char *const waits[] = {[SPIN] = "spin",         [LOOK] = "look",   [TEST] = "test",
                                        [BACK_OFF] = "back_off", [NAMED] = "named", [INSIDE] = "inside"};
    const uint32_t program = HOST_CHOICE("program", hd_option_text("program", "test_lock"), programs);
    const uint32_t wait = HOST_CHOICE("wait", hd_option_text("wait", "spin"), waits);
    const uint32_t block = host_option("block", 192, 1, 1024);
    const uint32_t grid = host_option("grid", 16, 1, 1u << 20);
    openmp_locks_args args = {.count = host_option("locks", 1, 1, 1u << 20),
                              .elements = host_option("elements", 3072, 1, 1u << 24),
                              .delay = host_option("delay", 50, 0, 1u << 20)};
    uint64_t random = hd_option("seed", 1);

    uint32_t *array = hd_host_alloc(args.elements * sizeof *array);
    for (uint32_t i = 0; i < args.elements; i++)
        array[i] = (uint32_t)hd_random(&random);
    args.array = host_upload(array, args.elements * sizeof *array);
    args.guarded = host_filled(0, args.count * sizeof(guarded));
    host_launch(kernels[program][wait], hd_1d(grid), hd_1d(block), 0, &args, sizeof args);
    check(&args, array, program);
    hd_report("elements", args.elements);
    return HD_PASS;
}
