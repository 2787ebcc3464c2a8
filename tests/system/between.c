/* SPDX-License-Identifier: MIT */
/* Something stands between the L2 and its memory: what is not a packet passes through it as well. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "process.h"

/* A machine with the skeleton of a block between L2 slices and DRAM controllers, which comes before or behind the slices in the
 * file, and so in the order in which blocks are aligned. */
static char *machine_with(const char *folder, const char *base, const char *name)
{
    char *path = path_in(folder, "machine.yaml");
    char *text = text_of("heddle: 1\nname: between\nextends: %s\nplugins: [" RELAY "]\n"
                         "remove: [{from: l2.memory, to: dram.access}]\n"
                         "blocks: {%s: {kind: stage, type: relay, clock: l2, count: 2}, core: {count: 2},\n"
                         "         l2: {count: 2}, dram: {count: 2}}\n"
                         "links: [{from: l2.memory, to: %s.access}, {from: %s.memory, to: dram.access}]\n",
                         base, name, name, name);
    file_write(path, text, strlen(text));
    free(text);
    return path;
}

#define SMALL SYSTEM_MACHINES "/small.yaml"

/* Runs hashtable with these further words; the exit code is to be that. */
static finished run_with(const char *const *words, int code)
{
    const char *all[16] = {"run", NULL, "hashtable", "--set", "app.grid=4", "--set", "app.inserts=2"};
    char *folder = folder_new(), *machine = machine_with(folder, SMALL, "stage");
    size_t count = 7;
    all[1] = machine;
    for (; *words; words++)
        all[count++] = *words;
    finished run = heddle_run(all);
    expect_code(&run, code);
    free(machine);
    folder_remove(folder);
    return run;
}
#define RUN_WITH(code, ...) run_with((const char *const[]){__VA_ARGS__, NULL}, code)

Test(between, a_cache_writes_back_and_cores_find_their_memory)
{
    static const char *const settings[] = {"--tlm=auto", "--tlm=checked", "--threads=2", "--set=launch_align=false",
                                           "--set=core.type=functional"};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        finished run = RUN_WITH(0, settings[i]);
        expect_output(&run, "PASS");
        finished_free(&run);
    }
}

Test(between, a_foreign_memory_below_takes_what_is_written_back)
{
    finished run = RUN_WITH(0, "--plugin", FOREIGN_MODELS, "--set", "dram.type=timed_memory");
    expect_output(&run, "PASS");
    finished_free(&run);
    run = RUN_WITH(1, "--plugin", AWKWARD_MODELS, "--set", "dram.type=awkward_memory", "--set", "dram.debug=none");
    expect_error(&run, "before a kernel starts, but dram[0].access[0], a SystemC model, takes none of them by "
                       "transport_dbg");
    finished_free(&run);
}

/* The words that the checker compares with memory are behind it: in a memory that shows others, they are wrong. */
Test(between, the_checker_of_transactions_sees_memory)
{
    char *folder = folder_new();
    char *machine = machine_with(folder, HEDDLE_MACHINES "/../variants/gtx480_ideal_tm.yaml", "before");
    for (int is_right = 1; is_right >= 0; is_right--) {
        finished run =
            heddle("run", machine, "hashtable", "--set", "app.sync=tm", "--set", "app.grid=4", "--set", "app.inserts=2",
                   "--check-tx", "--plugin", AWKWARD_MODELS, "--set", "dram.type=awkward_memory", "--set",
                   "l2.bytes=4 KiB", "--set", is_right ? "dram.debug=right" : "dram.debug=zeros");
        expect_code(&run, is_right ? 0 : 1);
        if (is_right)
            expect_output(&run, "transactions are serialisable");
        else
            expect_error(&run, "transactions are not serialisable");
        finished_free(&run);
    }
    free(machine);
    folder_remove(folder);
}
