/* SPDX-License-Identifier: MIT */
/* What is text, and how wide it is. */
#ifndef TEXT_UTF8_H
#define TEXT_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* First byte that is not UTF-8, or length. */
size_t utf8_fault(const char *text, size_t length);

/* Characters in length bytes of UTF-8. */
uint32_t utf8_columns(const char *text, size_t length);

#endif
