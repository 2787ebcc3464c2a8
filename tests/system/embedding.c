/* SPDX-License-Identifier: MIT */
/* The library inside another program: several machines in one process, monitors on their links. */
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"

#define SMALL SYSTEM_MACHINES "/small.yaml"

static hd_machine_setup setup_of(const char *app)
{
    return (hd_machine_setup){.netlist = SMALL, .app = app, .seed = 1, .tlm = {.checked = 1}};
}

static hd_machine *open_machine(const hd_machine_setup *setup)
{
    char *error;
    hd_machine *machine = hd_machine_open(setup, &error);
    cr_assert(machine, "%s", error);
    return machine;
}

static void expect_pass(hd_machine *machine)
{
    uint32_t outcome = hd_machine_run(machine, NULL);
    cr_expect_eq(outcome, HD_OUTCOME_PASS, "%s: %s", hd_outcome_name(outcome), hd_machine_message(machine));
}

static const hd_host_option small_hashtable[] = {{"grid", "2"}, {"buckets", "50"}};

static hd_machine_setup hashtable(void)
{
    hd_machine_setup setup = setup_of(HEDDLE_APPS "/hashtable");
    setup.options = small_hashtable;
    setup.option_count = 2;
    return setup;
}

Test(embedding, two_machines_live_in_one_process)
{
    const hd_machine_setup setup = hashtable();
    hd_machine *a = open_machine(&setup), *b = open_machine(&setup);
    expect_pass(b);
    expect_pass(a);
    cr_expect_eq(hd_machine_time(a), hd_machine_time(b));
    cr_expect_eq(hd_machine_count(a, "simt_core", "warp_instructions"),
                 hd_machine_count(b, "simt_core", "warp_instructions"));
    hd_machine_close(a);
    hd_machine *c = open_machine(&setup);
    expect_pass(c);
    cr_expect_eq(hd_machine_time(b), hd_machine_time(c));
    hd_machine_close(b);
    hd_machine_close(c);
}

static void *run_on_thread(void *machine)
{
    hd_machine_run(machine, NULL);
    return NULL;
}

Test(embedding, machines_run_on_threads_of_their_own)
{
    const hd_machine_setup setup = hashtable();
    hd_machine *machines[3];
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        machines[i] = open_machine(&setup);
    for (int i = 0; i < 3; i++)
        cr_assert(pthread_create(&threads[i], NULL, run_on_thread, machines[i]) == 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < 3; i++) {
        cr_expect_eq(hd_machine_outcome(machines[i]), HD_OUTCOME_PASS);
        cr_expect_eq(hd_machine_time(machines[i]), hd_machine_time(machines[0]));
    }
    for (int i = 0; i < 3; i++)
        hd_machine_close(machines[i]);
}

Test(embedding, a_machine_that_did_not_run_can_be_closed)
{
    const hd_machine_setup setup = hashtable();
    hd_machine_close(open_machine(&setup));
    hd_machine_close(NULL);
}

static uint32_t on_every_link(void *context, uint32_t link)
{
    (void)link;
    ++*(uint32_t *)context;
    return 1;
}

Test(embedding, monitors_on_every_link_change_nothing)
{
    uint32_t links = 0;
    hd_machine_setup setup = hashtable();
    setup.tlm = (hd_tlm_options){0};
    hd_machine *plain = open_machine(&setup);
    setup.tlm = (hd_tlm_options){.checked = 1, .context = &links, .monitor = on_every_link};
    hd_machine *watched = open_machine(&setup);
    expect_pass(plain);
    expect_pass(watched);
    cr_expect_eq(links, hd_machine_netlist(watched)->link_count);
    cr_expect_eq(hd_machine_transport_calls(plain), 0);
    cr_expect_gt(hd_machine_monitored_calls(watched), 1000);
    cr_expect_eq(hd_machine_time(plain), hd_machine_time(watched));
    static const char *const counts[][2] = {{"simt_core", "warp_instructions"},
                                            {"simt_core", "slots_memory_data"},
                                            {"simt_core", "load_latency_cycles"},
                                            {"l2_slice", "hits"},
                                            {"dram", "row_hits"},
                                            {"crossbar", "queueing_cycles"}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        cr_expect_eq(hd_machine_count(plain, counts[i][0], counts[i][1]),
                     hd_machine_count(watched, counts[i][0], counts[i][1]), "%s %s", counts[i][0], counts[i][1]);
    hd_machine_close(plain);
    hd_machine_close(watched);
}
