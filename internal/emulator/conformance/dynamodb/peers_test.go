package dynamodb_test

import "github.com/storespec/storespec/internal/emulator/conformance"

func dynaliteLacks() map[*conformance.Capability]string { return nil }

func localLacks() map[*conformance.Capability]string { return nil }
