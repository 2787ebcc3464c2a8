/* SPDX-License-Identifier: MIT */
/* Processes that speak QEMU's Remote-Port protocol: a memory, and hosts of the machine; and all that may go wrong with them. */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "folder.h"
#include "remote_rig.h"
#include "stats.h"

#define MEMORY_MACHINE SYSTEM_MACHINES "/qemu_memory.yaml"
#define HOST_MACHINE SYSTEM_MACHINES "/qemu_host.yaml"

TestSuite(qemu_port, .init = rig_begin, .fini = rig_end, .timeout = 120);

static json_t *memory_run(const char *how, const char *set, const char *tlm)
{
    return rig_stats((const char *[]){STRICT, "memory", rig_address, how, NULL}, MEMORY_MACHINE, "vecadd",
                     (const char *[]){"--set", set, tlm, NULL});
}

/* Byte enables in one packet or in runs, either form of packets, and packets whose bytes come one by one. */
Test(qemu_port, a_memory_answers)
{
    json_t *well = memory_run("well", "remote.quantum=1 us", "--tlm=checked");
    cr_expect_gt(rig_number(well, "blocks/remote/total/requests"), 1000);
    cr_expect_gt(rig_number(well, "blocks/remote/total/syncs"), 10);
    cr_expect_eq(rig_number(well, "blocks/remote/total/refused"), 0);
    for (const char **how = (const char *[]){"well", "old", "enables", "slowly", NULL}; *how; how++) {
        json_t *other = memory_run(*how, "remote.quantum=1 us", "--tlm=auto");
        expect_same_stats(well, other);
        json_decref(other);
    }
    json_decref(well);
}

Test(qemu_port, whoever_listens_the_run_is_the_same)
{
    json_t *called = memory_run("well", "remote.role=listen", "--tlm=auto");
    json_t *calls = memory_run("listens", "remote.role=connect", "--tlm=auto");
    cr_expect_eq(rig_number(called, "simulated_ps"), rig_number(calls, "simulated_ps"));
    json_decref(called);
    json_decref(calls);
}

Test(qemu_port, a_peer_that_does_wrong_ends_the_run_with_one_line)
{
    static const char *const rows[][2] = {
        {"dies", "the other side has closed the connection; a read of"},
        {"closes", "the other side has closed the connection; a read of"},
        {"sleeps", "the other side has not answered within 1 s; a read of"},
        {"trickles", "the other side has not answered within 1 s; a read of"},
        {"babbles", "what the other side has sent is no packet: a length that no packet has; a read of"},
        {"unknown", "what the other side has sent is no packet: an unknown command; a read of"},
        {"long", "what the other side has sent is no packet: a length that no packet has; a read of"},
        {"nobody", "the other side answers what nobody has asked; a read of"},
        {"refuses", "memory answers status 1"},
        {"future", "the other side speaks version 5.3 of the protocol, this one speaks version 4.3"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int code;
        finished run = rig_run((const char *[]){STRICT, "memory", rig_address, rows[i][0], NULL}, MEMORY_MACHINE,
                               "vecadd", (const char *[]){"--set", "remote.timeout=1 s", "--tlm=auto", NULL}, &code);
        expect_code(&run, 1);
        expect_error(&run, rows[i][1]);
        cr_expect_null(strstr(strstr(run.err, "error: ") + 1, "error: "), "more than one:\n%s", run.err);
        cr_expect_neq(code, 3, "the peer objects");
        finished_free(&run);
    }
}

Test(qemu_port, nobody_is_there)
{
    static const char *const rows[][2] = {{"remote.role=listen", "/socket: nobody has connected within 0.2 s"},
                                          {"remote.role=connect", "/socket: No such file or directory"}};
    for (size_t i = 0; i < 2; i++) {
        finished run = heddle("run", MEMORY_MACHINE, "vecadd", "--set", rig_setting, "--set", "remote.timeout=200 ms",
                              "--set", rows[i][0]);
        expect_code(&run, 1);
        expect_error(&run, rows[i][1]);
        rig_expect_no_socket();
        finished_free(&run);
    }
}

Test(qemu_port, a_signal_ends_the_wait)
{
    for (const char **role = (const char *[]){"remote.role=listen", "remote.role=connect", NULL}; *role; role++) {
        char *out = folder_new();
        const pid_t child = heddle_start(out, (const char *[]){"run", MEMORY_MACHINE, "vecadd", "--set", rig_setting,
                                                               "--set", *role, "--set", "remote.timeout=60 s", NULL});
        nanosleep(&(struct timespec){.tv_sec = 2}, NULL); /* it gets ready to wait */
        kill(child, SIGTERM);
        finished run = heddle_wait(out, child);
        expect_code(&run, 128 + SIGTERM);
        expect_error(&run, "interrupted");
        rig_expect_no_socket();
        finished_free(&run);
        folder_remove(out);
    }
}

/* ---- A peer that is the host ----------------------------------------------------------------------------------------- */

static json_t *host_run(const char *who, const char *how, const char *set, const char *tlm)
{
    return rig_stats((const char *[]){STRICT, who, rig_address, how, NULL}, HOST_MACHINE, NULL,
                     (const char *[]){"--set", set, tlm, NULL});
}

static void expect_copies(const json_t *stats)
{
    cr_expect_eq(rig_number(stats, "blocks/dma/total/copies"), 2);
    cr_expect_eq(rig_number(stats, "blocks/dma/total/bytes_to_device"), 5000);
    cr_expect_eq(rig_number(stats, "blocks/dma/total/bytes_from_device"), 5000);
    cr_expect_eq(rig_number(stats, "blocks/remote/total/interrupts"), 2);
    cr_expect_eq(rig_number(stats, "blocks/remote/total/peer_requests"), 6);
    cr_expect_eq(rig_number(stats, "blocks/remote/total/peer_refused"), 0);
    cr_expect_eq(rig_number(stats, "blocks/remote/total/strays"), 0);
}

Test(qemu_port, a_host_that_leads_in_time_has_its_memory_copied_and_is_interrupted)
{
    json_t *well = host_run("leader", "well", "remote.quantum=0 s", "--tlm=checked");
    expect_copies(well);
    for (const char **how = (const char *[]){"well", "old", "slowly", NULL}; *how; how++) {
        json_t *other = host_run("leader", *how, "remote.quantum=0 s", "--tlm=auto");
        expect_same_stats(well, other);
        json_decref(other);
    }
    json_decref(well);
}

/* When the machine hears what it says depends on the computer. */
Test(qemu_port, a_host_that_follows_has_its_memory_copied_and_is_interrupted)
{
    for (const char **how = (const char *[]){"well", "old", "enables", "slowly", NULL}; *how; how++) {
        json_t *stats = host_run("host", *how, "remote.quantum=1 us", "--tlm=checked");
        expect_copies(stats);
        json_decref(stats);
    }
}

Test(qemu_port, a_host_that_dies_while_it_is_needed_ends_the_run_with_one_line)
{
    for (const char **who = (const char *[]){"leader", "host", NULL}; *who; who++) {
        int code;
        finished run = rig_run(
            (const char *[]){STRICT, *who, rig_address, "dies", NULL}, HOST_MACHINE, NULL,
            (const char *[]){"--set", **who == 'l' ? "remote.quantum=0 s" : "remote.quantum=1 us", NULL}, &code);
        expect_code(&run, 1);
        expect_error(&run, "the other side has closed the connection; a read of");
        finished_free(&run);
    }
}
