package wiremutant

import (
	"context"
	"net/http"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
)

// azcoreHeader returns a context in which an SDK's calls carry a trace.
func azcoreHeader(t *testing.T, traceparent string) context.Context {
	t.Helper()
	return policy.WithHTTPHeader(t.Context(), http.Header{"Traceparent": {traceparent}})
}
