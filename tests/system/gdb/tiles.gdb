tbreak kernel.c:44
continue
print kept[0]
set $words = (unsigned *)kept[1]
print *$words@16
print *(unsigned *)0xfff40000@4
set var $words[2] += 1000
info threads
thread 9
print kept[0]
print *(unsigned *)0xfff40000@4
print ((unsigned *)0xfff40000)[511]
set var ((unsigned *)0xfff40000)[3] += 2000
print *(unsigned *)0xfff40000@4
thread 1
print *$words@16
continue
