/* SPDX-License-Identifier: MIT */
/* The bytes of a session over a pair of sockets: in parts, all at once, and to somebody who has gone. */
#include "door.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fake_target.h"

static fake_target fake;
static debug_door *door;
static int peer;

static void begin(void)
{
    int ends[2];
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), 0);
    door = calloc(1, sizeof *door);
    *door = (debug_door){.what = "fake", .listening = {.socket = -1}, .connection = ends[0], .target = fake_target_of(&fake)};
    peer = ends[1];
    gdb_session_begin(&door->session, &door->target);
}

static void end(void)
{
    if (door_has_gdb(door))
        door_dismiss(door);
    close(peer);
    free(door);
}

TestSuite(door, .init = begin, .fini = end);

static void say(const char *bytes)
{
    cr_assert_eq(write(peer, bytes, strlen(bytes)), (ssize_t)strlen(bytes));
}

static const char *heard(void)
{
    static char bytes[256];
    const ssize_t count = read(peer, bytes, sizeof bytes - 1);
    bytes[count > 0 ? count : 0] = '\0';
    return bytes;
}

Test(door, takes_a_packet_that_comes_byte_by_byte)
{
    for (const char *c = "$qC#b4"; *c; c++) {
        cr_assert_str_eq(heard(), "");
        say((const char[]){*c, '\0'});
        cr_assert(door_exchange(door));
    }
    cr_assert_str_eq(heard(), "+$QC1#c5");
    cr_assert(door_exchange(door), "nothing has come, and nobody has gone");
}

Test(door, takes_several_at_once)
{
    say("+$qC#b4$T1#85");
    cr_assert(door_exchange(door));
    cr_assert_str_eq(heard(), "+$QC1#c5+$OK#9a");
}

Test(door, keeps_what_nobody_takes_until_somebody_does)
{
    const uint32_t packets = 100000;
    for (uint32_t i = 0; i < packets; i++)
        packet_output_frame(&door->session.output, "twenty-four bytes of text", 25);
    cr_assert(door_exchange(door));
    cr_assert_gt(door->session.output.count, 0);
    size_t taken = 0;
    static char bytes[65536];
    for (ssize_t count; taken < packets * 29ul; taken += (size_t)count) {
        count = read(peer, bytes, sizeof bytes);
        cr_assert_gt(count, 0);
        cr_assert(door_exchange(door));
    }
    cr_assert_eq(door->session.output.count, 0);
    cr_assert_eq(taken, packets * 29ul);
}

Test(door, tells_that_the_other_side_has_gone)
{
    say("$m10");
    cr_assert(door_exchange(door));
    shutdown(peer, SHUT_RDWR);
    cr_assert_not(door_exchange(door));
}
