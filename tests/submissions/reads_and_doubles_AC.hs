main = interact (\s -> show (2 * read s :: Integer) ++ "\n")
