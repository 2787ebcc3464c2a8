/* SPDX-License-Identifier: MIT */
/* What a policy finds of the machine: one program with a function "kernel" at 0, and files with profiles. */
#ifndef TEST_POLICY_PROGRAMS_H
#define TEST_POLICY_PROGRAMS_H

#include "hd_block.h"

#define PROGRAMS_FINGERPRINT UINT64_C(0xABCDEF0123456789)

extern const hd_services programs_services;
extern char programs_fault[256]; /* the last one; "" */

/* Path of a file with these rows, valid until the next call. */
const char *programs_profile(const char *rows);
/* Removes that file. */
void programs_forget(void);
/* The same with a text that is all of it. */
const char *programs_file(const char *text);

#endif
