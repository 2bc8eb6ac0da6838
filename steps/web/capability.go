package web

import (
	"context"
	"fmt"
	"slices"

	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/scenario"
)

// Capabilities returns the steps that send set-up requests only to a server that has a capability.
func Capabilities() []scenario.Step {
	return []scenario.Step{
		scenario.On(scenario.WhereThere+`([\w-]+), (\w+) sends `+scenario.MethodAndPath+scenario.MayHaveBody,
			`Given where the target has scan, Ana sends POST /api/appointment/scan {"groupId":"{Family}"}`,
			func(ctx context.Context, stage *scenario.Stage, names *scenario.Names, requests *scenario.Requests,
				capability,
				name, method, path, body string) error {
				return sendsWhereThere(ctx, stage, names, requests, capability, name, method, path, body, "", "")
			}),
		scenario.On(scenario.WhereThere+`([\w-]+), (\w+) sends `+scenario.MethodAndPath+scenario.MayHaveBody+
			`, and "([^"]+)" of the answer is called (\w+)`,
			`Given where the target has ignite, Ana sends POST /api/ignite/start {"groupId":"{Family}"}, and `+
				`"sessionId" of the answer is called Hunt`, sendsWhereThere).Keeps("$7").Literal(6),
	}
}

// sendsWhereThere sends a set-up request that needs a capability. The value that the answer would have named gets a
// name even if the target lacks the capability.
func sendsWhereThere(ctx context.Context, stage *scenario.Stage, names *scenario.Names, requests *scenario.Requests,
	capability, name, method, path, body, member,
	called string) error {
	known := func(c system.Capability) bool { return c.Name == capability }
	if !slices.ContainsFunc(stage.System().Capabilities, known) {
		return fmt.Errorf("%q is not a part that a server of %s may lack", capability, stage.System().Name)
	}
	if stage.Lacks(capability) {
		if called != "" {
			names.NewID(called)
		}
		return nil
	}
	if err := requests.Sends(ctx, name, method, path, body); err != nil || called == "" {
		return err
	}
	return keepMember(ctx, names, requests, member, called)
}
