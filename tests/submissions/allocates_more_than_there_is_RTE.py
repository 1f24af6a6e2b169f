block = bytearray(1 << 40)
print(len(block))
