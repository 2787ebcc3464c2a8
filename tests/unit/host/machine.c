/* SPDX-License-Identifier: MIT */
/* Host, command processor and scheduler together, on the real engine. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "command_processor.h"
#include "compose.h"
#include "engine.h"
#include "machine_parts.h"
#include "rig.h"
#include "tb_scheduler.h"

#define CORES 3u
enum { HOST, COMMAND_PROCESSOR, SCHEDULER, MEMORY, CORE, BLOCKS = CORE + CORES };

#define VALUES_MAX 128u

typedef struct machine {
    hd_engine *engine;
    hd_address_map map;
    uint32_t endpoints[1];
    hd_value values[3][VALUES_MAX];
} machine;

static uint32_t index_of_port(const hd_block_class *c, const char *name)
{
    uint32_t i = 0;
    while (strcmp(c->ports[i].name, name) != 0)
        i++;
    return i;
}

static void standard_values(const hd_block_class *c, hd_value *values)
{
    cr_assert_leq(c->parameter_count, VALUES_MAX);
    for (uint32_t i = 0; i < c->parameter_count; i++) {
        const hd_parameter *p = &c->parameters[i];
        values[i].u = strcmp(p->standard, "true") == 0 ? 1 : strtoull(p->standard, NULL, 10);
        values[i].text = p->standard;
        if (strstr(p->standard, "KiB") != NULL)
            values[i].u <<= 10;
        if (strcmp(p->name, "memory") == 0)
            values[i].u = FLAT_MEMORY_BYTES;
    }
}

/* With its units, as the netlist composes it. */
static const hd_block_class *scheduler_class(void)
{
    static const hd_block_class *composed;
    if (!composed)
        composed = units_compose(&hd_tb_scheduler_round_robin, NULL, 0);
    return composed;
}

static const hd_block_class *class_of(uint32_t block)
{
    const hd_block_class *const classes[] = {&hd_host_native, &hd_command_processor_queues, scheduler_class(),
                                             &flat_memory};
    return block < CORE ? classes[block] : &counting_core;
}

static void bind(machine *m, uint32_t from, const char *from_port, uint32_t from_element, uint32_t to,
                 const char *to_port, uint32_t to_element)
{
    const hd_link_timing timing = {.latency = 900, .credit_latency = 900, .credits = 4};
    hd_engine_add_link(m->engine, &(hd_binding){
                                      .from_block = from,
                                      .from_port = index_of_port(class_of(from), from_port),
                                      .from_element = from_element,
                                      .to_block = to,
                                      .to_port = index_of_port(class_of(to), to_port),
                                      .to_element = to_element,
                                      .request = timing,
                                      .response = timing,
                                  });
}

static void machine_open(machine *m, int (*entry)(void))
{
    *m = (machine){.engine = hd_engine_create(), .endpoints = {MEMORY}};
    m->map = (hd_address_map){.partitions = 1, .interleave_bytes = 256, .endpoints = m->endpoints};
    hd_engine_provide(m->engine, HD_EXTENSION_ADDRESS_MAP, &m->map);
    for (uint32_t i = 0; i < BLOCKS; i++) {
        static const char *const names[] = {"host", "command_processor", "tb_scheduler", "l2"};
        hd_value *values = m->values[i < 3 ? i : 0];
        if (i < 3)
            standard_values(class_of(i), values);
        hd_clock clock = {i == MEMORY ? UINT64_C(700000000) : UINT64_C(1400000000)};
        hd_engine_add_block(m->engine, class_of(i), i < CORE ? names[i] : "core", i < CORE ? 0 : i - CORE,
                            i < CORE ? 1 : CORES, clock, values);
    }
    bind(m, HOST, "bus", 0, COMMAND_PROCESSOR, "host", 0);
    bind(m, COMMAND_PROCESSOR, "interrupt", 0, HOST, "interrupt", 0);
    bind(m, COMMAND_PROCESSOR, "request", 0, MEMORY, "request", 0);
    bind(m, MEMORY, "reply", 0, COMMAND_PROCESSOR, "reply", 0);
    bind(m, COMMAND_PROCESSOR, "launch", 0, SCHEDULER, "launch", 0);
    bind(m, SCHEDULER, "done", 0, COMMAND_PROCESSOR, "done", 0);
    for (uint32_t i = 0; i < CORES; i++) {
        bind(m, SCHEDULER, "dispatch", i, CORE + i, "dispatch", 0);
        bind(m, CORE + i, "event", 0, SCHEDULER, "event", i);
    }
    cr_assert_eq(hd_engine_elaborate(m->engine, NULL), 0);
    hd_host_program program = {.entry = entry, .kernels = &rig_kernels};
    hd_host_native_set_program(hd_engine_block(m->engine, HOST), &program);
    hd_engine_reset(m->engine, 1);
}

static uint64_t statistic(const machine *m, uint32_t block, const char *name)
{
    const hd_block_class *c = class_of(block);
    uint32_t i = 0;
    while (strcmp(c->statistics[i].name, name) != 0)
        i++;
    return hd_engine_counters(m->engine, block)[i];
}

static int program(void)
{
    uint64_t random = 3;
    static uint32_t data[10000];
    static uint32_t back[10000];
    hd_device_ptr memory = hd_malloc(sizeof data);
    hd_queue other = hd_queue_create();
    for (uint32_t i = 0; i < 10000; i++)
        data[i] = (uint32_t)hd_random(&random);
    hd_copy_to_device(memory, data, sizeof data);
    hd_launched first = hd_launch(hd_kernel_named("first"), hd_3d(5, 2, 3), hd_2d(16, 4), 0, NULL, 0);
    hd_launched beside = hd_launch_on(other, hd_kernel_named("second"), hd_1d(50), hd_1d(33), 0, &memory, 4);
    hd_check(hd_launch_cycles(first) > COUNTING_CORE_CYCLES, "too fast");
    hd_check(hd_launch_cycles(beside) > COUNTING_CORE_CYCLES, "too fast");
    hd_launch(hd_kernel_named("first"), hd_1d(1), hd_1d(1), 0, NULL, 0);
    hd_copy_from_device(back, memory, sizeof back);
    hd_check(memcmp(data, back, sizeof data) == 0, "what comes back differs");
    return HD_PASS;
}

static void run(machine *m)
{
    hd_time t;
    uint32_t block;
    hd_engine_run(m->engine, UINT64_C(1000000000));
    cr_assert_null(hd_engine_fault(m->engine, &t, &block), "%s", hd_engine_fault(m->engine, &t, &block));
    cr_assert_eq(hd_engine_status(m->engine, 0), HD_RUN_DONE);
    cr_expect_eq(hd_host_native_status(hd_engine_block(m->engine, HOST)), HD_HOST_PASS, "%s",
                 hd_host_native_message(hd_engine_block(m->engine, HOST)));
}

Test(host, drives_command_processor_and_scheduler_through_the_engine)
{
    machine m;
    machine_open(&m, program);
    run(&m);
    uint64_t blocks = 0;
    uint64_t threads = 0;
    for (uint32_t i = 0; i < CORES; i++) {
        blocks += statistic(&m, CORE + i, "blocks");
        threads += statistic(&m, CORE + i, "threads");
    }
    cr_expect_eq(blocks, 30 + 50 + 1);
    cr_expect_eq(threads, 30 * 64 + 50 * 33 + 1);
    cr_expect_eq(statistic(&m, SCHEDULER, "grids"), 3);
    cr_expect_eq(statistic(&m, COMMAND_PROCESSOR, "launches"), 3);
    cr_expect_eq(statistic(&m, COMMAND_PROCESSOR, "aligned_launches"), statistic(&m, MEMORY, "alignments"));
    cr_expect_geq(statistic(&m, MEMORY, "alignments"), 2);
    cr_expect_eq(statistic(&m, HOST, "interrupts"), 3);
    hd_conservation packets = hd_engine_packets(m.engine);
    cr_expect_eq(packets.held, 0);
    cr_expect_eq(packets.in_links, 0);
    cr_expect_eq(hd_engine_check_credits(m.engine, NULL), 0);
    hd_engine_destroy(m.engine);
}

Test(host, a_machine_gives_the_same_results_in_any_order_of_calls)
{
    uint64_t expected[4] = {0};
    for (uint64_t seed = 0; seed < 6; seed++) {
        machine m;
        machine_open(&m, program);
        hd_engine_disturb(m.engine, seed);
        run(&m);
        const uint64_t got[4] = {
            statistic(&m, HOST, "transfer_cycles"),
            statistic(&m, HOST, "wait_cycles"),
            statistic(&m, COMMAND_PROCESSOR, "busy_cycles"),
            statistic(&m, SCHEDULER, "resident_block_cycles"),
        };
        if (seed == 0)
            memcpy(expected, got, sizeof expected);
        cr_expect_arr_eq(got, expected, sizeof expected, "seed %llu", (unsigned long long)seed);
        hd_engine_destroy(m.engine);
    }
}
