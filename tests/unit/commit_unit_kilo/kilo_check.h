/* SPDX-License-Identifier: MIT */
/* The platform's checker of transactions (--check-tx), before the slices of a machine: it is told of what cores have committed. */
#ifndef KILO_CHECK_H
#define KILO_CHECK_H

#include "engine.h"
#include "hd_transactions.h"
#include "scripted_kilo.h"

typedef struct kilo_check kilo_check;
/* Before elaborate. slices: blocks of the engine, with that port of direction TAPPED, at which it is the second. */
kilo_check *kilo_check_create(hd_engine *engine, const uint32_t *slices, uint32_t slice_count, uint32_t tapped_port);
void kilo_check_destroy(kilo_check *check);

/* Whoever else is to hear of what cores tell by themselves. */
void kilo_check_tell(kilo_check *check, void (*note)(void *context, const hd_transaction *transaction), void *context);
/* Of a run of all words 0. */
void kilo_check_begin(kilo_check *check, uint64_t base, uint32_t stride, uint32_t words);
void kilo_check_add(kilo_check *check, const kilo_commit *commits, uint32_t count);
/* 1: serialisable; 0: report says why not. */
uint32_t kilo_check_end(kilo_check *check, char *report, uint32_t bytes);

#endif
