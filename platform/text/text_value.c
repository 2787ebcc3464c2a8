/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* strtod_l */
#include "text_value.h"

#include <errno.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hd_units.h"

typedef struct unit_name {
    uint32_t unit;
    const char *name;
    uint64_t factor; /* base units */
} unit_name;

static const unit_name units[] = {
#define UNIT_NAME(of, text, base) {of, text, base},
    HD_UNIT_NAMES(UNIT_NAME)
#undef UNIT_NAME
        {TEXT_UNIT_FEMTOJOULES, "fJ", 1},
    {TEXT_UNIT_FEMTOJOULES, "pJ", 1000},
    {TEXT_UNIT_FEMTOJOULES, "nJ", 1000000},
    {TEXT_UNIT_MICROWATTS, "uW", 1},
    {TEXT_UNIT_MICROWATTS, "mW", 1000},
    {TEXT_UNIT_MICROWATTS, "W", 1000000},
    {TEXT_UNIT_MILLIVOLTS, "mV", 1},
    {TEXT_UNIT_MILLIVOLTS, "V", 1000},
    {TEXT_UNIT_SQUARE_MICROMETRES, "um2", 1},
    {TEXT_UNIT_SQUARE_MICROMETRES, "mm2", 1000000},
};
#define UNIT_NAMES (sizeof units / sizeof *units)
#define PLACES_MAX 19u /* after the point: more than any unit has, and 10^19 < 2^64 */

static const unit_name *find_unit(uint32_t unit, const char *name)
{
    for (size_t i = 0; i < UNIT_NAMES; i++) {
        if (units[i].unit == unit && strcmp(units[i].name, name) == 0)
            return &units[i];
    }
    return NULL;
}

static int is_digit(char character)
{
    return character >= '0' && character <= '9';
}

static const char *skip_blanks(const char *text)
{
    return text + strspn(text, " \t");
}

typedef struct decimal {
    hd_u128 digits; /* value * 10^places */
    uint64_t whole; /* what stands before the point */
    uint32_t places;
    uint32_t is_too_large; /* `whole` is */
    uint32_t is_too_fine;  /* more than PLACES_MAX */
} decimal;

static void add_digit(decimal *number, char digit)
{
    uint64_t value = (uint64_t)(digit - '0');
    if (number->whole > (UINT64_MAX - value) / 10)
        number->is_too_large = 1;
    else
        number->whole = number->whole * 10 + value;
}

static const char *read_decimal(const char *text, decimal *number)
{
    const char *at = text;
    while (is_digit(*at))
        add_digit(number, *at++);
    number->digits = number->whole;
    if (*at != '.' || !is_digit(at[1]))
        return at;
    size_t kept = strspn(++at, "0123456789");
    const char *end = at + kept;
    while (kept > 0 && at[kept - 1] == '0')
        kept--;
    number->is_too_fine = kept > PLACES_MAX;
    for (; number->places < kept && number->places < PLACES_MAX; number->places++)
        number->digits = number->digits * 10 + (uint32_t)(at[number->places] - '0');
    return end;
}

static const char *read_hexadecimal(const char *text, decimal *number)
{
    errno = 0;
    char *end;
    number->digits = number->whole = strtoull(text, &end, 16);
    number->is_too_large = errno == ERANGE;
    return end;
}

static enum text_result scale(const decimal *number, uint64_t factor, uint64_t *value)
{
    if (number->is_too_large || (hd_u128)number->whole * factor > UINT64_MAX)
        return TEXT_TOO_LARGE;
    if (number->is_too_fine)
        return TEXT_NOT_WHOLE;
    hd_u128 product = number->digits * factor; /* below 10^places * 2^65 */
    for (uint32_t i = 0; i < number->places; i++) {
        if (product % 10)
            return TEXT_NOT_WHOLE;
        product /= 10;
    }
    if (product > UINT64_MAX)
        return TEXT_TOO_LARGE;
    *value = (uint64_t)product;
    return TEXT_OK;
}

enum text_result text_to_unsigned(const char *text, uint32_t unit, uint64_t *value)
{
    text = skip_blanks(text);
    if (!is_digit(*text))
        return TEXT_NOT_A_NUMBER;
    decimal number = {0};
    int is_hexadecimal = text[0] == '0' && text[1] == 'x' && text[2] && strchr("0123456789abcdefABCDEF", text[2]);
    const char *rest = is_hexadecimal ? read_hexadecimal(text, &number) : read_decimal(text, &number);
    rest = skip_blanks(rest);
    if (!*rest && unit == HD_UNITLESS)
        return scale(&number, 1, value);
    if (!*rest)
        return TEXT_UNIT_MISSING;
    if (!((*rest >= 'A' && *rest <= 'Z') || (*rest >= 'a' && *rest <= 'z')))
        return TEXT_NOT_A_NUMBER;
    if (unit == HD_UNITLESS)
        return TEXT_UNIT_UNWANTED;
    const unit_name *found = find_unit(unit, rest);
    return found ? scale(&number, found->factor, value) : TEXT_UNIT_UNKNOWN;
}

int text_to_boolean(const char *text, uint64_t *value)
{
    *value = strcmp(text, "true") == 0;
    return *value || strcmp(text, "false") == 0;
}

int text_to_real(const char *text, double *value)
{
    if (!*text || strspn(text, "0123456789+-.eE") != strlen(text))
        return 0;
    char *end;
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0); /* whatever the decimal point of the program around is */
    *value = strtod_l(text, &end, plain);
    freelocale(plain);
    return !*end && isfinite(*value);
}

uint32_t choice_index(const char *choices, const char *text)
{
    size_t length = strlen(text);
    uint32_t index = 0;
    for (const char *at = choices; at; index++) {
        size_t bytes = strcspn(at, "|");
        if (bytes == length && memcmp(at, text, length) == 0)
            return index;
        at = at[bytes] ? at + bytes + 1 : NULL;
    }
    return UINT32_MAX;
}

const char *unit_description(uint32_t unit)
{
    switch (unit) {
    case HD_UNIT_BYTES: return "a size in bytes, such as 48 KiB";
    case HD_UNIT_CYCLES: return "a number of cycles, such as 5 cycles";
    case HD_UNIT_SECONDS: return "a time, such as 3.9 us";
    case HD_UNIT_HERTZ: return "a frequency, such as 924 MHz";
    case TEXT_UNIT_FEMTOJOULES: return "an energy, such as 54.9 pJ";
    case TEXT_UNIT_MICROWATTS: return "a power, such as 9.8 W";
    case TEXT_UNIT_MILLIVOLTS: return "a voltage, such as 1.05 V";
    case TEXT_UNIT_SQUARE_MICROMETRES: return "an area, such as 520 mm2";
    default: return "a whole number without a unit";
    }
}

const char *unit_names(uint32_t unit)
{
    switch (unit) {
    case HD_UNIT_BYTES: return "B, KiB, MiB, GiB";
    case HD_UNIT_CYCLES: return "cycles";
    case HD_UNIT_SECONDS: return "ps, ns, us, ms, s";
    case HD_UNIT_HERTZ: return "Hz, kHz, MHz, GHz";
    case TEXT_UNIT_FEMTOJOULES: return "fJ, pJ, nJ";
    case TEXT_UNIT_MICROWATTS: return "uW, mW, W";
    case TEXT_UNIT_MILLIVOLTS: return "mV, V";
    case TEXT_UNIT_SQUARE_MICROMETRES: return "um2, mm2";
    default: return "";
    }
}

void unsigned_to_text(uint64_t value, uint32_t unit, char *text, size_t bytes)
{
    for (size_t i = 0; i < UNIT_NAMES; i++) {
        if (units[i].unit == unit) {
            snprintf(text, bytes, "%" PRIu64 " %s", value, units[i].name);
            return;
        }
    }
    snprintf(text, bytes, "%" PRIu64, value);
}

void unsigned_to_short_text(uint64_t value, uint32_t unit, char *text, size_t bytes)
{
    const unit_name *best = NULL;
    for (size_t i = 0; i < UNIT_NAMES; i++) {
        if (units[i].unit == unit && value && value % units[i].factor == 0 && (!best || units[i].factor > best->factor))
            best = &units[i];
    }
    if (unit == HD_UNIT_CYCLES && value == 1)
        best = find_unit(unit, "cycle");
    if (best)
        snprintf(text, bytes, "%" PRIu64 " %s", value / best->factor, best->name);
    else
        unsigned_to_text(value, unit, text, bytes);
}
