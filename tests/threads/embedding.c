/* SPDX-License-Identifier: MIT */
/* Two threads, a machine each, through heddle.h: embedding MACHINE KERNEL_ELF. The thread sanitizer looks on. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "heddle.h"

#define ROUNDS 4u
#define WORDS 2000u

typedef struct task {
    const char *netlist;
    const char *kernels;
    heddle_machine *machine; /* of the other thread, which is asked at the wrong time */
    uint64_t time;
    heddle_error error;
    char message[256];
} task;

#define TRY(call)                                                                                                      \
    do {                                                                                                               \
        if ((t->error = (call)) != HEDDLE_OK)                                                                          \
            return;                                                                                                    \
    } while (0)

static void count(void *context, uint32_t launch, uint64_t time)
{
    (void)launch;
    *(uint64_t *)context = time;
}

static void work_on(task *t, heddle_machine *machine)
{
    static const heddle_size size = {.grid = {WORDS / 100, 1, 1}, .block = {100, 1, 1}};
    uint32_t words[WORDS], arguments[3] = {0, WORDS, 3};
    heddle_queue *queue, *other;
    heddle_kernel *kernel;
    heddle_event *event;
    const char *text;
    TRY(heddle_load(machine, t->kernels));
    TRY(heddle_default_queue(machine, &queue));
    TRY(heddle_queue_create(machine, &other));
    TRY(heddle_event_create(machine, &event));
    TRY(heddle_kernel_named(machine, "add", &kernel));
    TRY(heddle_allocate(machine, sizeof words, &arguments[0]));
    TRY(heddle_queue_fill(other, arguments[0], 0, sizeof words));
    TRY(heddle_event_record(event, other));
    TRY(heddle_queue_wait_event(queue, event));
    TRY(heddle_launch(queue, kernel, &size, arguments, sizeof arguments, NULL));
    TRY(heddle_queue_copy_from_device(queue, words, arguments[0], sizeof words));
    TRY(heddle_advance_for(machine, 3000000));
    TRY(heddle_wait(machine));
    TRY(heddle_results(machine, &text));
    TRY(heddle_time(machine, &t->time));
    if (words[0] != 3 || words[WORDS - 1] != 3)
        t->error = HEDDLE_ERROR_FAULT;
}

static void *run(void *argument)
{
    task *t = argument;
    uint64_t last = 0;
    for (uint32_t round = 0; round < ROUNDS && !t->error; round++) {
        heddle_machine *machine;
        const heddle_settings settings = {.struct_bytes = sizeof settings,
                                          .netlist = t->netlist,
                                          .threads = 1 + round % 2,
                                          .callbacks = {.context = &last, .finished = count}};
        t->error = heddle_open(&settings, &machine);
        if (t->error)
            break;
        heddle_error refused = heddle_wait(t->machine);
        if (refused != HEDDLE_OK && refused != HEDDLE_ERROR_BUSY)
            t->error = refused;
        if (!t->error)
            work_on(t, machine);
        heddle_close(machine);
    }
    snprintf(t->message, sizeof t->message, "%s", heddle_message());
    return NULL;
}

int main(int words, char **word)
{
    heddle_machine *shared;
    pthread_t threads[2];
    task tasks[2];
    if (words != 3)
        return 2;
    const heddle_settings settings = {.struct_bytes = sizeof settings, .netlist = word[1]};
    if (heddle_open(&settings, &shared))
        return 2;
    for (uint32_t i = 0; i < 2; i++) {
        tasks[i] = (task){.netlist = word[1], .kernels = word[2], .machine = shared};
        pthread_create(&threads[i], NULL, run, &tasks[i]);
    }
    for (uint32_t i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    heddle_close(shared);
    for (uint32_t i = 0; i < 2; i++)
        if (tasks[i].error)
            fprintf(stderr, "thread %u: %s: %s\n", i, heddle_error_text(tasks[i].error), tasks[i].message);
    if (tasks[0].time != tasks[1].time)
        fprintf(stderr, "the threads end at different times\n");
    return tasks[0].error || tasks[1].error || tasks[0].time != tasks[1].time;
}
