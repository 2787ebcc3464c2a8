/* SPDX-License-Identifier: MIT */
/* A scoreboard that keeps what it is told and asked; for kit_fit_unit. */
#ifndef TEST_TOY_SCOREBOARD_H
#define TEST_TOY_SCOREBOARD_H

#include "scoreboard.h"

/* As register_dependence, and keeps what it is told and asked. What writes a register of toy_board.holds waits, for toy_board.answer. */
extern const hd_unit toy_recording_scoreboard;
#define TOY_QUESTIONS 256u
typedef struct toy_board_log {
    uint64_t holds;
    uint32_t answer, questions, reserved, released;
    scoreboard_question question[TOY_QUESTIONS];
    scoreboard_result reserve[TOY_QUESTIONS], release[TOY_QUESTIONS];
    uint32_t is_load[TOY_QUESTIONS];
} toy_board_log;
extern toy_board_log toy_board;

#endif
