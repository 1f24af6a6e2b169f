import driver
found = [open(n).read().strip() for n in ('common.txt', 'other.txt')]
print(driver.answer() if found == ['python', 'other'] else found)
