/* SPDX-License-Identifier: MIT */
/* Every warp scheduler, in the order of the choices of the core's parameter `scheduler`; `heddle new unit` adds a line. */
#ifndef SIMT_CORE_SCHEDULERS_H
#define SIMT_CORE_SCHEDULERS_H

/* clang-format off */
#define SCHEDULERS(FIRST, NEXT) \
    FIRST(lrr) /* loose round robin: the first ready path after the last one that issued */ \
    NEXT(gto)  /* greedy then oldest, ages rotated against livelock */ \
    /* the end */
/* clang-format on */

/* "lrr|gto|..." */
#define SCHEDULER_FIRST_CHOICE(name) #name
#define SCHEDULER_NEXT_CHOICE(name) "|" #name
#define SCHEDULER_CHOICES SCHEDULERS(SCHEDULER_FIRST_CHOICE, SCHEDULER_NEXT_CHOICE)

/* &scheduler_lrr, &scheduler_gto, ... */
#define SCHEDULER_POINTER(name) &scheduler_##name,
#define SCHEDULER_POINTERS SCHEDULERS(SCHEDULER_POINTER, SCHEDULER_POINTER)

#endif
