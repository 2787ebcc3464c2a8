/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "scheduler_units.h"
#include "toy_units.h"

/* ---- Told of everything ------------------------------------------------------------------------------------------------- */

toy_log toy_heard;

static uint32_t wants_everything(const scheduler *unit)
{
    (void)unit;
    return PATH_EVERY_KIND;
}

static void hear(scheduler *unit, const path_event *event)
{
    const uint32_t at = toy_heard.count++;
    if (event->kind & scheduler_lrr.wants(unit))
        scheduler_lrr.event(unit, event);
    if (at >= TOY_EVENTS)
        return;
    toy_heard.events[at] = *event;
    for (uint64_t left = event->kind == PATH_COMPARED ? event->mask : 0; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        toy_heard.left[at][lane] = event->left[lane];
        toy_heard.right[at][lane] = path_event_right(event, lane);
    }
}

static scheduler_unit listening;

/* ---- Declines ----------------------------------------------------------------------------------------------------------- */

uint64_t toy_patience;
uint32_t toy_asked;

typedef struct patience {
    uint64_t until; /* nothing issues */
} patience;

typedef struct patient {
    patience *shared;
    uint32_t words;
} patient;

static scheduler_shared *patient_create_shared(const scheduler_parameters *parameters)
{
    (void)parameters;
    return calloc(1, sizeof(patience));
}

static void patient_destroy_shared(scheduler_shared *shared)
{
    free(shared);
}

static void patient_reset_shared(scheduler_shared *shared)
{
    ((patience *)shared)->until = 0;
}

static scheduler *patient_create(const scheduler_parameters *parameters)
{
    patient *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->shared = (patience *)parameters->shared;
    s->words = (parameters->paths + 63) / 64;
    return (scheduler *)s;
}

static void patient_destroy(scheduler *unit)
{
    free(unit);
}

static void patient_reset(scheduler *unit)
{
    (void)unit;
}

static void patient_add(scheduler *unit, uint32_t path, uint64_t age)
{
    (void)unit, (void)path, (void)age;
}

static void patient_remove(scheduler *unit, uint32_t path)
{
    (void)unit, (void)path;
}

static uint32_t patient_pick(const scheduler *unit, const uint64_t *ready, uint64_t cycle)
{
    const patient *s = (const patient *)unit;
    toy_asked++;
    for (uint32_t word = 0; word < s->words && cycle >= s->shared->until; word++) {
        if (ready[word])
            return word * 64 + (uint32_t)__builtin_ctzll(ready[word]);
    }
    return NO_PATH;
}

static uint64_t patient_next(const scheduler *unit, uint64_t cycle)
{
    const uint64_t until = ((const patient *)unit)->shared->until;
    return until > cycle ? until : UINT64_MAX;
}

static uint32_t patient_wants(const scheduler *unit)
{
    (void)unit;
    return PATH_ISSUED;
}

static void patient_event(scheduler *unit, const path_event *event)
{
    ((patient *)unit)->shared->until = event->cycle + toy_patience;
}

static const scheduler_unit patient_functions = {
    .create_shared = patient_create_shared,
    .destroy_shared = patient_destroy_shared,
    .reset_shared = patient_reset_shared,
    .create = patient_create,
    .destroy = patient_destroy,
    .reset = patient_reset,
    .add = patient_add,
    .remove = patient_remove,
    .pick = patient_pick,
    .next = patient_next,
    .wants = patient_wants,
    .event = patient_event,
};

/* ---- Declines one path -------------------------------------------------------------------------------------------------- */

uint64_t toy_hold, toy_issues[TOY_ISSUES];
uint32_t toy_issue_count;

static uint32_t holding_pick(const scheduler *unit, const uint64_t *ready, uint64_t cycle)
{
    const patient *s = (const patient *)unit;
    for (uint32_t word = 0; word < s->words; word++) {
        const uint64_t left = word || cycle >= toy_hold ? ready[word] : ready[word] & ~UINT64_C(1);
        if (left)
            return word * 64 + (uint32_t)__builtin_ctzll(left);
    }
    return NO_PATH;
}

static uint64_t holding_next(const scheduler *unit, uint64_t cycle)
{
    (void)unit;
    return cycle < toy_hold ? toy_hold : UINT64_MAX;
}

static void holding_event(scheduler *unit, const path_event *event)
{
    (void)unit;
    if (event->path == 1 && toy_issue_count < TOY_ISSUES)
        toy_issues[toy_issue_count++] = event->cycle;
}

static const scheduler_unit holding_functions = {
    .create = patient_create,
    .destroy = patient_destroy,
    .reset = patient_reset,
    .add = patient_add,
    .remove = patient_remove,
    .pick = holding_pick,
    .next = holding_next,
    .wants = patient_wants,
    .event = holding_event,
};

/* ---- Answers what it may not --------------------------------------------------------------------------------------------- */

uint32_t toy_pick = NO_PATH;
uint32_t toy_declines;
int32_t toy_after;

static uint32_t wrong_pick(const scheduler *unit, const uint64_t *ready, uint64_t cycle)
{
    const patient *s = (const patient *)unit;
    (void)cycle;
    for (uint32_t word = 0; word < s->words && !toy_declines && toy_pick == NO_PATH; word++) {
        if (ready[word])
            return word * 64 + (uint32_t)__builtin_ctzll(ready[word]);
    }
    return toy_pick;
}

static uint64_t wrong_next(const scheduler *unit, uint64_t cycle)
{
    (void)unit;
    return cycle + (uint64_t)(int64_t)toy_after;
}

static const scheduler_unit wrong_functions = {
    .create = patient_create,
    .destroy = patient_destroy,
    .reset = patient_reset,
    .add = patient_add,
    .remove = patient_remove,
    .pick = wrong_pick,
    .next = wrong_next,
};

/* ------------------------------------------------------------------------------------------------------------------------- */

__attribute__((constructor)) static void complete(void)
{
    listening = scheduler_lrr;
    listening.wants = wants_everything;
    listening.event = hear;
}

#define TOY(name_word, doc_text, functions_of)                                                                         \
    {                                                                                                                  \
        .abi_version = HD_ABI_VERSION, .struct_bytes = sizeof(hd_unit), .kind = "scheduler", .name = (name_word),      \
        .doc = (doc_text), .source = "a test", .interface = SCHEDULER_INTERFACE, .functions = (functions_of)           \
    }

const hd_unit toy_listening_scheduler = TOY("listening", "lrr, told of everything", &listening);
const hd_unit toy_holding_scheduler = TOY("holding", "holds one path back", &holding_functions);
const hd_unit toy_wrong_scheduler = TOY("wrong", "picks what it may not", &wrong_functions);
const hd_unit toy_patient_scheduler = TOY("patient", "lets the core issue now and then", &patient_functions);
