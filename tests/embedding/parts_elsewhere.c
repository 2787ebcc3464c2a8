/* SPDX-License-Identifier: MIT */
/* A machine whose memory is a process of its own. */
#include "embedding.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORDS 64u

static char folder[32], address[64];

static void begin(void)
{
    strcpy(folder, "/tmp/elsewhere_XXXXXX");
    cr_assert(mkdtemp(folder));
    snprintf(address, sizeof address, "unix:%s/socket", folder);
}

static void end(void)
{
    cr_expect_eq(rmdir(folder), 0, "the socket is left");
}

TestSuite(parts_elsewhere, .init = begin, .fini = end);

static heddle_error open_remote(heddle_machine **machine)
{
    char setting[96];
    heddle_settings settings = small_machine();
    snprintf(setting, sizeof setting, "remote.address=%s", address);
    settings.netlist = EMBEDDING_REMOTE;
    settings.overrides = (const char *const[]){setting, "remote.timeout=500 ms"};
    settings.override_count = 2;
    return heddle_open(&settings, machine);
}

static pid_t start_peer(const char *how)
{
    const pid_t peer = fork();
    if (!peer) {
        execl(EMBEDDING_PEER, EMBEDDING_PEER, address, how, NULL);
        _exit(127);
    }
    return peer;
}

Test(parts_elsewhere, are_part_of_the_machine)
{
    uint32_t sent[WORDS], got[WORDS];
    int status;
    heddle_address data;
    heddle_machine *machine;
    const pid_t peer = start_peer("well");
    REQUIRE(open_remote(&machine));
    for (uint32_t i = 0; i < WORDS; i++)
        sent[i] = 3 * i;
    REQUIRE(heddle_allocate(machine, sizeof sent, &data));
    REQUIRE(heddle_copy_to_device(machine, data, sent, sizeof sent));
    REQUIRE(heddle_copy_from_device(machine, got, data, sizeof got));
    cr_expect_arr_eq(got, sent, sizeof sent);
    REQUIRE(heddle_close(machine));
    cr_assert_eq(waitpid(peer, &status, 0), peer);
    cr_expect(WIFEXITED(status) && !WEXITSTATUS(status), "the peer has heard the end");
}

Test(parts_elsewhere, that_do_not_come_are_a_fault)
{
    heddle_machine *machine;
    expect_refusal(open_remote(&machine), HEDDLE_ERROR_FAULT, "nobody has connected within 0.5 s");
}

Test(parts_elsewhere, that_die_are_a_fault)
{
    uint32_t word = 0;
    heddle_address data;
    heddle_machine *machine;
    const pid_t peer = start_peer("dies");
    REQUIRE(open_remote(&machine));
    REQUIRE(heddle_allocate(machine, sizeof word, &data));
    heddle_error error = heddle_copy_to_device(machine, data, &word, sizeof word);
    if (!error)
        error = heddle_copy_from_device(machine, &word, data, sizeof word);
    expect_refusal(error, HEDDLE_ERROR_FAULT, "the other side has closed the connection; 1 unanswered");
    heddle_close(machine);
    cr_assert_eq(waitpid(peer, NULL, 0), peer);
}
