package azureauth

import "strings"

// Audience is the audience of a token for every account.
const Audience = "https://storage.azure.com"

// ApplicationID is that of Azure Storage. As an audience, it means the same as Audience.
const ApplicationID = "e406a681-f3d4-42a8-90b6-c2b029497af1"

// OldestTokenVersion is the first x-ms-version that takes tokens.
const OldestTokenVersion = "2017-11-09"

// TakesToken reports whether a token for an audience is good for an account's service, such as table: its audience is
// Azure Storage, or that service of that account. A slash at its end does not count.
func TakesToken(audience, account, service string) bool {
	switch strings.TrimSuffix(audience, "/") {
	case Audience, ApplicationID, "https://" + account + "." + service + ".core.windows.net":
		return true
	}
	return false
}
