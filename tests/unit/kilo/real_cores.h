/* SPDX-License-Identifier: MIT */
/* Cores of the timed kind for a kilo_machine, with a program of words: each runs a block of it. What they commit is kept for the oracle. */
#ifndef KILO_REAL_CORES_H
#define KILO_REAL_CORES_H

#include "kilo_machine.h"

typedef struct real_cores real_cores;
/* words: as for program_of_words; threads: of each core; spread: blocks begin at any of so many cycles. */
real_cores *real_cores_create(const uint32_t *words, uint32_t threads, uint32_t spread);
void real_cores_destroy(real_cores *cores); /* after the machines that have them */
/* For shape.by. Settings of the core that every machine of this kind and protocol has are the first of `settings`. Returns how many they are. */
const kilo_cores *real_cores_as(const real_cores *cores);
uint32_t real_cores_settings(kilo_settings settings, const char *protocol);

/* Runs that follow are told of each commit, too; NULL: nobody is. */
void real_cores_tell(real_cores *cores, void (*told)(void *context, const hd_transaction *transaction), void *context);

#endif
