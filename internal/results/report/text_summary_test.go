package report

import (
	"testing"

	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/verify"
	"github.com/storespec/storespec/internal/wire"
)

func TestAServiceThatIsNeverCalled(t *testing.T) {
	for name, test := range map[string]struct {
		status int
		calls  []wire.Call
		want   string
	}{
		"requests fail and tables are never called": {503, []wire.Call{{Service: "blob"}},
			"no call to the table service arrived, though calls to the blob service did: its SDK may refuse plain " +
				"http (--tls), or an endpoint is not that of the connection string"},
		"requests are refused":   {404, []wire.Call{{Service: "blob"}}, ""},
		"both are called":        {503, []wire.Call{{Service: "blob"}, {Service: "table"}}, ""},
		"neither is called":      {503, nil, ""},
		"the store has no other": {503, []wire.Call{{Service: "dynamodb"}}, ""},
	} {
		result := &verify.Result{Rules: []verify.RuleResult{{}}}
		for range mostFailing {
			result.Rules[0].Results = append(result.Rules[0].Results, verify.ScenarioResult{
				Requests: []scenario.Exchange{{Status: test.status, Calls: test.calls}}})
		}
		if got := unreached(result); got != test.want {
			t.Errorf("%s: %q", name, got)
		}
		result.Rules[0].Results = result.Rules[0].Results[1:]
		if got := unreached(result); got != "" {
			t.Errorf("%s, in fewer requests: %q", name, got)
		}
	}
}
