/* SPDX-License-Identifier: MIT */
/*
 * How a native host program ends its whole process where it should have returned: one line, exit code 1. All may be called
 * from handlers of signals.
 */
#ifndef HD_HOST_ENDING_H
#define HD_HOST_ENDING_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is done before the process ends; NULL: nothing. */
void host_ending_clean_up(void (*clean_up)(void));
/* "error: TEXT", and the end. */
__attribute__((noreturn)) void host_ending_fail(const char *text);
/* Ends the process with this code, whoever else has a function of that name. */
__attribute__((noreturn)) void host_ending_now(int code);

/* Is the calling thread that of a host program, in the process that started it? */
uint32_t host_ending_is_of_program(void);
/* It is, from now on. */
void host_ending_is_program(void);

#ifdef __cplusplus
}
#endif

#endif
