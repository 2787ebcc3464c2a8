/* SPDX-License-Identifier: MIT */
#include "kilo_check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "transaction_checker.h"

enum { SLICES = 8, ENDPOINTS = 64, READ_FIRST = 1024 };

typedef struct slice {
    kilo_check *check;
    uint32_t number;
} slice;

struct kilo_check {
    hd_transaction_checker *checker; /* of this run */
    hd_transactions extension;
    slice slices[SLICES];
    uint32_t slice_count;
    void (*note)(void *context, const hd_transaction *transaction);
    void *context;
    char *report;
    uint32_t bytes;
};

/* ---- What it is told of ------------------------------------------------------------------------------------------------ */

static hd_block *slice_of(hd_block *listener)
{
    const slice *self = (const slice *)listener;
    return hd_transaction_checker_slice(self->check->checker, self->number);
}

static uint32_t on_sample(hd_block *tap, uint32_t element, const hd_tap_access *access, uint64_t *note)
{
    return hd_transaction_tap.on_sample(slice_of(tap), element, access, note);
}

static uint32_t on_write(hd_block *tap, uint32_t element, const hd_tap_access *access, uint64_t *note)
{
    return hd_transaction_tap.on_write(slice_of(tap), element, access, note);
}

static void release(hd_block *tap, uint32_t element, const hd_tap_release *release)
{
    hd_transaction_tap.release(slice_of(tap), element, release);
}

static const hd_tap forward = {on_sample, on_write, release};

static void check(const kilo_check *self, uint32_t endpoint, const hd_transaction *transaction)
{
    const hd_transactions *told = hd_transaction_checker_extension(self->checker);
    told->committed(told->context, endpoint, transaction);
}

static void committed(void *context, uint32_t endpoint, const hd_transaction *transaction)
{
    const kilo_check *self = context;
    check(self, endpoint, transaction);
    if (self->note)
        self->note(self->context, transaction);
}

static void validated(void *context, uint32_t endpoint, const hd_transaction_validation *validation)
{
    const hd_transactions *told = hd_transaction_checker_extension(((kilo_check *)context)->checker);
    told->validated(told->context, endpoint, validation);
}

static void place(void *context, uint32_t module, uint32_t pc, char *text, size_t bytes)
{
    (void)context, (void)module;
    snprintf(text, bytes, "pc 0x%x", pc);
}

/* ---- Life -------------------------------------------------------------------------------------------------------------- */

kilo_check *kilo_check_create(hd_engine *engine, const uint32_t *slices, uint32_t slice_count, uint32_t tapped_port)
{
    kilo_check *self = calloc(1, sizeof *self);
    self->slice_count = slice_count;
    self->extension = (hd_transactions){.context = self, .committed = committed, .validated = validated};
    for (uint32_t i = 0; i < slice_count; i++) {
        self->slices[i] = (slice){self, i};
        hd_engine_add_tap(engine, slices[i], tapped_port, 1, &forward, (hd_block *)&self->slices[i]);
    }
    hd_engine_provide(engine, HD_EXTENSION_TRANSACTIONS, &self->extension);
    return self;
}

void kilo_check_destroy(kilo_check *self)
{
    hd_transaction_checker_destroy(self->checker);
    free(self);
}

void kilo_check_tell(kilo_check *self, void (*note)(void *context, const hd_transaction *transaction), void *context)
{
    self->note = note;
    self->context = context;
}

/* ---- Runs -------------------------------------------------------------------------------------------------------------- */

/* The first transaction has read all words. */
void kilo_check_begin(kilo_check *self, uint64_t base, uint32_t stride, uint32_t words)
{
    const hd_transaction_places places = {.place = place};
    hd_transaction_word reads[READ_FIRST];
    hd_transaction first = {.rule = HD_SERIAL_BY_VALUE, .reads = reads, .warp = UINT32_MAX};
    hd_transaction_checker_destroy(self->checker);
    self->checker = hd_transaction_checker_create(self->slice_count, ENDPOINTS, &places);
    hd_transaction_checker_begin(self->checker);
    for (; first.read_count < words; first.read_count++)
        reads[first.read_count] = (hd_transaction_word){
            .address = base + (uint64_t)first.read_count * stride, .byte_mask = 15, .sample = HD_NO_SAMPLE};
    check(self, 0, &first);
}

static uint32_t is_newest(const kilo_commit *commit, uint32_t write)
{
    for (uint32_t i = write + 1; i < commit->write_count; i++)
        if (commit->writes[i].address == commit->writes[write].address)
            return 0;
    return 1;
}

static hd_transaction_word word_of(const kilo_word *word)
{
    return (hd_transaction_word){
        .address = word->address, .value = word->value, .byte_mask = 15, .sample = HD_NO_SAMPLE};
}

static void add(kilo_check *self, const kilo_commit *commit)
{
    hd_transaction_word reads[KILO_OPERATIONS], writes[KILO_OPERATIONS];
    hd_transaction told = {.order = commit->id ? commit->id : HD_NO_ORDER,
                           .attempt = commit->attempt,
                           .warp = commit->warp,
                           .lane = commit->lane,
                           .epoch = commit->epoch,
                           .rule = HD_SERIAL_BY_VALUE,
                           .begun = commit->begun,
                           .committed = commit->decided,
                           .reads = reads,
                           .writes = writes};
    for (; told.read_count < commit->read_count; told.read_count++)
        reads[told.read_count] = word_of(&commit->reads[told.read_count]);
    for (uint32_t i = 0; i < commit->write_count; i++)
        if (is_newest(commit, i))
            writes[told.write_count++] = word_of(&commit->writes[i]);
    check(self, 0, &told);
}

void kilo_check_add(kilo_check *self, const kilo_commit *commits, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        add(self, &commits[i]);
}

static void line(void *context, const char *format, ...)
{
    const kilo_check *self = context;
    const size_t length = strlen(self->report);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(self->report + length, self->bytes - length, format, arguments);
    va_end(arguments);
    strncat(self->report, "\n", self->bytes - strlen(self->report) - 1);
}

uint32_t kilo_check_end(kilo_check *self, char *report, uint32_t bytes)
{
    self->report = report;
    self->bytes = bytes;
    report[0] = '\0';
    const hd_text_sink sink = {.context = self, .line = line};
    return !hd_transaction_checker_end(self->checker, &sink);
}
