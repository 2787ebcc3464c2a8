/* SPDX-License-Identifier: MIT */
#include "rig.h"

#include <stdio.h>
#include <string.h>

static const char *const plain[] = {"cpi.load=0 cycles", "cpi.jump=0 cycles", "cpi.csr=0 cycles", "quantum=1 us", NULL};

Test(host_cpu, loads_and_stores_of_every_width_reach_a_device)
{
    static const struct {
        uint64_t offset, value;
        uint32_t bytes;
    } expected[] = {{0, UINT64_C(0x1122334455667788), 8}, {8, 0x55667788, 4}, {12, 0x7788, 2}, {14, 0x88, 1}};
    static rig rig;
    rig_open(&rig, "device", plain);
    kit_run_until(rig.kit, 400 * CYCLE);
    cr_assert_eq(rig.store_count, 5);
    for (uint32_t i = 0; i < 4; i++) {
        cr_expect_eq(rig.stores[i].offset, expected[i].offset);
        cr_expect_eq(rig.stores[i].value, expected[i].value);
        cr_expect_eq(rig.stores[i].bytes, expected[i].bytes);
    }
    const uint64_t table = rig_ram(&rig, 0) ? 0x1000 : 0;
    uint64_t values[7];
    for (uint32_t at = 0; at < RAM_BYTES; at += 2)
        if (rig_ram(&rig, at) == UINT64_C(0x1122334455667788) && at >= table) {
            kit_debug_read(rig.kit, HD_HOST_RAM_BASE + at, values, sizeof values);
            break;
        }
    cr_expect_eq(values[1], UINT64_C(0x55667788));
    cr_expect_eq(values[2], UINT64_C(0x11223344));
    cr_expect_eq(values[3], UINT64_C(0x7788));
    cr_expect_eq(values[4], UINT64_C(0x7788));
    cr_expect_eq(values[5], UINT64_C(0xFFFFFFFFFFFFFF88));
    cr_expect_eq(values[6], UINT64_C(0x88));
    cr_expect_eq(kit_statistic(rig.kit, "bus_reads"), 7);
    cr_expect_eq(kit_statistic(rig.kit, "bus_writes"), 5);
    rig_close(&rig);
}

Test(host_cpu, an_access_waits_for_its_answer)
{
    static rig rig;
    rig_open(&rig, "device", plain);
    kit_run_until(rig.kit, 400 * CYCLE);
    for (uint32_t i = 1; i < 4; i++)
        cr_expect_eq(rig.stores[i].t - rig.stores[i - 1].t, (LINK + DEVICE + 1) * CYCLE, "store %u", i);
    cr_expect_eq(kit_statistic(rig.kit, "bus_wait_cycles"), 12 * (LINK + DEVICE));
    rig_close(&rig);
}

Test(host_cpu, without_a_credit_an_access_stays)
{
    static rig rig;
    rig_open(&rig, "device", plain);
    kit_hold_credits(rig.kit, PORT_BUS, 0, 1);
    kit_run_until(rig.kit, 400 * CYCLE);
    cr_expect_eq(rig.store_count, 4, "there were four credits");
    cr_expect_eq(kit_next(rig.kit), HD_NEVER, "a block that waits for a credit sleeps");
    kit_release_credits(rig.kit, PORT_BUS, 0, 4, 500 * CYCLE);
    kit_hold_credits(rig.kit, PORT_BUS, 0, 0);
    kit_run_until(rig.kit, 900 * CYCLE);
    cr_expect_eq(rig.store_count, 5);
    rig_close(&rig);
}

static const char *fault_of(rig *rig, const char *program, const char *const *parameters)
{
    rig_open(rig, program, parameters);
    kit_expect_fault(rig->kit);
    kit_run_until(rig->kit, 2000 * CYCLE);
    const char *text = kit_fault_text(rig->kit);
    return text ? text : "";
}

static void place(void *context, uint64_t pc, char *text, size_t bytes)
{
    (void)context;
    snprintf(text, bytes, "%llx (f+2, f.c:3)", (unsigned long long)pc);
}

static void expect_fault(const char *program, const char *expected)
{
    static rig rig;
    cr_expect_str_eq(fault_of(&rig, program, NULL), expected);
    cr_expect_eq(kit_next(rig.kit), HD_NEVER);
    rig_close(&rig);
}

Test(host_cpu, mistakes_of_the_firmware_end_the_run)
{
    expect_fault("fault_load", "firmware: load at 0x18000000200, where nothing answers\n  pc 0x8000000006");
    expect_fault("fault_store", "firmware: store at 0x40, where nothing answers\n  pc 0x8000000006");
    expect_fault("fault_aligned", "firmware: store at 0x18000000002 is not aligned\n  pc 0x8000000006");
    expect_fault("fault_jump", "firmware: jumped to 0x123456, which is not in RAM\n  pc 0x123456");
    expect_fault("fault_illegal", "firmware: illegal instruction 0xffffffff\n  pc 0x8000000002");
    expect_fault("fault_break", "firmware: ebreak\n  pc 0x8000000000");
    expect_fault("fault_atomic", "firmware: store at 0x8000000f02 is not aligned\n  pc 0x800000000c");
    expect_fault(
        "fault_stack",
        "firmware: stack overflow: store at 0x7ffffffff8, below the stack (sp is 0x7ffffffff0)\n  pc 0x8000000008");
}

Test(host_cpu, a_place_is_shown_as_the_platform_writes_it)
{
    static rig rig;
    const hd_host_cpu_firmware firmware = {.entry = HD_HOST_RAM_BASE + 4, .place = place};
    rig_open(&rig, "fault_place", NULL);
    hd_host_cpu_set_firmware(kit_instance(rig.kit), &firmware);
    kit_reset(rig.kit);
    rig_load(rig.kit, "fault_place");
    kit_expect_fault(rig.kit);
    kit_run_until(rig.kit, 100 * CYCLE);
    cr_expect_str_eq(kit_fault_text(rig.kit), "firmware: ebreak\n  pc 8000000004 (f+2, f.c:3)");
    rig_close(&rig);
}

Test(host_cpu, an_answer_that_nobody_asked_for_is_reported)
{
    static rig rig;
    rig_open(&rig, "count", NULL);
    kit_expect_fault(rig.kit);
    kit_send(rig.kit, PORT_BUS, 0, kit_packet(rig.kit, HD_MEMORY_RESPONSE, 0), 10 * CYCLE);
    kit_run_until(rig.kit, 20 * CYCLE);
    cr_expect_not_null(strstr(kit_fault_text(rig.kit), "an access that was not made"));
    rig_close(&rig);
}
