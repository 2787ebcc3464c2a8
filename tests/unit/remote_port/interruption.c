/* SPDX-License-Identifier: MIT */
/* A run that is to end waits for no peer, whenever that is said; a signal alone ends no wait. */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "peer.h"

typedef struct asked {
    uint32_t count;
    uint32_t yes_from; /* the question that is the first to be answered with yes */
} asked;

static uint32_t is_requested(void *context)
{
    asked *self = context;
    return self->count++ >= self->yes_from;
}

static void expect_interrupted(uint32_t yes_from)
{
    asked self = {.yes_from = yes_from};
    const hd_interruption interruption = {.context = &self, .is_requested = is_requested};
    char address[64], text[128];
    snprintf(address, sizeof address, "address=unix:/tmp/remote_port_%d", (int)getpid());
    snprintf(text, sizeof text, "%s: nobody has connected: interrupted", strchr(address, '=') + 1);
    kit_block *kit = kit_create(&hd_remote_port_device, (const char *[]){address, "timeout=600 s", NULL});
    kit_provide(kit, HD_EXTENSION_INTERRUPTION, &interruption);
    kit_expect_fault(kit);
    kit_start(kit);
    kit_run_until(kit, 100000);
    cr_expect_str_eq(kit_fault_text(kit), text);
    cr_expect_eq(self.count, yes_from + 1);
    kit_destroy(kit);
}

Test(remote_interruption, ends_a_wait_before_and_after_it_has_begun, .timeout = 60)
{
    expect_interrupted(0);
    expect_interrupted(3);
}

/* ---- Signals --------------------------------------------------------------------------------------------------------- */

#define SIGNALS 5
static pthread_t waiting;
static volatile sig_atomic_t signals;

static void count_signal(int number)
{
    (void)number;
    signals++;
}

/* Each of the port's waits, for the turn and for the answer, is met by signals. */
static void answer_slowly(peer *self)
{
    peer_expect(self, HEDDLE_REMOTE_ADVANCE);
    for (int i = 0; i < SIGNALS; i++) {
        usleep(20000);
        pthread_kill(waiting, SIGUSR1);
    }
    heddle_remote_pass(&self->remote, HEDDLE_REMOTE_NEVER);
    const heddle_remote_message read = peer_expect(self, HEDDLE_REMOTE_READ);
    usleep(20000);
    pthread_kill(waiting, SIGUSR1);
    usleep(20000);
    heddle_remote_answer(&self->remote, &read, HEDDLE_REMOTE_OK, "abcd", 0);
    peer_expect(self, HEDDLE_REMOTE_BYE);
}

Test(remote_interruption, a_signal_alone_ends_no_wait, .timeout = 60)
{
    const struct sigaction action = {.sa_handler = count_signal};
    peer self = {0};
    uint8_t bytes[4];
    waiting = pthread_self();
    sigaction(SIGUSR1, &action, NULL);
    kit_block *kit = peer_begin(&self, answer_slowly, 1u << PORT_ACCESS, "quantum=0 s");
    kit_run_until(kit, 1000);
    cr_expect_eq(kit_debug_read(kit, 0x40, bytes, 4), 4);
    cr_expect_arr_eq(bytes, "abcd", 4);
    cr_expect_eq(signals, SIGNALS + 1);
    peer_end(&self, kit);
}
