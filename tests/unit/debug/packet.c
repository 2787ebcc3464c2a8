/* SPDX-License-Identifier: MIT */
#include "packet.h"

#include <criterion/criterion.h>
#include <string.h>

/* The last event but PACKET_NOTHING. */
static enum packet_event take(packet_reader *reader, const void *bytes, size_t count)
{
    enum packet_event last = PACKET_NOTHING;
    for (size_t i = 0; i < count; i++) {
        const enum packet_event event = packet_take(reader, ((const uint8_t *)bytes)[i]);
        last = event ? event : last;
    }
    return last;
}

static enum packet_event take_text(packet_reader *reader, const char *text)
{
    return take(reader, text, strlen(text));
}

Test(packet, with_the_right_checksum_is_complete)
{
    packet_reader reader = {0};
    cr_assert_eq(take_text(&reader, "+$g#67"), PACKET_COMPLETE);
    cr_assert_str_eq(reader.bytes, "g");
    cr_assert_eq(take_text(&reader, "$#00"), PACKET_COMPLETE);
    cr_assert_eq(reader.count, 0);
    cr_assert_eq(take_text(&reader, "$qC#B4"), PACKET_COMPLETE);
}

Test(packet, with_another_checksum_is_damaged)
{
    static const char *const damaged[] = {"$g#68", "$g#6x", "$g#x7", "$g#77", "$g#\xFF\xFF", "$}#00"};
    for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++) {
        packet_reader reader = {0};
        cr_expect_eq(take_text(&reader, damaged[i]), PACKET_DAMAGED, "%s", damaged[i]);
        cr_expect_eq(take_text(&reader, "$g#67"), PACKET_COMPLETE, "after %s", damaged[i]);
    }
}

Test(packet, bytes_between_are_events_of_their_own)
{
    packet_reader reader = {0};
    cr_assert_eq(take_text(&reader, "+"), PACKET_NOTHING);
    cr_assert_eq(take_text(&reader, "-"), PACKET_REPEAT);
    cr_assert_eq(take_text(&reader, "\003"), PACKET_INTERRUPT);
    cr_assert_eq(take_text(&reader, "$\003-#30"), PACKET_COMPLETE); /* inside they are bytes like others */
}

Test(packet, any_bytes_come_through)
{
    packet_output output = {0};
    packet_reader reader = {0};
    uint8_t bytes[256];
    for (uint32_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)i;
    packet_output_frame(&output, bytes, sizeof bytes);
    cr_assert_eq(output.count, 256 + 4 + 4);
    cr_assert_eq(take(&reader, output.bytes, output.count), PACKET_COMPLETE);
    cr_assert_eq(reader.count, sizeof bytes);
    cr_assert_eq(memcmp(reader.bytes, bytes, sizeof bytes), 0);
    packet_output_free(&output);
}

Test(packet, that_is_too_long_is_told_from_a_damaged_one)
{
    static char bytes[PACKET_BYTES_MAX + 1];
    static packet_reader reader;
    packet_output output = {0};
    memset(bytes, 'a', sizeof bytes);
    packet_output_frame(&output, bytes, sizeof bytes - 1);
    cr_assert_eq(take(&reader, output.bytes, output.count), PACKET_COMPLETE);
    cr_assert_eq(reader.count, PACKET_BYTES_MAX);
    output.count = 0;
    packet_output_frame(&output, bytes, sizeof bytes);
    cr_assert_eq(take(&reader, output.bytes, output.count), PACKET_TOO_LONG);
    cr_assert_eq(take_text(&reader, "$g#67"), PACKET_COMPLETE);
    packet_output_free(&output);
}

Test(packet, numbers_have_64_bits_at_most)
{
    const char *text = "fFffffffffffffff,";
    uint64_t value;
    cr_assert(packet_number(&text, &value));
    cr_assert_eq(value, UINT64_MAX);
    cr_assert_eq(*text, ',');
    cr_assert_not(packet_number(&text, &value));
    text = "10000000000000000";
    cr_assert_not(packet_number(&text, &value));
}

Test(packet, what_was_sent_is_taken_away)
{
    packet_output output = {0};
    packet_output_add(&output, "abc", 3);
    packet_output_take_away(&output, 2);
    cr_assert_eq(output.count, 1);
    cr_assert_eq(output.bytes[0], 'c');
    packet_output_free(&output);
}
