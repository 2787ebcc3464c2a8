/* SPDX-License-Identifier: MIT */
/* A TLM-2.0 initiator that knows nothing of this project stands where a core was. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "folder.h"
#include "process.h"
#include "stats.h"

#define MAILBOX SYSTEM_MACHINES "/mailbox.yaml"
#define WORDS 1000

static json_t *serve(const char *tlm)
{
    char *folder = folder_new(), *path = path_in(folder, "stats.json"), *set = text_of("app.count=%d", WORDS);
    finished run =
        heddle("run", MAILBOX, SYSTEM_APPS "/mailbox", "--plugin", FOREIGN_MODELS, "--set", set, "--stats", path, tlm);
    expect_code(&run, 0);
    expect_output(&run, "PASS");
    json_t *stats = stats_read(path);
    finished_free(&run);
    free(set);
    free(path);
    folder_remove(folder);
    return stats;
}

static int64_t count(const json_t *stats, const char *statistic)
{
    char *path = text_of("blocks/bridge/total/%s", statistic);
    int64_t value = json_integer_value(stats_at(stats, path));
    free(path);
    return value;
}

/* The array, its sum and the word that says that it is done; and reads of the same, and of the mailbox. */
Test(foreign_initiator, reads_what_a_kernel_left_and_writes_what_it_reads)
{
    json_t *stats = serve("--tlm=checked");
    cr_expect_eq(count(stats, "written_bytes"), 4 * WORDS + 4 + 4);
    cr_expect_gt(count(stats, "read_bytes"), 4 * WORDS);
    cr_expect_eq(count(stats, "refused"), 0);
    cr_expect_gt(count(stats, "line_accesses"), 2 * 4 * WORDS / 128);
    json_decref(stats);
}

Test(foreign_initiator, does_the_same_whatever_the_transport_of_the_other_links)
{
    json_t *a = serve("--tlm=auto"), *b = serve("--tlm=checked");
    expect_same_stats(a, b);
    json_decref(a);
    json_decref(b);
}

/* A debugger sees what caches hold, and what it writes is what the kernel reads. */
Test(foreign_initiator, serves_without_time_by_transport_dbg)
{
    finished run = heddle("run", MAILBOX, SYSTEM_APPS "/mailbox", "--plugin", FOREIGN_MODELS, "--set",
                          "agent.untimed=true", "--set", "app.count=1000");
    expect_code(&run, 0);
    expect_output(&run, "PASS");
    finished_free(&run);
}

Test(foreign_initiator, can_be_run_beside_an_app_that_does_not_know_of_it)
{
    finished run = heddle("run", MAILBOX, "hashtable", "--plugin", FOREIGN_MODELS, "--set", "app.grid=4", "--set",
                          "app.inserts=2");
    expect_code(&run, 0);
    finished_free(&run);
}
