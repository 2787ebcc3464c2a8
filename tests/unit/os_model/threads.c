/* SPDX-License-Identifier: MIT */
/* An operating system whose cores are the test's: what it tells them, and what it does when threads are refused or leave. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "kit.h"
#include "kit_random.h"
#include "os_model.h"
#include "state.h"

#define CYCLE 1000
#define CORES 3u
#define PROGRAM "program=" VECTOR_PROGRAMS "/pin_nest.elf"

static const uint32_t bits[CORES] = {256, 128, 512};

/* What the core of an element was told last. */
typedef struct told {
    uint32_t runs, moves, returns, vectors;
    uint64_t thread;
    hd_thread_context context;
    hd_thread_move move;
    uint32_t answer;
} told;
/* Of each block that there is: the conformance test has several at a time. */
typedef struct world {
    kit_block *kit;
    told cores[CORES];
    hd_time last_event[CORES];
} world;
static world worlds[8];
static uint32_t next_world;
static told *cores;          /* of the only block, in the other tests */
static uint32_t is_obedient; /* 1: the cores do at once what is asked, and threads end after a while */

static world *world_of(const kit_block *kit)
{
    for (uint32_t i = 0; i < 8; i++)
        if (worlds[i].kit == kit)
            return &worlds[i];
    abort();
}

static void make_world(kit_block *kit)
{
    for (uint32_t i = 0; i < 8; i++)
        worlds[i].kit = worlds[i].kit == kit ? NULL : worlds[i].kit;
    world *made = &worlds[next_world++ % 8];
    *made = (world){.kit = kit};
    cores = made->cores;
}

static void event(kit_block *kit, uint32_t core, const char *name, uint64_t thread, const void *body, uint32_t bytes,
                  hd_time t)
{
    hd_packet *packet = kit_packet(kit, name, bytes);
    packet->tag = thread;
    packet->argument = bits[core];
    if (bytes)
        memcpy(hd_body(packet), body, bytes);
    hd_time *last = &world_of(kit)->last_event[core]; /* they arrive in this order */
    *last = t > *last ? t : *last;
    kit_send(kit, PORT_EVENTS, core, packet, *last);
}

static void send_call(kit_block *kit, uint32_t core, uint32_t number, uint32_t first, uint32_t second, hd_time t)
{
    const hd_thread_call call = {.number = number, .arguments = {first, second}};
    event(kit, core, HD_THREAD_CALL, world_of(kit)->cores[core].thread, &call, sizeof call, t);
}

static void leave(kit_block *kit, uint32_t core, hd_time t)
{
    static const uint8_t vectors[HD_PACKET_BODY_MAX];
    told *it = &world_of(kit)->cores[core];
    it->context.vector_bytes = it->context.pin_level ? HD_VECTOR_REGISTERS * bits[core] / 8 : 0;
    event(kit, core, HD_THREAD_STOPPED, it->thread, &it->context, sizeof it->context, t);
    for (uint32_t left = it->context.vector_bytes; left; left -= left < 1024 ? left : 1024)
        event(kit, core, HD_THREAD_VECTOR, it->thread, vectors, left < 1024 ? left : 1024, t);
}

static void obey(kit_block *kit, uint32_t core, const char *name, hd_time t)
{
    const uint32_t is_run = !strcmp(name, HD_THREAD_RUN), is_move = !strcmp(name, HD_THREAD_MOVE);
    if (is_run && ++world_of(kit)->cores[core].context.instructions > 6)
        send_call(kit, core, HD_CALL_EXIT, 0, 0, t + 3000 * CYCLE);
    else if (is_run)
        send_call(kit, core, HD_CALL_MOVE, (core + 1) % CORES, 0, t + 500 * CYCLE);
    else if (is_move)
        leave(kit, core, t + 10 * CYCLE);
    else if (!strcmp(name, HD_THREAD_RETURN))
        send_call(kit, core, HD_CALL_EXIT, 0, 0, t + 200 * CYCLE);
}

static uint32_t respond(kit_block *kit, void *context, uint32_t port, uint32_t element, hd_packet *packet, hd_time t)
{
    (void)context;
    if (port == PORT_MEMORY) {
        hd_packet *answer = kit_packet(kit, HD_MEMORY_RESPONSE, 0);
        answer->argument = HD_STATUS_OK;
        kit_send(kit, PORT_MEMORY, 0, answer, t + 50 * CYCLE);
        kit_free(kit, packet);
        return 1;
    }
    const char *name = kit_message_name(kit, packet->message);
    told *core = &world_of(kit)->cores[element];
    core->thread = packet->tag;
    if (!strcmp(name, HD_THREAD_RUN))
        core->runs++, memcpy(&core->context, hd_body(packet), sizeof core->context);
    else if (!strcmp(name, HD_THREAD_MOVE))
        core->moves++, memcpy(&core->move, hd_body(packet), sizeof core->move);
    else if (!strcmp(name, HD_THREAD_RETURN))
        core->returns++, core->answer = packet->argument;
    else
        core->vectors += packet->body_bytes;
    if (is_obedient)
        obey(kit, element, name, t);
    kit_free(kit, packet);
    return 1;
}

static void connect_ports(kit_block *kit)
{
    for (uint32_t i = 0; i < CORES; i++) {
        kit_connect(kit, PORT_COMMANDS, i, 2, 3);
        kit_connect(kit, PORT_EVENTS, i, 2, 3);
    }
    kit_connect(kit, PORT_MEMORY, 0, 4, 4);
    kit_respond(kit, respond, NULL);
    make_world(kit);
}

/* All cores are known and the program is loaded: threads run. */
static kit_block *open_os(const char *const *more)
{
    const char *parameters[8] = {PROGRAM};
    for (uint32_t i = 0; more && more[i]; i++)
        parameters[i + 1] = more[i];
    is_obedient = 0;
    kit_block *kit = kit_create(&hd_os_model_threads, parameters);
    connect_ports(kit);
    kit_start(kit);
    for (uint32_t i = 0; i < CORES; i++)
        event(kit, i, HD_CORE_VECTOR, 0, NULL, 0, 0);
    kit_run_until(kit, 20000 * CYCLE);
    return kit;
}

static void after(kit_block *kit, uint32_t cycles)
{
    kit_run_until(kit, kit_now(kit) + cycles * (hd_time)CYCLE);
}

static void refuse(kit_block *kit, uint32_t core)
{
    const hd_thread_refusal refusal = {.pin_level = 1, .pinned_bits = bits[core]};
    event(kit, core, HD_THREAD_REFUSED, cores[core].thread, &refusal, sizeof refusal, kit_now(kit));
    after(kit, 50);
}

static void ask(kit_block *kit, uint32_t core, uint32_t number, uint32_t first, uint32_t second)
{
    send_call(kit, core, number, first, second, kit_now(kit));
    after(kit, 50);
}

Test(os_model, threads_begin_on_the_first_cores_with_their_arguments)
{
    kit_block *kit = open_os((const char *[]){"threads=2", "arguments=7 0x10 -1", "memory=1 MiB", NULL});
    cr_expect(cores[0].runs == 1 && cores[1].runs == 1 && cores[2].runs == 0);
    const hd_thread_context *second = &cores[1].context;
    cr_expect(second->x[10] == 7 && second->x[11] == 16 && second->x[12] == UINT32_MAX && second->x[16] == 1);
    cr_expect_eq(second->x[2], 0x10100000);
    cr_expect(second->physical == UINT64_C(1) << 32 && second->pin_level == 0 && second->legacy == 0);
    cr_expect_gt(kit_statistic(kit, "loaded_bytes"), 200);
    kit_destroy(kit);
}

Test(os_model, a_thread_moves_to_where_it_asks)
{
    kit_block *kit = open_os(NULL);
    ask(kit, 0, HD_CALL_MOVE, 1, 0);
    cr_expect(cores[0].moves == 1 && cores[0].move.vector_bits == 128 && !cores[0].move.forced);
    cores[0].context.pin_level = 1;
    leave(kit, 0, kit_now(kit));
    after(kit, 100);
    cr_expect(cores[1].runs == 1 && cores[1].vectors == 1024, "with its vector registers");
    cr_expect(cores[1].returns == 1 && cores[1].answer == 0, "and there the answer");
    cr_expect_eq(kit_statistic(kit, "moves"), 1);
    cr_expect_eq(kit_statistic(kit, "narrowed"), 1);
    cr_expect_eq(kit_statistic(kit, "pinned_moves"), 1);
    ask(kit, 1, HD_CALL_CORE, 0, 0);
    cr_expect_eq(cores[1].answer, 1);
    kit_destroy(kit);
}

Test(os_model, a_refusal_is_the_answer_and_frees_the_target)
{
    kit_block *kit = open_os(NULL);
    ask(kit, 0, HD_CALL_MOVE, 1, 0);
    refuse(kit, 0);
    cr_expect(cores[0].returns == 1 && cores[0].answer == 1);
    ask(kit, 0, HD_CALL_MOVE, 1, 0);
    cr_expect_eq(cores[0].moves, 2);
    kit_destroy(kit);
}

Test(os_model, nobody_moves_to_a_core_that_is_taken_or_off_or_not_there)
{
    kit_block *kit = open_os((const char *[]){"threads=2", NULL});
    ask(kit, 0, HD_CALL_MOVE, 1, 0);
    cr_expect(cores[0].answer == 1 && cores[0].moves == 0);
    ask(kit, 0, HD_CALL_POWER, 2, 0);
    cr_expect_eq(cores[0].answer, 0);
    ask(kit, 0, HD_CALL_MOVE, 2, 0);
    cr_expect(cores[0].answer == 1 && cores[0].moves == 0);
    ask(kit, 0, HD_CALL_BITS, 2, 0);
    cr_expect_eq(cores[0].answer, 0);
    ask(kit, 0, HD_CALL_MOVE, 99, 0);
    cr_expect_eq(cores[0].answer, 1);
    ask(kit, 0, 4711, 0, 0);
    cr_expect_eq(cores[0].answer, HD_CALL_UNKNOWN);
    kit_destroy(kit);
}

Test(os_model, a_core_whose_thread_is_pinned_stays_on)
{
    kit_block *kit = open_os(NULL);
    ask(kit, 0, HD_CALL_POWER, 0, 0);
    cr_expect(cores[0].moves == 1 && cores[0].move.vector_bits == 512, "to the widest that is free");
    refuse(kit, 0);
    cr_expect(cores[0].returns == 1 && cores[0].answer == 1);
    cr_expect_eq(kit_statistic(kit, "power_refused"), 1);
    ask(kit, 0, HD_CALL_BITS, 0, 0);
    cr_expect_eq(cores[0].answer, 256);
    after(kit, 50000);
    cr_expect_eq(cores[0].moves, 1, "and nobody asks again");
    kit_destroy(kit);
}

Test(os_model, or_goes_off_as_soon_as_it_can)
{
    kit_block *kit = open_os((const char *[]){"power.pinned=defer", "period=1000 cycles", NULL});
    ask(kit, 0, HD_CALL_POWER, 0, 0);
    refuse(kit, 0);
    cr_expect_eq(cores[0].answer, 2);
    after(kit, 1500);
    cr_expect_eq(cores[0].moves, 2, "it is asked again");
    refuse(kit, 0);
    after(kit, 1500);
    cr_expect_eq(cores[0].moves, 3);
    leave(kit, 0, kit_now(kit));
    after(kit, 100);
    cr_expect_eq(cores[2].runs, 1);
    cr_expect_eq(kit_statistic(kit, "switched_off"), 1);
    after(kit, 5000);
    cr_expect_eq(cores[2].moves, 0, "and no more");
    kit_destroy(kit);
}

Test(os_model, the_answer_follows_a_thread_that_is_moved_meanwhile)
{
    kit_block *kit = open_os((const char *[]){"threads=2", NULL});
    ask(kit, 1, HD_CALL_POWER, 0, 0); /* thread 0 is asked to leave, and calls in the same moment */
    cr_expect_eq(cores[0].moves, 1);
    ask(kit, 0, HD_CALL_CORE, 0, 0);
    cr_expect_eq(cores[0].returns, 0, "it may be gone already");
    leave(kit, 0, kit_now(kit));
    after(kit, 200);
    cr_expect(cores[0].returns == 0 && cores[2].runs == 1 && cores[2].returns == 1);
    cr_expect(cores[1].returns == 1 && cores[1].answer == 0);
    kit_destroy(kit);
}

Test(os_model, an_exception_and_a_program_that_fails_end_the_run)
{
    const hd_thread_trap trap = {.cause = HD_CAUSE_UNPIN, .pc = 0x10000000, .value = 5};
    kit_block *kit = open_os(NULL);
    kit_expect_fault(kit);
    event(kit, 0, HD_THREAD_TRAP, 0, &trap, sizeof trap, kit_now(kit));
    after(kit, 50);
    cr_assert_not_null(kit_fault_text(kit));
    cr_expect_not_null(strstr(kit_fault_text(kit), "unpin.vl without pin.vl"), "%s", kit_fault_text(kit));
    cr_expect_not_null(strstr(kit_fault_text(kit), "_start"), "%s", kit_fault_text(kit));
    kit_destroy(kit);
    kit = open_os(NULL);
    kit_expect_fault(kit);
    ask(kit, 0, HD_CALL_EXIT, 3, 0);
    cr_assert_not_null(kit_fault_text(kit));
    cr_expect_not_null(strstr(kit_fault_text(kit), "thread 0 ended with 3"), "%s", kit_fault_text(kit));
    kit_destroy(kit);
}

static void random_load(kit_block *kit, uint64_t seed)
{
    make_world(kit); /* it may have been reset */
    is_obedient = 1;
    for (uint32_t i = 0; i < CORES; i++)
        event(kit, i, HD_CORE_VECTOR, 0, NULL, 0, kit_random(&seed) % 1000 * 997);
}

Test(os_model, conforms, .timeout = 120)
{
    cr_expect_eq(kit_conformance(&hd_os_model_threads, (const char *[]){PROGRAM, "threads=2", "memory=1 MiB", NULL},
                                 connect_ports, random_load),
                 0);
    cr_expect_eq(kit_conformance(&hd_os_model_threads, (const char *[]){PROGRAM, "threads=5", "memory=1 MiB", NULL},
                                 connect_ports, random_load),
                 0);
}

Test(os_model, bad_input_is_refused_in_one_line)
{
    static const struct {
        const char *set, *text;
    } bad[] = {
        {"program=", "no file is given"},
        {"program=/nowhere", "/nowhere cannot be read"},
        {"program=" VECTOR_PROGRAMS "/../CMakeCache.txt", "ELF"},
        {"arguments=1 2 3 4 5 6 7", "up to 6 numbers"},
        {"arguments=seven", "up to 6 numbers"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char error[512] = "";
        const uint32_t is_program = strncmp(bad[i].set, "program", 7) == 0;
        cr_expect(kit_refuses(&hd_os_model_threads, (const char *[]){bad[i].set, is_program ? NULL : PROGRAM, NULL},
                              error, sizeof error),
                  "%s", bad[i].set);
        cr_expect_not_null(strstr(error, bad[i].text), "%s: %s", bad[i].set, error);
        cr_expect_null(strchr(error, '\n'));
    }
}
