/* SPDX-License-Identifier: MIT */
/* Text that grows: lines for the user, collected before it is known whether they are shown. */
#ifndef TEXT_TEXT_H
#define TEXT_TEXT_H

#include <stddef.h>

#include "hd_extension.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_text {
    char *text; /* zero-terminated; NULL = empty */
    size_t bytes;
    size_t capacity;
} hd_text;

void hd_text_add(hd_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A sink that adds lines, each ended by a newline. The sink's context is the text. */
hd_text_sink hd_text_lines(hd_text *text);
/* Hands the text over, never NULL; to be freed by the caller. */
char *hd_text_take(hd_text *text);

/* printf into memory that the caller frees; never NULL. */
char *hd_text_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* "1234.567 ns", into text of HD_TEXT_TIME_BYTES, which is returned. */
#define HD_TEXT_TIME_BYTES 32u
const char *hd_text_time(char *text, hd_time t);

#ifdef __cplusplus
}
#endif

#endif
