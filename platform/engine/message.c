/* SPDX-License-Identifier: MIT */
#include "engine_internal.h"

#include <stdlib.h>
#include <string.h>

/* Numbers start at 1: a packet that nobody filled in has message 0, which is nobody's. */
uint32_t hd_engine_message(hd_engine *engine, const char *name)
{
    for (uint32_t i = 0; i < engine->message_count; i++)
        if (strcmp(engine->messages[i], name) == 0)
            return i + 1;
    engine->messages = grow(engine->messages, engine->message_count, sizeof *engine->messages);
    engine->messages[engine->message_count++] = strdup(name);
    return engine->message_count;
}

const char *hd_engine_message_name(const hd_engine *engine, uint32_t message)
{
    return message >= 1 && message <= engine->message_count ? engine->messages[message - 1] : "?";
}
