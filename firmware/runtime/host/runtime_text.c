/* SPDX-License-Identifier: MIT */
/* Options, reports and messages of the program. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime_internal.h"

static char *copy_text(runtime *rt, const char *text)
{
    size_t bytes = strlen(text) + 1;
    return memcpy(runtime_grow(rt, NULL, bytes, 1), text, bytes);
}

static uint32_t was_read(const runtime *rt, const char *name)
{
    for (uint32_t i = 0; i < rt->option_count; i++) {
        if (strcmp(rt->options[i], name) == 0)
            return 1;
    }
    return 0;
}

/* The value given by the user, or NULL. The last of a name counts. */
static const char *find_option(runtime *rt, const char *name)
{
    if (!was_read(rt, name)) {
        rt->options = runtime_grow(rt, rt->options, rt->option_count + 1, sizeof *rt->options);
        rt->options[rt->option_count] = copy_text(rt, name);
        rt->option_count++;
    }
    for (uint32_t i = rt->program.option_count; i-- > 0;) {
        if (strcmp(rt->program.options[i].name, name) == 0)
            return rt->program.options[i].value;
    }
    return NULL;
}

void options_check_all_read(runtime *rt)
{
    if (rt->options_checked)
        return;
    rt->options_checked = 1;
    for (uint32_t i = 0; i < rt->program.option_count; i++) {
        const char *name = rt->program.options[i].name;
        if (was_read(rt, name))
            continue;
        char known[MESSAGE_BYTES / 2] = "";
        for (uint32_t k = 0; k < rt->option_count; k++) {
            size_t used = strlen(known);
            snprintf(known + used, sizeof known - used, "%s%s", k > 0 ? ", " : "", rt->options[k]);
        }
        runtime_error(rt, "the app has no option '%s'; it has: %s", name, rt->option_count > 0 ? known : "none");
    }
}

static uint32_t suffix_factor(const char *suffix, uint64_t *factor)
{
    static const struct {
        const char *text;
        uint64_t factor;
    } suffixes[] = {
        {"", 1}, {"K", 1000}, {"M", 1000000}, {"G", 1000000000}, {"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30},
    };
    while (*suffix == ' ')
        suffix++;
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        if (strcmp(suffix, suffixes[i].text) == 0) {
            *factor = suffixes[i].factor;
            return 1;
        }
    }
    return 0;
}

uint32_t hd_host_number(const char *text, uint64_t *value)
{
    char *rest = NULL;
    uint64_t factor = 1;
    uint32_t is_hexadecimal = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    errno = 0;
    *value = 0;
    if (text[0] >= '0' && text[0] <= '9')
        *value = strtoull(text, &rest, is_hexadecimal ? 16 : 10);
    return rest != NULL && errno == 0 && suffix_factor(rest, &factor) && !__builtin_mul_overflow(*value, factor, value);
}

uint64_t hd_option(const char *name, uint64_t standard)
{
    runtime *rt = runtime_current();
    const char *text = find_option(rt, name);
    uint64_t value;
    if (text == NULL)
        return standard;
    if (!hd_host_number(text, &value))
        runtime_error(rt, "option '%s' is '%s', expected " HD_HOST_NUMBER_FORM, name, text);
    return value;
}

const char *hd_option_text(const char *name, const char *standard)
{
    const char *text = find_option(runtime_current(), name);
    return text == NULL ? standard : text;
}

void hd_report(const char *name, uint64_t value)
{
    runtime *rt = runtime_current();
    for (uint32_t i = 0; i < rt->report_count; i++) {
        if (strcmp(rt->reports[i].name, name) == 0) {
            rt->reports[i].value = value;
            return;
        }
    }
    rt->reports = runtime_grow(rt, rt->reports, rt->report_count + 1, sizeof *rt->reports);
    rt->reports[rt->report_count] = (hd_host_report){.name = copy_text(rt, name), .value = value};
    rt->report_count++;
}

void hd_fail(const char *format, ...)
{
    char text[MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    runtime_end(runtime_current(), HD_HOST_FAIL, "%s", text);
}

void hd_print(const char *format, ...)
{
    runtime *rt = runtime_current();
    char line[MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    size_t length = strlen(line);
    if (length > 0 && line[length - 1] == '\n')
        line[length - 1] = '\0';
    port_print(rt, line);
}

void text_release(runtime *rt)
{
    for (uint32_t i = 0; i < rt->option_count; i++)
        free(rt->options[i]);
    free(rt->options);
    for (uint32_t i = 0; i < rt->report_count; i++)
        free((void *)(uintptr_t)rt->reports[i].name);
    free(rt->reports);
}
