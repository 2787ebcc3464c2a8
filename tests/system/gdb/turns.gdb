break kernel.c:37
commands
silent
printf "lanes %x\n", $active_lanes
continue
end
continue
