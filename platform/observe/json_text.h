/* SPDX-License-Identifier: MIT */
/* Texts and numbers of programs in JSON, which has neither bytes that are no UTF-8 nor, for many readers, numbers of 64 bits. */
#ifndef HD_JSON_TEXT_H
#define HD_JSON_TEXT_H

#include <jansson.h>
#include <stdint.h>

/* Never NULL. Bytes that are no UTF-8 are shown as \xHH, and so that nothing else looks alike, a backslash beside them as
 * two. */
json_t *hd_json_text(const char *text);

/* Sets a member, whatever its name; takes the value. */
void hd_json_set(json_t *object, const char *name, json_t *value);

/* An integer; from 2^63 on a text with its digits. */
json_t *hd_json_number(uint64_t value);

#endif
