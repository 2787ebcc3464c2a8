/* SPDX-License-Identifier: MIT */
/*
 * Runs under gdb: sessions of the distribution's gdb as golden transcripts (transcript.h); the results are those of a run
 * without one. Then what goes wrong, with a few packets by hand.
 */
#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "folder.h"
#include "process.h"
#include "stats.h"
#include "transcript.h"

#define MACHINE HEDDLE_MACHINES "/../variants/gtx480_firmware.yaml"
#define HARTS SYSTEM_MACHINES "/harts.yaml"
#define HARTS_FIRMWARE OWN_FIRMWARE "/four_harts.elf"
#define APP SYSTEM_APPS "/debugged"
#define STACK "core.reconvergence=stack"
#define TRIES 600 /* of 50 ms */

static char *folder;

static void begin(void)
{
    folder = folder_new();
}

static void end(void)
{
    folder_remove(folder);
}

TestSuite(gdb, .init = begin, .fini = end, .timeout = 120);

/* ---- A run that waits ------------------------------------------------------------------------------------------------ */

typedef struct debugged_run {
    pid_t child;
    char *results;
    int firmware, kernels; /* ports */
} debugged_run;

static void wait_a_little(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
}

/* Waits until it is said. */
static char *await_text(const char *text)
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

/* What runs: an app, or --firmware and a file. */
static debugged_run start_of(const char *machine, const char *set, const char *what, const char *file)
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

static debugged_run start(void)
{
    return start_of(MACHINE, STACK, APP, NULL);
}

static finished finish(debugged_run *run)
{
    finished done = heddle_wait(folder, run->child);
    free(run->results);
    return done;
}

/* ---- Transcripts ------------------------------------------------------------------------------------------------------- */

/* said: by the run, for gdb's user */
static char *transcript_of(int port, const char *script, const char *elf, const char *said)
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

static json_t *results_without_gdb(const char *machine, const char *app)
{
    char *path = path_in(folder, "alone.json");
    finished run = app ? heddle("run", machine, app, "--quiet", "--stats", path)
                       : heddle("run", machine, "--firmware", HARTS_FIRMWARE, "--quiet", "--stats", path);
    expect_code(&run, 0);
    finished_free(&run);
    json_t *results = stats_read(path);
    free(path);
    return results;
}

/* app NULL: the firmware of harts alone. */
static void expect_same_results(const debugged_run *run, const char *machine, const char *app)
{
    json_t *alone = results_without_gdb(machine, app), *debugged = stats_read(run->results);
    json_object_del(alone, "host");
    json_object_del(debugged, "host");
    cr_expect(json_equal(alone, debugged), "gdb has changed the results");
    json_decref(alone);
    json_decref(debugged);
}

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
    expect_same_results(&run, MACHINE, APP);
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

Test(gdb, harts_are_threads)
{
    debugged_run run = start_of(HARTS, STACK, "--firmware", HARTS_FIRMWARE);
    char *transcript = transcript_of(run.firmware, GDB_SESSIONS "/harts.gdb", HARTS_FIRMWARE, "");
    char *wanted = file_read(GDB_SESSIONS "/harts.txt", NULL);
    finished done = heddle_wait(folder, run.child);
    expect_code(&done, 0);
    expect_alike(transcript, wanted);
    expect_same_results(&run, HARTS, NULL);
    finished_free(&done);
    free(wanted);
    free(transcript);
    free(run.results);
}

/* Whichever unit lets lanes wait. */
Test(gdb, is_told_where_lanes_wait)
{
    for (const char **set =
             (const char *[]){STACK, "core.reconvergence=aware", "core.reconvergence=mp", NULL};
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

/* A kernel that makes a mistake, on a machine whose host has no firmware. */
#define FAULTS SYSTEM_APPS "/faults"
static debugged_run start_faulty(const char *kernel)
{
    debugged_run run = {0};
    char *set = text_of("app.kernel=%s", kernel);
    run.child = heddle_start(folder, (const char *const[]){"run", SYSTEM_MACHINES "/small.yaml", FAULTS, "--quiet",
                                                           "--gdb", "0", "--set", set, "--set", "app.offset=2", NULL});
    char *said = await_text("/kernel.elf\n");
    cr_assert_eq(sscanf(said, "gdb: kernels: gdb-multiarch -ex 'target remote :%d'", &run.kernels), 1, "%s", said);
    free(said);
    free(set);
    return run;
}

Test(gdb, is_stopped_where_a_kernel_makes_a_mistake)
{
    debugged_run run = start_faulty("misaligned_access");
    char *transcript = transcript_of(run.kernels, GDB_SESSIONS "/faults.gdb", FAULTS "/kernel.elf",
                                     "misaligned 4-byte store to 0x...\n");
    char *golden = file_read(GDB_SESSIONS "/faults.txt", NULL);
    finished done = finish(&run);
    expect_code(&done, 1);
    expect_error(&done, "misaligned 4-byte store to 0x");
    expect_alike(transcript, golden);
    finished_free(&done);
    free(golden);
    free(transcript);
}

/* ---- Packets by hand ---------------------------------------------------------------------------------------------------- */

static int connect_to(int port)
{
    const struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    const int s = socket(AF_INET, SOCK_STREAM, 0);
    cr_assert_eq(connect(s, (const struct sockaddr *)&address, sizeof address), 0);
    return s;
}

static void send_packet(int s, const char *text)
{
    char packet[256];
    unsigned sum = 0;
    for (const char *c = text; *c; c++)
        sum += (unsigned char)*c;
    const int count = snprintf(packet, sizeof packet, "+$%s#%02x", text, sum & 0xFF);
    cr_assert_eq(write(s, packet, (size_t)count), count);
}

/* The text of the next packet; "" at the end. */
static const char *receive(int s)
{
    static char text[4096];
    size_t count = 0;
    char c = 0;
    while (c != '$')
        if (read(s, &c, 1) != 1)
            return "";
    while (read(s, &c, 1) == 1 && c != '#' && count + 1 < sizeof text)
        text[count++] = c;
    text[count] = '\0';
    for (int i = 0; i < 2; i++)
        cr_assert_eq(read(s, &c, 1), 1);
    return text;
}

static const char *ask(int s, const char *text)
{
    send_packet(s, text);
    return receive(s);
}

Test(gdb, that_is_gone_leaves_the_run_alone)
{
    debugged_run run = start();
    const int s = connect_to(run.firmware);
    cr_assert_str_eq(ask(s, "Z0,8000040000,4"), "OK");
    cr_assert_eq(write(s, "$m80", 4), 4);
    close(s);
    char *results = run.results;
    finished done = heddle_wait(folder, run.child);
    expect_code(&done, 0);
    expect_error(&done, "gdb: firmware: gdb is gone; the run goes on\n");
    expect_same_results(&run, MACHINE, APP);
    finished_free(&done);
    free(results);
}

/* A run is short: now and then it has ended before gdb goes. */
Test(gdb, that_is_gone_while_the_run_goes_on_changes_nothing)
{
    uint32_t is_said = 0;
    for (uint32_t tries = 0; tries < 8 && !is_said; tries++) {
        debugged_run run = start();
        const int s = connect_to(run.kernels);
        send_packet(s, "c");
        close(s);
        finished done = finish(&run);
        expect_code(&done, 0);
        is_said = strstr(done.err, "gdb: kernels: gdb is gone; the run goes on\n") != NULL;
        finished_free(&done);
    }
    cr_expect(is_said);
}

static void expect_steps_change_nothing(uint32_t is_kernel, uint32_t steps)
{
    debugged_run run = start();
    const int s = connect_to(is_kernel ? run.kernels : run.firmware);
    char *results = run.results;
    for (uint32_t i = 0; i < steps; i++)
        cr_assert_eq(ask(s, i % 3 == 0 ? "s" : i % 3 == 1 ? "vCont;s:1" : "vCont;s;c")[0], 'T');
    send_packet(s, "D");
    finished done = heddle_wait(folder, run.child);
    expect_code(&done, 0);
    expect_same_results(&run, MACHINE, APP);
    finished_free(&done);
    free(results);
    close(s);
}

Test(gdb, steps_of_kernels_change_nothing)
{
    expect_steps_change_nothing(1, 60);
}

Test(gdb, steps_of_firmware_change_nothing)
{
    expect_steps_change_nothing(0, 3000);
}

Test(gdb, kills_the_run)
{
    debugged_run run = start();
    const int s = connect_to(run.firmware);
    send_packet(s, "k");
    finished done = finish(&run);
    close(s);
    expect_code(&done, 130);
    finished_free(&done);
}

Test(gdb, never_comes_and_ctrl_c_ends_the_wait)
{
    debugged_run run = start();
    kill(run.child, SIGINT);
    finished done = finish(&run);
    expect_code(&done, 130);
    finished_free(&done);
}

Test(gdb, is_stopped_and_ctrl_c_ends_the_run)
{
    debugged_run run = start();
    const int s = connect_to(run.kernels);
    cr_assert_str_eq(ask(s, "?"), "T05thread:1;");
    kill(run.child, SIGINT);
    finished done = finish(&run);
    expect_code(&done, 130);
    close(s);
    finished_free(&done);
}

Test(gdb, interrupts_and_both_may_come)
{
    debugged_run run = start();
    const int cpu = connect_to(run.firmware);
    cr_assert_str_eq(ask(cpu, "?"), "T05thread:1;");
    const int lanes = connect_to(run.kernels);
    cr_assert_str_eq(ask(lanes, "?"), "T05thread:1;");
    send_packet(lanes, "vCont;c");
    send_packet(cpu, "s");
    cr_assert_str_eq(receive(cpu), "T05thread:1;");
    cr_assert_eq(write(lanes, "\003", 1), 1); /* while the other one has the word */
    cr_assert_str_eq(receive(lanes), "T02thread:1;");
    send_packet(lanes, "vCont;c");
    send_packet(cpu, "c");
    cr_assert_eq(write(cpu, "\003", 1), 1);
    cr_assert_str_eq(receive(cpu), "T02thread:1;");
    send_packet(cpu, "c");
    cr_assert_str_eq(receive(cpu), "W00");
    cr_assert_str_eq(receive(lanes), "W00");
    finished done = finish(&run);
    expect_code(&done, 0);
    finished_free(&done);
    close(cpu);
    close(lanes);
}

Test(gdb, comes_by_loopback_alone_and_to_a_port_that_is_free)
{
    char port[16];
    debugged_run run = start();
    snprintf(port, sizeof port, "%d", run.firmware);
    char *other = folder_new();
    finished second =
        heddle_wait(other, heddle_start(other, (const char *const[]){"run", MACHINE, APP, "--gdb", port, NULL}));
    expect_code(&second, 2);
    expect_error(&second, "of firmware: Address already in use\n");
    finished_free(&second);
    folder_remove(other);
    kill(run.child, SIGINT);
    finished done = finish(&run);
    finished_free(&done);
}

Test(gdb, is_refused_where_it_cannot_be)
{
    static const struct {
        const char *port, *more, *line;
    } cases[] = {
        {"x", "--quiet", "error: --gdb x: it must be a port from 1 to 65534, or 0 for any that is free\n"},
        {"65535", "--quiet", "error: --gdb 65535: it must be a port from 1 to 65534, or 0 for any that is free\n"},
        {"0", "--threads=2", "error: --gdb and --threads 2: a run under gdb has one thread\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        finished run = heddle("run", MACHINE, APP, "--gdb", cases[i].port, cases[i].more);
        expect_code(&run, 2);
        expect_error(&run, cases[i].line);
        finished_free(&run);
    }
}

/* As signals, each with what is wrong before it. */
Test(gdb, tells_kinds_of_mistakes_apart)
{
    static const char *const cases[][2] = {{"null_dereference", "T0b"},
                                           {"wild_jump", "T0b"},
                                           {"illegal_instruction", "T04"},
                                           {"false_assertion", "T05"},
                                           {"divergent_barrier", "T05"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        debugged_run run = start_faulty(cases[i][0]);
        const int s = connect_to(run.kernels);
        cr_expect_eq(ask(s, "c")[0], 'O', "%s", cases[i][0]);
        cr_expect_eq(strncmp(receive(s), cases[i][1], 3), 0, "%s", cases[i][0]);
        cr_expect_str_eq(ask(s, "c"), "W01");
        close(s);
        finished done = finish(&run);
        expect_code(&done, 1);
        finished_free(&done);
    }
}
