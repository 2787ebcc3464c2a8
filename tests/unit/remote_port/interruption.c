/* SPDX-License-Identifier: MIT */
/* A run that is to end waits for no peer, whenever that is said. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kit.h"
#include "remote_port.h"

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
