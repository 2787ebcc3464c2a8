tbreak kernel.c:15
continue
thread 4
continue
