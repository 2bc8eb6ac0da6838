package blobs

import (
	"errors"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// asError keeps a nil problem a nil error.
func asError(p *azure.Problem) error {
	if p == nil {
		return nil
	}
	return p
}

func statusOf(err error) int {
	var p *azure.Problem
	if errors.As(err, &p) {
		return p.Status
	}
	return 0
}
