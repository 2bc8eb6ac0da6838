package main

import "github.com/spf13/cobra"

// furthest is how many letters a name may be off and still be suggested.
const furthest = 3

// closest is the known name with the smallest edit distance to name, or "" when none is near. cobra
// suggests commands by that distance, so the names are offered to it as commands.
func closest(name string, known []string) string {
	if name == "" {
		return ""
	}
	offered := &cobra.Command{}
	for _, k := range known {
		offered.AddCommand(&cobra.Command{Use: k, Run: func(*cobra.Command, []string) {}})
	}
	for offered.SuggestionsMinimumDistance = 0; offered.SuggestionsMinimumDistance <= furthest; offered.SuggestionsMinimumDistance++ {
		if found := offered.SuggestionsFor(name); len(found) > 0 {
			return found[0]
		}
	}
	return ""
}
