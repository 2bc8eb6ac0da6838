// Package other is another server's.
package other

// Two is two.
func Two(n int) int {
	if n > 2 {
		return 2
	}
	return n
}
