info threads
hbreak wake_next
continue
info threads
thread 3
print $s0
print/x $mie
stepi
delete
hbreak check
continue
print *(unsigned long *)&counters
continue
