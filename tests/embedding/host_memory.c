/* SPDX-License-Identifier: MIT */
/* A process without memory: each call that needs some is refused, and all goes on when there is memory again. */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "embedding.h"

typedef struct piece {
    struct piece *next;
} piece;

#define LARGEST_KEPT 1032u /* malloc keeps freed pieces up to this size apart, by 16 bytes */

static void take(piece **taken, size_t bytes)
{
    piece *got;
    while ((got = malloc(bytes))) {
        got->next = *taken;
        *taken = got;
    }
}

/* Takes all that malloc has, down to the smallest piece. */
static piece *take_all(void)
{
    const struct rlimit none = {.rlim_cur = 0, .rlim_max = RLIM_INFINITY};
    piece *taken = NULL;
    cr_assert_eq(setrlimit(RLIMIT_AS, &none), 0);
    for (size_t bytes = 1 << 20; bytes > LARGEST_KEPT; bytes /= 2)
        take(&taken, bytes);
    for (size_t bytes = LARGEST_KEPT; bytes >= sizeof(piece) && bytes <= LARGEST_KEPT; bytes -= 16)
        take(&taken, bytes);
    return taken;
}

static void give_back(piece *taken)
{
    const struct rlimit all = {.rlim_cur = RLIM_INFINITY, .rlim_max = RLIM_INFINITY};
    while (taken) {
        piece *next = taken->next;
        free(taken);
        taken = next;
    }
    cr_assert_eq(setrlimit(RLIMIT_AS, &all), 0);
}

#define CALLS 6u

/* Nothing is asserted without memory: what asserts may need some. */
Test(host_memory, that_is_used_up_is_an_error_of_each_call)
{
    uint32_t word = 7, read = 0;
    const heddle_settings settings = small_machine();
    heddle_machine *machine = open_small(), *other;
    heddle_queue *queue = default_queue(machine);
    heddle_event *event;
    heddle_kernel *kernel;
    heddle_address data = zeroed_words(machine, 1);
    heddle_error errors[CALLS];
    char messages[CALLS][64];
    memset(messages, 0, sizeof messages);
    piece *taken = take_all();
    for (uint32_t i = 0; i < CALLS; i++) {
        switch (i) {
        case 0: errors[i] = heddle_open(&settings, &other); break;
        case 1: errors[i] = heddle_event_create(machine, &event); break;
        case 2: errors[i] = heddle_kernel_named(machine, "add", &kernel); break;
        case 3: errors[i] = heddle_queue_copy_to_device(queue, data, &word, 4); break;
        case 4: errors[i] = heddle_copy_from_device(machine, &read, data, 4); break;
        default: errors[i] = heddle_queue_fill(queue, data, 1, 4); break;
        }
        strncpy(messages[i], heddle_message(), sizeof messages[i] - 1);
    }
    give_back(taken);
    for (uint32_t i = 0; i < CALLS; i++) {
        cr_expect_eq(errors[i], HEDDLE_ERROR_HOST_MEMORY, "call %u: %u", i, errors[i]);
        cr_expect_str_eq(messages[i], "the process has no memory left", "call %u", i);
    }
    cr_expect_null(other);
    cr_expect_null(event);
    cr_expect_null(kernel);
    EXPECT(heddle_queue_copy_to_device(queue, data, &word, 4));
    EXPECT(launch(machine, queue, "add", data, 1, 5));
    EXPECT(heddle_wait(machine));
    EXPECT(heddle_copy_from_device(machine, &read, data, 4));
    cr_expect_eq(read, 12);
    EXPECT(heddle_close(machine));
}
