// Command server says what the shop does.
package main

import (
	"fmt"

	_ "example.com/shop/reference/other"
	"example.com/shop/reference/shop"
)

func main() {
	fmt.Println(shop.Price(3), shop.Open(true, false), shop.Greeting)
}
