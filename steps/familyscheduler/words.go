package familyscheduler

import "github.com/storespec/storespec/internal/scenario"

// Words returns the steps that only the rules of familyscheduler use.
func Words() []scenario.Theme {
	const system = "familyscheduler"
	return []scenario.Theme{
		{Name: "people and their sessions", Steps: people(), Of: system, Shares: true,
			Facts:   []scenario.Fact{{Name: "memberKey", Of: memberKey}},
			Secrets: map[string]string{"Token": "the sign-in token"}},
		{Name: "groups", Steps: groups(), Of: system, Shares: true},
		{Name: "appointments", Steps: appointments(), Of: system, Shares: true},
	}
}
