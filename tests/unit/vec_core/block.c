/* SPDX-License-Identifier: MIT */
/* The block between a memory and an operating system that are the test's. */
#include <criterion/criterion.h>
#include <string.h>

#include "image.h"
#include "kit.h"
#include "kit_random.h"
#include "state.h"
#include "vec_core.h"

#define BASE 0x10000000u
#define MEMORY (32u << 20)
#define CYCLE 1000

static uint8_t memory[MEMORY];

typedef struct seen {
    uint32_t exits, exit_code, calls, refusals, stops, traps, cause;
} seen;
static seen is_seen;
static hd_time last_command;

/* Commands arrive in the order in which they are sent. */
static void command(kit_block *kit, hd_packet *packet, hd_time t)
{
    last_command = t > last_command ? t : last_command;
    kit_send(kit, PORT_COMMANDS, 0, packet, last_command);
}

static void answer_memory(kit_block *kit, hd_packet *packet, hd_time t)
{
    const uint32_t is_read = packet->message == kit_message(kit, HD_MEMORY_READ);
    const uint64_t offset = packet->address - BASE;
    cr_assert_leq(offset + packet->argument, MEMORY);
    hd_packet *answer = kit_packet(kit, HD_MEMORY_RESPONSE, is_read ? packet->argument : 0);
    answer->tag = packet->tag;
    answer->argument = HD_STATUS_OK;
    if (is_read)
        memcpy(hd_body(answer), memory + offset, packet->argument);
    const uint8_t *data = hd_body_const(packet), *enables = data + packet->argument;
    for (uint32_t i = 0; !is_read && i < packet->argument; i++)
        if (packet->body_bytes == packet->argument || enables[i])
            memory[offset + i] = data[i];
    kit_send(kit, PORT_MEMORY, 0, answer, t + 90 * CYCLE);
}

/* A thread that leaves comes back at once; what it asks for is refused. */
static void answer_event(kit_block *kit, hd_packet *packet, hd_time t)
{
    const char *name = kit_message_name(kit, packet->message);
    const char *back = NULL;
    if (!strcmp(name, HD_THREAD_STOPPED))
        back = HD_THREAD_RUN, is_seen.stops++;
    else if (!strcmp(name, HD_THREAD_VECTOR))
        back = HD_THREAD_VECTOR;
    else if (!strcmp(name, HD_THREAD_REFUSED))
        is_seen.refusals++;
    else if (!strcmp(name, HD_THREAD_TRAP))
        is_seen.traps++, is_seen.cause = ((hd_thread_trap *)hd_body(packet))->cause;
    const hd_thread_call *call = hd_body_const(packet);
    if (!strcmp(name, HD_THREAD_CALL) && call->number == HD_CALL_EXIT)
        is_seen.exits++, is_seen.exit_code = call->arguments[0];
    else if (!strcmp(name, HD_THREAD_CALL))
        back = HD_THREAD_RETURN, is_seen.calls++;
    if (!back)
        return;
    hd_packet *answer = kit_packet(kit, back, strcmp(back, HD_THREAD_RETURN) ? packet->body_bytes : 0);
    answer->tag = packet->tag;
    answer->argument = 1;
    memcpy(hd_body(answer), hd_body(packet), answer->body_bytes);
    command(kit, answer, t + 10 * CYCLE);
}

static uint32_t respond(kit_block *kit, void *context, uint32_t port, uint32_t element, hd_packet *packet, hd_time t)
{
    (void)context;
    (void)element;
    if (port == PORT_MEMORY)
        answer_memory(kit, packet, t);
    else
        answer_event(kit, packet, t);
    kit_free(kit, packet);
    return 1;
}

static void connect_ports(kit_block *kit)
{
    kit_connect(kit, PORT_COMMANDS, 0, 3, 4);
    kit_connect(kit, PORT_EVENTS, 0, 2, 2);
    kit_connect(kit, PORT_MEMORY, 0, 5, 6);
    kit_respond(kit, respond, NULL);
}

static void run_thread(kit_block *kit, const char *program, uint32_t calls, hd_time t)
{
    hd_thread_context thread = {
        .memory_base = BASE, .memory_end = BASE + MEMORY, .vtype = VEC_VTYPE_ILLEGAL, .measured = 0};
    thread.pc = image_load(program, memory, MEMORY);
    thread.x[2] = BASE + MEMORY;
    thread.x[10] = calls;
    hd_packet *packet = kit_packet(kit, HD_THREAD_RUN, sizeof thread);
    memcpy(hd_body(packet), &thread, sizeof thread);
    last_command = 0;
    command(kit, packet, t);
    is_seen = (seen){0};
}

static void ask_to_move(kit_block *kit, uint32_t bits, hd_time t)
{
    const hd_thread_move move = {.vector_bits = bits};
    hd_packet *packet = kit_packet(kit, HD_THREAD_MOVE, sizeof move);
    memcpy(hd_body(packet), &move, sizeof move);
    command(kit, packet, t);
}

static kit_block *open_block(const char *const *parameters)
{
    kit_block *kit = kit_create(&hd_vec_core_rvv, parameters);
    connect_ports(kit);
    kit_start(kit);
    return kit;
}

static void random_load(kit_block *kit, uint64_t seed)
{
    hd_time t = 5000;
    run_thread(kit, kit_random(&seed) % 2 ? "v_sssp" : "v_spmv", 12, t);
    for (uint32_t i = 0; i < 60; i++) {
        t += (kit_random(&seed) % 3000) * 997;
        kit_run_until(kit, t);
        ask_to_move(kit, 128u << kit_random(&seed) % 5, t);
    }
}

Test(vec_core, conforms, .timeout = 600)
{
    cr_expect_eq(kit_conformance(&hd_vec_core_rvv, (const char *[]){"vlen=256", NULL}, connect_ports, random_load), 0);
    cr_expect_eq(
        kit_conformance(&hd_vec_core_rvv,
                        (const char *[]){"vlen=128", "issue.width=1", "rob.entries=4", "l2.misses=2", "stores=1",
                                         "l1d.bytes=64 B", "l1d.ways=1", "l2.bytes=2 KiB", "l2.ways=2", NULL},
                        connect_ports, random_load),
        0);
    cr_expect_eq(kit_conformance(&hd_vec_core_rvv,
                                 (const char *[]){"vlen=256", "loads=8", "l2.misses=4", "l2.bytes=2 KiB", "l2.ways=2",
                                                  "l2.prefetch=1", "predictor=bimodal", NULL},
                                 connect_ports, random_load),
                 0);
}

static void expect_pass(const char *program, const char *const *parameters)
{
    kit_block *kit = open_block(parameters);
    run_thread(kit, program, 20, 5000);
    kit_drain(kit, 4000000 * (hd_time)CYCLE);
    cr_expect(is_seen.exits == 1 && is_seen.exit_code == 0, "%s, %s", program, parameters[0]);
    cr_expect_gt(kit_statistic(kit, "vector_instructions"), 0);
    kit_destroy(kit);
}

Test(vec_core, programs_pass_with_every_vector_length_and_with_tiny_caches, .timeout = 600)
{
    static const char *const lengths[] = {"vlen=128", "vlen=256", "vlen=512", "vlen=1024", "vlen=2048"};
    for (uint32_t i = 0; i < 5; i++) {
        expect_pass("v_sssp", (const char *[]){lengths[i], NULL});
        expect_pass("v_spmv", (const char *[]){lengths[i], "l2.bytes=128 B", "l2.ways=1", "l1d.bytes=64 B",
                                               "l1d.ways=1", "l2.misses=1", "stores=1", NULL});
        expect_pass("v_sssp", (const char *[]){lengths[i], "l2.bytes=1 KiB", "l2.ways=4", "loads=3", "l2.prefetch=0",
                                               "rob.entries=16", NULL});
        expect_pass("v_spmv",
                    (const char *[]){lengths[i], "l2.bytes=256 B", "l2.ways=2", "l1d.bytes=64 B", "l1d.ways=1",
                                     "l2.misses=2", "stores=2", "loads=64", "predictor=bimodal", NULL});
    }
}

Test(vec_core, a_vector_length_that_is_no_power_of_two_is_refused)
{
    char error[256];
    cr_expect(kit_refuses(&hd_vec_core_rvv, (const char *[]){"vlen=384", NULL}, error, sizeof error));
    cr_expect_not_null(strstr(error, "vlen (384) is not a power of two"), "%s", error);
    cr_expect(kit_refuses(&hd_vec_core_rvv, (const char *[]){"vlen=4096", NULL}, error, sizeof error));
    cr_expect(kit_refuses(&hd_vec_core_rvv, (const char *[]){"l1d.ways=3", NULL}, error, sizeof error));
    cr_expect_not_null(strstr(error, "l1d"), "%s", error);
}

/* At the caches' pace: loads of one line that all hit. */
Test(vec_core, a_stall_is_a_line_more_than_one_in_a_full_load, .timeout = 600)
{
    kit_block *kit = open_block((const char *[]){"vlen=1024", NULL});
    run_thread(kit, "v_strlen", 300, 5000);
    kit_drain(kit, 40000000 * (hd_time)CYCLE);
    cr_expect_eq(is_seen.exits, 1);
    cr_expect_eq(is_seen.exit_code, 0);
    const double loads = (double)kit_statistic(kit, "measured_vector_loads");
    const double lines = (double)kit_statistic(kit, "measured_vector_load_lines");
    cr_expect(lines / loads > 2.6 && lines / loads < 2.9, "%g lines in a load", lines / loads);
    kit_destroy(kit);
}

static uint64_t measured(const char *const *parameters)
{
    kit_block *kit = open_block(parameters);
    run_thread(kit, "v_chase", 4, 5000);
    kit_drain(kit, 40000000 * (hd_time)CYCLE);
    cr_expect(is_seen.exits == 1 && is_seen.exit_code == 0);
    const uint64_t cycles = kit_statistic(kit, "measured_cycles");
    kit_destroy(kit);
    return cycles;
}

#define SMALL_CACHES "l2.bytes=64 KiB", "l1i.bytes=16 KiB", "l2.prefetch=0"

Test(vec_core, loads_that_need_nothing_of_each_other_wait_together)
{
    const uint64_t alone = measured((const char *[]){SMALL_CACHES, NULL});
    const uint64_t together = measured((const char *[]){SMALL_CACHES, "loads=4", NULL});
    cr_expect(alone > together * 39 / 10 && alone < together * 41 / 10, "%llu and %llu cycles",
              (unsigned long long)alone, (unsigned long long)together);
}

/* A core that goes on with bytes that it has seen finds out if they were others. */
Test(vec_core, memory_that_somebody_else_has_written_is_a_fault)
{
    kit_block *kit = open_block((const char *[]){SMALL_CACHES, "loads=4", NULL});
    run_thread(kit, "v_chase", 4, 5000);
    hd_time t = 5000;
    while (!kit_statistic(kit, "overlapped"))
        kit_run_until(kit, t += 100 * CYCLE);
    cr_expect_null(kit_fault_text(kit));
    kit_expect_fault(kit);
    for (uint32_t i = 8192; i < MEMORY / 8; i++)
        memory[i] ^= 1;
    kit_run_until(kit, t + 10000 * CYCLE);
    cr_assert_not_null(kit_fault_text(kit));
    cr_expect_not_null(strstr(kit_fault_text(kit), "is not what the core has seen there"), "%s", kit_fault_text(kit));
    kit_destroy(kit);
}
