/* SPDX-License-Identifier: MIT */
/* A TLM-2.0 memory that knows nothing of this project, in place of ours. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "plain_memory_class.h"

#define PLAIN_MEMORY SYSTEM_MACHINES "/plain_memory.yaml"

static const hd_block_class *const more[] = {&plain_memory_class};

static hd_machine_setup setup_of(const char *app)
{
    return (hd_machine_setup){.netlist = PLAIN_MEMORY, .app = app, .seed = 1, .more = {.classes = more, .count = 1}};
}

Test(foreign_memory, a_plain_tlm_memory_takes_the_place_of_dram)
{
    static const char *const apps[] = {HEDDLE_APPS "/vecadd", HEDDLE_APPS "/bfs", HEDDLE_APPS "/hashtable"};
    static const hd_host_option options[][2] = {{{"n", "5000"}}, {{"scale", "8"}}, {{"grid", "4"}, {"inserts", "2"}}};
    static const uint32_t option_counts[] = {1, 1, 2};
    for (int i = 0; i < 3; i++) {
        plain_memories *memories = plain_memories_new();
        hd_machine_setup setup = setup_of(apps[i]);
        setup.options = options[i];
        setup.option_count = option_counts[i];
        setup.tlm = (hd_tlm_options){
            .checked = 1, .context = memories, .foreign = plain_memories_socket, .release = plain_memories_release};
        char *error = NULL;
        hd_machine *machine = hd_machine_open(&setup, &error);
        cr_assert(machine, "%s", error);
        cr_expect_eq(hd_machine_run(machine, NULL), HD_OUTCOME_PASS, "%s: %s", apps[i], hd_machine_message(machine));
        cr_expect_gt(hd_machine_transport_calls(machine), 0);
        hd_machine_close(machine);
        cr_expect_gt(plain_memories_reads(memories), 0);
        if (i == 0) /* more data than the L2 holds */
            cr_expect_gt(plain_memories_writes(memories), 0);
        plain_memories_free(memories);
    }
}

Test(foreign_memory, a_foreign_block_without_a_socket_is_refused)
{
    hd_machine_setup setup = setup_of(HEDDLE_APPS "/hashtable");
    char *error;
    cr_expect_null(hd_machine_open(&setup, &error));
    cr_expect_not_null(strstr(error, "no TLM socket"));
    free(error);
}
