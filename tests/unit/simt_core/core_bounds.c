/* SPDX-License-Identifier: MIT */
/* A core reads and writes no more than it has, traced or not: behind its arrays lies memory that nobody may touch. */
#include <criterion/criterion.h>

#include "allocations.h"
#include "core_everything.h"

Test(simt_core, stays_within_its_arrays)
{
    static const char *const machines[][4] = {{NULL}, {"reconvergence=mimd", "l1.global=cache", "scheduler=lrr", NULL}};
    for (uint32_t m = 0; m < 2; m++) {
        for (uint32_t traced = 0; traced < 2; traced++) {
            rig_record(traced);
            allocations_fence(1);
            core_rig *rig = everything_create(machines[m]);
            allocations_fence(0);
            everything_launch(rig);
            rig_finish(rig);
            cr_expect_null(kit_fault_text(rig_kit(rig)));
            rig_destroy(rig);
        }
    }
    rig_record(0);
}
