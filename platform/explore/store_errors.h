/* SPDX-License-Identifier: MIT */
/* The errors of stores and reports, by number. */
#ifndef EXPLORE_STORE_ERRORS_H
#define EXPLORE_STORE_ERRORS_H

#include <stdint.h>

enum store_error {
#define STORE_ERROR(number, name, meaning) STORE_ERROR_##name = number,
#include "store_errors.def"
#undef STORE_ERROR
};

/* "error[R08]: ...\n", to be freed. */
char *store_error_text(enum store_error error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The meaning of error R`number` in one line, or NULL. */
const char *store_error_meaning(uint32_t number);

#endif
