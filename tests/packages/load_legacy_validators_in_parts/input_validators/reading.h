bool read_line();
