// SPDX-License-Identifier: MIT
#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>

#include "heddle_module.h"
#include "machine.h"
#include "outside.h"
#include "text.h"

static constexpr char report_type[] = "heddle";

struct heddle_guest {
    heddle_guest_doors doors;
    hd_machine *machine = nullptr;
    std::string stats;
    std::vector<std::pair<uint32_t, std::string>> told; // by blocks, and not reported yet: severity and text
    bool uses_memory = false;
    bool has_ended = false;

    ~heddle_guest()
    {
        hd_machine_close(machine);
    }
};

// ---- Reports: not from within the machine's C, through which nothing can be thrown -----------------------------------------

static void on_log(void *context, uint32_t severity, hd_time t, const char *block, const char *text)
{
    if (severity == HD_LOG_DEBUG)
        return;
    char time[HD_TEXT_TIME_BYTES];
    static_cast<heddle_guest *>(context)->told.emplace_back(severity, std::string(block ? block : "SystemC") + " at " +
                                                                          hd_text_time(time, t) + ": " + text);
}

static void on_print(void *context, const char *line)
{
    static_cast<heddle_guest *>(context)->told.emplace_back(HD_LOG_INFO, line);
}

static void report_told(heddle_guest *guest)
{
    const auto told = std::move(guest->told);
    guest->told.clear();
    for (const auto &[severity, text] : told)
        if (severity == HD_LOG_WARNING)
            SC_REPORT_WARNING(report_type, text.c_str());
        else
            SC_REPORT_INFO(report_type, text.c_str());
}

// ---- Opening ----------------------------------------------------------------------------------------------------------------

static void *door_of(void *context, const char *, const char *port, uint32_t element)
{
    auto *guest = static_cast<heddle_guest *>(context);
    if (!std::strcmp(port, "bus"))
        return guest->doors.host;
    if (!std::strcmp(port, "memory")) {
        guest->uses_memory = true;
        return guest->doors.memory;
    }
    return element ? guest->doors.interrupt : guest->doors.timer_interrupt;
}

static hd_time look(void *context, hd_time now)
{
    auto *guest = static_cast<heddle_guest *>(context);
    hd_time again = HD_NEVER;
    if (!guest->machine)
        return again;
    const bool was_going = hd_machine_outcome(guest->machine) == HD_OUTCOME_GOING;
    const uint32_t outcome = hd_machine_look(guest->machine, now, &again);
    report_told(guest);
    if (was_going && outcome != HD_OUTCOME_GOING)
        SC_REPORT_ERROR(report_type, hd_machine_message(guest->machine));
    return again;
}

// Of a text that is to be freed.
static std::runtime_error error_of(char *text)
{
    std::string copy = text ? text : "";
    std::free(text);
    while (!copy.empty() && copy.back() == '\n')
        copy.pop_back();
    return std::runtime_error(copy);
}

static std::vector<const char *> pointers(const std::vector<std::string> &texts)
{
    std::vector<const char *> result;
    for (const std::string &each : texts)
        result.push_back(each.c_str());
    return result;
}

static void open(heddle_guest *guest, const heddle::module_settings &settings)
{
    static const hd_block_class *const more[] = {&host_cpu_outside};
    std::vector<netlist_plugin_request> plugins;
    char *error = nullptr;
    for (const std::string &each : settings.plugins) {
        netlist_plugin_request request = {};
        request.where = "heddle::module";
        request.before = "plugin ";
        request.path = each.c_str();
        plugins.push_back(request);
    }
    const std::vector<const char *> overrides = pointers(settings.set);
    hd_machine_setup setup = {};
    setup.netlist = settings.machine.c_str();
    setup.overrides = overrides.data();
    setup.override_count = overrides.size();
    setup.plugins = plugins.data();
    setup.plugin_count = plugins.size();
    setup.seed = settings.seed;
    setup.guest = 1;
    setup.more.classes = more;
    setup.more.count = 1;
    setup.tlm.is_guest = 1;
    setup.tlm.context = guest;
    setup.tlm.foreign = door_of;
    setup.tlm.look = look;
    setup.tlm.look_context = guest;
    setup.print = on_print;
    setup.log = on_log;
    setup.context = guest;
    guest->machine = hd_machine_open(&setup, &error);
    if (!guest->machine)
        throw error_of(error);
    for (const std::string &each : settings.kernels)
        if (!hd_machine_load_kernels(guest->machine, each.c_str(), &error))
            throw error_of(error);
    if (!settings.stats.empty() && !hd_machine_check_results(settings.stats.c_str(), &error))
        throw error_of(error);
    guest->stats = settings.stats;
}

static void check_versions(const heddle_guest_doors &doors)
{
    if (doors.systemc != SYSTEMC_VERSION || doors.cplusplus != __cplusplus)
        throw std::runtime_error("this program is compiled for SystemC of " + std::to_string(doors.systemc) +
                                 " and C++ of " + std::to_string(doors.cplusplus) + ", the library for " +
                                 std::to_string(SYSTEMC_VERSION) + " and " + std::to_string(__cplusplus));
}

__attribute__((visibility("default"))) heddle_guest *heddle_guest_open(const heddle::module_settings *settings,
                                                                       const heddle_guest_doors *doors)
{
    auto guest = std::make_unique<heddle_guest>();
    guest->doors = *doors;
    std::string failure;
    try {
        check_versions(*doors);
        open(guest.get(), *settings);
    } catch (const std::exception &thrown) {
        failure = thrown.what();
    }
    if (!failure.empty()) {
        guest.reset(); // its modules belong to the one that is open
        SC_REPORT_FATAL(report_type, failure.c_str());
        std::abort(); // an owner that ignores what is fatal
    }
    report_told(guest.get());
    return guest.release();
}

__attribute__((visibility("default"))) bool heddle_guest_uses_memory(const heddle_guest *guest)
{
    return guest->uses_memory;
}

// ---- The end ----------------------------------------------------------------------------------------------------------------

__attribute__((visibility("default"))) void heddle_guest_end(heddle_guest *guest)
{
    if (guest->has_ended)
        return;
    guest->has_ended = true;
    const bool was_going = hd_machine_outcome(guest->machine) == HD_OUTCOME_GOING;
    const uint32_t outcome = hd_machine_leave(guest->machine, sc_core::sc_time_stamp().value());
    report_told(guest);
    if (was_going && outcome != HD_OUTCOME_PASS)
        SC_REPORT_WARNING(
            report_type,
            (std::string("simulation ends with work left: ") + hd_machine_message(guest->machine)).c_str());
    char *error = nullptr;
    if (!guest->stats.empty() && !hd_machine_write_results(guest->machine, guest->stats.c_str(), &error))
        SC_REPORT_ERROR(report_type, error_of(error).what());
}

__attribute__((visibility("default"))) void heddle_guest_close(heddle_guest *guest)
{
    delete guest;
}
