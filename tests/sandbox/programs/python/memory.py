data = b"\1" * (100 << 20)
print(data[12345])
