/* SPDX-License-Identifier: MIT */
#include "host_thread.h"

#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "host_ending.h"

#define SIGNAL_STACK_BYTES 65536u /* for what is said of a stack that has overflowed */
#define POLLS_PER_SECOND 20

static void hand_over(host_thread *thread, uint32_t to_thread)
{
    thread->its_turn = to_thread;
    pthread_cond_broadcast(&thread->handed_over);
}

static void wait_for_turn(host_thread *thread, uint32_t of_thread)
{
    while (thread->its_turn != of_thread)
        pthread_cond_wait(&thread->handed_over, &thread->mutex);
}

static void use_signal_stack(host_thread *thread)
{
    thread->signal_stack = malloc(SIGNAL_STACK_BYTES);
    if (thread->signal_stack)
        sigaltstack(&(stack_t){.ss_sp = thread->signal_stack, .ss_size = SIGNAL_STACK_BYTES},
                    &thread->signal_stack_before);
}

/* Whoever gave the thread another one, such as a sanitizer, takes that back when it ends. */
static void leave_signal_stack(const host_thread *thread)
{
    if (thread->signal_stack)
        sigaltstack(&thread->signal_stack_before, NULL);
}

static void end(host_thread *thread)
{
    leave_signal_stack(thread);
    pthread_mutex_lock(&thread->mutex);
    thread->ended = 1;
    hand_over(thread, 0);
    pthread_mutex_unlock(&thread->mutex);
}

/* Whatever way the thread ends. */
static pthread_key_t threads;

static void at_end_of_thread(void *argument)
{
    host_thread *thread = argument;
    thread->left = 1;
    end(thread);
}

static void make_key(void)
{
    if (pthread_key_create(&threads, at_end_of_thread))
        abort();
}

static void *thread_main(void *argument)
{
    host_thread *thread = argument;
    use_signal_stack(thread);
    pthread_setspecific(threads, thread);
    host_ending_is_program();
    pthread_mutex_lock(&thread->mutex);
    wait_for_turn(thread, 1);
    pthread_mutex_unlock(&thread->mutex);
    if (!thread->aborted && setjmp(thread->base) == 0)
        thread->run(thread->argument);
    pthread_setspecific(threads, NULL);
    end(thread);
    return NULL;
}

uint32_t host_thread_start(host_thread *thread, void (*run)(void *argument), void *argument)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_key);
    thread->its_turn = 0;
    thread->aborted = 0;
    thread->ended = thread->left = thread->abandoned = 0;
    thread->signal_stack = NULL;
    thread->run = run;
    thread->argument = argument;
    pthread_mutex_init(&thread->mutex, NULL);
    pthread_cond_init(&thread->handed_over, NULL);
    thread->exists = pthread_create(&thread->thread, NULL, thread_main, thread) == 0;
    if (!thread->exists) {
        pthread_cond_destroy(&thread->handed_over);
        pthread_mutex_destroy(&thread->mutex);
    }
    return thread->exists;
}

static struct timespec next_poll(void)
{
    struct timespec at;
    clock_gettime(CLOCK_REALTIME, &at);
    at.tv_nsec += 1000000000 / POLLS_PER_SECOND;
    at.tv_sec += at.tv_nsec / 1000000000;
    at.tv_nsec %= 1000000000;
    return at;
}

static void wait_and_poll(host_thread *thread)
{
    struct timespec at = next_poll();
    while (thread->its_turn && !thread->abandoned) {
        if (!pthread_cond_timedwait(&thread->handed_over, &thread->mutex, &at))
            continue;
        thread->abandoned = thread->its_turn && thread->may_abandon(thread->context);
        at = next_poll();
    }
}

uint32_t host_thread_resume(host_thread *thread)
{
    if (thread->ended || thread->abandoned)
        return 0;
    pthread_mutex_lock(&thread->mutex);
    hand_over(thread, 1);
    if (thread->may_abandon)
        wait_and_poll(thread);
    else
        wait_for_turn(thread, 0);
    pthread_mutex_unlock(&thread->mutex);
    return !thread->ended && !thread->abandoned;
}

void host_thread_stop(host_thread *thread)
{
    if (!thread->exists)
        return;
    thread->aborted = 1;
    host_thread_resume(thread);
    pthread_join(thread->thread, NULL);
    free(thread->signal_stack);
    pthread_cond_destroy(&thread->handed_over);
    pthread_mutex_destroy(&thread->mutex);
    thread->exists = 0;
}

void host_thread_halt_if_abandoned(host_thread *thread)
{
    pthread_mutex_lock(&thread->mutex);
    while (thread->abandoned)
        pthread_cond_wait(&thread->handed_over, &thread->mutex);
    pthread_mutex_unlock(&thread->mutex);
}

void host_thread_yield(host_thread *thread)
{
    host_thread_halt_if_abandoned(thread);
    pthread_mutex_lock(&thread->mutex);
    hand_over(thread, 0);
    wait_for_turn(thread, 1);
    pthread_mutex_unlock(&thread->mutex);
    if (thread->aborted)
        host_thread_exit(thread);
}

void host_thread_exit(host_thread *thread)
{
    longjmp(thread->base, 1);
}
