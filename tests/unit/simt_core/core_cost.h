/* SPDX-License-Identifier: MIT */
/* What instructions cost a block, beside those before and behind them: throughput and latency without beginning and end. */
#ifndef TEST_CORE_COST_H
#define TEST_CORE_COST_H

#include <stdint.h>

/* Cycles that `more` further copies of the words, of which the program has `more` / 2 in any case, cost a block of so many threads. */
uint64_t core_cost_of(const char *const *parameters, const uint32_t *words, uint32_t count, uint32_t more,
                      uint32_t threads);
/* The same of a single instruction. */
uint64_t core_cost(const char *const *parameters, uint32_t word, uint32_t more, uint32_t threads);

#endif
