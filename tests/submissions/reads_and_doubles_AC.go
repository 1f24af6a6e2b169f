package main

import "fmt"

func main() {
	var n int64
	fmt.Scan(&n)
	fmt.Println(2 * n)
}
