/* SPDX-License-Identifier: MIT */
/* Something of everything that a host CPU and the devices on its bus can be asked for; as firmware only. */
#include "args.h"
#include "common/host_check.h"

#ifdef __riscv

#define TIMER UINT64_C(0x18000000000)
#define INTERRUPT_CONTROLLER UINT64_C(0x18010000000)
#define UART UINT64_C(0x18020000000)
#define EXIT_DEVICE UINT64_C(0x18030000000)
#define MSIP (TIMER + 0)
#define MTIMECMP (TIMER + 0x4000)
#define MTIME (TIMER + 0xBFF8)
#define SOFTWARE_INTERRUPT 3u
#define TIMER_INTERRUPT 7u
#define EXTERNAL_INTERRUPT 11u
#define IS_INTERRUPT (UINT64_C(1) << 63)
#define GLOBAL_ENABLE 8u                 /* mstatus.MIE */
#define MACHINE_MODE (UINT64_C(3) << 11) /* mstatus.MPP */
#define ROUNDS 200u

#define CSR_WRITE(name, value) __asm__ volatile("csrw " name ", %0" : : "r"((uint64_t)(value)) : "memory")
#define CSR_SET(name, value) __asm__ volatile("csrs " name ", %0" : : "r"((uint64_t)(value)) : "memory")
#define CSR_CLEAR(name, value) __asm__ volatile("csrc " name ", %0" : : "r"((uint64_t)(value)) : "memory")
#define CSR_READ(name, into) __asm__ volatile("csrr %0, " name : "=r"(into) : : "memory")

/* Loads and stores of 4 bytes of code: the trap handler goes on behind the one that was refused. */
#define LOAD(instruction, address, into)                                                                               \
    __asm__ volatile(".option push\n\t.option norvc\n\t" instruction " %0, 0(%1)\n\t.option pop"                       \
                     : "+r"(into)                                                                                      \
                     : "r"(address)                                                                                    \
                     : "memory")
#define STORE(instruction, address, value)                                                                             \
    __asm__ volatile(".option push\n\t.option norvc\n\t" instruction " %0, 0(%1)\n\t.option pop"                       \
                     :                                                                                                 \
                     : "r"((uint64_t)(value)), "r"(address)                                                            \
                     : "memory")

static volatile uint64_t words[8];

static uint64_t __attribute__((noinline)) step(uint64_t value)
{
    __asm__ volatile("" : "+r"(value));
    return value + 1;
}

static void computes(void)
{
    uint64_t value = 3, found;
    for (uint32_t i = 0; i < ROUNDS; i++) {
        words[i % 8] += value;
        __asm__ volatile("mul %0, %0, %1\n\tdivu %0, %0, %1" : "+r"(value) : "r"((uint64_t)i + 2));
        value = step(value);
        __atomic_fetch_add(&words[0], 1, __ATOMIC_RELAXED);
        CSR_READ("mscratch", found);
    }
    (void)found;
}

static void __attribute__((interrupt("machine"), aligned(4))) on_trap(void)
{
    uint64_t cause, pc;
    CSR_READ("mcause", cause);
    CSR_READ("mepc", pc);
    if (cause == (IS_INTERRUPT | TIMER_INTERRUPT))
        STORE("sd", MTIMECMP, UINT64_MAX);
    else if (cause == (IS_INTERRUPT | SOFTWARE_INTERRUPT))
        STORE("sw", MSIP, 0);
    else {
        CSR_WRITE("mepc", pc + 4);
        CSR_SET("mstatus", MACHINE_MODE);
    }
}

/* Sleeps until the timer interrupt, then takes it. The timer may be elsewhere. */
static void await_timer(void)
{
    uint64_t now = 0, due = 0;
    LOAD("ld", MTIME, now);
    STORE("sd", MTIMECMP, now + 50);
    LOAD("ld", MTIMECMP, due);
    if (due != now + 50)
        return;
    CSR_SET("mie", 1u << TIMER_INTERRUPT);
    __asm__ volatile("wfi");
    CSR_SET("mstatus", GLOBAL_ENABLE);
    CSR_CLEAR("mstatus", GLOBAL_ENABLE);
    CSR_CLEAR("mie", 1u << TIMER_INTERRUPT);
}

static void interrupt_itself(void)
{
    uint64_t level = 0;
    CSR_SET("mie", 1u << SOFTWARE_INTERRUPT);
    CSR_SET("mstatus", GLOBAL_ENABLE);
    STORE("sw", MSIP, 1);
    for (uint32_t i = 0; i < 10; i++)
        LOAD("lw", MSIP, level);
    CSR_CLEAR("mstatus", GLOBAL_ENABLE);
    CSR_CLEAR("mie", 1u << SOFTWARE_INTERRUPT);
}

static void be_refused(void)
{
    uint64_t value = 0;
    LOAD("lw", TIMER + 8, value);
    LOAD("ld", INTERRUPT_CONTROLLER, value);
    LOAD("lw", INTERRUPT_CONTROLLER + 0x2080, value); /* of another hart */
    LOAD("lw", UART, value);
    STORE("sw", EXIT_DEVICE + 0x40, 1);
    LOAD("lw", UART - 8, value); /* nothing is there */
}

static void devices(void)
{
    uint64_t received = 0;
    CSR_WRITE("mtvec", (uintptr_t)on_trap);
    CSR_CLEAR("mie", 1u << EXTERNAL_INTERRUPT);
    await_timer();
    interrupt_itself();
    be_refused();
    for (uint32_t i = 0; i < 40; i++)
        STORE("sb", UART, i % 10 == 9 ? '\n' : '.'); /* without asking for room */
    LOAD("lbu", UART, received);
}

/* Asks for protection of four bytes, for a breakpoint, and for user mode, and does what each would refuse. */
static void guarded(void)
{
    uint64_t value = 0;
    CSR_WRITE("mtvec", (uintptr_t)on_trap);
    CSR_WRITE("pmpaddr0", (uintptr_t)&words[0] >> 2);
    CSR_WRITE("pmpaddr1", UINT64_MAX);
    CSR_WRITE("0x3c4", 0);        /* pmpaddr20 */
    CSR_WRITE("pmpcfg0", 0x1F91); /* all, for all; four bytes, read only, locked */
    STORE("sw", &words[0], 1);
    CSR_WRITE("0x7a5", 8); /* tcontrol: triggers of machine mode */
    CSR_WRITE("tselect", 3);
    CSR_WRITE("tdata2", (uintptr_t)&words[2]);
    CSR_WRITE("tdata1", UINT64_C(2) << 60 | 0x41); /* loads in machine mode */
    LOAD("ld", &words[2], value);
    CSR_WRITE("tdata1", 0);
    CSR_CLEAR("mstatus", MACHINE_MODE);
    __asm__ volatile("la t0, 1f\n\tcsrw mepc, t0\n\tmret\n1:\tcsrr %0, mscratch" : "=r"(value) : : "t0", "memory");
}

static void prints(void)
{
    for (uint32_t i = 0; i < 5; i++)
        hd_print("line %u of what this program says", i);
}

#endif

int hd_app_main(void)
{
    const char *part = hd_option_text("part", "computes");
    devices_args args = {0};
    host_launch("nothing", hd_1d(1), hd_1d(32), 0, &args, sizeof args);
    hd_synchronize();
#ifdef __riscv
    if (!strcmp(part, "computes"))
        computes();
    else if (!strcmp(part, "prints"))
        prints();
    else if (!strcmp(part, "guarded"))
        guarded();
    else
        devices();
#else
    hd_fail("%s: this program runs as firmware only", part);
#endif
    hd_report("parts", 1);
    return HD_PASS;
}
