/* SPDX-License-Identifier: MIT */
/* Processes at a remote port: a memory, and a host of the machine; and all that may go wrong with them. */
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
#include "remote_rig.h"
#include "stats.h"

#define MACHINE SYSTEM_MACHINES "/remote_memory.yaml"

TestSuite(remote, .init = rig_begin, .fini = rig_end, .timeout = 120);

static finished run_with(const char *how, const char *set, int *peer_code)
{
    return rig_run((const char *[]){REMOTE_PEERS "/memory", rig_address, how, NULL}, MACHINE, "vecadd",
                   (const char *[]){"--set", set, "--tlm=auto", NULL}, peer_code);
}

static json_t *memory_run(const char *set, const char *tlm)
{
    return rig_stats((const char *[]){REMOTE_PEERS "/memory", rig_address, "well", NULL}, MACHINE, "vecadd",
                     (const char *[]){"--set", set, tlm, NULL});
}

Test(remote, a_memory_answers)
{
    json_t *stats = memory_run("remote.quantum=0 s", "--tlm=checked");
    cr_expect_gt(rig_number(stats, "blocks/remote/total/requests"), 1000);
    cr_expect_eq(rig_number(stats, "blocks/remote/total/late"), 0);
    json_decref(stats);
}

Test(remote, runs_with_the_same_peer_are_the_same)
{
    for (const char **set = (const char *[]){"remote.quantum=0 s", "remote.quantum=100 ns", NULL}; *set; set++) {
        json_t *a = memory_run(*set, "--tlm=auto"), *b = memory_run(*set, "--tlm=auto");
        json_t *c = memory_run(*set, "--tlm=checked");
        expect_same_stats(a, b);
        expect_same_stats(a, c);
        json_decref(a);
        json_decref(b);
        json_decref(c);
    }
}

Test(remote, a_quantum_saves_turns_and_takes_time)
{
    json_t *exact = memory_run("remote.quantum=0 s", "--tlm=auto"),
           *coarse = memory_run("remote.quantum=1 us", "--tlm=auto");
    cr_expect_gt(rig_number(exact, "blocks/remote/total/turns"), 4 * rig_number(coarse, "blocks/remote/total/turns"));
    cr_expect_lt(rig_number(exact, "simulated_ps"), rig_number(coarse, "simulated_ps"));
    json_decref(exact);
    json_decref(coarse);
}

Test(remote, a_peer_that_does_wrong_ends_the_run_with_one_line)
{
    static const char *const rows[][2] = {
        {"dies", "the other side has closed the connection; 1 unanswered, among them a read of"},
        {"closes", "the other side has closed the connection; 1 unanswered, among them a read of"},
        {"sleeps", "the other side has not passed the turn within 0.5 s; 1 unanswered, among them a read of"},
        {"trickles", "the other side has not passed the turn within 0.5 s; 1 unanswered, among them a read of"},
        {"babbles", "what the other side has sent is no message: a length that no message has"},
        {"twice", "the peer answers a request twice"},
        {"ignores", "the other side has not answered within 0.5 s; an untimed write of 128 bytes at 0x"},
        {"never", "the peer says something of a time that never comes; 1 unanswered, among them a read of"},
        {"passes", "the peer passes the turn for ever, and has not answered"},
        {"refuses", "memory answers status 1"},
        {"future", "the other side speaks version 2 of the protocol, this one speaks version 1"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int code;
        finished run = run_with(rows[i][0], "remote.timeout=500 ms", &code);
        expect_code(&run, 1);
        expect_error(&run, rows[i][1]);
        cr_expect_null(strstr(strstr(run.err, "error: ") + 1, "error: "), "more than one:\n%s", run.err);
        finished_free(&run);
    }
}

Test(remote, an_answer_that_never_comes_is_named)
{
    int code;
    finished run = run_with("swallows", "remote.timeout=20 s", &code);
    expect_code(&run, 1);
    expect_error(&run, "remote: the peer at unix:");
    expect_error(&run, " owes an answer to a read of ");
    finished_free(&run);
}

Test(remote, nobody_comes)
{
    finished run = heddle("run", MACHINE, "vecadd", "--set", rig_setting, "--set", "remote.timeout=200 ms");
    expect_code(&run, 1);
    expect_error(&run, "/socket: nobody has connected within 0.2 s");
    rig_expect_no_socket();
    finished_free(&run);
}

/* One that is free now. */
static int free_port(void)
{
    struct sockaddr_in any = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t bytes = sizeof any;
    const int probe = socket(AF_INET, SOCK_STREAM, 0);
    cr_assert(!bind(probe, (struct sockaddr *)&any, bytes) && !getsockname(probe, (struct sockaddr *)&any, &bytes));
    close(probe);
    return ntohs(any.sin_port);
}

Test(remote, a_memory_answers_over_tcp)
{
    json_t *named = memory_run("remote.quantum=0 s", "--tlm=auto");
    rig_go_to(text_of("tcp:%d", free_port()));
    json_t *numbered = memory_run("remote.quantum=0 s", "--tlm=auto");
    cr_expect_eq(rig_number(named, "simulated_ps"), rig_number(numbered, "simulated_ps"));
    json_decref(named);
    json_decref(numbered);
}

/* ---- While nobody has come ------------------------------------------------------------------------------------------- */

/* Returns as soon as it listens. */
static pid_t start_for_nobody(const char *out)
{
    char *path = path_in(rig_folder, "socket");
    const pid_t run = heddle_start(
        out, (const char *[]){"run", MACHINE, "vecadd", "--set", rig_setting, "--set", "remote.timeout=60 s", NULL});
    for (int i = 0; i < 100000 && access(path, F_OK); i++)
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    free(path);
    return run;
}

static pid_t wait_for_nobody(const char *out)
{
    const pid_t run = start_for_nobody(out);
    nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL); /* it gets ready to wait */
    return run;
}

Test(remote, a_signal_ends_the_wait)
{
    for (const int *number = (const int[]){SIGINT, SIGTERM, SIGHUP, 0}; *number; number++) {
        char *out = folder_new();
        const pid_t child = wait_for_nobody(out);
        kill(child, *number);
        finished run = heddle_wait(out, child);
        expect_code(&run, 128 + *number);
        expect_error(&run, "interrupted");
        rig_expect_no_socket();
        finished_free(&run);
        folder_remove(out);
    }
}

/* Before it waits, or while it does: at once it ends the process, later the run. */
Test(remote, one_interrupt_ends_it_whenever_it_comes)
{
    for (long delay = 0; delay < 8000000; delay += 500000) {
        char *out = folder_new();
        const pid_t child = start_for_nobody(out);
        nanosleep(&(struct timespec){.tv_nsec = delay}, NULL);
        kill(child, SIGINT);
        const time_t begin = time(NULL);
        finished run = heddle_wait(out, child);
        expect_code(&run, 128 + SIGINT);
        cr_expect_lt(time(NULL) - begin, 30, "it waits on");
        rig_expect_no_socket();
        finished_free(&run);
        folder_remove(out);
    }
}

Test(remote, a_file_that_is_no_socket_stays)
{
    char *path = path_in(rig_folder, "socket");
    file_write(path, "mine", 4);
    finished run = heddle("run", MACHINE, "vecadd", "--set", rig_setting);
    char *left = file_read(path, NULL);
    expect_code(&run, 2);
    expect_error(&run, "File exists");
    cr_expect_str_eq(left, "mine");
    finished_free(&run);
    free(left);
    free(path);
}

Test(remote, an_address_is_one_runs_and_free_again_when_that_is_killed)
{
    char *out = folder_new();
    const pid_t child = wait_for_nobody(out);
    finished other = heddle("run", MACHINE, "vecadd", "--set", rig_setting);
    expect_code(&other, 2);
    expect_error(&other, "Address already in use");
    kill(child, SIGKILL);
    finished killed = heddle_wait(out, child);
    json_t *stats = memory_run("remote.quantum=0 s", "--tlm=auto");
    json_decref(stats);
    finished_free(&other);
    finished_free(&killed);
    folder_remove(out);
}

Test(remote, two_ports_of_one_address_are_an_error_at_the_second)
{
    char *machine = path_in(rig_folder, "two.yaml");
    char *text = text_of("heddle: 1\nname: two\nextends: %s\nblocks:\n"
                         "  remote: {parameters: {address: \"%s\"}}\n"
                         "  other: {kind: remote_port, type: device, clock: memory, parameters: {address: \"%s\"}}\n",
                         MACHINE, rig_address, rig_address);
    file_write(machine, text, strlen(text));
    finished run = heddle("run", machine, "vecadd");
    expect_code(&run, 2);
    expect_error(&run, "two.yaml:6:3: error[N41]: block 'other' (remote_port/device)");
    expect_error(&run, "/socket': Address already in use");
    rig_expect_no_socket();
    finished_free(&run);
    free(text);
    free(machine);
}

/* ---- A peer that is the host ----------------------------------------------------------------------------------------- */

#define HOST_MACHINE SYSTEM_MACHINES "/host_elsewhere.yaml"

static json_t *host_run(const char *peer, const char *set, const char *tlm)
{
    return rig_stats((const char *[]){peer, rig_address, "well", NULL}, HOST_MACHINE, NULL,
                     (const char *[]){"--set", set, tlm, NULL});
}

static void expect_copies(const json_t *stats)
{
    cr_expect_eq(rig_number(stats, "blocks/dma/total/copies"), 2);
    cr_expect_eq(rig_number(stats, "blocks/dma/total/bytes_to_device"), 5000);
    cr_expect_eq(rig_number(stats, "blocks/dma/total/bytes_from_device"), 5000);
    cr_expect_eq(rig_number(stats, "blocks/remote/total/interrupts"), 2);
    cr_expect_eq(rig_number(stats, "blocks/remote/total/peer_requests"), 6);
    cr_expect_geq(rig_number(stats, "blocks/remote/total/requests"), 40);
    cr_expect_eq(rig_number(stats, "blocks/remote/total/refused"), 0);
}

Test(remote, a_host_elsewhere_has_its_memory_copied_and_is_interrupted)
{
    for (const char **set = (const char *[]){"remote.quantum=0 s", "remote.quantum=1 us", NULL}; *set; set++) {
        json_t *a = host_run(REMOTE_PEERS "/host", *set, "--tlm=checked");
        json_t *b = host_run(REMOTE_PEERS "/host", *set, "--tlm=auto");
        expect_copies(a);
        expect_same_stats(a, b);
        json_decref(a);
        json_decref(b);
    }
}

Test(remote, a_host_that_goes_while_it_is_needed_ends_the_run_with_one_line)
{
    static const char *const rows[][2] = {
        {"dies", "the other side has closed the connection; "},
        {"leaves", "the peer has said BYE; "},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int code;
        finished run = rig_run((const char *[]){REMOTE_PEERS "/host", rig_address, rows[i][0], NULL}, HOST_MACHINE,
                               NULL, (const char *[]){NULL}, &code);
        expect_code(&run, 1);
        expect_error(&run, rows[i][1]);
        expect_error(&run, "unanswered, among them a read of");
        finished_free(&run);
    }
}

/* ---- Peers in Python ------------------------------------------------------------------------------------------------- */

static json_t *python_run(const char *peer, const char *machine, const char *app)
{
    setenv("PYTHONPATH", PYTHON_CLIENT, 1);
    return rig_stats((const char *[]){PYTHON, "-B", peer, rig_address, NULL}, machine, app,
                     (const char *[]){"--tlm=auto", NULL});
}

Test(remote, a_peer_in_python_makes_the_same_run)
{
    json_t *in_c = host_run(REMOTE_PEERS "/host", "remote.quantum=0 s", "--tlm=auto");
    json_t *in_python = python_run(PYTHON_PEERS "/host.py", HOST_MACHINE, NULL);
    expect_copies(in_python);
    expect_same_stats(in_c, in_python);
    json_decref(in_c);
    json_decref(in_python);
    in_c = memory_run("remote.quantum=0 s", "--tlm=auto");
    in_python = python_run(PYTHON_PEERS "/memory.py", MACHINE, "vecadd");
    expect_same_stats(in_c, in_python);
    json_decref(in_c);
    json_decref(in_python);
}
