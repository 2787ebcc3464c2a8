/* SPDX-License-Identifier: MIT */
/*
 * Tests with a fault each that passes their own assertions, or looks like the failure that they expect. That the suite
 * fails all the same is up to tests/run_test.sh.
 */
#include <criterion/criterion.h>
#include <limits.h>
#include <stdlib.h>

/* Not known to the compiler. */
static volatile size_t eight = 8;
static volatile int most = INT_MAX;
static void *volatile kept;

static void leak(void)
{
    kept = malloc(eight);
    kept = NULL;
}

static void overflow(void)
{
    volatile char *bytes = malloc(eight);
    bytes[eight] = 1;
    free((void *)bytes);
}

static void undefined(void)
{
    most = most + 1;
}

Test(planted, nothing)
{
    volatile char *bytes = malloc(eight);
    bytes[eight - 1] = 1;
    free((void *)bytes);
}

Test(planted, leak)
{
    leak();
}

Test(planted, overflow)
{
    overflow();
}

Test(planted, undefined)
{
    undefined();
}

/* As a test of an error does: the process is to end with 1, which is also how sanitizers end it unless told otherwise. */
Test(planted, expected_leak, .exit_code = 1)
{
    leak();
    exit(1);
}

Test(planted, expected_overflow, .exit_code = 1)
{
    overflow();
    exit(1);
}

Test(planted, expected_undefined, .exit_code = 1)
{
    undefined();
    exit(1);
}
