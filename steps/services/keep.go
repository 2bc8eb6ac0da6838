package services

import (
	"context"
	"fmt"
	"regexp"
	"slices"

	"github.com/storespec/storespec/internal/scenario"
)

// keepSent keeps the group of a pattern in the last request that has it.
func keepSent(_ context.Context, stage *scenario.Stage, names *scenario.Names, pattern, name, value string) error {
	matcher, err := regexp.Compile(pattern)
	if err != nil || matcher.NumSubexp() != 1 {
		return fmt.Errorf("%q is not a regular expression with one group", pattern)
	}
	s, err := service(stage, name)
	if err != nil {
		return err
	}
	for _, request := range slices.Backward(s.Sent("", "")) {
		if found := matcher.FindStringSubmatch(request); found != nil {
			names.Keep(value, found[1])
			return nil
		}
	}
	return fmt.Errorf("the service %s was sent nothing that matches %q", name, pattern)
}
