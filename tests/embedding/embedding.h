/* SPDX-License-Identifier: MIT */
/* A program that knows of Heddle what heddle.h says, and what its tests have in common. */
#ifndef EMBEDDING_EMBEDDING_H
#define EMBEDDING_EMBEDDING_H

#include <criterion/criterion.h>

#include "heddle.h"
#include "kernels.h"

#define EXPECT(call) cr_expect_eq((call), HEDDLE_OK, "%s: %s", #call, heddle_message())
#define REQUIRE(call) cr_assert_eq((call), HEDDLE_OK, "%s: %s", #call, heddle_message())

/* The small machine of the system tests. */
heddle_settings small_machine(void);
heddle_machine *open_with(const heddle_settings *settings);
/* With the kernels of these tests and a default queue. */
heddle_machine *open_small(void);
heddle_queue *default_queue(heddle_machine *machine);
/* An allocation of n words that are 0. */
heddle_address zeroed_words(heddle_machine *machine, uint32_t n);
/* Appends a launch of enough blocks of 64 threads for n. */
heddle_error launch(heddle_machine *machine, heddle_queue *queue, const char *kernel, heddle_address data, uint32_t n,
                    uint32_t value);
uint64_t now(heddle_machine *machine);
uint64_t value_of(heddle_machine *machine, const char *path);
/* The call that was made is refused like that, in words that hold `part`. */
void expect_refusal(heddle_error error, heddle_error expected, const char *part);

#endif
