/* SPDX-License-Identifier: MIT */
/*
 * A machine in SystemC: an sc_module per block, a TLM-2.0 socket per port element, bound as the netlist says, and one
 * SC_METHOD that advances the engine.
 *
 * At the start of simulation every socket looks for one of its own kind behind its binding. Found, the two ends share a
 * ring of the engine and no transport call is made. Not found (a monitor, a foreign model), or with `always`, real
 * nb_transport calls are made at the packet's arrival time with zero annotation; results are the same to the bit.
 *
 * A block whose class has no create function is foreign: a SystemC model that tlm_options.foreign makes. Its memory
 * ports speak the TLM-2.0 base protocol; END_REQ and END_RESP are the credits.
 *
 * Every function of this header may be called from any thread, one at a time per process (context.h).
 */
#ifndef HD_TLM_MACHINE_H
#define HD_TLM_MACHINE_H

#include "engine.h"
#include "netlist.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_tlm_machine hd_tlm_machine;

/* Listens to an ordering point from outside of the machine: hd_engine_add_tap. */
struct hd_tap;
typedef struct hd_tlm_tap {
    uint32_t block; /* endpoint number of the engine */
    uint32_t port;
    uint32_t element;
    uint32_t reserved;
    const struct hd_tap *tap;
    hd_block *context;
} hd_tlm_tap;

typedef struct hd_tlm_options {
    uint32_t always;  /* real transport calls on every link */
    uint32_t checked; /* every call on a memory link is held against the base protocol; a violation is a fault */
    uint32_t threads; /* that advance blocks: hd_engine_set_threads; 0 = 1 */
    uint32_t tap_count;
    /* The machine is part of a larger SystemC design: it is made in the module that is open, in the context that is in place, and
     * leaves the report handler alone. Simulation is the owner's: hd_tlm_run is not called and hd_tlm_end does nothing. */
    uint32_t is_guest;
    uint32_t reserved;
    /* Of such a machine: called after each of its turns, at SystemC's time. Returns when it is to be called again at the latest,
     * HD_NEVER: only after the next turn. It may report to SystemC, and throw. */
    hd_time (*look)(void *look_context, hd_time now);
    void *look_context;
    /* Asked while simulated time stands still for a model with threads of its own; 1: it is not waited for. May be NULL. */
    uint32_t (*is_interrupted)(void *interrupt_context);
    void *interrupt_context;
    /* Asked when nothing moves any more but threads of models; 1: what is simulated is done, and they are not waited for. May be NULL. */
    uint32_t (*is_over)(void *program_context);
    void *program_context;
    const hd_tlm_tap *taps;
    void *context; /* of the functions below; each may be NULL */
    /* Called while the modules are made, with SystemC's module stack open: returns the sc_object that is the named
     * socket (port, element) of the foreign block instance, as void *; NULL = there is none. */
    void *(*foreign)(void *context, const char *instance, const char *port, uint32_t element);
    /* Called while the machine is taken apart, with its SystemC context in place: delete what foreign has made. */
    void (*release)(void *context);
    /* Called for every link: 1 = put a monitor in between, a module that passes every call on and counts it. */
    uint32_t (*monitor)(void *context, uint32_t link);
} hd_tlm_options;

/*
 * Makes modules, sockets, engine and blocks, and brings everything to its state at time 0. The netlist and the classes
 * must outlive the machine. provide: platform extensions for the blocks, pairs (id, pointer), ended by a NULL id.
 * On failure NULL, and *error is a text to be freed by the caller.
 */
typedef struct hd_tlm_extension {
    const char *id;
    const void *pointer;
} hd_tlm_extension;
hd_tlm_machine *hd_tlm_create(const netlist *machine, const hd_tlm_options *options, const hd_tlm_extension *provide,
                              const hd_observer *observer, uint64_t seed, char **error);
/* Ends simulation: SystemC's end_of_simulation of every model. Nothing is run afterwards. What a model then reports as an
 * error is a fault, or else a warning. destroy does the latter, if simulation has not ended. */
void hd_tlm_end(hd_tlm_machine *machine, uint32_t is_fault);
void hd_tlm_destroy(hd_tlm_machine *machine);

/* The engine inside, for queries. */
hd_engine *hd_tlm_engine(hd_tlm_machine *machine);

/* Simulates until `limit` (picoseconds) or until nothing is left to do or a fault, whichever is first. Returns the time
 * of the next work; HD_NEVER if there is none. Events of foreign models count if they can reach a block: such a model
 * begins transactions itself, or one is on its way. The clock of a memory that nobody asks for anything does not. While a model that has
 * threads of its own works on a request, or is to begin one when nothing else moves, this waits for it in real time
 * (netlist_link.within). */
hd_time hd_tlm_run(hd_tlm_machine *machine, hd_time limit);

/* Of a machine that is part of a larger design: nothing of it moves from here on. */
void hd_tlm_retire(hd_tlm_machine *machine);

/* 1: is_interrupted has said so. The machine stands there, with work left before the limit. */
uint32_t hd_tlm_is_interrupted(const hd_tlm_machine *machine);

/* When a model has called sc_stop, which ends simulation for good; HD_NEVER: none has. */
hd_time hd_tlm_stopped_at(const hd_tlm_machine *machine);

/* A line for every model from elsewhere that owes an END_REQ, a response or an END_RESP: which, and since when. */
void hd_tlm_describe_owed(const hd_tlm_machine *machine, const hd_text_sink *sink);

/* Transport calls made so far, forward and backward: 0 where all links are rings. */
uint64_t hd_tlm_transport_calls(const hd_tlm_machine *machine);
/* Calls that monitors have seen. */
uint64_t hd_tlm_monitored_calls(const hd_tlm_machine *machine);

#ifdef __cplusplus
}
#endif

#endif
