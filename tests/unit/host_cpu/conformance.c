/* SPDX-License-Identifier: MIT */
#include "rig.h"

#include <string.h>

enum { TABLE = 4096 }; /* mix.S works on 512 bytes somewhere behind it */

static void load(rig *rig, uint64_t seed)
{
    hd_time t = 0;
    for (uint32_t i = 0; i < 60; i++) {
        const uint64_t data = kit_random(&seed);
        t += (kit_random(&seed) % (i % 3 ? 4000 : 40)) * 997;
        switch (kit_random(&seed) % 4) {
        case 0: rig_line(rig, HART_TIMER_INTERRUPT, 1, t); break;
        case 1: rig_line(rig, HART_EXTERNAL_INTERRUPT, 1, t); break;
        case 2: rig_access(rig, TABLE + data % 640, &data, 8, t); break;
        default: rig_access(rig, TABLE + data % 640, NULL, 64, t); break;
        }
        kit_run_until(rig->kit, t);
    }
    kit_run_until(rig->kit, t + 1000 * CYCLE);
}

/* What the test saw of a run: stores at the device with their times, and what others read. */
static uint64_t run(const char *quantum, const char *undo, uint64_t seed, uint32_t *stores, uint64_t *instructions)
{
    static rig rig;
    uint64_t hash = 1469598103934665603u;
    rig_open(&rig, "mix", (const char *[]){quantum, undo, NULL});
    load(&rig, seed);
    for (uint32_t i = 0; i < rig.store_count; i++) {
        const uint64_t words[] = {rig.stores[i].t, rig.stores[i].offset, rig.stores[i].value};
        for (uint32_t w = 0; w < 3; w++)
            hash = (hash ^ words[w]) * 1099511628211u;
    }
    for (hd_packet *packet; (packet = kit_receive(rig.kit, PORT_MEMORY, 0, kit_now(rig.kit)));) {
        for (uint32_t i = 0; i < packet->body_bytes; i++)
            hash = (hash ^ ((uint8_t *)hd_body(packet))[i]) * 1099511628211u;
        kit_free(rig.kit, packet);
    }
    *stores = rig.store_count;
    *instructions = kit_statistic(rig.kit, "interrupts_taken");
    rig_close(&rig);
    return hash;
}

Test(host_cpu, the_quantum_changes_no_result, .timeout = 120)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        uint32_t stores, others;
        uint64_t interrupts, other_interrupts;
        const uint64_t exact = run("quantum=1 ps", "undo_stores=32768", seed, &stores, &interrupts);
        cr_expect_gt(stores, 20);
        cr_expect_gt(interrupts, 3);
        static const char *const quanta[] = {"quantum=50 ns", "quantum=3 us", "quantum=100 us"};
        for (uint32_t i = 0; i < 3; i++) {
            cr_expect_eq(run(quanta[i], "undo_stores=32768", seed, &others, &other_interrupts), exact, "seed %llu, %s",
                         (unsigned long long)seed, quanta[i]);
            cr_expect_eq(other_interrupts, interrupts);
        }
        cr_expect_eq(run("quantum=100 us", "undo_stores=3", seed, &others, &other_interrupts), exact);
    }
}

/* The first stores of a run with an interrupt at this cycle. */
static uint64_t run_with_interrupt(const char *quantum, uint64_t cycle, hd_time *first)
{
    static rig rig;
    uint64_t hash = 0;
    rig_open(&rig, "mix", (const char *[]){quantum, NULL});
    rig_line(&rig, HART_EXTERNAL_INTERRUPT, 1, cycle * CYCLE);
    kit_run_until(rig.kit, (cycle + 20000) * CYCLE);
    for (uint32_t i = 0; i < rig.store_count; i++)
        hash = (hash ^ rig.stores[i].t ^ rig.stores[i].offset) * 1099511628211u;
    *first = rig.stores[0].t;
    rig_close(&rig);
    return hash;
}

Test(host_cpu, an_interrupt_at_the_cycle_of_an_access_goes_first)
{
    hd_time first, other;
    run_with_interrupt("quantum=100 us", 100000, &first);
    const uint64_t cycle = first / CYCLE - LINK;
    for (uint64_t at = cycle - 3; at <= cycle + 3; at++) {
        const uint64_t exact = run_with_interrupt("quantum=1 ps", at, &other);
        cr_expect_eq(run_with_interrupt("quantum=100 us", at, &other), exact, "at cycle %+d", (int)(at - cycle));
        cr_expect_eq(other <= first, at > cycle);
    }
}

static uint32_t answer_accesses(kit_block *kit, void *context, uint32_t port, uint32_t element, hd_packet *packet,
                                hd_time t)
{
    (void)context;
    (void)element;
    if (port != PORT_BUS)
        return 0;
    const uint32_t is_read = packet->message == kit_message(kit, HD_MEMORY_READ);
    hd_packet *answer = kit_packet(kit, HD_MEMORY_RESPONSE, is_read ? packet->argument : 0);
    answer->tag = packet->tag;
    memset(hd_body(answer), (int)(packet->address >> 3), answer->body_bytes);
    kit_send(kit, PORT_BUS, 0, answer, t + kit_cycles(kit, 17));
    return 0;
}

static void connect_ports(kit_block *kit)
{
    kit_connect(kit, PORT_BUS, 0, 2, 1);
    kit_connect(kit, PORT_MEMORY, 0, 3, 2);
    kit_connect(kit, PORT_INTERRUPT, 0, 1, 2);
    kit_connect(kit, PORT_INTERRUPT, 1, 2, 2);
    kit_respond(kit, answer_accesses, NULL);
}

/* The program comes to an end, so that the block can be drained. */
static void random_load(kit_block *kit, uint64_t seed)
{
    hd_time t = 0;
    rig_load(kit, "finite");
    for (uint32_t i = 0; i < 40; i++) {
        const uint32_t kind = (uint32_t)(kit_random(&seed) % 3);
        t += kit_random(&seed) % 40000;
        hd_packet *packet = kit_packet(kit,
                                       kind == 0   ? HD_INTERRUPT_LEVEL
                                       : kind == 1 ? HD_MEMORY_READ
                                                   : HD_MEMORY_WRITE,
                                       kind == 2 ? 32 : 0);
        packet->tag = kit_random(&seed) % 2;
        packet->argument = kind == 0 ? HART_TIMER_INTERRUPT + 4 * (uint32_t)(kit_random(&seed) % 2) : 32;
        packet->address = HD_HOST_RAM_BASE + TABLE + kit_random(&seed) % 4096;
        memset(hd_body(packet), (int)i, packet->body_bytes);
        kit_send(kit, kind == 0 ? PORT_INTERRUPT : PORT_MEMORY, kind == 0 ? i % 2 : 0, packet, t);
    }
}

Test(host_cpu, conforms, .timeout = 120)
{
    cr_expect_eq(
        kit_conformance(&hd_host_cpu_rv64, (const char *[]){"ram.bytes=64 KiB", NULL}, connect_ports, random_load), 0);
    cr_expect_eq(kit_conformance(&hd_host_cpu_rv64,
                                 (const char *[]){"ram.bytes=64 KiB", "quantum=70 ns", "undo_stores=9",
                                                  "block_cache=64", "cpi.each=3 cycles", "ram.requests=1", NULL},
                                 connect_ports, random_load),
                 0);
}
