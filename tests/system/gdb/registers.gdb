tbreak host.c:26
continue
printf "%.4s version %d\n", (char *)0x10000000000, *(int *)0x10000000004
print *(int *)0x1000000100c
print *(int *)0x10000001010
x/4xb 0x10000000002
print *(unsigned long *)0x1800000bff8 > 0
print *(unsigned *)0x18010200004
print/x *(unsigned char *)0x18020000005
set var *(char *)0x18020000007 = 90
print *(char *)0x18020000007
print *(int *)0x18030000000
continue
