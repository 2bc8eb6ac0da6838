// Package source is about files that people write: features, designs, mappings, baselines, price lists. It says what is
// wrong with them and where, and guesses what was meant.
//
// What flows in: the bytes of a file, and the names that would have been right. What flows out: values, or errors that
// name file, line and column and say what was expected. In reading order:
//
//	source   mistake.go   [Error], one mistake in a file; [All] takes apart what errors.Join has put together
//	         spelling.go  [Nearest] and [Meant], the known name that is closest to an unknown one
//	         overlay.go   [Overlay], files with another text than on the disk
//	yamldoc  reads YAML key by key, and turns each mistake into an [Error]
//
// For example, a project file with the key "comand":
//
//	storespec.yaml:2:1: the project file has an unknown key "comand"; did you mean command?
//
// It never knows what the names in a file mean, never writes a file, and prints nothing.
package source
