// Package azuretoken knows which tokens of Microsoft Entra ID Azure Storage takes: for which audience, and in which
// versions of its REST API.
//
// The code is shared by its two users: the managed identity whose tokens a gateway accepts, and the emulator.
//
// Open [ForStorage] first; it follows
// https://learn.microsoft.com/rest/api/storageservices/authorize-with-azure-active-directory.
package azuretoken

import "strings"

// Storage is the audience of a token for every account.
const Storage = "https://storage.azure.com"

// ApplicationID is that of Azure Storage. As an audience, it means the same as Storage.
const ApplicationID = "e406a681-f3d4-42a8-90b6-c2b029497af1"

// OldestVersion is the first x-ms-version that takes tokens.
const OldestVersion = "2017-11-09"

// ForStorage reports whether a token for an audience is good for an account's service, such as table: its audience is
// Azure Storage, or that service of that account. A slash at its end does not count.
func ForStorage(audience, account, service string) bool {
	switch strings.TrimSuffix(audience, "/") {
	case Storage, ApplicationID, "https://" + account + "." + service + ".core.windows.net":
		return true
	}
	return false
}
