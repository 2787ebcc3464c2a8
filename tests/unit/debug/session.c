/* SPDX-License-Identifier: MIT */
#include "gdb_session.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake_target.h"

static fake_target fake;
static debug_target target;
static debug_session *session;

static void begin(void)
{
    memset(&fake, 0, sizeof fake);
    target = fake_target_of(&fake);
    session = malloc(sizeof *session);
    gdb_session_begin(session, &target);
}

static void end(void)
{
    gdb_session_end(session);
    free(session);
}

TestSuite(session, .init = begin, .fini = end);

#define ANSWERS(packet, text)                                                                                          \
    do {                                                                                                               \
        const char *answer = fake_ask(session, packet);                                                                \
        cr_expect_str_eq(answer, text, "%s: '%s'", packet, answer);                                                    \
    } while (0)

Test(session, acknowledges_until_it_is_told_not_to)
{
    gdb_session_take(session, "$?#3f", 5);
    cr_assert_eq(session->output.bytes[0], '+');
    session->output.count = 0;
    gdb_session_take(session, "$?#00", 5);
    cr_assert_eq(session->output.count, 1);
    cr_assert_eq(session->output.bytes[0], '-');
    ANSWERS("QStartNoAckMode", "OK");
    gdb_session_take(session, "$?#3f", 5);
    cr_assert_eq(session->output.bytes[0], '$');
    session->output.count = 0;
    gdb_session_take(session, "$?#00-", 6);
    cr_assert_eq(session->output.count, 0);
}

Test(session, repeats_its_last_packet_when_asked)
{
    ANSWERS("qC", "QC1");
    gdb_session_take(session, "-", 1);
    cr_assert_str_eq(fake_sent(session), "QC1");
}

Test(session, says_what_it_can)
{
    ANSWERS("qSupported:multiprocess+;xmlRegisters=i386",
            "PacketSize=4000;QStartNoAckMode+;qXfer:features:read+;vContSupported+");
    ANSWERS("vCont?", "vCont;c;C;s;S;r");
    ANSWERS("vMustReplyEmpty", "");
    ANSWERS("!", "");
    ANSWERS("qAttached", "1");
    cr_assert_not_null(session->output.bytes);
}

Test(session, gives_its_description_in_parts)
{
    const char *begin = fake_ask(session, "qXfer:features:read:target.xml:0,5");
    cr_assert_str_eq(begin, "m<?xml");
    const char *all = fake_ask(session, "qXfer:features:read:target.xml:0,1000");
    cr_assert_eq(all[0], 'l');
    cr_assert(strstr(all, "<architecture>riscv:rv32</architecture>"));
    cr_assert(strstr(all, "<feature name=\"cpu\">\n<reg name=\"zero\" bitsize=\"32\" type=\"int\" regnum=\"0\"/>"));
    cr_assert(strstr(all, "<reg name=\"pc\" bitsize=\"64\" type=\"code_ptr\" regnum=\"1\"/>\n</feature></target>"));
    char at_end[64];
    snprintf(at_end, sizeof at_end, "qXfer:features:read:target.xml:%zx,10", strlen(session->description));
    ANSWERS(at_end, "l");
    ANSWERS("qXfer:features:read:target.xml:ffffff,10", "E01");
    ANSWERS("qXfer:features:read:target.xml:0", "E01");
    ANSWERS("qXfer:features:read:other.xml:0,10", "");
}

Test(session, lists_and_describes_threads)
{
    ANSWERS("qfThreadInfo", "m1,2,3");
    ANSWERS("qsThreadInfo", "l");
    ANSWERS("qThreadExtraInfo,2", "6e756d6265722032");
    ANSWERS("T3", "OK");
    ANSWERS("T4", "E03");
    ANSWERS("Hg3", "OK");
    ANSWERS("Hg7", "E03");
    ANSWERS("Hc-1", "OK");
    ANSWERS("Hx1", "E01");
    ANSWERS("H", "E01");
}

Test(session, registers_are_those_of_the_thread_that_was_named)
{
    fake.registers[3][0] = 0x12345678;
    fake.registers[3][1] = 0x1122334455667788;
    ANSWERS("Hg3", "OK");
    ANSWERS("g", "785634128877665544332211");
    ANSWERS("p1", "8877665544332211");
    ANSWERS("p2", "E01");
    ANSWERS("p", "E01");
    ANSWERS("P0=01000000", "OK");
    cr_assert_eq(fake.registers[3][0], 1);
    ANSWERS("P0=0100", "E01");
    ANSWERS("P0=0100000g", "E02");
    ANSWERS("G020000000900000000000000", "OK");
    cr_assert_eq(fake.registers[3][0], 2);
    cr_assert_eq(fake.registers[3][1], 9);
    ANSWERS("Hg2", "OK");
    ANSWERS("g", "00000000xxxxxxxxxxxxxxxx");
    ANSWERS("P1=0100000000000000", "E02");
    ANSWERS("G05000000xxxxxxxxxxxxxxxx", "OK");
    cr_assert_eq(fake.registers[2][0], 5);
}

Test(session, memory_is_read_and_written_as_far_as_it_goes)
{
    ANSWERS("M100,2:abcd", "OK");
    ANSWERS("m100,4", "abcd0000");
    ANSWERS("m13e,8", "0000");
    ANSWERS("m140,1", "E02");
    ANSWERS("m100,0", "");
    ANSWERS("mx", "E01");
    ANSWERS("M13f,2:0102", "E02");
    ANSWERS("M100,2:01", "E01");
    ANSWERS("M100,ffffffffffffffff:01", "E01");
    ANSWERS("X110,2:#}", "OK");
    cr_assert_eq(memcmp(fake.memory + 16, "#}", 2), 0);
    ANSWERS("X110,0:", "OK");
    ANSWERS("X110,3:ab", "E01");
}

Test(session, breakpoints_and_watchpoints_are_put_in_and_taken_out)
{
    ANSWERS("Z0,80,4", "OK");
    ANSWERS("Z1,80,4", "OK");
    ANSWERS("Z2,100,4", "OK");
    cr_assert_eq(session->stops.place_count, 3);
    ANSWERS("z0,80,4", "OK");
    ANSWERS("z0,80,4", "OK");
    cr_assert_eq(session->stops.place_count, 2);
    ANSWERS("Z5,80,4", "");
    ANSWERS("Z0,80", "E01");
    ANSWERS("Z2,80,100000004", "E01");
    target.watches = 0;
    ANSWERS("Z2,100,4", "");
    for (uint32_t i = 0; i < STOPS_MAX; i++)
        stops_insert(&session->stops, &(debug_place){.address = i});
    ANSWERS("Z0,10000,4", "E02");
}

Test(session, a_stop_answers_what_has_gone_on)
{
    ANSWERS("?", "T05thread:1;");
    ANSWERS("vCont;c", "");
    cr_assert_eq(session->state, SESSION_RUNNING);
    ANSWERS("g", "");
    gdb_session_stop(session, &(debug_stop){.reason = STOP_TRAP, .thread = 2}, 1);
    cr_assert_str_eq(fake_sent(session), "T05thread:2;");
    cr_assert_eq(fake.stopped, 2);
    ANSWERS("?", "T05thread:2;");
    ANSWERS("c", "");
    gdb_session_stop(session, &(debug_stop){.reason = STOP_WATCH, .thread = 3, .address = 0x104}, 1);
    cr_assert_str_eq(fake_sent(session), "T05thread:3;watch:104;");
    ANSWERS("vCont;c", "");
    gdb_session_take(session, "\003", 1);
    cr_assert(session->stops.interrupted);
    gdb_session_stop(session, &(debug_stop){.reason = STOP_INTERRUPT, .thread = 1}, 0);
    cr_assert_str_eq(fake_sent(session), "T02thread:1;");
    gdb_session_take(session, "\003", 1);
    cr_assert_not(session->stops.interrupted, "nothing runs");
    ANSWERS("c", "");
    gdb_session_exit(session, 256 + 130);
    cr_assert_str_eq(fake_sent(session), "W82");
}

Test(session, steps_as_it_is_told)
{
    static const struct {
        const char *packet;
        uint32_t step, thread, begin, end;
    } cases[] = {
        {"s", STEP_NEXT, 2, 0, 0},
        {"S05", STEP_NEXT, 2, 0, 0},
        {"c", STEP_NONE, 2, 0, 0},
        {"vCont;s:3", STEP_ALONE, 3, 0, 0},
        {"vCont;s:3;c", STEP_NEXT, 3, 0, 0},
        {"vCont;s", STEP_NEXT, 2, 0, 0},
        {"vCont;r10,20:1;c", STEP_NEXT, 1, 0x10, 0x20},
        {"vCont;C05:1;c", STEP_NONE, 0, 0, 0},
        {"vCont;S05:1;c:-1", STEP_NEXT, 1, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gdb_session_stop(session, &(debug_stop){.reason = STOP_TRAP, .thread = 2}, 1);
        ANSWERS(cases[i].packet, "");
        cr_expect_eq(session->state, SESSION_RUNNING, "%s", cases[i].packet);
        cr_expect_eq(session->stops.step, cases[i].step, "%s", cases[i].packet);
        if (cases[i].thread)
            cr_expect_eq(session->stops.thread, cases[i].thread, "%s", cases[i].packet);
        cr_expect_eq(session->stops.begin, cases[i].begin);
        cr_expect_eq(session->stops.end, cases[i].end);
        cr_expect_eq(session->stops.leaves, 2);
    }
    gdb_session_stop(session, &(debug_stop){.reason = STOP_INTERRUPT, .thread = 2}, 0);
    fake_ask(session, "c");
    cr_assert_eq(session->stops.leaves, 0, "it had not been looked at");
}

Test(session, refuses_to_go_on_as_nobody_can)
{
    static const char *const packets[] = {"vCont;",     "vCont;t",  "vCont;s:", "vCont;r10:1",
                                          "vCont;c:1x", "vCont;Cx", "S",        "C"};
    for (size_t i = 0; i < sizeof packets / sizeof *packets; i++) {
        ANSWERS(packets[i], "E01");
        cr_expect_eq(session->state, SESSION_STOPPED, "%s", packets[i]);
    }
    ANSWERS("c80", "E02");
}

Test(session, ends_by_leave_or_kill)
{
    ANSWERS("D", "OK");
    cr_assert_eq(session->state, SESSION_DETACHED);
    end();
    begin();
    ANSWERS("k", "");
    cr_assert_eq(session->state, SESSION_KILLED);
    end();
    begin();
    ANSWERS("vKill;1", "OK");
    cr_assert_eq(session->state, SESSION_KILLED);
}

Test(session, takes_commands_of_its_target)
{
    ANSWERS("qRcmd,6869", "796f7520736169642068690a");
    ANSWERS("qRcmd,", "OK");
    ANSWERS("qRcmd,6", "OK");
    ANSWERS("qRcmd,zz", "E01");
}

Test(session, a_packet_that_is_too_long_is_an_error)
{
    static char bytes[PACKET_BYTES_MAX + 2];
    memset(bytes, 'm', sizeof bytes - 1);
    ANSWERS(bytes, "E02");
    ANSWERS("qC", "QC1");
}
