/* SPDX-License-Identifier: MIT */
/* What is read is compared with what was written. */
#include "rig.h"

#include <string.h>

#define RUN(...) ((const char *[]){"outstanding=20", "duration=3000 cycles", "footprint=768 B", __VA_ARGS__, NULL})

static void expect_all_good(const char *const *parameters)
{
    rig *rig = rig_open(parameters, 1, 3, 64);
    kit_run_until(rig->kit, 5000 * CYCLE);
    cr_expect_gt(rig_statistic(rig, "bytes_compared"), 3000);
    cr_expect_eq(rig_statistic(rig, "offered"), rig->count);
    rig_close(rig);
}

Test(traffic_data, good_memory_is_found_good)
{
    expect_all_good(RUN("writes=50"));
    expect_all_good(RUN("writes=50", "bytes=4 B", "pattern=random"));
    expect_all_good(RUN("writes=30", "atomics=40", "bytes=16 B", "pattern=random"));
    expect_all_good(RUN("writes=30", "atomics=40", "region=shared"));
    expect_all_good(RUN("writes=0"));
}

static void expect_fault(const char *const *parameters, uint32_t spoilt, uint32_t swaps)
{
    rig *rig = rig_open(parameters, 1, 3, 64);
    rig->spoilt = spoilt;
    rig->swaps = swaps;
    kit_expect_fault(rig->kit);
    kit_run_until(rig->kit, 5000 * CYCLE);
    cr_assert(kit_fault_text(rig->kit), "not found");
    cr_expect(!strncmp(kit_fault_text(rig->kit), "core read 0x", 12), "%s", kit_fault_text(rig->kit));
    cr_expect_eq(kit_next(rig->kit), HD_NEVER);
    rig_close(rig);
}

Test(traffic_data, one_wrong_byte_is_found)
{
    expect_fault(RUN("writes=50"), 40, 0);
    expect_fault(RUN("writes=50", "region=shared"), 40, 0);
    expect_fault(RUN("writes=50", "bytes=4 B"), 200, 0);
    expect_fault(RUN("writes=0"), 7, 0);
}

/* Only where a place has one writer is it known which value is the last. */
Test(traffic_data, a_lost_store_is_found_in_a_region_of_its_own)
{
    expect_fault(RUN("writes=50"), 0, 8);
    expect_fault(RUN("writes=50", "bytes=4 B", "pattern=random"), 0, 30);
}

Test(traffic_data, stores_of_others_are_known_in_a_shared_region)
{
    rig *a = rig_open(RUN("writes=100", "region=shared"), 0, 3, 64);
    kit_run_until(a->kit, 5000 * CYCLE);
    rig *b = rig_open(RUN("region=shared", "pattern=random"), 2, 3, 64);
    kit_run_until(b->kit, 1 * CYCLE);
    memcpy(b->memory, a->memory, sizeof b->memory);
    kit_run_until(b->kit, 5000 * CYCLE);
    cr_expect_gt(rig_statistic(b, "bytes_compared"), 10000);
    rig_close(a);
    rig_close(b);
}

/* After a reset nothing was ever written. */
Test(traffic_data, a_reset_forgets_what_was_written)
{
    rig *rig = rig_open(RUN("writes=50"), 0, 3, 64);
    kit_run_until(rig->kit, 5000 * CYCLE);
    kit_reset(rig->kit);
    memset(rig->memory, 0, sizeof rig->memory);
    kit_run_until(rig->kit, 5000 * CYCLE);
    cr_expect_gt(rig_statistic(rig, "bytes_compared"), 10000);
    rig_close(rig);
}

/* Version 0 means: never written. */
Test(traffic_data, versions_begin_again_at_one)
{
    rig *rig = rig_open(RUN("writes=100", "requests=1"), 0, 3, 64);
    kit_start(rig->kit);
    generator *self = (generator *)kit_instance(rig->kit);
    const request store = {.address = self->base + 128, .bytes = 128, .operation = OPERATION_STORE};
    self->versions[1] = UINT16_MAX;
    cr_expect_eq(data_version(self, &store), UINT16_MAX + 1, "not so soon");
    self->versions[1] = UINT32_MAX - 1;
    cr_expect_eq(data_version(self, &store), UINT32_MAX);
    cr_expect_eq(data_version(self, &store), 1);
    rig_close(rig);
}
