/* SPDX-License-Identifier: MIT */
/* Answers that the peer must not give to what takes no time. */
#include <criterion/criterion.h>
#include <string.h>

#include "peer.h"

static void answer(peer *self, uint64_t tag_more, uint32_t status, uint32_t data_bytes)
{
    heddle_remote_message message = {0};
    heddle_remote_receive(&self->remote, &message);
    const heddle_remote_message answer = {.kind = HEDDLE_REMOTE_ANSWER,
                                          .flags = HEDDLE_REMOTE_UNTIMED,
                                          .tag = message.tag + tag_more,
                                          .status = status,
                                          .data_bytes = data_bytes};
    heddle_remote_send(&self->remote, &answer);
    heddle_remote_receive(&self->remote, &message);
}

static void answer_another(peer *self)
{
    answer(self, 1, HEDDLE_REMOTE_OK, 8);
}

static void answer_with_data(peer *self)
{
    answer(self, 0, HEDDLE_REMOTE_OK, 8);
}

static void answer_with_too_few(peer *self)
{
    answer(self, 0, HEDDLE_REMOTE_OK, 7);
}

static void refuse_with_data(peer *self)
{
    answer(self, 0, HEDDLE_REMOTE_ADDRESS_ERROR, 8);
}

static void answer_what_there_is_not(peer *self)
{
    answer(self, 0, HEDDLE_REMOTE_GENERIC_ERROR + 1, 0);
}

static void expect_fault(void (*act)(peer *self), int is_write, const char *text)
{
    peer self = {0};
    uint8_t bytes[8] = {0};
    kit_block *kit = peer_begin(&self, act, 1u << PORT_ACCESS, "quantum=0 s");
    kit_expect_fault(kit);
    cr_expect_eq(is_write ? kit_debug_write(kit, 0x40, bytes, 8) : kit_debug_read(kit, 0x40, bytes, 8), 0);
    const char *fault = kit_fault_text(kit);
    cr_expect(fault && strstr(fault, text), "expected: %s\nfault: %s", text, fault ? fault : "none");
    cr_expect(fault && strstr(fault, is_write ? "an untimed write of 8 bytes at 0x40 is unanswered"
                                              : "an untimed read of 8 bytes at 0x40 is unanswered"));
    peer_end(&self, kit);
}

Test(remote_untimed, an_answer_that_is_none_is_a_fault)
{
    expect_fault(answer_another, 0, "answers a request that nobody has made");
    expect_fault(answer_with_data, 1, "answers with more or fewer bytes than it was asked for");
    expect_fault(answer_with_too_few, 0, "answers with more or fewer bytes than it was asked for");
    expect_fault(refuse_with_data, 0, "answers with more or fewer bytes than it was asked for");
    expect_fault(answer_what_there_is_not, 0, "answers with a status that there is not");
    expect_fault(answer_what_there_is_not, 1, "answers with a status that there is not");
}
