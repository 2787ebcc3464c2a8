/* SPDX-License-Identifier: MIT */
#include "area.h"

#include <criterion/criterion.h>
#include <stdlib.h>

area *area_create(uint32_t algorithm, uint32_t release, uint32_t lanes, uint32_t banks, uint32_t rows)
{
    area *a = calloc(1, sizeof *a);
    cr_assert(a && banks * rows <= AREA_WORDS && !ownership_words_create(&a->words, banks * rows, release));
    for (uint32_t word = 0; word < banks * rows; word++)
        a->memory[word] = 100 + word;
    a->ownership = (ownership){.algorithm = algorithm,
                               .release = release,
                               .lanes = lanes,
                               .layout = {.banks = banks, .rows = rows},
                               .bytes = (uint8_t *)a->memory};
    a->running = UINT64_MAX >> (64 - lanes);
    ownership_open(&a->ownership, &a->words, 0);
    return a;
}

void area_destroy(area *a)
{
    ownership_words_destroy(&a->words);
    free(a);
}

static uint32_t access(area *a, uint32_t thread, uint32_t word, uint32_t stores, uint32_t conflict, uint32_t accesses)
{
    const ownership_verdict verdict = ownership_access(&a->ownership, thread, word, stores, a->running);
    cr_expect_eq(verdict.conflict, conflict, "thread %u, word %u: conflict %u, not %u", thread, word, verdict.conflict,
                 conflict);
    cr_expect_eq(verdict.accesses, accesses, "thread %u, word %u: %u accesses, not %u", thread, word, verdict.accesses,
                 accesses);
    return verdict.conflict == CONFLICT_NONE;
}

void area_load(area *a, uint32_t thread, uint32_t word, uint32_t conflict, uint32_t accesses)
{
    access(a, thread, word, 0, conflict, accesses);
}

void area_store(area *a, uint32_t thread, uint32_t word, uint32_t value, uint32_t conflict, uint32_t accesses)
{
    if (access(a, thread, word, 1, conflict, accesses))
        a->memory[word] = value;
}

uint32_t area_abort(area *a, uint32_t thread)
{
    uint32_t restored[BANK_STEPS_BANKS] = {0}, most = 0;
    ownership_abort(&a->ownership, thread, restored);
    for (uint32_t bank = 0; bank < a->ownership.layout.banks; bank++)
        most = restored[bank] > most ? restored[bank] : most;
    return most;
}
