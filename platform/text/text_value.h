/* SPDX-License-Identifier: MIT */
/*
 * Numbers with units, exactly: "1.4 GHz", "48 KiB", "5 cycles", "3.9 us", "0x10". No rounding: what is not a whole
 * number of the base unit (bytes, cycles, picoseconds, hertz) is refused.
 */
#ifndef TEXT_TEXT_VALUE_H
#define TEXT_TEXT_VALUE_H

#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

enum text_result {
    TEXT_OK,
    TEXT_NOT_A_NUMBER,
    TEXT_UNIT_MISSING,
    TEXT_UNIT_UNKNOWN,
    TEXT_UNIT_UNWANTED,
    TEXT_NOT_WHOLE,
    TEXT_TOO_LARGE,
};

/* Units that no parameter of a block has, for documents about energy: beside HD_UNIT_*. */
#define TEXT_UNIT_FEMTOJOULES 16u
#define TEXT_UNIT_MICROWATTS 17u
#define TEXT_UNIT_MILLIVOLTS 18u
#define TEXT_UNIT_SQUARE_MICROMETRES 19u

/* unit is HD_UNIT_* (HD_UNITLESS: none may be written). */
enum text_result text_to_unsigned(const char *text, uint32_t unit, uint64_t *value);

/* "true" or "false"; 0 if it is neither. */
int text_to_boolean(const char *text, uint64_t *value);

/* A finite decimal number; 0 if it is none. */
int text_to_real(const char *text, double *value);

/* Index in "a|b|c", or UINT32_MAX. */
uint32_t choice_index(const char *choices, const char *text);

/* "a size in bytes, such as 48 KiB": what is written for a unit. */
const char *unit_description(uint32_t unit);

/* The units that may be written, "B, KiB, MiB, GiB"; "" for HD_UNITLESS. */
const char *unit_names(uint32_t unit);

/* The value with the base unit, " B", as the netlist reads it back. Writes at most `bytes` bytes. */
void unsigned_to_text(uint64_t value, uint32_t unit, char *text, size_t bytes);

/* The same with the largest unit that is exact, for people. */
void unsigned_to_short_text(uint64_t value, uint32_t unit, char *text, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
