package c4lendar

import "github.com/storespec/storespec/internal/scenario"

// Words returns the steps that only the rules of c4lendar use.
func Words() []scenario.Theme {
	return []scenario.Theme{{Name: "tokens", Of: "c4lendar", Shares: true, Steps: []scenario.Step{
		scenario.On(`the token of the key (\S+) is "([^"]*)"`,
			`Then the token of the key gc:conn:{Chat}:115 is "refresh-{tag}"`, tokenIs).Literal(2),
		scenario.On(`each token that was written has an IV of its own`,
			`Then each token that was written has an IV of its own`, ownIVs),
	}}}
}
