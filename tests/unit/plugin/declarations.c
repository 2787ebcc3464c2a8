/* SPDX-License-Identifier: MIT */
/* Each rule of declarations, broken alone. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "declaration.h"
#include "example_blocks.h"

static char last[512];

static void keep(void *context, const char *sentence)
{
    (void)context;
    snprintf(last, sizeof last, "%s", sentence);
}

static void expect_only(const hd_block_class *block_class, const char *sentence)
{
    last[0] = 0;
    cr_expect_eq(hd_check_declaration(block_class, 0, keep, NULL), 1, "%s: %s", sentence, last);
    cr_expect_str_eq(last, sentence);
}

Test(declaration, of_a_block_that_is_in_order_has_no_findings)
{
    cr_expect_eq(hd_check_declaration(&example_memory, 0, keep, NULL), 0, "%s", last);
    cr_expect_eq(hd_check_declaration(&example_forwarder, 0, keep, NULL), 0, "%s", last);
}

Test(declaration, needs_names_texts_and_functions)
{
    hd_block_class class = example_memory;
    class.kind = "";
    expect_only(&class, "kind or type is empty");
    class = example_memory;
    class.source = NULL;
    expect_only(&class, "doc or source is empty");
    class = example_memory;
    class.flags = 1u << 31;
    expect_only(&class, "flags has bits that have no meaning");
    class = example_memory;
    class.counters = NULL;
    expect_only(&class, "create, connect, reset, advance, counters or destroy is missing");
    class = example_memory;
    class.messages = NULL;
    expect_only(&class, "3 messages are declared, and the table is NULL");
}

static void expect_parameter(hd_parameter parameter, const char *sentence)
{
    hd_block_class class = example_memory;
    class.parameters = &parameter;
    class.parameter_count = 1;
    expect_only(&class, sentence);
}

Test(declaration, of_a_parameter_is_complete_and_its_default_is_a_value)
{
    expect_parameter((hd_parameter){.name = "p", .type = HD_TYPE_TEXT}, "parameter 0 has no name or no doc");
    expect_parameter((hd_parameter){"p", 6, 0, NULL, 0, 0, NULL, "d"},
                     "parameter p has a type or unit that does not exist");
    expect_parameter((hd_parameter){"p", HD_TYPE_UNSIGNED, 5, NULL, 0, 0, NULL, "d"},
                     "parameter p has a type or unit that does not exist");
    expect_parameter((hd_parameter){"p", HD_TYPE_TEXT, HD_UNIT_BYTES, NULL, 0, 0, NULL, "d"},
                     "parameter p has a unit and is not a number");
    expect_parameter((hd_parameter){"p", HD_TYPE_UNSIGNED, 0, NULL, 3, 2, NULL, "d"},
                     "parameter p: maximum is below minimum");
    expect_parameter((hd_parameter){"p", HD_TYPE_CHOICE, 0, NULL, 0, 0, NULL, "d"}, "parameter p has no choices");
    static const struct {
        uint32_t type, unit;
        const char *standard, *sentence;
    } cases[] = {
        {HD_TYPE_UNSIGNED, HD_UNITLESS, "x", "parameter p: default 'x' is not a number"},
        {HD_TYPE_UNSIGNED, HD_UNIT_BYTES, "3", "parameter p: default '3' has no unit"},
        {HD_TYPE_UNSIGNED, HD_UNIT_BYTES, "3 ns", "parameter p: default '3 ns' has the wrong unit"},
        {HD_TYPE_UNSIGNED, HD_UNITLESS, "3 B", "parameter p: default '3 B' has a unit and takes none"},
        {HD_TYPE_UNSIGNED, HD_UNIT_BYTES, "0.5 B", "parameter p: default '0.5 B' is no whole number below 2^64"},
        {HD_TYPE_UNSIGNED, HD_UNITLESS, "9", "parameter p: default '9' is out of range"},
        {HD_TYPE_BOOLEAN, HD_UNITLESS, "yes", "parameter p: default 'yes' is neither true nor false"},
        {HD_TYPE_REAL, HD_UNITLESS, "one", "parameter p: default 'one' is not a number"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_parameter((hd_parameter){"p", cases[i].type, cases[i].unit, cases[i].standard, 0, 8, NULL, "d"},
                         cases[i].sentence);
}

/* What else reads the tables relies on it: netlists, lists, reports. */
Test(declaration, has_names_of_letters_and_texts_of_one_line)
{
#define NO_PARAMETER_NAME "the name of parameter 0 is not made of letters, digits, '.' and '_', 64 at most"
    char too_long[HD_NAME_MAX + 2];
    memset(too_long, 'a', HD_NAME_MAX + 1);
    too_long[HD_NAME_MAX + 1] = 0;
    const char *const names[] = {"a b", "a\n", "\xFF", ".a", "a.", "a..b", "a-b", too_long};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        expect_parameter((hd_parameter){names[i], HD_TYPE_TEXT, 0, NULL, 0, 0, NULL, "d"}, NO_PARAMETER_NAME);
    too_long[HD_NAME_MAX] = 0;
    hd_block_class class = example_memory;
    class.parameters = &(hd_parameter){too_long, HD_TYPE_TEXT, 0, NULL, 0, 0, NULL, "d"};
    class.parameter_count = 1;
    cr_expect_eq(hd_check_declaration(&class, 0, keep, NULL), 0, "%s", last);
    expect_parameter((hd_parameter){"l1.type", HD_TYPE_TEXT, 0, NULL, 0, 0, NULL, "d"},
                     "parameter l1.type: a netlist reads it as the one without '.type'");
    expect_parameter((hd_parameter){"p", HD_TYPE_TEXT, 0, NULL, 0, 0, NULL, "two\nlines"},
                     "the doc of a parameter is not one line of UTF-8 text");
    expect_parameter((hd_parameter){"p", HD_TYPE_TEXT, 0, "\xE9", 0, 0, NULL, "d"},
                     "the default of a parameter is not one line of UTF-8 text");
    expect_parameter((hd_parameter){"p", HD_TYPE_CHOICE, 0, NULL, 0, 0, "a|\x7F", "d"},
                     "the list of choices of a parameter is not one line of UTF-8 text");
    class = example_memory;
    class.kind = "dr\xC3";
    expect_only(&class, "kind or type is not made of letters, digits and '_'");
    class = example_memory;
    class.source = "\033[2J";
    expect_only(&class, "source is not one line of UTF-8 text");
}

static void expect_port(hd_port port, const char *sentence)
{
    hd_block_class class = example_memory;
    class.ports = &port;
    class.messages = NULL;
    class.message_count = 0;
    expect_only(&class, sentence);
}

Test(declaration, of_a_port_can_be_bound)
{
    expect_port((hd_port){"p", HD_PORT_TARGET, 1, 1, 1, 1, ""}, "port 0 has no name or no doc");
    expect_port((hd_port){"p.q", HD_PORT_TARGET, 1, 1, 1, 1, "d"},
                "the name of port 0 is not made of letters, digits and '_', 64 at most");
    expect_port((hd_port){"p", HD_PORT_TARGET, 1, 1, 1, 1, "\t"}, "the doc of a port is not one line of UTF-8 text");
    expect_port((hd_port){"p", 7, 1, 1, 1, 1, "d"}, "port p has no direction");
    expect_port((hd_port){"p", HD_PORT_TAPPED, 1, 1, 0, 1, "d"}, "port p: a tap with a latency or credits");
    expect_port((hd_port){"p", HD_PORT_TAP, 1, 1, 1, 0, "d"}, "port p: a tap with a latency or credits");
    expect_port((hd_port){"p", HD_PORT_TARGET, 2, 1, 1, 1, "d"}, "port p: maximum_count is 0 or below minimum_count");
    expect_port((hd_port){"p", HD_PORT_TARGET, 1, 1, 0, 1, "d"}, "port p: latency of 0 cycles");
    expect_port((hd_port){"p", HD_PORT_TARGET, 1, 1, 1, 0, "d"}, "port p: no credits");
}

Test(declaration, of_a_statistic_says_what_it_counts)
{
    hd_statistic statistics[] = {{"s", "cycles", 3, 0, "d"}, {"s", "cycles", HD_STATISTIC_COUNT, 0, "d"}};
    hd_block_class class = example_memory;
    class.statistics = statistics;
    class.statistic_count = 1;
    expect_only(&class, "statistic s has no kind");
    statistics[0].kind = HD_STATISTIC_MAXIMUM;
    class.statistic_count = 2;
    expect_only(&class, "two statistics are called s");
    statistics[1].name = "t";
    statistics[1].when = HD_STATISTIC_WHEN(class.parameter_count, 0);
    expect_only(&class, "statistic t depends on a parameter that is not declared");
    statistics[1].when = HD_STATISTIC_WHEN(0, class.parameter_count);
    expect_only(&class, "statistic t depends on a parameter that is not declared");
    statistics[1].when = 0;
    statistics[1].name = "s/t";
    expect_only(&class, "the name of statistic 1 is not made of letters, digits, '.' and '_', 64 at most");
    statistics[1].name = "t";
    statistics[1].unit = "\x80";
    expect_only(&class, "the unit of a statistic is not one line of UTF-8 text");
    statistics[1].unit = NULL;
    expect_only(&class, "statistic 1 has no name, unit or doc");
}

static void expect_trace_event(hd_trace_event event, const char *sentence)
{
    hd_block_class class = example_memory;
    class.trace_events = &event;
    class.trace_event_count = 1;
    expect_only(&class, sentence);
}

#define NO_VALUES "trace event e: its values are not up to 4 names, as in \"block|0xaddress\""
#define NO_FORM "trace event e has no form, or a unit and is no counter, or is one without"

Test(declaration, of_a_trace_event_says_what_it_shows)
{
    expect_trace_event((hd_trace_event){"e", HD_TRACE_SPAN, 0, NULL, NULL, NULL},
                       "trace event 0 has no name or no doc");
    expect_trace_event((hd_trace_event){"e f", HD_TRACE_SPAN, 0, NULL, NULL, "d"},
                       "the name of trace event 0 is not made of letters, digits, '.' and '_', 64 at most");
    expect_trace_event((hd_trace_event){"e", HD_TRACE_SPAN, 0, NULL, NULL, "\n"},
                       "trace event e: doc or unit is not one line of UTF-8 text");
    expect_trace_event((hd_trace_event){"e", 0, 0, NULL, NULL, "d"}, NO_FORM);
    expect_trace_event((hd_trace_event){"e", HD_TRACE_FLOW + 1, 0, NULL, NULL, "d"}, NO_FORM);
    expect_trace_event((hd_trace_event){"e", HD_TRACE_COUNTER, 0, NULL, NULL, "d"}, NO_FORM);
    expect_trace_event((hd_trace_event){"e", HD_TRACE_SPAN, 0, NULL, "cycles", "d"}, NO_FORM);
    expect_trace_event((hd_trace_event){"e", HD_TRACE_SPAN, 0, "a|", NULL, "d"}, NO_VALUES);
    expect_trace_event((hd_trace_event){"e", HD_TRACE_SPAN, 0, "a|b|c|d|e", NULL, "d"}, NO_VALUES);
    expect_trace_event((hd_trace_event){"e", HD_TRACE_FLOW, 0, "a", NULL, "d"}, NO_VALUES);
    const hd_trace_event twice[] = {{"e", HD_TRACE_SPAN, 0, "a|0xb|c|d", NULL, "d"},
                                    {"e", HD_TRACE_FLOW, 0, NULL, NULL, "d"}};
    hd_block_class class = example_memory;
    class.trace_events = twice;
    class.trace_event_count = 2;
    expect_only(&class, "two trace events are called e");
    class.trace_events = NULL;
    expect_only(&class, "2 trace events are declared, and the table is NULL");
}

static void expect_message(hd_message_use use, const char *sentence)
{
    hd_block_class class = example_forwarder;
    class.messages = &use;
    class.message_count = 1;
    expect_only(&class, sentence);
}

#define NO_VERSION "message 0 does not have a name that ends in a version, as \"global.load/1\" does"

Test(declaration, of_a_message_has_a_version_and_goes_through_a_port)
{
    expect_message((hd_message_use){"m", HD_MESSAGE_SENT, 0, "out"}, NO_VERSION);
    expect_message((hd_message_use){"m/", HD_MESSAGE_SENT, 0, "out"}, NO_VERSION);
    expect_message((hd_message_use){"m/1x", HD_MESSAGE_SENT, 0, "out"}, NO_VERSION);
    expect_message((hd_message_use){"a..m/1", HD_MESSAGE_SENT, 0, "out"}, NO_VERSION);
    expect_message((hd_message_use){"m/1", HD_MESSAGE_SENT, 0, "exit"},
                   "message m/1 names port exit, which is not declared");

    const char *in = example_forwarder.ports[EXAMPLE_FORWARDER_IN].name;
    char sentence[128];
    snprintf(sentence, sizeof sentence, "message m/1 goes the wrong way through port %s", in);
    expect_message((hd_message_use){"m/1", HD_MESSAGE_SENT, 0, in}, sentence);
    expect_message((hd_message_use){"m/1", HD_MESSAGE_SENT, HD_MESSAGE_WHEN(99, 0), "out"},
                   "message m/1 depends on a parameter that is no choice");
}

static void expect_window(hd_window window, const char *sentence)
{
    hd_block_class class = example_memory;
    class.windows = &window;
    class.window_count = 1;
    if (sentence)
        expect_only(&class, sentence);
    else
        cr_expect_eq(hd_check_declaration(&class, 0, keep, NULL), 0, "%s", last);
}

Test(declaration, of_a_window_has_a_size_and_is_seen_at_a_target)
{
    const char *number = NULL;
    for (uint32_t i = 0; i < example_memory.parameter_count; i++)
        if (example_memory.parameters[i].type == HD_TYPE_UNSIGNED)
            number = example_memory.parameters[i].name;
    const hd_window good = {.name = "w", .bytes = 4096, .parameter = number, .flags = HD_WINDOW_SHARED, .doc = "d"};
    hd_window window = good;
    expect_window(window, NULL);
    window.name = "";
    expect_window(window, "window 0 has no name or no doc");
    window.name = "a\nb";
    expect_window(window, "the name of window 0 is not one line of UTF-8 text");
    window = good, window.doc = "\xC0";
    expect_window(window, "the doc of a window is not one line of UTF-8 text");
    window = good, window.bytes = 0;
    expect_window(window, "window w has no bytes");
    window = good, window.flags = 2;
    expect_window(window, "window w has flags that have no meaning");
    window = good, window.port = "exit";
    expect_window(window, "window w names port exit, which is no memory target");
    window = good, window.parameter = "size";
    expect_window(window, "window w names parameter size, which is no number");
}

static void expect_energy(hd_energy_event event, const char *sentence)
{
    hd_block_class class = example_memory;
    class.energy_events = &event;
    class.energy_event_count = 1;
    expect_only(&class, sentence);
}

Test(declaration, of_an_energy_event_counts_what_the_class_counts)
{
    static const hd_statistic statistics[] = {{"reads", "requests", HD_STATISTIC_COUNT, 0, "d"},
                                              {"deepest", "requests", HD_STATISTIC_MAXIMUM, 0, "d"},
                                              {"busy", "cycles", HD_STATISTIC_COUNT, 0, "d"}};
    hd_block_class class = example_memory;
    class.statistics = statistics;
    class.statistic_count = 3;
    hd_energy_event event = HD_ENERGY_ROW("read", "reads", DRAM, "d");
    class.energy_events = &event;
    class.energy_event_count = 1;
    cr_expect_eq(hd_check_declaration(&class, 0, keep, NULL), 0, "%s", last);
    event.counts = "reads + reads - reads";
    cr_expect_eq(hd_check_declaration(&class, 0, keep, NULL), 0, "%s", last);
    event.counts = "reads - deepest";
    expect_only(&class, "energy event read: 'deepest' is no count of the class, or of the unit");
    event.counts = "reads writes";
    expect_only(&class, "energy event read: ' writes' is no count of the class, or of the unit");
    event.counts = "reads + busy";
    expect_only(&class, "energy event read counts cycles and something else");
    event.counts = "reads";
    event.category = HD_ENERGY_CATEGORY_COUNT;
    expect_only(&class, "energy event read has no category");
    expect_energy((hd_energy_event){.name = "read", .doc = "d"}, "energy event 0 has no name, counts or doc");
    class.energy_events = NULL;
    expect_only(&class, "1 energy events are declared, and the table is NULL");
}
