/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdio.h>

#include "history.h"

uint32_t report_violation(history *history, const char *format, ...)
{
    if (history->violations++ >= VIOLATIONS_SHOWN)
        return 0;
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    history->sink->line(history->sink->context, "%s", text);
    history->shown++;
    return 1;
}

void report_commit(history *history, const char *what, const commit *commit)
{
    const hd_transaction_places *places = &history->checker->places;
    const hd_transaction *transaction = &commit->transaction;
    char place[160];
    places->place(places->context, transaction->module, transaction->pc, place, sizeof place);
    history->sink->line(history->sink->context,
                        "  %s: warp %u, lane %u, attempt %llu, order %llu.%llu, tx.begin at %s; begun at %llu ps, "
                        "committed at %llu ps",
                        what, transaction->warp, transaction->lane, (unsigned long long)transaction->attempt,
                        (unsigned long long)transaction->era, (unsigned long long)transaction->order, place,
                        (unsigned long long)transaction->begun, (unsigned long long)transaction->committed);
}
