/* SPDX-License-Identifier: MIT */
/*
 * Locks that are given back by who takes them: a read that waits for a word to be 0 need not wait for writes that others only come to
 * once they have found it 0 themselves (the refinement R3 of the search, made safe: of D05 and N03 of ElTantawy 2018, whose lanes wait
 * where they hold a lock, it leaves out nothing). It takes a loop that tries a lock to wait until it is free, and not until it is taken.
 */
#ifndef ISA_DEADLOCK_LOCKS_H
#define ISA_DEADLOCK_LOCKS_H

#include "deadlock_slice.h"

/* An atomic whose result is tested at once: lanes that have read 0 go on at `taken`. */
typedef struct deadlock_lock {
    uint32_t read;
    uint32_t test; /* the branch */
    uint32_t taken;
    int keeps_nonzero; /* it never makes another word 0 */
} deadlock_lock;

typedef struct deadlock_locks {
    deadlock_memory *memory;
    deadlock_lock *locks;
    uint32_t count;
    uint32_t walk;
    uint32_t size;  /* nodes that the last walk was at, in graph->list */
    uint32_t *seen; /* [graph->count]: number of the last walk that was here */
} deadlock_locks;

int deadlock_locks_open(deadlock_locks *locks, deadlock_memory *memory); /* 0 = done; to be closed in any case */
void deadlock_locks_close(deadlock_locks *locks);

/* Is this read of the slice one that waits for a lock, whose value, if it is not 0, nothing else in the slice uses? */
int deadlock_waits_for_lock(deadlock_locks *locks, const deadlock_slice *slice, uint32_t read);

/* Does the write free the word, and no other, that lanes which come to it by this read have just found free? */
int deadlock_gives_back(deadlock_locks *locks, uint32_t read, uint32_t write);

/* Does this write free no lock of lanes that are kept at `start`: either takes one, or gives back one that they take behind start? */
int deadlock_frees_nothing(deadlock_locks *locks, uint32_t start, uint32_t write);

#endif
