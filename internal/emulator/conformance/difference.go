package conformance

// Difference is where Azurite 3.35.0 answers otherwise than Azure. The emulator answers as Azure does.
type Difference struct {
	// Case is the case of the suite that shows it.
	Case string
	// Azure is what Azure does, and Azurite what Azurite does.
	Azure, Azurite string
	// Source says where Azure's behaviour is documented or was seen.
	Source string
}
