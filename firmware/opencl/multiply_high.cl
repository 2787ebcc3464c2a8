/* SPDX-License-Identifier: MIT */
/* mad_hi, which libclc has as a macro for its own use alone. */
#define BUILT_IN __attribute__((overloadable, always_inline, const))

#define MAD_HIGH(type)                                                                                                 \
    BUILT_IN type mad_hi(type a, type b, type c)                                                                       \
    {                                                                                                                  \
        return mul_hi(a, b) + c;                                                                                       \
    }

#define MAD_HIGH_OF(type)                                                                                              \
    MAD_HIGH(type) MAD_HIGH(type##2) MAD_HIGH(type##3) MAD_HIGH(type##4) MAD_HIGH(type##8) MAD_HIGH(type##16)

MAD_HIGH_OF(char)
MAD_HIGH_OF(uchar)
MAD_HIGH_OF(short)
MAD_HIGH_OF(ushort)
MAD_HIGH_OF(int)
MAD_HIGH_OF(uint)
MAD_HIGH_OF(long)
MAD_HIGH_OF(ulong)
