/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "results.h"

/* Three or four significant digits; the first unit in which the number is below 1000. */
static const char *scaled(char *text, double value, const char *const *units, uint32_t count)
{
    uint32_t unit = 0;
    while (value >= 999.5 && unit + 1 < count) {
        value /= 1000;
        unit++;
    }
    int digits = unit == 0 && value == (double)(uint64_t)value ? 0 : value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    snprintf(text, HD_QUANTITY_BYTES, "%.*f%s%s", digits, value, *units[unit] ? " " : "", units[unit]);
    return text;
}

const char *hd_print_time(char *text, hd_time t)
{
    static const char *const units[] = {"ps", "ns", "us", "ms", "s"};
    return scaled(text, (double)t, units, 5);
}

const char *hd_print_bytes(char *text, double bytes)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
    return scaled(text, bytes, units, 5);
}

const char *hd_print_rate(char *text, double per_second)
{
    static const char *const units[] = {"", "k", "M", "G"};
    return scaled(text, per_second, units, 4);
}

const char *hd_print_energy(char *text, uint64_t femtojoules)
{
    static const char *const units[] = {"fJ", "pJ", "nJ", "uJ", "mJ", "J"};
    return scaled(text, (double)femtojoules, units, 6);
}

const char *hd_print_count(char *text, uint64_t count)
{
    char digits[24];
    size_t length = (size_t)snprintf(digits, sizeof digits, "%llu", (unsigned long long)count);
    char *out = text;
    for (size_t i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            *out++ = ',';
        *out++ = digits[i];
    }
    *out = '\0';
    return text;
}
