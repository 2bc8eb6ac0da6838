package events

import (
	"encoding/json"

	"github.com/storespec/storespec/internal/verify"
	"github.com/storespec/storespec/internal/wire/azure"
)

// completeFormat1 converts what format 1 says about a scenario's storage calls in other terms. text is the envelope.
func completeFormat1(result *verify.ScenarioResult, text json.RawMessage) error {
	var said struct {
		Scenario struct {
			Requests []struct {
				Calls []azure.Format1 `json:"calls"`
			} `json:"requests"`
		} `json:"scenario"`
	}
	if err := json.Unmarshal(text, &said); err != nil {
		return err
	}
	for i, request := range said.Scenario.Requests {
		for j, call := range request.Calls {
			call.Complete(&result.Requests[i].Calls[j])
		}
	}
	return nil
}
