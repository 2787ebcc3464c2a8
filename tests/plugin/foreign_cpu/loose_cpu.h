// SPDX-License-Identifier: MIT
// A CPU model as others write it: SystemC and TLM-2.0, and nothing of Heddle. Its program is C++ that loads, stores and computes;
// it is loosely timed: the CPU runs ahead of simulated time by up to a quantum, and tells others by annotated delays.
#ifndef LOOSE_CPU_H
#define LOOSE_CPU_H

#include <cstdint>
#include <systemc>
#include <tlm>
#include <tlm_utils/tlm_quantumkeeper.h>

class loose_cpu : public sc_core::sc_module, public tlm::tlm_bw_transport_if<>, public tlm::tlm_mm_interface
{
  public:
    SC_HAS_PROCESS(loose_cpu);

    struct settings {
        sc_core::sc_time quantum; // 0 = it never runs ahead
        sc_core::sc_time cycle;
        bool is_blocking; // b_transport; else nb_transport
    };

    tlm::tlm_initiator_socket<32> bus;
    sc_core::sc_in<bool> timer_interrupt, external_interrupt;

    loose_cpu(sc_core::sc_module_name name, const settings &how);

  protected:
    virtual void program() = 0;

    // ---- What the program can do: each takes a cycle, and what the bus takes ----
    std::uint32_t load(std::uint64_t address);
    void store(std::uint64_t address, std::uint32_t value);
    // Bursts.
    void read(std::uint64_t address, void *into, unsigned int bytes);
    void write(std::uint64_t address, const void *from, unsigned int bytes);
    void compute(unsigned int cycles);
    // In no time, as a debugger does; the bytes that somebody has.
    unsigned int debug_access(tlm::tlm_command command, std::uint64_t address, void *data, unsigned int bytes);
    // Until the external interrupt line is high.
    void wait_for_interrupt();

    unsigned int accesses = 0, syncs = 0, direct_requests = 0;

  private:
    // The quantum of this CPU, whatever the one of all others is.
    class keeper : public tlm_utils::tlm_quantumkeeper
    {
      public:
        explicit keeper(sc_core::sc_time quantum) : quantum(quantum)
        {
        }

      protected:
        sc_core::sc_time compute_local_quantum() override
        {
            return quantum;
        }

      private:
        const sc_core::sc_time quantum;
    };

    const settings how;
    keeper time;
    sc_core::sc_event responded;
    bool is_denied = false; // direct access, from first_denied to last_denied
    sc_dt::uint64 first_denied = 0, last_denied = 0;

    void run();
    void synchronize();
    void access(tlm::tlm_command command, std::uint64_t address, unsigned char *data, unsigned int bytes);
    bool access_directly(tlm::tlm_generic_payload &payload);
    void transport_blocking(tlm::tlm_generic_payload &payload);
    void transport_in_phases(tlm::tlm_generic_payload &payload);

    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload &payload, tlm::tlm_phase &phase,
                                       sc_core::sc_time &delay) override;
    void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) override;
    void free(tlm::tlm_generic_payload *payload) override;
};

#endif
