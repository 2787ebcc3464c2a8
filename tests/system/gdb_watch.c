/* SPDX-License-Identifier: MIT */
/* Watchpoints of kernels in sessions of the distribution's gdb. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "gdb_rig.h"

TestSuite(gdb_watch, .init = rig_begin, .fini = rig_end, .timeout = 120);

static void expect_session(const char *machine, const char *app, const char *set, const char *name)
{
    debugged_run run = start_kernels(machine, app, set);
    char *elf = path_in(app, "kernel.elf");
    expect_kernel_session(&run, name, elf);
    expect_same_results(&run, machine, app, set);
    free(elf);
    free(run.results);
}

static void expect_watched(const char *machine, const char *set, const char *name)
{
    expect_session(machine, WATCHED, set, name);
}

/* Whether lanes go together or not. */
Test(gdb_watch, lanes_that_store_and_count_and_write_bytes_are_named)
{
    for (const char **set = (const char *[]){STACK, "core.reconvergence=aware", "core.reconvergence=block_stack", NULL};
         *set; set++)
        expect_watched(SYSTEM_MACHINES "/small.yaml", *set, "watched");
}

Test(gdb_watch, local_and_scratchpad_memory_and_reads_are_watched)
{
    expect_watched(SYSTEM_MACHINES "/small.yaml", NULL, "watched_windows");
}

/* Lanes have other ones when the access has been made. */
Test(gdb_watch, registers_are_those_at_the_access)
{
    expect_watched(SYSTEM_MACHINES "/small.yaml", NULL, "watched_registers");
}

/* Whatever way a store takes. */
Test(gdb_watch, a_store_is_there_when_it_stops)
{
    for (const char **set = (const char *[]){"core.l1.private=bypass", "core.l1.global=bypass",
                                             "core.memory.address.interval=2 cycles", NULL};
         *set; set++)
        expect_watched(SYSTEM_MACHINES "/small.yaml", *set, "watched_windows");
}

/* What nobody waits for is written when its thread has ended: it is the device's. */
Test(gdb_watch, a_transaction_s_store_may_stop_when_its_thread_has_ended)
{
    debugged_run run = start_kernels(HEDDLE_MACHINES "/../variants/gtx480_getm.yaml", WATCHED, "app.transactional=2");
    expect_kernel_session(&run, "watched_to_the_end", WATCHED "/kernel.elf");
    free(run.results);
}

Test(gdb_watch, a_transaction_s_store_stops_when_it_has_committed)
{
    for (const char **machine = (const char *[]){"ideal_tm", "getm", "kilo_tm", "warptm_el", "eapg", NULL}; *machine;
         machine++) {
        char *path = text_of("%s/../variants/gtx480_%s.yaml", HEDDLE_MACHINES, *machine);
        expect_watched(path, "app.transactional=1", "watched_transactions");
        free(path);
    }
}

/* It is made in place, also by an attempt that gives up behind it. Lanes that lose have stored nothing. */
Test(gdb_watch, a_store_of_a_transaction_on_the_scratchpad_stops_when_it_is_made)
{
    for (const char **machine = (const char *[]){"southern_islands_cu_local_tm", "gtx480_getm_local_tm", NULL};
         *machine; machine++)
        for (const char **set = (const char *[]){"app.gives_up=0", "app.gives_up=1", NULL}; *set; set++) {
            char *path = text_of("%s/../variants/%s.yaml", HEDDLE_MACHINES, *machine);
            expect_session(path, WATCHED_SCRATCHPAD, *set, "watched_scratchpad");
            free(path);
        }
}
