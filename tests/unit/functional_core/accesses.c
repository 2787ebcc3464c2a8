/* SPDX-License-Identifier: MIT */
/* What the functional core reports of its accesses (hd_accesses.h). */
#include <criterion/criterion.h>

#include "core_told.h"
#include "functional_core.h"

Test(functional_accesses, all_that_threads_do_with_memory_is_reported)
{
    told_expect_all(&hd_simt_core_functional);
}

/* Lanes run one after the other: an attempt that gives up is taken back as a whole. */
Test(functional_accesses, transactions_say_how_they_end)
{
    const uint32_t words[] = {lui(A3, DATA),  begin_tx(1), csrr(T0, 0xCD0), sw(T0, 0, A3), addi(T1, ZERO, 2),
                              beq(T0, T1, 8), abort_tx(1), commit_tx(),     ret(),         0};
    static const char *const one_warp[] = {"warps=1", NULL};
    core_told told;
    rig_tells(told_begin(&told));
    core_rig *rig = rig_create_of(&hd_simt_core_functional, one_warp, words);
    rig_launch(rig, 1, 0);
    rig_finish(rig);
    rig_destroy(rig);
    const uint32_t aborted = told_find(&told, HD_ACCESS_ABORT), committed = told_find(&told, HD_ACCESS_COMMIT);
    cr_expect_lt(aborted, committed);
    cr_expect_eq(told.access[committed].lanes, 1);
    for (uint32_t i = 0; i < told.count; i++)
        if (told.access[i].kind == HD_ACCESS_STORE) {
            cr_expect_eq(told.access[i].flags, HD_ACCESS_TRANSACTIONAL);
            cr_expect_eq(told.value[i], i < aborted ? 1 : 2);
        }
}
