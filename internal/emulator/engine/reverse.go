package engine

// Last moves to the last key and reports whether there is one.
func (i *Iter) Last() bool { return i.it.Last() }

// SeekLT moves to the last key that is below key and reports whether there is one.
func (i *Iter) SeekLT(key []byte) bool { return i.it.SeekLT(key) }

// Prev moves to the previous key and reports whether there is one.
func (i *Iter) Prev() bool { return i.it.Prev() }
