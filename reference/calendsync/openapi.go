package calendsync

import _ "embed" // for the contract

//go:embed openapi.yaml
var openAPI string

// OpenAPI returns the system's HTTP contract: an OpenAPI 3.1 document in YAML. The server does not read it;
// implementations must conform to it.
func OpenAPI() string { return openAPI }
