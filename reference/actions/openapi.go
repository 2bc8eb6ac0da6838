package actions

import _ "embed" // for the contract

//go:embed openapi.yaml
var openAPI string

// OpenAPI is the system's HTTP contract: an OpenAPI 3.1 document in YAML. The server does not read it; implementations are
// held to it.
func OpenAPI() string { return openAPI }
