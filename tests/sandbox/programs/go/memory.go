package main

import "fmt"

func main() {
	data := make([]byte, 100<<20)
	for i := range data {
		data[i] = 1
	}
	fmt.Println(data[12345])
}
