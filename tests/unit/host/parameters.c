/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "rig.h"

static int copy_once(void)
{
    static uint8_t data[10000];
    hd_copy_to_device(hd_malloc(sizeof data), data, sizeof data);
    return HD_PASS;
}

static hd_time last_packet(rig *r)
{
    uint32_t count;
    const kit_event *events = kit_trace(r->kit, &count);
    return events[count - 1].t;
}

Test(host, overhead_is_paid_by_every_call)
{
    hd_time t[2];
    uint64_t calls = 0;
    for (uint32_t i = 0; i < 2; i++) {
        rig *r =
            rig_create((const char *[]){i == 0 ? "overhead=0 cycles" : "overhead=30 cycles", NULL}, copy_once, NULL);
        cr_expect_eq(rig_run(r), HD_HOST_PASS, "%s", rig_message(r));
        t[i] = last_packet(r);
        calls = kit_statistic(r->kit, "calls");
        rig_destroy(r);
    }
    cr_expect_eq(t[1] - t[0], calls * 30 * 1000);
}

Test(host, requests_in_flight_are_limited)
{
    for (uint32_t i = 0; i < 2; i++) {
        rig *r = rig_create((const char *[]){i == 0 ? "requests=3" : "requests=6", NULL}, copy_once, NULL);
        cr_expect_eq(rig_run(r), HD_HOST_PASS, "%s", rig_message(r));
        cr_expect_eq(kit_statistic(r->kit, "max_requests"), i == 0 ? 3 : 6);
        const hd_mark *mark = hd_host_native.extension(kit_instance(r->kit), HD_EXTENSION_MARK);
        mark->mark(kit_instance(r->kit));
        cr_expect_eq(kit_statistic(r->kit, "max_requests"), 0);
        rig_destroy(r);
    }
}

Test(host, packets_are_as_large_as_the_parameter_says)
{
    rig *r = rig_create((const char *[]){"packet_bytes=256 B", NULL}, copy_once, NULL);
    cr_expect_eq(rig_run(r), HD_HOST_PASS, "%s", rig_message(r));
    uint32_t count;
    const kit_event *events = kit_trace(r->kit, &count);
    uint32_t full = 0;
    for (uint32_t i = 0; i < count; i++) {
        cr_expect_leq(events[i].packet.argument, 256);
        full += events[i].packet.argument == 256;
    }
    cr_expect_eq(full, 10000 / 256);
    rig_destroy(r);
}

Test(host, refuses_packets_that_would_cut_a_register)
{
    char error[200] = "";
    cr_expect(kit_refuses(&hd_host_native, (const char *[]){"packet_bytes=6 B", NULL}, error, sizeof error));
    cr_expect_not_null(strstr(error, "packet_bytes must be a multiple of 4"), "%s", error);
}

static void no_load(kit_block *kit, uint64_t seed)
{
    (void)kit;
    (void)seed;
}

Test(host, conforms_without_a_program)
{
    cr_expect_eq(kit_conformance(&hd_host_native, NULL, NULL, no_load), 0);
}

Test(host, faults_on_a_response_to_nothing)
{
    rig *r = rig_create(NULL, copy_once, NULL);
    kit_expect_fault(r->kit);
    hd_packet *response = kit_packet(r->kit, HD_MEMORY_RESPONSE, 0);
    response->tag = 4;
    kit_send(r->kit, PORT_BUS, 0, response, 2000);
    rig_run(r);
    cr_assert_not_null(kit_fault_text(r->kit));
    cr_expect_not_null(strstr(kit_fault_text(r->kit), "a response to an access that was not made (tag 4)"));
    rig_destroy(r);
}
