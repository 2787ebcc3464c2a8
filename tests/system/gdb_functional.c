/* SPDX-License-Identifier: MIT */
/* Functional cores in sessions of the distribution's gdb: as timed ones, but that nothing is on its way. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "gdb_rig.h"
#include "transcript.h"

#define FUNCTIONAL SYSTEM_MACHINES "/functional.yaml"

TestSuite(gdb_functional, .init = rig_begin, .fini = rig_end, .timeout = 120);

static void expect_session(const char *app, const char *elf, const char *set, const char *name)
{
    debugged_run run = start_kernels(FUNCTIONAL, app, set);
    expect_kernel_session(&run, name, elf);
    expect_same_results(&run, FUNCTIONAL, app, set);
    free(run.results);
}

Test(gdb_functional, a_kernel_stops_in_a_lane_of_a_divergent_warp)
{
    expect_session(APP, APP "/kernel.elf", NULL, "functional");
}

Test(gdb_functional, accesses_are_watched)
{
    expect_session(WATCHED, WATCHED "/kernel.elf", NULL, "watched_windows");
    expect_session(WATCHED, WATCHED "/kernel.elf", NULL, "watched_registers");
    expect_session(WATCHED, WATCHED "/kernel.elf", "app.transactional=1", "watched_transactions");
}

/* Of those whose turn has not come, or has passed without success, none is active. */
Test(gdb_functional, lanes_have_their_turns_in_transactions)
{
    expect_session(WATCHED, WATCHED "/kernel.elf", "app.transactional=3", "turns");
}

Test(gdb_functional, a_mistake_stops_where_it_is_made)
{
    debugged_run run = start_faulty(FUNCTIONAL, "misaligned_access");
    expect_fault_session(&run);
}
