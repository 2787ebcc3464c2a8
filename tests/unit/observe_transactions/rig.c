/* SPDX-License-Identifier: MIT */
#include "rig.h"

#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A packet with room for a line and what taps append. */
typedef struct packet {
    hd_packet header;
    uint8_t body[HD_LINE_BYTES + sizeof(hd_store) + HD_TAP_APPEND_BYTES];
} packet;

static uint64_t address_of(uint32_t word)
{
    return RIG_BASE + 4 * (uint64_t)word;
}

static uint32_t slice_of(uint32_t word)
{
    return word / (HD_LINE_BYTES / 4);
}

static void place(void *context, uint32_t module, uint32_t pc, char *text, size_t bytes)
{
    (void)context;
    snprintf(text, bytes, "module %u, pc 0x%x", module, pc);
}

static uint32_t memory(void *context, uint64_t address, uint32_t *word)
{
    *word = ((rig *)context)->memory[(address - RIG_BASE) / 4];
    return 1;
}

void rig_open(rig *rig)
{
    memset(rig, 0, sizeof *rig);
    for (uint32_t i = 0; i < RIG_WORDS; i++)
        rig->memory[i] = 1000 + i;
    const hd_transaction_places places = {.context = rig, .place = place, .memory = memory};
    rig->checker = hd_transaction_checker_create(RIG_SLICES, RIG_ENDPOINTS, &places);
}

void rig_close(rig *rig)
{
    hd_transaction_checker_destroy(rig->checker);
}

void rig_begin(rig *rig)
{
    hd_transaction_checker_begin(rig->checker);
}

static void line(void *context, const char *format, ...)
{
    rig *self = context;
    const size_t length = strlen(self->report);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(self->report + length, sizeof self->report - length, format, arguments);
    va_end(arguments);
    strncat(self->report, "\n", sizeof self->report - strlen(self->report) - 1);
}

void rig_end(rig *rig)
{
    const hd_text_sink sink = {.context = rig, .line = line};
    rig->report[0] = '\0';
    rig->violations = hd_transaction_checker_end(rig->checker, &sink);
}

/* ---- Slices ------------------------------------------------------------------------------------------------------ */

static uint64_t load(rig *rig, uint32_t word, uint32_t epoch, uint32_t *value)
{
    const uint32_t slice = slice_of(word);
    hd_block *tap = hd_transaction_checker_slice(rig->checker, slice);
    packet request = {.header = {.address = address_of(word), .argument = 4, .epoch = epoch}};
    uint64_t note = 0;
    const hd_tap_access access = {.request = &request.header, .t = ++rig->t, .number = rig->number[slice]};
    cr_assert_eq(hd_transaction_tap.on_sample(tap, 0, &access, &note), HD_TAP_PASS);
    packet reply = {.header = {.address = address_of(word),
                               .argument = 4,
                               .epoch = epoch,
                               .body_bytes = 4,
                               .body_capacity = sizeof reply.body,
                               .wire_bytes = 12}};
    memcpy(reply.body, &rig->memory[word], 4);
    const hd_tap_release release = {.reply = &reply.header,
                                    .line = (const uint8_t *)&rig->memory[slice * (HD_LINE_BYTES / 4)],
                                    .t = rig->t,
                                    .number = rig->number[slice]++,
                                    .note = note};
    hd_transaction_tap.release(tap, 0, &release);
    cr_assert_eq(reply.header.wire_bytes, 12, "samples are not on the wires");
    memcpy(value, reply.body, 4);
    return hd_transaction_sample(&reply.header);
}

static void store(rig *rig, uint32_t word, uint32_t value, uint32_t byte_mask, uint32_t epoch, uint32_t warp)
{
    const uint32_t slice = slice_of(word);
    hd_block *tap = hd_transaction_checker_slice(rig->checker, slice);
    packet request = {.header = {.address = address_of(word), .argument = 4, .epoch = epoch, .flow = warp}};
    ((hd_store *)request.body)->byte_mask[0] = byte_mask;
    memcpy(hd_store_data((hd_store *)request.body), &value, sizeof value);
    uint64_t note = 0;
    const hd_tap_access access = {.request = &request.header, .t = ++rig->t, .number = rig->number[slice]};
    cr_assert_eq(hd_transaction_tap.on_write(tap, 0, &access, &note), HD_TAP_PASS);
    for (uint32_t i = 0; i < 4; i++)
        if (byte_mask >> i & 1)
            ((uint8_t *)&rig->memory[word])[i] = (uint8_t)(value >> 8 * i);
    packet reply = {.header = {.address = address_of(word), .argument = 4, .body_capacity = sizeof reply.body}};
    const hd_tap_release release = {.reply = &reply.header,
                                    .line = (const uint8_t *)&rig->memory[slice * (HD_LINE_BYTES / 4)],
                                    .t = rig->t,
                                    .number = rig->number[slice]++,
                                    .note = note,
                                    .written = 1u << word % (HD_LINE_BYTES / 4)};
    hd_transaction_tap.release(tap, 0, &release);
}

void rig_plain_store(rig *rig, uint32_t word, uint32_t value)
{
    store(rig, word, value, 0xF, 0, 0);
}

uint32_t rig_plain_load(rig *rig, uint32_t word)
{
    uint32_t value;
    cr_assert_eq(load(rig, word, 0, &value), HD_NO_SAMPLE, "what is plain gets no sample");
    return value;
}

/* ---- Transactions ------------------------------------------------------------------------------------------------ */

attempt rig_attempt(rig *rig, uint32_t warp, uint32_t lane, uint64_t order)
{
    return (attempt){.transaction = {.order = order,
                                     .attempt = rig->t + 1, /* goes up */
                                     .warp = warp,
                                     .lane = lane,
                                     .epoch = 1 + warp,
                                     .pc = 0x100 + 4 * warp,
                                     .rule = rig->rule,
                                     .begun = ++rig->t}};
}

static void note(attempt *attempt, uint32_t word, uint32_t value, uint32_t byte_mask, uint32_t is_store)
{
    attempt->accesses[attempt->access_count++] = (hd_transaction_access){
        .address = address_of(word), .value = value, .byte_mask = (uint8_t)byte_mask, .is_store = (uint8_t)is_store};
}

uint32_t rig_read(rig *rig, attempt *attempt, uint32_t word)
{
    uint32_t value;
    const uint64_t sample = load(rig, word, attempt->transaction.epoch, &value);
    cr_assert_neq(sample, HD_NO_SAMPLE);
    attempt->reads[attempt->transaction.read_count++] =
        (hd_transaction_word){.address = address_of(word), .value = value, .byte_mask = 0xF, .sample = sample};
    note(attempt, word, value, 0xF, 0);
    return value;
}

void rig_own_read(attempt *attempt, uint32_t word, uint32_t value)
{
    note(attempt, word, value, 0xF, 0);
}

uint32_t rig_validate(rig *rig, const attempt *attempt, uint32_t word)
{
    const hd_transactions *told = hd_transaction_checker_extension(rig->checker);
    uint32_t value;
    const uint64_t sample = load(rig, word, attempt->transaction.epoch, &value);
    const hd_transaction_validation validation = {
        .warp = attempt->transaction.warp,
        .lane = attempt->transaction.lane,
        .epoch = attempt->transaction.epoch,
        .t = rig->t,
        .word = {.address = address_of(word), .value = value, .byte_mask = 0xF, .sample = sample}};
    told->validated(told->context, slice_of(word), &validation);
    return value;
}

void rig_write(attempt *attempt, uint32_t word, uint32_t value, uint32_t byte_mask)
{
    note(attempt, word, value, byte_mask, 1);
    for (uint32_t i = 0; i < attempt->transaction.write_count; i++)
        if (attempt->writes[i].address == address_of(word) && attempt->writes[i].byte_mask == byte_mask) {
            attempt->writes[i].value = value;
            return;
        }
    attempt->writes[attempt->transaction.write_count++] = (hd_transaction_word){
        .address = address_of(word), .value = value, .byte_mask = byte_mask, .sample = HD_NO_SAMPLE};
}

void rig_commit(rig *rig, attempt *attempt)
{
    const hd_transactions *told = hd_transaction_checker_extension(rig->checker);
    attempt->transaction.committed = ++rig->t;
    attempt->transaction.reads = attempt->reads;
    attempt->transaction.writes = attempt->writes;
    attempt->transaction.accesses = attempt->accesses;
    attempt->transaction.access_count = attempt->tells ? attempt->access_count : 0;
    told->committed(told->context, attempt->transaction.warp % RIG_ENDPOINTS, &attempt->transaction);
    attempt->transaction.reads = attempt->transaction.writes = NULL; /* what was told is theirs */
}

void rig_apply_word(rig *rig, const attempt *attempt, uint32_t index)
{
    const hd_transaction_word *write = &attempt->writes[index];
    store(rig, (uint32_t)((write->address - RIG_BASE) / 4), write->value, write->byte_mask, attempt->transaction.epoch,
          attempt->transaction.warp);
}

void rig_apply(rig *rig, const attempt *attempt)
{
    for (uint32_t i = 0; i < attempt->transaction.write_count; i++)
        rig_apply_word(rig, attempt, i);
}
