package calendsync

import "github.com/storespec/storespec/internal/scenario"

// Words returns the steps that only the rules of calendsync use.
func Words() []scenario.Theme {
	const day = `(\d{4}-\d\d-\d\d)`
	return []scenario.Theme{{Name: "calendars, their members and entries", Of: "calendsync", Shares: true,
		Steps: []scenario.Step{
			scenario.On(`(\w+) has an account`, `Given Ana has an account`, hasAccount).Keeps("$1"),
			scenario.On(`(\w+) has an account at (\w+)`, `Given Ana has an account at google`, hasAccountAt).
				Keeps("$1"),
			scenario.On(`(\w+) has a session that has expired`, `Given Ana has a session that has expired`,
				sessionExpired).Keeps("$1"),
			scenario.On(`(\w+) is (?:an|a) (owner|writer|reader) of ([A-Za-z]\w*)`, `Given Ana is an owner of Team`,
				isMember).Keeps("$1", "$3"),
			scenario.On(`(\w+) is (?:an|a) (owner|writer|reader) of (\d+) more calendars?`,
				`Given Ana is an owner of 120 more calendars`, isMemberOfMore).Keeps("$1", "${1}Calendar#", founder),
			scenario.On(`(\w+) has (\d+) more (owner|writer|reader)s?`, `Given Team has 120 more readers`,
				hasMoreMembers).Keeps("$1", "${1}Member#"),
			scenario.On(`(\w+) is an? (all-day entry|timed entry|task|completed task) of (\w+) on `+day,
				`Given Lunch is an all-day entry of Team on 2024-01-15`, isEntry).Keeps("$1"),
			scenario.On(`(\w+) is an entry of (\w+) from `+day+` to `+day,
				`Given Trip is an entry of Team from 2024-01-14 to 2024-01-16`, isEntryOfDays).Keeps("$1"),
			scenario.On(`(\w+) has (\d+) entr(?:y|ies) on each of the (\d+) days? from `+day,
				`Given Team has 2 entries on each of the 31 days from 2024-01-01`, hasEntriesEachDay).
				Keeps("${1}Entry#"),
		}}}
}
