package main

import "fmt"

func deep(n int) int {
	if n == 0 {
		return 0
	}
	return 1 + deep(n-1)
}

func main() { fmt.Println(deep(1000000)) }
