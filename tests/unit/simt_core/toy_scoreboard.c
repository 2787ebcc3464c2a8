/* SPDX-License-Identifier: MIT */
#include "toy_scoreboard.h"

toy_board_log toy_board;

static uint32_t waits(const scoreboard *unit, const scoreboard_question *question)
{
    (void)unit;
    if (toy_board.questions < TOY_QUESTIONS)
        toy_board.question[toy_board.questions++] = *question;
    return question->writes & toy_board.holds ? toy_board.answer : 0;
}

static void reserved(scoreboard *unit, const scoreboard_result *result, uint32_t is_load)
{
    (void)unit;
    if (toy_board.reserved == TOY_QUESTIONS)
        return;
    toy_board.is_load[toy_board.reserved] = is_load;
    toy_board.reserve[toy_board.reserved++] = *result;
}

static void released(scoreboard *unit, const scoreboard_result *result)
{
    (void)unit;
    if (toy_board.released < TOY_QUESTIONS)
        toy_board.release[toy_board.released++] = *result;
}

static const scoreboard_unit functions = {
    .always_asked = 1, .waits = waits, .reserved = reserved, .released = released};

const hd_unit toy_recording_scoreboard = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_unit),
    .kind = "scoreboard",
    .name = "recording",
    .doc = "keeps what it is told and asked",
    .source = "a test",
    .interface = SCOREBOARD_INTERFACE,
    .functions = &functions,
};
