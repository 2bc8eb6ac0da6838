package conformance

// BlobDifferences are the cases of the blob service that Azurite fails.
func BlobDifferences() []Difference {
	return []Difference{}
}
