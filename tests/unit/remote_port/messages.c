/* SPDX-License-Identifier: MIT */
/* Messages as bytes. */
#include <criterion/criterion.h>
#include <string.h>
#include <sys/socket.h>

#include "heddle_remote.h"

static heddle_remote_message of_kind(uint16_t kind)
{
    heddle_remote_message message = {.kind = kind,
                                     .tag = kind == HEDDLE_REMOTE_HELLO ? HEDDLE_REMOTE_MAGIC : 0x1122334455667788,
                                     .time = UINT64_MAX,
                                     .address = 0x8000000000000001,
                                     .length = 3,
                                     .status = 5};
    if (kind != HEDDLE_REMOTE_WRITE)
        return message;
    message.data_bytes = 3;
    memcpy(message.data, "abc", 3);
    return message;
}

static long decode(const uint8_t *bytes, size_t count, heddle_remote_message *message)
{
    const char *why;
    return heddle_remote_decode(bytes, count, message, &why);
}

static void expect_refused(const heddle_remote_message *message, const char *text)
{
    uint8_t bytes[HEDDLE_REMOTE_BYTES_MAX];
    heddle_remote_message read;
    const char *why = "";
    const size_t count = heddle_remote_encode(message, bytes);
    cr_expect_eq(heddle_remote_decode(bytes, count, &read, &why), -1);
    cr_expect_str_eq(why, text);
}

Test(remote_messages, are_the_bytes_that_the_document_says)
{
    static const uint8_t expected[] = {43,   0, 0, 0, 3, 0, 1, 0, 0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22,
                                       0x11, 0, 1, 0, 0, 0, 0, 0, 0,    2,    0,    0,    0,    0,    0,
                                       0,    0, 3, 0, 0, 0, 4, 0, 0,    0,    7,    8,    9};
    const heddle_remote_message write = {.kind = HEDDLE_REMOTE_WRITE,
                                         .flags = HEDDLE_REMOTE_UNTIMED,
                                         .tag = 0x1122334455667788,
                                         .time = 256,
                                         .address = 2,
                                         .length = 3,
                                         .status = 4,
                                         .data_bytes = 3,
                                         .data = {7, 8, 9}};
    uint8_t bytes[HEDDLE_REMOTE_BYTES_MAX];
    cr_assert_eq(heddle_remote_encode(&write, bytes), sizeof expected);
    cr_expect_arr_eq(bytes, expected, sizeof expected);
    const uint64_t magic = HEDDLE_REMOTE_MAGIC;
    cr_expect_arr_eq(&magic, "HDREMOTE", 8);
}

Test(remote_messages, come_back_as_they_were_and_no_sooner_than_whole)
{
    for (uint16_t kind = HEDDLE_REMOTE_HELLO; kind <= HEDDLE_REMOTE_BYE; kind++) {
        const heddle_remote_message sent = of_kind(kind);
        uint8_t bytes[2 * HEDDLE_REMOTE_BYTES_MAX] = {0};
        heddle_remote_message read;
        const size_t count = heddle_remote_encode(&sent, bytes);
        for (size_t some = 0; some < count; some++)
            cr_expect_eq(decode(bytes, some, &read), 0, "%u: %zu of %zu bytes", kind, some, count);
        memset(&read, 0, sizeof read);
        cr_expect_eq(decode(bytes, sizeof bytes, &read), (long)count);
        cr_expect_eq(memcmp(&read, &sent, sizeof sent), 0, "kind %u", kind);
    }
}

Test(remote_messages, that_are_none_are_refused_with_what_is_wrong)
{
    heddle_remote_message message = of_kind(0);
    expect_refused(&message, "an unknown kind of message");
    message = of_kind(HEDDLE_REMOTE_BYE + 1);
    expect_refused(&message, "an unknown kind of message");
    message = of_kind(HEDDLE_REMOTE_HELLO);
    message.tag++;
    expect_refused(&message, "a HELLO without its magic");
    message = of_kind(HEDDLE_REMOTE_READ);
    message.flags = HEDDLE_REMOTE_ENABLES;
    expect_refused(&message, "flags that its kind does not have");
    message = of_kind(HEDDLE_REMOTE_ADVANCE);
    message.data_bytes = 1;
    expect_refused(&message, "data behind a message that has none");
    message = of_kind(HEDDLE_REMOTE_READ);
    message.length = 0;
    expect_refused(&message, "a request of no bytes, or of too many");
    message.length = HEDDLE_REMOTE_DATA_MAX + 1;
    expect_refused(&message, "a request of no bytes, or of too many");
    message = of_kind(HEDDLE_REMOTE_WRITE);
    message.flags = HEDDLE_REMOTE_ENABLES;
    expect_refused(&message, "a write whose data have another length");
    message.length = HEDDLE_REMOTE_DATA_MAX / 2 + 1;
    expect_refused(&message, "a request of no bytes, or of too many");
}

Test(remote_messages, of_a_length_that_none_has_are_refused_by_their_header)
{
    uint8_t bytes[HEDDLE_REMOTE_HEADER_BYTES] = {HEDDLE_REMOTE_HEADER_BYTES - 1};
    heddle_remote_message read;
    cr_expect_eq(decode(bytes, sizeof bytes, &read), -1);
    bytes[0] = bytes[3] = 0xFF;
    cr_expect_eq(decode(bytes, sizeof bytes, &read), -1);
}

/* Of an older one as of a newer one. */
Test(remote_messages, of_another_version_of_the_protocol_are_not_understood)
{
    for (uint32_t version = HEDDLE_REMOTE_VERSION - 1; version <= HEDDLE_REMOTE_VERSION + 1; version += 2) {
        const heddle_remote_message hello = {
            .kind = HEDDLE_REMOTE_HELLO, .tag = HEDDLE_REMOTE_MAGIC, .status = version};
        static heddle_remote here, there;
        int ends[2];
        cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
        here = (heddle_remote){.socket = ends[0], .timeout = 1000};
        there = (heddle_remote){.socket = ends[1], .timeout = 1000};
        cr_assert_eq(heddle_remote_send(&there, &hello), 0);
        cr_expect_eq(heddle_remote_greet(&here, 0), -1);
        cr_expect(strstr(here.error, "of the protocol, this one speaks version 1"), "%s", here.error);
        heddle_remote_close(&here);
        heddle_remote_close(&there);
    }
}
