print({'0': '0', '1': 'Yes 1.0', '2': '0.5004\nWORD'}[input()])
