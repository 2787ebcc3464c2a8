/* SPDX-License-Identifier: MIT */
/* gdb on a machine of tiles: it sees, and writes, the newest bytes of caches that are not coherent, and scratchpad banks of each PE. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "gdb_rig.h"
#include "transcript.h"

#define ON_TILES SYSTEM_APPS "/on_tiles"
#define TILES HEDDLE_MACHINES "/../tiles/tile_2x4.yaml"

TestSuite(gdb_tiles, .init = rig_begin, .fini = rig_end, .timeout = 120);

/* A run that wants the app to be poked, and what gdb says in it. */
static char *session(const char *commands, finished *done)
{
    char command[1024], *other = folder_new();
    const pid_t child = heddle_start(
        folder, (const char *const[]){"run", TILES, ON_TILES, "--quiet", "--gdb", "0", "--set", "app.poked=1", NULL});
    char *said = await_text("/kernel.elf\n");
    cr_assert_eq(sscanf(said, "gdb: kernels: gdb-multiarch -ex %1023[^\n]", command), 1, "%s", said);
    char *whole =
        text_of(HEDDLE_GDB " -nx -q -batch -ex 'set confirm off' -ex 'set print thread-events off' -d " GDB_SOURCES
                           " -ex %s %s 2>&1",
                command, commands);
    finished gdb = heddle_wait(other, program_start(other, (const char *const[]){"/bin/sh", "-c", whole, NULL}));
    char *transcript = gdb.out;
    *done = heddle_wait(folder, child);
    free(gdb.err);
    free(whole);
    free(said);
    folder_remove(other);
    return transcript;
}

Test(gdb_tiles, words_are_the_newest_and_scratchpads_each_pes_own)
{
    finished done;
    char *transcript = session("-x " GDB_SESSIONS "/tiles.gdb", &done);
    char *golden = file_read(GDB_SESSIONS "/tiles.txt", NULL);
    expect_alike(transcript, golden);
    expect_code(&done, 0);
    finished_free(&done);
    free(golden);
    free(transcript);
}

/* Nor is anything done by a load of a register. */
Test(gdb_tiles, what_a_pe_does_not_reach_and_registers_are_no_memory)
{
    finished done;
    char *transcript = session("-ex 'tbreak kernel.c:44' -ex continue -ex 'print *(unsigned *)0xfff40400' "
                               "-ex 'print *(unsigned *)0xfff00100' -ex continue",
                               &done);
    cr_expect(strstr(transcript, "Cannot access memory at address 0xfff40400"), "%s", transcript);
    cr_expect(strstr(transcript, "Cannot access memory at address 0xfff00100"), "%s", transcript);
    expect_code(&done, 1);
    expect_error(&done, "PE 2 has 304");
    finished_free(&done);
    free(transcript);
}
