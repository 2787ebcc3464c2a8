/* SPDX-License-Identifier: MIT */
/* The kernels of firmware/tests/deadlock, to be run: `run_NAME` calls NAME with its arguments. Warps of eight lanes. */
#define N 8
#include "../../../../firmware/tests/deadlock/kernels.c"

#include "args.h"
#include "simt_synchronization.h"

#define POINTER(i) ((void *)(uintptr_t)args->pointers[i].address)
#define NUMBER(i) (args->numbers[i])

#define RUN(name, ...)                                                                                                 \
    SIMT_KERNEL(run_##name, const deadlock_args *args)                                                                 \
    {                                                                                                                  \
        name(__VA_ARGS__);                                                                                             \
    }                                                                                                                  \
    SIMT_NO_ALIAS(name)

#define TREE                                                                                                           \
    POINTER(0), POINTER(1), POINTER(2), POINTER(3), (int)NUMBER(0), (int)(NUMBER(1) - tid()), (int)NUMBER(2),          \
        (int)NUMBER(3)
#define TABLE POINTER(0), POINTER(1), POINTER(2), POINTER(3), POINTER(4), NUMBER(0), NUMBER(1), NUMBER(2)

RUN(D01, POINTER(0), POINTER(1));
RUN(D02, POINTER(0), POINTER(1));
RUN(D03, POINTER(0), POINTER(1));
RUN(D04, POINTER(0), POINTER(1), POINTER(2));
RUN(D05, POINTER(0), POINTER(3), POINTER(1), POINTER(2));
RUN(D06, POINTER(0), POINTER(1), POINTER(2));
RUN(D07, TREE);
RUN(D08, POINTER(0), POINTER(2));
RUN(D08b, POINTER(0), POINTER(2));
RUN(D09, POINTER(0), POINTER(1), NUMBER(0));
RUN(D10, POINTER(0), POINTER(1), NUMBER(0));
RUN(D11, TABLE);
RUN(D12, POINTER(0), POINTER(3), POINTER(1));
RUN(N01, POINTER(0), POINTER(1));
RUN(N01v, POINTER(0), POINTER(1));
RUN(N01b, POINTER(0), POINTER(1));
RUN(N02, TREE);
RUN(N03, POINTER(0), POINTER(3), POINTER(1));
RUN(N04, POINTER(2), POINTER(3));
RUN(N05, POINTER(2), POINTER(3));
RUN(N11, TABLE);
RUN(A01, POINTER(0));
RUN(A02, POINTER(0), POINTER(3));
RUN(L01, POINTER(2), POINTER(3));
RUN(F01, POINTER(0), POINTER(1));
RUN(F02, POINTER(2), POINTER(3));
RUN(F03, POINTER(2), POINTER(3));
RUN(F04, POINTER(2), POINTER(3));
RUN(F05, POINTER(2), POINTER(3));
RUN(F06, POINTER(2), POINTER(3));
RUN(M01, POINTER(0), POINTER(1));
RUN(B01, POINTER(2), POINTER(3));
