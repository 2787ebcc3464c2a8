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

void report_commit(const history *history, const char *what, const commit *commit)
{
    const hd_transaction_places *places = &history->checker->places;
    const hd_transaction *transaction = &commit->transaction;
    char place[160], order[64];
    places->place(places->context, transaction->module, transaction->pc, place, sizeof place);
    snprintf(order, sizeof order, transaction->order == HD_NO_ORDER ? "no order" : "order %llu.%llu",
             (unsigned long long)transaction->era, (unsigned long long)transaction->order);
    history->sink->line(
        history->sink->context,
        "  %s: warp %u, lane %u, attempt %llu, %s, tx.begin at %s; begun at %llu ps, committed at %llu ps", what,
        transaction->warp, transaction->lane, (unsigned long long)transaction->attempt, order, place,
        (unsigned long long)transaction->begun, (unsigned long long)transaction->committed);
}

void report_read(history *history, const commit *reader, const hd_transaction_word *read, const char *how,
                 uint32_t other)
{
    const uint32_t bits = hd_bits_of_bytes(read->byte_mask);
    if (report_violation(history, "the word at 0x%llx was read as 0x%08x %s 0x%08x", (unsigned long long)read->address,
                         read->value & bits, how, other & bits))
        report_commit(history, "read by", reader);
}

void report_unordered_write(history *history, const commit *commit)
{
    const hd_transaction *transaction = &commit->transaction;
    if (transaction->order == HD_NO_ORDER && transaction->write_count &&
        report_violation(history, "a transaction without an order has written the word at 0x%llx",
                         (unsigned long long)transaction->writes[0].address))
        report_commit(history, "written by", commit);
}
