import driver
print(driver.answer())
