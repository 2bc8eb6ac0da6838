package actions

import "github.com/storespec/storespec/internal/scenario"

// Words returns the steps that only the rules of actions use.
func Words() []scenario.Theme {
	const system = "actions"
	return []scenario.Theme{
		{Name: "records", Steps: append(records(), reported()...), Of: system, Shares: true},
		{Name: "the cache of records", Steps: cached(), Of: system},
	}
}
