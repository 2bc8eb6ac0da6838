package mutation

// site is where a block of the original begins, or goes on after a statement that may have left it.
type site struct {
	number int
	file   *source
	offset int
}
