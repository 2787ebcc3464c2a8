/* SPDX-License-Identifier: MIT */
#include "host_thread.h"

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

static void *thread_main(void *argument)
{
    host_thread *thread = argument;
    pthread_mutex_lock(&thread->mutex);
    wait_for_turn(thread, 1);
    pthread_mutex_unlock(&thread->mutex);
    if (!thread->aborted && setjmp(thread->base) == 0)
        thread->run(thread->argument);
    pthread_mutex_lock(&thread->mutex);
    thread->ended = 1;
    hand_over(thread, 0);
    pthread_mutex_unlock(&thread->mutex);
    return NULL;
}

uint32_t host_thread_start(host_thread *thread, void (*run)(void *argument), void *argument)
{
    thread->its_turn = 0;
    thread->aborted = 0;
    thread->ended = 0;
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

uint32_t host_thread_resume(host_thread *thread)
{
    if (thread->ended)
        return 0;
    pthread_mutex_lock(&thread->mutex);
    hand_over(thread, 1);
    wait_for_turn(thread, 0);
    pthread_mutex_unlock(&thread->mutex);
    return !thread->ended;
}

void host_thread_stop(host_thread *thread)
{
    if (!thread->exists)
        return;
    thread->aborted = 1;
    host_thread_resume(thread);
    pthread_join(thread->thread, NULL);
    pthread_cond_destroy(&thread->handed_over);
    pthread_mutex_destroy(&thread->mutex);
    thread->exists = 0;
}

void host_thread_yield(host_thread *thread)
{
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
