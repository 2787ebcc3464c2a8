/* SPDX-License-Identifier: MIT */
/* Who comes by gdb's protocol, by a few packets by hand: what goes wrong, and what changes nothing. */
#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "gdb_rig.h"

TestSuite(gdb_packets, .init = rig_begin, .fini = rig_end, .timeout = 120);

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

Test(gdb_packets, that_is_gone_leaves_the_run_alone)
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
    expect_same_results(&run, MACHINE, APP, NULL);
    finished_free(&done);
    free(results);
}

/* A run is short: now and then it has ended before gdb goes. */
Test(gdb_packets, that_is_gone_while_the_run_goes_on_changes_nothing)
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
    expect_same_results(&run, MACHINE, APP, NULL);
    finished_free(&done);
    free(results);
    close(s);
}

Test(gdb_packets, steps_of_kernels_change_nothing)
{
    expect_steps_change_nothing(1, 60);
}

Test(gdb_packets, steps_of_firmware_change_nothing)
{
    expect_steps_change_nothing(0, 3000);
}

Test(gdb_packets, kills_the_run)
{
    debugged_run run = start();
    const int s = connect_to(run.firmware);
    send_packet(s, "k");
    finished done = finish(&run);
    close(s);
    expect_code(&done, 130);
    finished_free(&done);
}

Test(gdb_packets, never_comes_and_ctrl_c_ends_the_wait)
{
    debugged_run run = start();
    kill(run.child, SIGINT);
    finished done = finish(&run);
    expect_code(&done, 130);
    finished_free(&done);
}

Test(gdb_packets, is_stopped_and_ctrl_c_ends_the_run)
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

Test(gdb_packets, interrupts_and_both_may_come)
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

Test(gdb_packets, comes_by_loopback_alone_and_to_a_port_that_is_free)
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

Test(gdb_packets, is_refused_where_it_cannot_be)
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
Test(gdb_packets, tells_kinds_of_mistakes_apart)
{
    static const char *const cases[][2] = {{"null_dereference", "T0b"},
                                           {"wild_jump", "T0b"},
                                           {"illegal_instruction", "T04"},
                                           {"false_assertion", "T05"},
                                           {"divergent_barrier", "T05"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        debugged_run run = start_faulty(SYSTEM_MACHINES "/small.yaml", cases[i][0]);
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
