// SPDX-License-Identifier: MIT
//
// A machine as a module of a SystemC design:
//
//     heddle::module gpu("gpu", {"gtx480_firmware_dma", {"cpu.type=outside"}, {}, {"kernel.elf"}});
//     cpu.bus.bind(gpu.host);
//     gpu.memory.bind(ram.socket);
//     gpu.interrupt.bind(line);
//
// The machine's host CPU is what is outside: its block of kind host_cpu has the type `outside`, which exists only here. `host` takes
// what that CPU loads and stores, `memory` gives what the machine accesses of its memory (a DMA engine does), `interrupt` and
// `timer_interrupt` are the levels of cpu.interrupt[1] and [0]. The kernels that it launches must be named, since cores decode them; who is
// the host writes them to device memory.
//
// The machine has the clocks of its netlist. It is exact to the picosecond, whoever else is loosely timed: a request takes effect after
// its annotated delay. It may run ahead of SystemC's time up to what is pending there, and by tlm_global_quantum at most.
// It reports to SystemC, with the message type "heddle"; a fault or a hang is an error.
//
// In the process of SystemC's design: link libheddle and SystemC. C++17, the SystemC that the library was built with, a resolution of 1 ps.
#ifndef HEDDLE_MODULE_H
#define HEDDLE_MODULE_H

#include <cstdint>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

namespace heddle
{

struct module_settings {
    std::string machine;              // netlist, as for `heddle run`
    std::vector<std::string> set;     // "PATH=VALUE"
    std::vector<std::string> plugins; // files
    std::vector<std::string> kernels; // files: kernel.elf
    std::string stats;                // results file, written at the end of simulation; "": none
    std::uint64_t seed = 1;
};

using module_line = sc_core::sc_port<sc_core::sc_signal_inout_if<bool>, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;

} // namespace heddle

// ---- What the library offers to the module below --------------------------------------------------------------------------

struct heddle_guest;
struct heddle_guest_doors {
    std::uint32_t systemc;   // SYSTEMC_VERSION
    std::uint32_t cplusplus; // __cplusplus
    sc_core::sc_object *host, *memory, *interrupt, *timer_interrupt;
};
extern "C" {
// SystemC's library looks for it in the program, whatever the program is compiled to hide.
__attribute__((visibility("default"))) int sc_main(int, char **);
// In the constructor of the module that has the doors. An error is reported to SystemC.
heddle_guest *heddle_guest_open(const heddle::module_settings *settings, const heddle_guest_doors *doors);
// Has the machine an access to the outside, or is that door shut?
bool heddle_guest_uses_memory(const heddle_guest *guest);
void heddle_guest_end(heddle_guest *guest);
void heddle_guest_close(heddle_guest *guest);
}

namespace heddle
{

class module : public sc_core::sc_module, private tlm::tlm_bw_transport_if<>
{
  public:
    tlm::tlm_target_socket<32> host;
    tlm::tlm_initiator_socket<32, tlm::tlm_base_protocol_types, 1, sc_core::SC_ZERO_OR_MORE_BOUND> memory;
    module_line interrupt, timer_interrupt;

    module(sc_core::sc_module_name name, const module_settings &settings) :sc_module(name), host("host"),
        memory("memory"), interrupt("interrupt"), timer_interrupt("timer_interrupt")
    {
        const heddle_guest_doors doors = {
            SYSTEMC_VERSION, static_cast<std::uint32_t>(__cplusplus), &host, &memory, &interrupt, &timer_interrupt};
        guest = heddle_guest_open(&settings, &doors);
        if (!heddle_guest_uses_memory(guest))
            memory.bind(*this);
    }

    ~module() override
    {
        heddle_guest_close(guest);
    }

  private:
    heddle_guest *guest;

    void end_of_simulation() override
    {
        heddle_guest_end(guest);
    }

    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload &, tlm::tlm_phase &, sc_core::sc_time &) override
    {
        return tlm::TLM_ACCEPTED;
    }

    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override
    {
    }
};

} // namespace heddle

#endif
