/* SPDX-License-Identifier: MIT */
/* Sessions of the distribution's gdb as golden transcripts (transcript.h); the results are those of a run without one. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gdb_rig.h"
#include "transcript.h"

TestSuite(gdb, .init = rig_begin, .fini = rig_end, .timeout = 120);

static void expect_transcript(const char *name, int is_kernel)
{
    char script[512], golden[512];
    snprintf(script, sizeof script, "%s/%s.gdb", GDB_SESSIONS, name);
    snprintf(golden, sizeof golden, "%s/%s.txt", GDB_SESSIONS, name);
    debugged_run run = start();
    char *transcript = transcript_of(is_kernel ? run.kernels : run.firmware, script,
                                     is_kernel ? APP "/kernel.elf" : APP "/firmware.elf", "");
    char *wanted = file_read(golden, NULL);
    char *results = run.results;
    finished done = heddle_wait(folder, run.child);
    expect_code(&done, 0);
    expect_alike(transcript, wanted);
    expect_same_results(&run, MACHINE, APP, NULL);
    finished_free(&done);
    free(results);
    free(wanted);
    free(transcript);
}

Test(gdb, firmware_stops_at_lines_accesses_and_instructions)
{
    expect_transcript("firmware", 0);
}

Test(gdb, a_kernel_stops_in_a_lane_of_a_divergent_warp)
{
    expect_transcript("kernels", 1);
}

/* As they are, whatever a read by the program does. */
Test(gdb, registers_of_devices_are_looked_at)
{
    expect_transcript("registers", 0);
}

Test(gdb, harts_are_threads)
{
    debugged_run run = start_of(HARTS, STACK, "--firmware", HARTS_FIRMWARE);
    char *transcript = transcript_of(run.firmware, GDB_SESSIONS "/harts.gdb", HARTS_FIRMWARE, "");
    char *wanted = file_read(GDB_SESSIONS "/harts.txt", NULL);
    finished done = heddle_wait(folder, run.child);
    expect_code(&done, 0);
    expect_alike(transcript, wanted);
    expect_same_results(&run, HARTS, NULL, NULL);
    finished_free(&done);
    free(wanted);
    free(transcript);
    free(run.results);
}

/* Whichever unit lets lanes wait. */
Test(gdb, is_told_where_lanes_wait)
{
    for (const char **set = (const char *[]){STACK, "core.reconvergence=aware", "core.reconvergence=mp",
                                             "core.reconvergence=dwf_wb", "core.reconvergence=block_stack", NULL};
         *set; set++) {
        debugged_run run = start_of(MACHINE, *set, APP, NULL);
        char *transcript = transcript_of(run.kernels, GDB_SESSIONS "/waiting.gdb", APP "/kernel.elf", "");
        char *golden = file_read(GDB_SESSIONS "/waiting.txt", NULL);
        expect_alike(transcript, golden);
        finished done = finish(&run);
        expect_code(&done, 0);
        finished_free(&done);
        free(golden);
        free(transcript);
    }
}

/* Those of the second app lie elsewhere than where they were linked to. */
Test(gdb, knows_kernels_of_apps_that_share_the_device)
{
    char command[1024], *other = folder_new();
    const pid_t child = heddle_start(folder, (const char *const[]){"run", SYSTEM_MACHINES "/small.yaml", "vecadd",
                                                                   "--with", APP, "--quiet", "--gdb", "0", NULL});
    char *said = await_text("/kernel.elf -o 0x");
    cr_assert_eq(sscanf(said, "gdb: kernels: %1023[^\n]", command), 1, "%s", said);
    char *whole = text_of(
        "%s -nx -batch -ex 'break kernel.c:15' -ex continue -ex 'info locals' -ex delete -ex continue", command);
    finished gdb = heddle_wait(other, program_start(other, (const char *const[]){"/bin/sh", "-c", whole, NULL}));
    expect_output(&gdb, "debugged (args=");
    expect_output(&gdb, "rounds = ");
    expect_output(&gdb, "exited normally");
    finished done = heddle_wait(folder, child);
    expect_code(&done, 0);
    finished_free(&done);
    finished_free(&gdb);
    free(whole);
    free(said);
    folder_remove(other);
}

Test(gdb, is_stopped_where_a_kernel_makes_a_mistake)
{
    debugged_run run = start_faulty(SYSTEM_MACHINES "/small.yaml", "misaligned_access");
    expect_fault_session(&run);
}

/* In a script of the test's own: the number of the mistake is put in by gdb. */
static char *transcript_of_mistake(const debugged_run *run, int mistake, const char *said)
{
    char *script = text_of("set $s0 = %d\ncontinue\ninfo symbol $pc\ncontinue\n", mistake),
         *path = path_in(folder, "mistake.gdb");
    file_write(path, script, strlen(script));
    char *transcript = transcript_of(run->firmware, path, MISTAKES_FIRMWARE, said);
    free(path);
    free(script);
    return transcript;
}

Test(gdb, is_stopped_where_firmware_makes_a_mistake)
{
    static const struct {
        const char *said, *stopped;
    } cases[] = {
        {"jumped to 0x40, which is not in RAM",
         "SIGSEGV, Segmentation fault.\n0x0000000000000040 in ?? ()\nNo symbol..."},
        {"load at 0x48, where nothing answers", "SIGSEGV, Segmentation fault.\n... in load ()\nload + 4 in ..."},
        {"illegal instruction 0xffffffff", "SIGILL, Illegal instruction.\n... in illegal ()\nillegal in ..."},
        {"ebreak", "SIGTRAP, Trace/breakpoint trap.\n... in break ()\nbreak in ..."},
        {"ecall, and there is no trap handler: mtvec is 0x0, which is not in RAM",
         "SIGTRAP, Trace/breakpoint trap.\n... in call ()\ncall in ..."},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        debugged_run run = start_of(MACHINE, STACK, "--firmware", MISTAKES_FIRMWARE);
        char *said = text_of("%s\n", cases[i].said);
        char *golden = text_of(
            "... in _start ()\n\nProgram received signal %s\n[Inferior 1 (Remote target) exited with code 01]\n",
            cases[i].stopped);
        char *transcript = transcript_of_mistake(&run, (int)i, said);
        expect_alike(transcript, golden);
        finished done = finish(&run);
        expect_code(&done, 1);
        expect_error(&done, cases[i].said);
        finished_free(&done);
        free(transcript);
        free(golden);
        free(said);
    }
}
