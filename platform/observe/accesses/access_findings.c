/* SPDX-License-Identifier: MIT */
#include "access_findings.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access_blocks.h"
#include "grow.h"

#define FINDINGS_SHOWN 10u
#define LINES_MAX 6u

typedef struct hd_access_finding {
    hd_access_finding_key key;
    uint64_t times;
    uint32_t is_shown;
    uint32_t line_count;
    char *lines[LINES_MAX];
} finding;

uint32_t hd_access_findings_add(hd_access_findings *findings, const hd_access_finding_key *key)
{
    findings->times++;
    for (uint32_t i = 0; i < findings->count; i++)
        if (!memcmp(&findings->items[i].key, key, sizeof *key)) {
            findings->items[i].times++;
            return 0;
        }
    findings->items = observe_grow(findings->items, findings->count, &findings->capacity, sizeof *findings->items);
    findings->items[findings->count++] = (finding){.key = *key, .times = 1};
    return 1;
}

void hd_access_findings_line(hd_access_findings *findings, const char *format, ...)
{
    finding *newest = &findings->items[findings->count - 1];
    char text[768];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (newest->line_count == LINES_MAX || !(newest->lines[newest->line_count++] = strdup(text)))
        abort();
}

static void print_finding(const finding *shown, const hd_text_sink *sink)
{
    for (uint32_t i = 0; i < shown->line_count; i++)
        sink->line(sink->context, "%s%s", i ? "  " : "", shown->lines[i]);
    if (shown->times > 1)
        sink->line(sink->context, "  and %llu times more there", (unsigned long long)shown->times - 1);
}

uint32_t hd_access_findings_print(hd_access_findings *findings, const hd_text_sink *sink)
{
    uint32_t fresh = 0;
    for (uint32_t i = 0; i < findings->count; i++) {
        finding *at = &findings->items[i];
        if (at->is_shown)
            continue;
        at->is_shown = 1;
        if (fresh++ < FINDINGS_SHOWN)
            print_finding(at, sink);
    }
    if (fresh > FINDINGS_SHOWN)
        sink->line(sink->context, "and %u more places", fresh - FINDINGS_SHOWN);
    return fresh;
}

void hd_access_findings_free(hd_access_findings *findings)
{
    for (uint32_t i = 0; i < findings->count; i++)
        for (uint32_t line = 0; line < findings->items[i].line_count; line++)
            free(findings->items[i].lines[line]);
    free(findings->items);
    *findings = (hd_access_findings){0};
}
