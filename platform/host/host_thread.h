/* SPDX-License-Identifier: MIT */
/*
 * A thread with strict hand-over: it runs only inside host_thread_resume, until it yields or ends.
 */
#ifndef HD_HOST_THREAD_H
#define HD_HOST_THREAD_H

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>

typedef struct host_thread {
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t handed_over;
    uint32_t exists;
    uint32_t its_turn;
    uint32_t aborted; /* its next wait does not return */
    uint32_t ended;
    uint32_t left;                          /* it has ended otherwise than by run(): pthread_exit */
    uint32_t abandoned;                     /* nobody waits for it any more */
    uint32_t (*may_abandon)(void *context); /* NULL: never */
    void *context;
    stack_t signal_stack_before;
    uint8_t *signal_stack;
    jmp_buf base;
    void (*run)(void *argument);
    void *argument;
} host_thread;

/* ---- The simulator's side ----------------------------------------------------------------------------------------- */

/* Makes the thread, which does not run yet. Returns 0 if the system has none left. may_abandon and its context are set before. */
uint32_t host_thread_start(host_thread *thread, void (*run)(void *argument), void *argument);
/* Lets it run; returns when it yields, or 0 when it has ended, or is abandoned: while it runs on, may_abandon is asked now and
 * then. What it uses then must stay for as long as the process. */
uint32_t host_thread_resume(host_thread *thread);
/* Unwinds it wherever it waits, and joins it. A thread that was never started is allowed, one that is abandoned is not. */
void host_thread_stop(host_thread *thread);

/* ---- Its own side ------------------------------------------------------------------------------------------------- */

/* Lets the simulator go on; returns when resumed. Does not return when the thread is being stopped. */
void host_thread_yield(host_thread *thread);
/* Before anything that reaches outside of the program: nobody is there any more. */
void host_thread_halt_if_abandoned(host_thread *thread);
/* Leaves run() from any depth. */
__attribute__((noreturn)) void host_thread_exit(host_thread *thread);

#endif
