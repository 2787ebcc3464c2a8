/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>

#include "rig.h"

static int work(void)
{
    uint64_t random = hd_option("seed", 1);
    uint32_t *data = hd_host_alloc(40000);
    hd_device_ptr memory = hd_malloc(40000);
    for (uint32_t i = 0; i < 10; i++) {
        for (uint32_t k = 0; k < 10000; k++)
            data[k] = (uint32_t)hd_random(&random);
        hd_copy_to_device(memory, data, 40000 - 999 * i);
        hd_launch(hd_kernel_named("first"), hd_1d(i + 1), hd_1d(32), 0, &memory, sizeof memory);
        hd_copy_from_device(data, memory, 777 * i);
    }
    hd_report("last", data[0]);
    return HD_PASS;
}

static uint64_t fingerprint(uint64_t disturbance)
{
    rig *r = rig_create(NULL, work, NULL);
    r->device.random = 99;
    kit_disturb(r->kit, disturbance);
    cr_expect_eq(rig_run(r), HD_HOST_PASS, "%s", rig_message(r));
    uint64_t result = kit_fingerprint(r->kit);
    rig_destroy(r);
    return result;
}

Test(host, the_same_program_gives_the_same_trace_whatever_the_horizons)
{
    uint64_t expected = fingerprint(0);
    for (uint64_t seed = 1; seed <= 8; seed++)
        cr_expect_eq(fingerprint(seed), expected, "seed %llu", (unsigned long long)seed);
}

Test(host, a_program_can_be_stopped_anywhere_and_started_again)
{
    uint64_t expected = fingerprint(0);
    for (hd_time stop = 0; stop < 4000000; stop += 77777) {
        rig *r = rig_create(NULL, work, NULL);
        r->device.random = 99;
        kit_run_until(r->kit, stop);
        cr_expect_eq(hd_host_native_status(kit_instance(r->kit)), HD_HOST_RUNNING);
        kit_reset(r->kit);
        device_reset(&r->device);
        r->device.random = 99;
        cr_expect_eq(rig_run(r), HD_HOST_PASS, "stopped at %llu: %s", (unsigned long long)stop, rig_message(r));
        cr_expect_eq(kit_fingerprint(r->kit), expected, "stopped at %llu", (unsigned long long)stop);
        rig_destroy(r);
    }
}

Test(host, the_end_of_the_program_is_known_to_the_edge)
{
    rig *r = rig_create(NULL, work, NULL);
    cr_expect_eq(hd_host_native_ended(kit_instance(r->kit)), HD_NEVER);
    kit_run_until(r->kit, 100000);
    cr_expect_eq(hd_host_native_ended(kit_instance(r->kit)), HD_NEVER);
    cr_expect_eq(rig_run(r), HD_HOST_PASS);
    /* The last call was a copy from the device: the program ends when its last response is there. */
    cr_expect_eq(hd_host_native_ended(kit_instance(r->kit)), r->device.last_response);
    rig_destroy(r);
}

Test(host, a_program_that_never_ran_is_joined)
{
    rig *r = rig_create(NULL, work, NULL);
    rig_destroy(r);
    r = rig_create(NULL, work, NULL);
    kit_run_until(r->kit, 100000);
    rig_destroy(r);
}

Test(host, two_machines_run_side_by_side)
{
    static const hd_host_option seeds[2][2] = {{{"seed", "5"}, {NULL, NULL}}, {{"seed", "6"}, {NULL, NULL}}};
    uint64_t alone[2];
    rig *r[2];
    for (uint32_t i = 0; i < 2; i++) {
        r[0] = rig_create(NULL, work, seeds[i]);
        cr_expect_eq(rig_run(r[0]), HD_HOST_PASS);
        alone[i] = kit_fingerprint(r[0]->kit);
        rig_destroy(r[0]);
    }
    cr_expect_neq(alone[0], alone[1]);
    for (uint32_t i = 0; i < 2; i++)
        r[i] = rig_create(NULL, work, seeds[i]);
    for (hd_time t = 0; t < 3000000; t += 3000) {
        for (uint32_t i = 0; i < 2; i++)
            kit_run_until(r[i]->kit, t);
    }
    for (uint32_t i = 0; i < 2; i++) {
        cr_expect_eq(rig_run(r[i]), HD_HOST_PASS, "%s", rig_message(r[i]));
        cr_expect_eq(kit_fingerprint(r[i]->kit), alone[i]);
        rig_destroy(r[i]);
    }
}

Test(host, without_a_program_it_sleeps)
{
    kit_block *kit = kit_create(&hd_host_native, NULL);
    kit_start(kit);
    kit_drain(kit, 1000000);
    cr_expect_eq(kit_next(kit), HD_NEVER);
    cr_expect_eq(hd_host_native_status(kit_instance(kit)), HD_HOST_NO_PROGRAM);
    cr_expect_str_eq(hd_host_native_message(kit_instance(kit)), "");
    uint32_t count = 1;
    hd_host_native_reports(kit_instance(kit), &count);
    cr_expect_eq(count, 0);
    kit_destroy(kit);
}

static void append(void *context, const char *format, ...)
{
    char *text = context;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + strlen(text), 1000 - strlen(text), format, arguments);
    va_end(arguments);
    strcat(text, "\n");
}

static int wait_for_ever(void)
{
    hd_launch(hd_kernel_named("first"), hd_1d(1), hd_1d(1), 0, NULL, 0);
    hd_synchronize();
    return HD_PASS;
}

Test(host, says_what_the_program_waits_for)
{
    rig *r = rig_create(NULL, wait_for_ever, NULL);
    r->device.grid_cycles = 1000000000;
    kit_run_until(r->kit, 10000000);
    const hd_pending *pending = hd_host_native.extension(kit_instance(r->kit), HD_EXTENSION_PENDING);
    char text[1024] = "";
    cr_expect(pending->has_work(kit_instance(r->kit)));
    pending->describe(kit_instance(r->kit), &(hd_text_sink){text, append});
    cr_expect_str_eq(text, "the host program waits for descriptor 0 of queue 0, 0 are complete\n");
    rig_destroy(r);
}
