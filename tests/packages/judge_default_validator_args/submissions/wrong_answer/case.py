print({'0': '0', '1': 'yes 1.0', '2': '.5 word'}[input()])
