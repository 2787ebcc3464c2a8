/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "rig.h"

static rig *with_launch(const char *const *parameters)
{
    rig *r = rig_create(parameters);
    kit_other_clock(r->kit, 700000000);
    for (uint32_t queue = 0; queue < 2; queue++) {
        rig_open_queue(r, queue);
        hd_queue_descriptor descriptor = rig_descriptor(queue);
        rig_put(r, queue, 0, &descriptor);
    }
    return r;
}

static hd_time launch_time(rig *r)
{
    hd_grid grid;
    hd_time limit = kit_now(r->kit) + 10000000;
    kit_run_until(r->kit, limit);
    cr_assert(rig_take_launch(r, &grid, limit));
    return kit_received_at(r->kit) - kit_cycles(r->kit, 1);
}

Test(command_processor, an_idle_device_is_aligned_and_the_grid_starts_at_the_rendezvous)
{
    rig *r = with_launch((const char *[]){"settle=100 cycles", NULL});
    rig_ring_doorbell(r, 0, 1);
    hd_time rung = kit_now(r->kit);
    hd_time t = launch_time(r);
    uint32_t count;
    const kit_rendezvous *kept = kit_rendezvous_kept(r->kit, &count);
    cr_assert_eq(count, 1);
    cr_expect_eq(kept[0].what, HD_RENDEZVOUS_ALIGN | HD_RENDEZVOUS_KERNEL_BEGIN);
    cr_expect_eq(kept[0].argument, 0);
    cr_expect_eq(kept[0].t, t);
    cr_expect_eq(t % 10000, 0, "an edge of the common clock of 1 GHz and 700 MHz, 100 MHz");
    /* The descriptor takes at least 21 cycles, the levels below have 100 to settle. */
    cr_expect_geq(t, rung + kit_cycles(r->kit, 20 + 100));
    cr_expect_eq(kit_statistic(r->kit, "aligned_launches"), 1);
    hd_time end = kit_now(r->kit) + 1000;
    rig_end_grid(r, 0, end);
    kit_run_until(r->kit, end + 1000000);
    kept = kit_rendezvous_kept(r->kit, &count);
    cr_assert_eq(count, 2);
    cr_expect_eq(kept[1].what, HD_RENDEZVOUS_KERNEL_END);
    cr_expect_eq(kept[1].argument, 0);
    cr_expect_gt(kept[1].t, end);
    rig_destroy(r);
}

Test(command_processor, settling_takes_as_long_as_the_parameter_says)
{
    hd_time t[2];
    for (uint32_t i = 0; i < 2; i++) {
        rig *r = with_launch((const char *[]){i == 0 ? "settle=0 cycles" : "settle=500 cycles", NULL});
        rig_ring_doorbell(r, 0, 1);
        t[i] = launch_time(r);
        rig_destroy(r);
    }
    cr_expect_eq(t[1] - t[0], 500 * 1000);
}

static hd_time start_with(const char *const *parameters)
{
    rig *r = with_launch(parameters);
    rig_ring_doorbell(r, 0, 1);
    const hd_time t = launch_time(r);
    rig_destroy(r);
    return t;
}

Test(command_processor, a_launch_takes_its_latency_or_settles_for_longer)
{
    const hd_time soon = start_with((const char *[]){"settle=0 cycles", NULL});
    const hd_time late = start_with((const char *[]){"settle=500 cycles", "launch_latency=700 cycles", NULL});
    const hd_time later = start_with((const char *[]){"settle=800 cycles", "launch_latency=700 cycles", NULL});
    cr_expect_eq(late - soon, 700 * 1000);
    cr_expect_eq(later - soon, 800 * 1000);
}

Test(command_processor, a_launch_that_is_not_aligned_takes_its_latency_alone)
{
    const hd_time soon = start_with((const char *[]){"settle=500 cycles", "launch_align=false", NULL});
    const hd_time late =
        start_with((const char *[]){"settle=500 cycles", "launch_align=false", "launch_latency=300 cycles", NULL});
    cr_expect_eq(late - soon, 300 * 1000);
}

Test(command_processor, a_grid_beside_another_is_not_aligned)
{
    rig *r = with_launch(NULL);
    rig_ring_doorbell(r, 0, 1);
    launch_time(r);
    rig_ring_doorbell(r, 1, 1);
    hd_time t = launch_time(r);
    uint32_t count;
    const kit_rendezvous *kept = kit_rendezvous_kept(r->kit, &count);
    cr_assert_eq(count, 2);
    cr_expect_eq(kept[1].what, HD_RENDEZVOUS_KERNEL_BEGIN);
    cr_expect_eq(kept[1].argument, 1);
    cr_expect_eq(kept[1].t, t);
    cr_expect_eq(kit_statistic(r->kit, "aligned_launches"), 1);
    rig_destroy(r);
}

Test(command_processor, nothing_is_aligned_when_launch_align_is_off)
{
    rig *r = with_launch((const char *[]){"launch_align=false", NULL});
    rig_ring_doorbell(r, 0, 1);
    launch_time(r);
    uint32_t count;
    const kit_rendezvous *kept = kit_rendezvous_kept(r->kit, &count);
    cr_assert_eq(count, 1);
    cr_expect_eq(kept[0].what, HD_RENDEZVOUS_KERNEL_BEGIN);
    cr_expect_eq(kit_statistic(r->kit, "aligned_launches"), 0);
    rig_destroy(r);
}

Test(command_processor, no_line_access_is_in_flight_when_the_device_is_aligned)
{
    rig *r = with_launch((const char *[]){"settle=0 cycles", NULL});
    r->reply_cycles = 200;
    rig_ring_doorbell(r, 0, 1);
    /* Reads keep coming; those that have not left when the descriptor is there wait for the launch. */
    hd_time begin = kit_now(r->kit);
    for (uint32_t i = 0; i < 40; i++)
        rig_read(r, HD_GLOBAL_BASE + 0x8000, 1024, i, begin + i * 5000);
    hd_time t = launch_time(r);
    uint32_t count;
    const kit_event *events = kit_trace(r->kit, &count);
    uint32_t after = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (events[i].port != PORT_REQUEST)
            continue;
        cr_expect(events[i].t >= t || events[i].t + kit_cycles(r->kit, 201) <= t,
                  "a line access at %llu, aligned at %llu", (unsigned long long)events[i].t, (unsigned long long)t);
        after += events[i].t >= t;
    }
    cr_expect_gt(after, 0);
    for (uint32_t i = 0; i < 40; i++)
        cr_expect_eq(rig_response(r, NULL, NULL), HD_STATUS_OK);
    rig_destroy(r);
}
