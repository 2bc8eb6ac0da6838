package main

import "github.com/spf13/cobra"

// furthest is the largest edit distance at which a name is still suggested.
const furthest = 3

// closest returns the known name with the smallest edit distance to name, or "" when none is close enough. cobra
// suggests commands by that distance, so the names are passed to it as commands.
func closest(name string, known []string) string {
	if name == "" {
		return ""
	}
	offered := &cobra.Command{}
	for _, k := range known {
		offered.AddCommand(&cobra.Command{Use: k, Run: func(*cobra.Command, []string) {}})
	}
	for distance := range furthest + 1 {
		offered.SuggestionsMinimumDistance = distance
		if found := offered.SuggestionsFor(name); len(found) > 0 {
			return found[0]
		}
	}
	return ""
}
