/* SPDX-License-Identifier: MIT */
#include "gdb_rig.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "transcript.h"

#define TRIES 600 /* of 50 ms */

char *folder;

void rig_begin(void)
{
    folder = folder_new();
}

void rig_end(void)
{
    folder_remove(folder);
}

static void wait_a_little(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
}

char *await_text(const char *text)
{
    char *path = path_in(folder, "stderr"), *said = NULL;
    for (int i = 0; i < TRIES; i++, wait_a_little()) {
        free(said);
        said = access(path, R_OK) ? strdup("") : file_read(path, NULL);
        if (strstr(said, text))
            break;
    }
    cr_assert(strstr(said, text), "not said: %s\n%s", text, said);
    free(path);
    return said;
}

static int port_of(const char *said, const char *door)
{
    char *begin = text_of("gdb: %s: gdb-multiarch -ex 'target remote :", door);
    const char *found = strstr(said, begin);
    cr_assert(found, "%s", said);
    const int port = atoi(found + strlen(begin));
    free(begin);
    return port;
}

debugged_run start_of(const char *machine, const char *set, const char *what, const char *file)
{
    debugged_run run = {.results = path_in(folder, "debugged.json")};
    run.child = heddle_start(folder, (const char *const[]){"run", machine, "--quiet", "--gdb", "0", "--stats",
                                                           run.results, "--set", set, what, file, NULL});
    char *said = await_text("gdb: kernels: ");
    run.firmware = port_of(said, "firmware");
    run.kernels = port_of(said, "kernels");
    cr_assert(file || (strstr(said, "' " APP "/firmware.elf\n") && strstr(said, "' " APP "/kernel.elf\n")), "%s", said);
    free(said);
    return run;
}

debugged_run start(void)
{
    return start_of(MACHINE, STACK, APP, NULL);
}

char *transcript_of(int port, const char *script, const char *elf, const char *said)
{
    char target[64], *other = folder_new();
    snprintf(target, sizeof target, "target remote :%d", port);
    const char *const words[] = {HEDDLE_GDB, "-nx",
                                 "-q",       "-batch",
                                 "-ex",      "set confirm off",
                                 "-ex",      "set print thread-events off",
                                 "-d",       GDB_SOURCES,
                                 "-ex",      target,
                                 "-x",       script,
                                 elf,        NULL};
    finished gdb = heddle_wait(other, program_start(other, words));
    cr_expect_eq(gdb.code, 0, "%s", gdb.err);
    expect_alike(gdb.err, said);
    char *text = gdb.out;
    free(gdb.err);
    folder_remove(other);
    return text;
}

void expect_kernel_session(const debugged_run *run, const char *name, const char *elf)
{
    char *script = text_of("%s/%s.gdb", GDB_SESSIONS, name), *golden = text_of("%s/%s.txt", GDB_SESSIONS, name);
    char *transcript = transcript_of(run->kernels, script, elf, ""), *wanted = file_read(golden, NULL);
    finished done = heddle_wait(folder, run->child);
    expect_code(&done, 0);
    expect_alike(transcript, wanted);
    finished_free(&done);
    free(wanted);
    free(transcript);
    free(golden);
    free(script);
}

finished finish(debugged_run *run)
{
    finished done = heddle_wait(folder, run->child);
    free(run->results);
    return done;
}

static int await_kernels(void)
{
    int port = 0;
    char *said = await_text("/kernel.elf\n");
    cr_assert_eq(sscanf(said, "gdb: kernels: gdb-multiarch -ex 'target remote :%d'", &port), 1, "%s", said);
    free(said);
    return port;
}

debugged_run start_kernels(const char *machine, const char *app, const char *set)
{
    debugged_run run = {.results = path_in(folder, "debugged.json")};
    run.child = heddle_start(folder, (const char *const[]){"run", machine, app, "--quiet", "--gdb", "0", "--stats",
                                                           run.results, set ? "--set" : NULL, set, NULL});
    run.kernels = await_kernels();
    return run;
}

debugged_run start_faulty(const char *machine, const char *kernel)
{
    debugged_run run = {0};
    char *set = text_of("app.kernel=%s", kernel);
    run.child = heddle_start(folder, (const char *const[]){"run", machine, FAULTS, "--quiet", "--gdb", "0", "--set",
                                                           set, "--set", "app.offset=2", NULL});
    run.kernels = await_kernels();
    free(set);
    return run;
}

void expect_fault_session(debugged_run *run)
{
    char *transcript = transcript_of(run->kernels, GDB_SESSIONS "/faults.gdb", FAULTS "/kernel.elf",
                                     "misaligned 4-byte store to 0x...\n");
    char *golden = file_read(GDB_SESSIONS "/faults.txt", NULL);
    finished done = finish(run);
    expect_code(&done, 1);
    expect_error(&done, "misaligned 4-byte store to 0x");
    expect_alike(transcript, golden);
    finished_free(&done);
    free(golden);
    free(transcript);
}

static json_t *results_without_gdb(const char *machine, const char *app, const char *set)
{
    char *path = path_in(folder, "alone.json");
    finished run = app ? heddle("run", machine, app, "--quiet", "--stats", path, set ? "--set" : NULL, set)
                       : heddle("run", machine, "--firmware", HARTS_FIRMWARE, "--quiet", "--stats", path);
    expect_code(&run, 0);
    finished_free(&run);
    json_t *results = stats_read(path);
    free(path);
    return results;
}

void expect_same_results(const debugged_run *run, const char *machine, const char *app, const char *set)
{
    json_t *alone = results_without_gdb(machine, app, set), *debugged = stats_read(run->results);
    json_object_del(alone, "host");
    json_object_del(debugged, "host");
    cr_expect(json_equal(alone, debugged), "gdb has changed the results");
    json_decref(alone);
    json_decref(debugged);
}
