/* SPDX-License-Identifier: MIT */
/* Packets as bytes. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "rp_packet.h"

static rp_packet read, sent;
static uint8_t bytes[2 * RP_BYTES_MAX];

static long decode(size_t count)
{
    const char *why;
    return rp_decode(bytes, count, &read, &why);
}

static void expect_bytes(const rp_packet *packet, const uint8_t *expected, size_t count)
{
    cr_assert_eq(rp_encode(packet, bytes), count);
    cr_expect_arr_eq(bytes, expected, count);
}

#define EXPECT_BYTES(packet, ...)                                                                                      \
    do {                                                                                                               \
        static const uint8_t expected_[] = {__VA_ARGS__};                                                              \
        expect_bytes((packet), expected_, sizeof expected_);                                                           \
    } while (0)

/* clang-format off */
Test(rp_packets, are_the_bytes_that_the_document_says)
{
    const rp_packet hello = {.command = RP_HELLO, .id = 5, .major = 4, .minor = 3, .capabilities = RP_OUR_CAPABILITIES};
    EXPECT_BYTES(&hello, 0, 0, 0, 1,  0, 0, 0, 24,  0, 0, 0, 5,  0, 0, 0, 0,  0, 0, 0, 0,
                 0, 4, 0, 3,  0, 0, 0, 32,  0, 3, 0, 0,  0, 0, 0, 1,  0, 0, 0, 2,  0, 0, 0, 3);
    const rp_packet sync = {.command = RP_SYNC, .id = 0x01020304, .flags = RP_RESPONSE, .device = 9, .time = 0x1122334455667788};
    EXPECT_BYTES(&sync, 0, 0, 0, 6,  0, 0, 0, 8,  1, 2, 3, 4,  0, 0, 0, 2,  0, 0, 0, 9,
                 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88);
    const rp_packet interrupt = {.command = RP_INTERRUPT, .flags = RP_POSTED, .time = 1, .line = 2, .level = 1};
    EXPECT_BYTES(&interrupt, 0, 0, 0, 5,  0, 0, 0, 21,  0, 0, 0, 0,  0, 0, 0, 4,  0, 0, 0, 0,
                 0, 0, 0, 0, 0, 0, 0, 1,  0, 0, 0, 0, 0, 0, 0, 0,  0, 0, 0, 2,  1);
    const rp_packet write = {.command = RP_WRITE, .time = 1, .address = 0x1000, .length = 3, .stream_width = 3, .data_bytes = 3, .data = "abc"};
    EXPECT_BYTES(&write, 0, 0, 0, 4,  0, 0, 0, 41,  0, 0, 0, 0,  0, 0, 0, 0,  0, 0, 0, 0,
                 0, 0, 0, 0, 0, 0, 0, 1,  0, 0, 0, 0, 0, 0, 0, 0,  0, 0, 0, 0, 0, 0, 0x10, 0,
                 0, 0, 0, 3,  0, 0, 0, 0,  0, 0, 0, 3,  0, 0,  'a', 'b', 'c');
    const rp_packet masked = {.command = RP_WRITE, .attributes = RP_EXTENDED, .length = 2, .stream_width = 2, .data_bytes = 2, .data = "ab",
                              .enable_bytes = 2, .enables = {0xFF, 0}};
    EXPECT_BYTES(&masked, 0, 0, 0, 4,  0, 0, 0, 64,  0, 0, 0, 0,  0, 0, 0, 0,  0, 0, 0, 0,
                 0, 0, 0, 0, 0, 0, 0, 0,  0, 0, 0, 0, 0, 0, 0, 4,  0, 0, 0, 0, 0, 0, 0, 0,
                 0, 0, 0, 2,  0, 0, 0, 0,  0, 0, 0, 2,  0, 0,
                 0, 0,  0, 0, 0, 0,  0, 0, 0, 80,  0, 0, 0, 0,  0, 0, 0, 82,  0, 0, 0, 2,  'a', 'b',  0xFF, 0);
}
/* clang-format on */

static void make(uint32_t command, uint32_t flags, uint64_t attributes)
{
    memset(&sent, 0, sizeof sent);
    sent = (rp_packet){.command = command, .id = 7, .flags = flags, .device = 3};
    if (command == RP_HELLO) {
        sent.major = 4;
        sent.capabilities = RP_OUR_CAPABILITIES | 1u << RP_CAN_TRANSLATE;
    }
    if (command >= RP_READ)
        sent.time = UINT64_MAX;
    if (command == RP_INTERRUPT)
        sent.level = 1;
    if (command == RP_READ || command == RP_WRITE) {
        sent.attributes = attributes;
        sent.length = sent.stream_width = 5;
        sent.data_bytes = rp_carries_data(&sent) ? 5 : 0;
        memcpy(sent.data, "12345", sent.data_bytes);
        sent.enable_bytes = attributes & RP_EXTENDED ? 2 : 0;
    }
}

static void expect_to_come_back(void)
{
    const size_t count = rp_encode(&sent, bytes);
    for (size_t some = 0; some < count; some++)
        cr_expect_eq(decode(some), 0, "%u: %zu of %zu bytes", sent.command, some, count);
    memset(&read, 0, sizeof read);
    cr_expect_eq(decode(sizeof bytes), (long)count);
    cr_expect_eq(memcmp(&read, &sent, sizeof sent), 0, "command %u", sent.command);
}

Test(rp_packets, come_back_as_they_were_and_no_sooner_than_whole)
{
    for (uint32_t command = RP_NOP; command <= RP_SYNC; command++)
        for (uint32_t flags = 0; flags <= RP_RESPONSE; flags += RP_RESPONSE)
            for (uint64_t attributes = 0; attributes <= RP_EXTENDED; attributes += RP_EXTENDED) {
                make(command, flags, attributes);
                expect_to_come_back();
            }
}

Test(rp_packets, what_later_versions_add_is_left)
{
    make(RP_HELLO, 0, 0);
    size_t count = rp_encode(&sent, bytes);
    bytes[7] += 4; /* a capability more, with a number that is not known */
    bytes[29]++;
    memset(bytes + count, 0xFF, 4);
    cr_expect_eq(decode(sizeof bytes), (long)count + 4);
    cr_expect_eq(read.capabilities, sent.capabilities);
    bytes[7] = 4; /* the version alone, as before capabilities */
    cr_expect_eq(decode(24), 24);
    cr_expect_eq(read.capabilities, 0);
    make(RP_SYNC, 0, 0);
    count = rp_encode(&sent, bytes);
    bytes[7] += 8; /* more behind it */
    cr_expect_eq(decode(sizeof bytes), (long)count + 8);
    make(20, RP_OPTIONAL, 0);
    count = rp_encode(&sent, bytes);
    cr_expect_eq(decode(count), (long)count);
}

/* Byte `at` of the packet gets that value. */
static void expect_refused(size_t at, uint8_t value, const char *text)
{
    const char *why = "";
    const size_t count = rp_encode(&sent, bytes);
    bytes[at] = value;
    cr_expect_eq(rp_decode(bytes, count, &read, &why), -1);
    cr_expect_str_eq(why, text);
}

Test(rp_packets, that_are_none_are_refused_with_what_is_wrong)
{
    make(RP_SYNC, 0, 0);
    expect_refused(3, 9, "an unknown command");
    expect_refused(3, 7, "an unknown command");
    expect_refused(0, 1, "an unknown command");
    expect_refused(4, 1, "a length that no packet has");
    expect_refused(7, 7, "a packet too short for its command");
    make(RP_HELLO, 0, 0);
    expect_refused(29, 5, "a HELLO whose capabilities lie outside of it");
    expect_refused(27, 31, "a HELLO whose capabilities lie outside of it");
    make(RP_WRITE, 0, 0);
    expect_refused(47, 6, "an access without all of its data");
    expect_refused(46, 0x11, "an access of more than 4096 bytes");
    make(RP_WRITE, 0, RP_EXTENDED);
    expect_refused(7, 59, "an access of the extended form that is too short for it");
    expect_refused(67, 79, "an access whose data lie within its header");
    expect_refused(67, 83, "an access without all of its data");
    expect_refused(75, 86, "an access whose byte enables lie outside of it");
    expect_refused(75, 79, "an access whose byte enables lie outside of it");
    make(RP_READ, RP_RESPONSE, RP_EXTENDED);
    expect_refused(47, 100, "an access without all of its data");
}
