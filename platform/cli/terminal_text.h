/* SPDX-License-Identifier: MIT */
/* Text for a terminal: what would control it is shown instead. */
#ifndef HD_TERMINAL_TEXT_H
#define HD_TERMINAL_TEXT_H

#include <stddef.h>

/* Between the parts of a text: bytes of a character that has begun. */
typedef struct terminal_text {
    char begun[4];
    size_t count;
} terminal_text;

#define TERMINAL_TEXT_BYTES(bytes) (4 * ((bytes) + 4)) /* at most, of so many */

/* Turns the next part into what is shown, and returns how many bytes that is. Control characters other than newline and
 * tab, and bytes that are no UTF-8, become \xHH. */
size_t terminal_text_put(terminal_text *state, const char *part, size_t bytes, char *shown);

#endif
