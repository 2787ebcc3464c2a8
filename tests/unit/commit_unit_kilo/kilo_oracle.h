/* SPDX-License-Identifier: MIT */
/*
 * Were commits serialisable? Those with commit IDs are replayed in the order of their IDs against a copy of memory, value by value.
 * Silent readers need a place between them: with all conflicts as edges there must be no cycle.
 */
#ifndef KILO_ORACLE_H
#define KILO_ORACLE_H

#include "scripted_kilo.h"

typedef struct kilo_oracle kilo_oracle;
kilo_oracle *kilo_oracle_create(uint64_t base, uint32_t stride, uint32_t words);
void kilo_oracle_destroy(kilo_oracle *oracle);
void kilo_oracle_reset(kilo_oracle *oracle);

void kilo_oracle_add(kilo_oracle *oracle, const kilo_commit *commits, uint32_t count);
/* memory: by word, at the end. Both: 1, or 0 and what is wrong. */
uint32_t kilo_oracle_replay(kilo_oracle *oracle, const uint32_t *memory, char *wrong, uint32_t bytes);
/* Values tell who has written them: no two writes have the same one. After kilo_oracle_replay. */
uint32_t kilo_oracle_search(kilo_oracle *oracle, char *wrong, uint32_t bytes);

#endif
