/* SPDX-License-Identifier: MIT */
#include "kit_machine.h"

#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "kit.h"

enum { SETTINGS_MAX = 48, VALUES_MAX = 256 };

uint32_t kit_machine_add(hd_engine *engine, const hd_block_class *block_class, const char *name, uint32_t index,
                         uint32_t count, hd_clock clock, const char (*settings)[KIT_SETTING_BYTES], uint32_t room)
{
    hd_value values[VALUES_MAX];
    const char *list[SETTINGS_MAX] = {NULL};
    cr_assert_lt(room, SETTINGS_MAX);
    cr_assert_leq(block_class->parameter_count, VALUES_MAX);
    for (uint32_t i = 0; settings && i < room && settings[i][0]; i++)
        list[i] = settings[i];
    kit_values(block_class, list, values);
    return hd_engine_add_block(engine, block_class, name, index, count, clock, values);
}

void kit_machine_join(hd_engine *engine, uint32_t from, uint32_t from_port, uint32_t from_element, uint32_t to,
                      uint32_t to_port, uint32_t to_element, hd_time latency)
{
    const hd_link_timing timing = {.latency = latency, .credit_latency = latency, .credits = 4, .is_perturbed = 1};
    hd_engine_add_link(engine, &(hd_binding){.from_block = from,
                                             .from_port = from_port,
                                             .from_element = from_element,
                                             .to_block = to,
                                             .to_port = to_port,
                                             .to_element = to_element,
                                             .request = timing,
                                             .response = timing});
}

typedef struct text {
    char *at;
    uint32_t left;
} text;
static void keep_line(void *context, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void keep_line(void *context, const char *format, ...)
{
    text *text = context;
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text->at, text->left, format, arguments);
    va_end(arguments);
    const uint32_t used = (uint32_t)length + 2 < text->left ? (uint32_t)length : text->left;
    text->at += used;
    text->left -= used;
    if (text->left > 2) {
        strcpy(text->at, "; ");
        text->at += 2;
        text->left -= 2;
    }
}

uint32_t kit_machine_run(hd_engine *engine, hd_time limit, hd_time *end, char *wrong, uint32_t bytes)
{
    *end = hd_engine_run(engine, limit);
    hd_time t;
    const char *fault = hd_engine_fault(engine, &t, NULL);
    if (fault) {
        snprintf(wrong, bytes, "%s", fault);
        return 0;
    }
    if (hd_engine_status(engine, 0) == HD_RUN_DONE)
        return 1;
    text text = {wrong, bytes};
    keep_line(&text, "it does not end");
    hd_engine_describe_pending(engine, &(hd_text_sink){&text, keep_line});
    return 0;
}

uint32_t kit_machine_word(hd_engine *engine, const uint32_t *holders, uint32_t count, uint64_t address)
{
    uint32_t word = 0;
    for (uint32_t i = 0, found = 0; i < count && !found; i++)
        found = hd_engine_block_class(engine, holders[i])
                    ->debug_access(hd_engine_block(engine, holders[i]), address, &word, 4, 0);
    return word;
}

uint64_t kit_machine_statistic(hd_engine *engine, const char *kind, const char *name)
{
    uint64_t sum = 0;
    for (uint32_t b = 0; b < hd_engine_block_count(engine); b++) {
        const hd_block_class *block_class = hd_engine_block_class(engine, b);
        for (uint32_t s = 0; !strcmp(block_class->kind, kind) && s < block_class->statistic_count; s++)
            if (!strcmp(block_class->statistics[s].name, name))
                sum += hd_engine_counters(engine, b)[s];
    }
    return sum;
}
