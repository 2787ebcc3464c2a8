heddle branch profile 2
end
