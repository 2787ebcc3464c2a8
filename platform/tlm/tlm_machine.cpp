// SPDX-License-Identifier: MIT
#include "tlm_machine.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <optional>
#include <stdexcept>

#include "context.h"
#include "machine_module.h"

struct hd_tlm_machine {
    sc_core::sc_simcontext *context = nullptr;
    hd_engine *engine = nullptr;
    heddle::machine_module *top = nullptr;
    hd_observer observer = {}; // the caller's
    hd_tlm_options options = {};
    const hd_address_map *address_map = nullptr;
    bool is_built = false;
    bool has_ended = false;
    hd_time stopped_at = HD_NEVER; // by a model
    std::string told;              // an error that was reported and not thrown, while it is built
};

// The caller's observer behind one of ours.
static void on_log(void *context, uint32_t block, uint32_t severity, hd_time t, const char *text)
{
    auto *machine = static_cast<hd_tlm_machine *>(context);
    if (machine->observer.log)
        machine->observer.log(machine->observer.context, block, severity, t, text);
}

static void on_rendezvous(void *context, hd_time t, uint32_t what, uint64_t argument)
{
    auto *machine = static_cast<hd_tlm_machine *>(context);
    if (machine->observer.rendezvous)
        machine->observer.rendezvous(machine->observer.context, t, what, argument);
}

static void on_sent(void *context, uint32_t block, uint32_t port, uint32_t element, const hd_packet *packet, hd_time t)
{
    auto *machine = static_cast<hd_tlm_machine *>(context);
    machine->observer.sent(machine->observer.context, block, port, element, packet, t);
}

static void on_write_back(void *context, uint32_t block, uint64_t address, const void *data, uint32_t bytes)
{
    auto *machine = static_cast<hd_tlm_machine *>(context);
    machine->observer.write_back(machine->observer.context, block, address, data, bytes);
}

static void observe(hd_tlm_machine *machine, const hd_observer *observer)
{
    hd_observer ours = {};
    if (observer)
        machine->observer = *observer;
    ours.context = machine;
    ours.log = on_log;
    ours.rendezvous = on_rendezvous;
    if (machine->observer.write_back)
        ours.write_back = on_write_back;
    if (machine->observer.sent)
        ours.sent = on_sent;
    ours.tracer = machine->observer.tracer;
    hd_engine_observe(machine->engine, &ours);
}

// The machine whose context is in place.
static hd_tlm_machine *installed;

// What SystemC itself tells, such as that simulation has stopped, is no news.
static bool is_of_systemc(const sc_core::sc_report &report)
{
    return !strncmp(report.get_msg_type(), "/OSCI/", 6) || !strncmp(report.get_msg_type(), "/Accellera/", 11);
}

// While the machine is built nothing runs that a fault could end.
static void take_error(hd_tlm_machine *machine, const std::string &text)
{
    if (machine->is_built)
        machine->top->around.fault("SystemC", text.c_str());
    else if (machine->told.empty())
        machine->told = text;
}

// SystemC's reports are log lines; it neither prints nor aborts. An error is thrown as ever, and becomes a fault; it does so too
// where a model has said that its errors are not thrown.
static void on_report(const sc_core::sc_report &report, const sc_core::sc_actions &actions)
{
    sc_core::sc_actions quiet = actions & ~(sc_core::SC_DISPLAY | sc_core::SC_LOG | sc_core::SC_ABORT);
    const std::string text = std::string(report.get_msg_type()) + ": " + report.get_msg();
    const hd_time t = report.get_time().value();
    switch (installed ? report.get_severity() : sc_core::SC_MAX_SEVERITY) {
    case sc_core::SC_INFO:
        if (!is_of_systemc(report))
            on_log(installed, HD_NO_BLOCK, HD_LOG_INFO, t, text.c_str());
        break;
    case sc_core::SC_WARNING: on_log(installed, HD_NO_BLOCK, HD_LOG_WARNING, t, text.c_str()); break;
    case sc_core::SC_ERROR:
        if (!(actions & sc_core::SC_THROW))
            take_error(installed, text);
        break;
    default: break;
    }
    if (report.get_severity() == sc_core::SC_FATAL)
        quiet |= sc_core::SC_THROW;
    sc_core::sc_report_handler::default_handler(report, quiet);
}

// A machine's context, and whom SystemC's reports are told, for as long as this lives. Both are the process's.
class installation
{
  public:
    explicit installation(hd_tlm_machine *machine)
        : before(installed), told_before(sc_core::sc_report_handler::get_handler())
    {
        if (machine->options.is_guest)
            return;
        guard.emplace(machine->context);
        installed = machine;
        sc_core::sc_report_handler::set_handler(on_report);
    }
    ~installation()
    {
        if (!guard)
            return;
        sc_core::sc_report_handler::set_handler(told_before);
        installed = before;
    }
    installation(const installation &) = delete;
    installation &operator=(const installation &) = delete;

  private:
    std::optional<heddle::context_guard> guard; // none for a guest, which has neither of its own
    hd_tlm_machine *before;
    sc_core::sc_report_handler_proc told_before;
};

static void build(hd_tlm_machine *made, const netlist *machine, const hd_tlm_options *options, uint64_t seed)
{
    if (options->is_guest && sc_core::sc_get_time_resolution() != sc_core::sc_time(1, sc_core::SC_PS))
        throw std::runtime_error("SystemC's time resolution is not 1 ps, which is the machine's");
    if (!options->is_guest)
        sc_core::sc_set_time_resolution(1, sc_core::SC_PS);
    made->top = new heddle::machine_module("machine", *machine, *options, made->engine, made->address_map, seed);
    if (made->top->error().empty() && !options->is_guest)
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
}

hd_tlm_machine *hd_tlm_create(const netlist *machine, const hd_tlm_options *options, const hd_tlm_extension *provide,
                              const hd_observer *observer, uint64_t seed, char **error)
{
    auto *made = new hd_tlm_machine;
    std::string failure;
    made->options = *options;
    made->engine = hd_engine_create();
    if (options->threads > 1)
        hd_engine_set_threads(made->engine, options->threads);
    hd_engine_perturb(made->engine, machine->perturb.seed, machine->perturb.delay);
    for (; provide && provide->id; provide++) {
        hd_engine_provide(made->engine, provide->id, provide->pointer);
        if (!strcmp(provide->id, HD_EXTENSION_ADDRESS_MAP))
            made->address_map = static_cast<const hd_address_map *>(provide->pointer);
    }
    for (uint32_t i = 0; i < options->tap_count; i++)
        hd_engine_add_tap(made->engine, options->taps[i].block, options->taps[i].port, options->taps[i].element,
                          options->taps[i].tap, options->taps[i].context);
    observe(made, observer);
    {
        installation here(made);
        try {
            build(made, machine, options, seed);
            failure = made->top->error().empty() ? made->told : made->top->error();
        } catch (const std::exception &thrown) {
            failure = thrown.what();
        }
    }
    made->is_built = failure.empty();
    if (made->is_built)
        return made;
    *error = strdup(failure.c_str());
    hd_tlm_destroy(made);
    return nullptr;
}

// SystemC never gives back a time that a process still waits for when its context ends. Ours waits no longer, and SystemC
// looks at what is left.
static void stop_waiting(hd_tlm_machine *machine)
{
    try {
        machine->top->retire();
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
        sc_core::sc_pending_activity_at_future_time();
    } catch (const std::exception &) {
        // A model from elsewhere has something to say, too late.
    }
}

// After an error SystemC does no more of its own accord, not even end.
static void end_after_error(hd_tlm_machine *machine)
{
    const sc_core::sc_status status = sc_core::sc_get_status();
    if (status != sc_core::SC_STOPPED && status != sc_core::SC_END_OF_SIMULATION)
        machine->context->end();
}

void hd_tlm_end(hd_tlm_machine *machine, uint32_t is_fault)
{
    installation here(machine);
    if (machine->options.is_guest || machine->has_ended || !machine->top || !machine->top->error().empty())
        return;
    machine->has_ended = true;
    if (sc_core::sc_get_status() == sc_core::SC_STOPPED)
        return;
    stop_waiting(machine);
    try {
        sc_core::sc_stop();
        end_after_error(machine);
    } catch (const std::exception &thrown) {
        const hd_time t = machine->top->around.arrival();
        if (is_fault)
            hd_engine_report_fault(machine->engine, HD_NO_BLOCK, t, thrown.what());
        else
            on_log(machine, HD_NO_BLOCK, HD_LOG_WARNING, t, thrown.what());
    }
}

void hd_tlm_destroy(hd_tlm_machine *machine)
{
    if (!machine)
        return;
    installation here(machine);
    hd_tlm_end(machine, 0);
    delete machine->top;
    if (machine->options.release)
        machine->options.release(machine->options.context);
    hd_engine_destroy(machine->engine);
    delete machine->context;
    delete machine;
}

hd_engine *hd_tlm_engine(hd_tlm_machine *machine)
{
    return machine->engine;
}

// SystemC's own time may lie behind the engine's.
static void simulate(hd_tlm_machine *machine, hd_time limit)
{
    const hd_time now = sc_core::sc_time_stamp().value();
    try {
        if (limit > now && machine->stopped_at == HD_NEVER)
            sc_core::sc_start(sc_core::sc_time::from_value(limit - now), sc_core::SC_EXIT_ON_STARVATION);
        if (machine->stopped_at == HD_NEVER && sc_core::sc_get_status() == sc_core::SC_STOPPED)
            machine->stopped_at = sc_core::sc_time_stamp().value();
    } catch (const std::exception &thrown) {
        hd_engine_report_fault(machine->engine, HD_NO_BLOCK, machine->top->around.arrival(), thrown.what());
    }
}

hd_time hd_tlm_run(hd_tlm_machine *machine, hd_time limit)
{
    installation here(machine);
    machine->top->set_limit(limit);
    machine->top->kick();
    simulate(machine, limit);
    const hd_time foreign = machine->top->foreign_next();
    hd_engine_set_outside_next(machine->engine, foreign);
    return std::min(hd_engine_next(machine->engine), foreign);
}

void hd_tlm_retire(hd_tlm_machine *machine)
{
    machine->top->retire();
}

uint32_t hd_tlm_is_interrupted(const hd_tlm_machine *machine)
{
    return machine->top->is_interrupted();
}

hd_time hd_tlm_stopped_at(const hd_tlm_machine *machine)
{
    return machine->stopped_at;
}

void hd_tlm_describe_owed(const hd_tlm_machine *machine, const hd_text_sink *sink)
{
    machine->top->describe_owed(*sink);
}

uint64_t hd_tlm_transport_calls(const hd_tlm_machine *machine)
{
    return machine->top->around.transport_calls;
}

uint64_t hd_tlm_monitored_calls(const hd_tlm_machine *machine)
{
    return machine->top->monitored_calls;
}
