/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hd_extension.h"
#include "hd_host.h"
#include "kit.h"
#include "uart.h"

enum { PORT_BUS, PORT_INTERRUPT };
enum { CYCLE = 1000, THR = 0, IER = 1, IIR = 2, LCR = 3, SCRATCH = 7, LSR = 5, READY = 1, ROOM = 0x20, EMPTY = 0x40 };
#define BASE HD_HOST_UART_BASE

static uint8_t get(kit_block *kit, uint64_t offset)
{
    uint64_t value = 0;
    cr_expect_eq(kit_register_read(kit, PORT_BUS, BASE + offset, 1, &value), HD_STATUS_OK);
    return (uint8_t)value;
}

static void put(kit_block *kit, uint64_t offset, uint8_t value)
{
    cr_expect_eq(kit_register_write(kit, PORT_BUS, BASE + offset, 1, value), HD_STATUS_OK);
}

static void put_text(kit_block *kit, const char *text)
{
    for (; *text; text++) {
        while (!(get(kit, LSR) & ROOM))
            continue;
        put(kit, THR, (uint8_t)*text);
    }
}

Test(uart, lines_go_to_the_user)
{
    kit_block *kit = kit_create(&hd_uart_transmitter, NULL);
    kit_connect(kit, PORT_BUS, 0, 1, 4);
    put_text(kit, "hello\tworld\r\n\n\x01!\n...");
    kit_run_until(kit, kit_now(kit) + 100000 * CYCLE);
    cr_expect_str_eq(kit_log(kit), "hello\tworld\n\n?!\n", "the last line is not complete");
    cr_expect_eq(kit_statistic(kit, "characters"), 20);
    cr_expect_eq(kit_statistic(kit, "lost"), 0);
    kit_destroy(kit);
}

Test(uart, a_long_line_is_broken)
{
    char expected[1000 + 5 + 3];
    kit_block *kit = kit_create(&hd_uart_transmitter, (const char *[]){"bytes_per_second=1000000000", NULL});
    kit_connect(kit, PORT_BUS, 0, 1, 4);
    memset(expected, 'x', sizeof expected);
    expected[1000] = '\n';
    strcpy(expected + 1006, "\n");
    for (uint32_t i = 0; i < 1005; i++)
        put(kit, THR, 'x');
    put(kit, THR, '\n');
    kit_run_until(kit, kit_now(kit) + 1000 * CYCLE);
    cr_expect_str_eq(kit_log(kit), expected);
    kit_destroy(kit);
}

Test(uart, characters_take_time_and_room)
{
    kit_block *kit = kit_create(&hd_uart_transmitter, (const char *[]){"fifo=2", "bytes_per_second=1000000", NULL});
    kit_connect(kit, PORT_BUS, 0, 1, 4);
    cr_expect_eq(get(kit, LSR), ROOM | EMPTY);
    put(kit, THR, 'a');
    const hd_time first = kit_now(kit);
    cr_expect_eq(get(kit, LSR), ROOM);
    put(kit, THR, 'b');
    cr_expect_eq(get(kit, LSR), 0);
    put(kit, THR, 'c');
    cr_expect_eq(kit_statistic(kit, "lost"), 1);
    cr_expect_not_null(strstr(kit_log(kit), "a character is lost: the FIFO (fifo: 2) is full"));
    cr_expect_eq(kit_statistic(kit, "max_fifo"), 2);
    while (!(get(kit, LSR) & ROOM))
        continue;
    cr_expect(kit_now(kit) - first >= 990 * CYCLE && kit_now(kit) - first <= 1020 * CYCLE, "a microsecond each");
    while (!(get(kit, LSR) & EMPTY))
        continue;
    cr_expect(kit_now(kit) - first >= 1990 * CYCLE && kit_now(kit) - first <= 2020 * CYCLE);
    cr_expect_eq(kit_statistic(kit, "characters"), 2);
    const hd_mark *mark = hd_uart_transmitter.extension(kit_instance(kit), HD_EXTENSION_MARK);
    mark->mark(kit_instance(kit));
    cr_expect_eq(kit_statistic(kit, "max_fifo"), 0);
    kit_destroy(kit);
}

Test(uart, other_registers_keep_what_is_written)
{
    kit_block *kit = kit_create(&hd_uart_transmitter, NULL);
    uint64_t value;
    kit_connect(kit, PORT_BUS, 0, 1, 4);
    put(kit, SCRATCH, 0x5A);
    cr_expect_eq(get(kit, SCRATCH), 0x5A);
    put(kit, LSR, 0xFF);
    cr_expect_eq(get(kit, LSR), ROOM | EMPTY);
    cr_expect_eq(get(kit, THR), 0);
    cr_expect_eq(kit_register_read(kit, PORT_BUS, BASE + 4, 4, &value), HD_STATUS_BURST_ERROR);
    cr_expect_eq(kit_register_write(kit, PORT_BUS, BASE, 2, 0), HD_STATUS_BURST_ERROR);
    cr_expect_eq(kit_statistic(kit, "refused"), 2);
    kit_destroy(kit);
}

static void connect_ports(kit_block *kit)
{
    kit_connect(kit, PORT_BUS, 0, 2, 2);
    kit_connect(kit, PORT_INTERRUPT, 0, 1, 2);
}

static void random_load(kit_block *kit, uint64_t seed)
{
    hd_time t = 0;
    for (uint32_t i = 0; i < 150; i++) {
        const uint32_t is_write = kit_random(&seed) % 3 != 0;
        hd_packet *packet = kit_packet(kit, is_write ? HD_MEMORY_WRITE : HD_MEMORY_READ, is_write ? 1 : 0);
        packet->address = BASE + (kit_random(&seed) % 4 ? THR : kit_random(&seed) % 9);
        packet->argument = 1;
        memset(hd_body(packet), kit_random(&seed) % 8 ? packet->address == BASE + IER ? 3 : 'a' : '\n',
               packet->body_bytes);
        t += kit_random(&seed) % 60000;
        kit_send(kit, PORT_BUS, 0, packet, t);
    }
}

Test(uart, conforms, .timeout = 120)
{
    cr_expect_eq(kit_conformance(&hd_uart_transmitter, (const char *[]){"fifo=3", NULL}, connect_ports, random_load),
                 0);
}

Test(uart, a_trace_shows_characters_that_wait)
{
    kit_block *kit = kit_create(&hd_uart_transmitter, NULL);
    uint32_t count;
    kit_connect(kit, PORT_BUS, 0, 1, 4);
    kit_record(kit);
    put(kit, THR, 'a');
    put(kit, THR, 'b');
    kit_run_until(kit, kit_now(kit) + 100000 * CYCLE);
    const kit_traced *all = kit_recorded(kit, &count);
    cr_assert_eq(count, 4);
    for (uint32_t i = 0; i < count; i++)
        cr_expect_eq(all[i].values[0], ((uint64_t[]){1, 2, 1, 0})[i]);
    kit_destroy(kit);
}

/* ---- Input ------------------------------------------------------------------------------------------------------------ */

static kit_block *open_with_input(const char *text)
{
    static char path[] = "/tmp/heddle-uart-XXXXXX";
    static char parameter[64];
    strcpy(path + sizeof path - 7, "XXXXXX");
    const int file = mkstemp(path);
    cr_assert(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
    close(file);
    snprintf(parameter, sizeof parameter, "input=%s", path);
    kit_block *kit = kit_create(&hd_uart_transmitter, (const char *[]){parameter, "bytes_per_second=1000000", NULL});
    kit_connect(kit, PORT_BUS, 0, 1, 4);
    kit_connect(kit, PORT_INTERRUPT, 0, 1, 4);
    kit_start(kit);
    unlink(path);
    return kit;
}

/* A microsecond for each. */
Test(uart, characters_of_a_file_come_one_by_one_and_none_is_lost)
{
    kit_block *kit = open_with_input("ab\xff");
    cr_expect_eq(get(kit, LSR), ROOM | EMPTY, "the first one is on its way");
    cr_expect_eq(get(kit, THR), 0);
    kit_run_until(kit, 50000 * CYCLE);
    cr_expect_eq(get(kit, LSR), READY | ROOM | EMPTY);
    cr_expect_eq(get(kit, LSR), READY | ROOM | EMPTY, "it waits");
    cr_expect_eq(get(kit, THR), 'a');
    const hd_time taken = kit_now(kit);
    while (!(get(kit, LSR) & READY))
        continue;
    cr_expect(kit_now(kit) - taken > 990 * CYCLE && kit_now(kit) - taken < 1020 * CYCLE, "%llu ps",
              (unsigned long long)(kit_now(kit) - taken));
    cr_expect_eq(get(kit, THR), 'b');
    kit_run_until(kit, kit_now(kit) + 2000 * CYCLE);
    cr_expect_eq(get(kit, THR), 0xFF);
    kit_run_until(kit, kit_now(kit) + 2000 * CYCLE);
    cr_expect_eq(get(kit, LSR), ROOM | EMPTY, "there are no others");
    cr_expect_eq(get(kit, THR), 0);
    cr_expect_eq(kit_statistic(kit, "received"), 3);
    kit_destroy(kit);
}

static uint8_t peek(kit_block *kit, uint64_t offset)
{
    uint8_t value = 0x77;
    cr_expect_eq(kit_register_peek(kit, BASE + offset, &value, 1), 1);
    return value;
}

Test(uart, who_looks_takes_nothing)
{
    kit_block *kit = open_with_input("a");
    put(kit, IER, 2);
    cr_expect_eq(peek(kit, LSR), ROOM | EMPTY, "the character is on its way");
    cr_expect_eq(peek(kit, THR), 0);
    kit_run_until(kit, 50000 * CYCLE);
    cr_expect_eq(peek(kit, LSR), READY | ROOM | EMPTY);
    cr_expect_eq(peek(kit, THR), 'a');
    cr_expect_eq(peek(kit, THR), 'a');
    cr_expect_eq(peek(kit, IIR), 2);
    cr_expect_eq(get(kit, IIR), 2, "nobody has been told");
    cr_expect_eq(peek(kit, IIR), 1);
    put(kit, IER, 1);
    cr_expect_eq(peek(kit, IIR), 4);
    cr_expect_eq(get(kit, THR), 'a');
    kit_run_until(kit, 90000 * CYCLE);
    cr_expect_eq(peek(kit, LSR), ROOM | EMPTY, "there are no others");
    cr_expect_eq(kit_statistic(kit, "received"), 1);
    uint8_t all[16];
    cr_expect_eq(kit_register_peek(kit, BASE, all, sizeof all), 8, "as many as there are");
    cr_expect_eq(kit_register_poke(kit, BASE + SCRATCH, "z", 1), 1);
    cr_expect_eq(get(kit, SCRATCH), 'z');
    cr_expect_eq(kit_register_poke(kit, BASE + THR, "z", 1), 0, "that would send it");
    kit_destroy(kit);
}

/* ---- Interrupts ------------------------------------------------------------------------------------------------------- */

/* The level of its line, after all that was told. */
static uint32_t level(kit_block *kit, uint32_t before)
{
    hd_packet *packet;
    kit_run_until(kit, kit_now(kit) + 10 * CYCLE);
    while ((packet = kit_receive(kit, PORT_INTERRUPT, 0, kit_now(kit)))) {
        cr_expect_eq(packet->argument, 0);
        before = (uint32_t)packet->tag;
        kit_free(kit, packet);
    }
    return before;
}

Test(uart, interrupts_for_a_character_that_has_come_until_it_is_read)
{
    kit_block *kit = open_with_input("xy");
    kit_run_until(kit, 3000 * CYCLE);
    cr_expect_eq(level(kit, 0), 0, "nobody has asked");
    cr_expect_eq(get(kit, IIR), 1);
    put(kit, IER, 1);
    cr_expect_eq(level(kit, 0), 1);
    cr_expect_eq(get(kit, IIR), 4);
    cr_expect_eq(level(kit, 1), 1, "looking at it takes nothing back");
    cr_expect_eq(get(kit, THR), 'x');
    cr_expect_eq(level(kit, 1), 0);
    kit_run_until(kit, kit_now(kit) + 900 * CYCLE);
    cr_expect_eq(level(kit, 0), 0, "the next one is on its way");
    kit_run_until(kit, kit_now(kit) + 200 * CYCLE);
    cr_expect_eq(level(kit, 0), 1);
    put(kit, IER, 0);
    cr_expect_eq(level(kit, 1), 0);
    put(kit, IER, 1);
    cr_expect_eq(get(kit, THR), 'y');
    kit_run_until(kit, kit_now(kit) + 5000 * CYCLE);
    cr_expect_eq(level(kit, 0), 0, "there are no others");
    cr_expect_eq(kit_next(kit), HD_NEVER);
    kit_destroy(kit);
}

Test(uart, interrupts_when_all_has_been_sent)
{
    kit_block *kit = kit_create(&hd_uart_transmitter, (const char *[]){"bytes_per_second=1000000", NULL});
    kit_connect(kit, PORT_BUS, 0, 1, 4);
    kit_connect(kit, PORT_INTERRUPT, 0, 1, 4);
    put(kit, IER, 2);
    cr_expect_eq(level(kit, 0), 1, "it is empty when it is asked");
    cr_expect_eq(get(kit, IIR), 2);
    cr_expect_eq(level(kit, 1), 0, "that it was read takes it back");
    put(kit, THR, 'a');
    put(kit, THR, 'b');
    kit_run_until(kit, kit_now(kit) + 1500 * CYCLE);
    cr_expect_eq(level(kit, 0), 0, "one is left");
    kit_run_until(kit, kit_now(kit) + 1000 * CYCLE);
    cr_expect_eq(level(kit, 0), 1);
    put(kit, THR, 'c');
    cr_expect_eq(level(kit, 1), 0, "that there is another one takes it back");
    put(kit, IIR, 1); /* FCR: with FIFOs */
    cr_expect_eq(get(kit, IIR), 0xC1);
    cr_expect_eq(get(kit, IER), 2);
    kit_destroy(kit);
}

Test(uart, the_divisor_is_kept_beside_the_first_registers)
{
    kit_block *kit = kit_create(&hd_uart_transmitter, NULL);
    kit_connect(kit, PORT_BUS, 0, 1, 4);
    put(kit, LCR, 0x83);
    put(kit, THR, 27);
    put(kit, IER, 1);
    cr_expect_eq(get(kit, THR), 27);
    cr_expect_eq(get(kit, IER), 1);
    put(kit, LCR, 0x03);
    cr_expect_eq(get(kit, IER), 0);
    cr_expect_eq(get(kit, THR), 0);
    kit_run_until(kit, kit_now(kit) + 10000 * CYCLE);
    cr_expect_eq(kit_statistic(kit, "characters"), 0, "nothing was sent");
    kit_destroy(kit);
}

Test(uart, input_that_cannot_be_read_is_refused)
{
    char error[256];
    cr_expect(kit_refuses(&hd_uart_transmitter, (const char *[]){"input=/nowhere", NULL}, error, sizeof error));
    cr_expect_str_eq(error, "block: input: /nowhere cannot be read");
    cr_expect(kit_refuses(&hd_uart_transmitter, (const char *[]){"input=/tmp", NULL}, error, sizeof error));
    cr_expect_str_eq(error, "block: input: /tmp cannot be read");
}
