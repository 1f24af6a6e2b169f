n = gets.to_i
puts 2*n
