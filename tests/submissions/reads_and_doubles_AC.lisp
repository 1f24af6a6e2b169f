(format t "~a~%" (* 2 (read)))
