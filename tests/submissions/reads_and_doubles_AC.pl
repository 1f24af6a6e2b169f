main :- read_string(user_input, _, S), normalize_space(atom(A), S), atom_number(A, N), M is 2*N, print(M), nl.
