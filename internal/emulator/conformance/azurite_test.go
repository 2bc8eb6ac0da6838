package conformance_test

import (
	"maps"
	"testing"

	"github.com/storespec/storespec/internal/emulator/conformance"
	"github.com/storespec/storespec/internal/emulator/conformance/azure"
	"github.com/storespec/storespec/internal/store/storetest"
)

// azuriteVersion is the release that the lists below are about, as it calls itself.
const azuriteVersion = "Azurite 3.35.0"

// azurite is the harness of Azurite, started with Node.
func azurite(lacks map[*conformance.Capability]string) conformance.Harness[azure.Account] {
	return conformance.Harness[azure.Account]{Store: "azurite", Lacks: lacks, Open: func(t *testing.T) azure.Account {
		store := storetest.Open(t, "azurite")
		if store.Version() != azuriteVersion {
			t.Errorf("%s is running: what it lacks, and docs/run/emulators.md, are about %s", store.Version(),
				azuriteVersion)
		}
		return account(storetest.LeaseFrom(t, store))
	}}
}

// azuriteLacksOfTables is what Azurite does instead of what it lacks of tables.
func azuriteLacksOfTables() map[*conformance.Capability]string {
	return map[*conformance.Capability]string{
		azure.RefusesAtom:                   "an Atom body is read as JSON: 400 PropertiesNeedValue",
		azure.ChecksValues:                  "stored",
		azure.BoundsTimes:                   "stored",
		azure.RefusesUnknownTypes:           "500",
		azure.LimitsProperties:              "stored",
		azure.LimitsEntities:                "stored",
		azure.RefusesSlashesInAddresses:     "500",
		azure.LimitsPropertyNames:           "stored",
		azure.ChecksPropertyNames:           "stored",
		azure.RefusesRepeatedProperties:     "stored",
		azure.NamesMalformedJSON:            "400 without a code",
		azure.SkipsMissingProperties:        "the negation makes it match",
		azure.ComparesByType:                "they are equal when their texts are",
		azure.ComparesTimesExactly:          "not found",
		azure.RefusesNullInFilters:          "200",
		azure.RefusesMalformedLiterals:      "200",
		azure.SelectsNull:                   "left out",
		azure.RefusesForeignTokens:          "200",
		azure.LimitsTop:                     "taken",
		azure.NamesNegativeTop:              "400 without a code",
		azure.KeepsTransactionsInPartitions: "made",
		azure.RefusesMalformedBatches:       "500",
		azure.NamesBadTableNames:            "400 without a code",
		azure.IgnoresCaseOfTables:           "404 TableNotFound",
		azure.ListsNoTables:                 "all are listed",
		azure.LimitsServiceProperties:       "taken",
		azure.ChecksServiceProperties:       "400 without a code",
		azure.ChecksPolicies:                "400 without a code",
		azure.ChecksPolicyTimes:             "400 without a code",
		azure.ChecksPermissions:             "400 without a code",
		azure.ChallengesAnonymous:           "403 AuthorizationFailure, without a challenge",
		azure.NamesAnonymous:                "403 AuthorizationFailure",
		azure.RefusesForms:                  "the body is read as JSON",
	}
}

// azuriteLacksOfBlobs is what Azurite does instead of what it lacks of blobs.
func azuriteLacksOfBlobs() map[*conformance.Capability]string {
	lacks := azuriteLacksOfContent()
	maps.Copy(lacks, azuriteLacksOfTiersAndDigests())
	maps.Copy(lacks, azuriteLacksOfKeys())
	maps.Copy(lacks, azuriteLacksOfSoftDelete())
	return lacks
}

// azuriteLacksOfTiersAndDigests is the part about tiers, digests, and what else answers say of a blob.
func azuriteLacksOfTiersAndDigests() map[*conformance.Capability]string {
	return map[*conformance.Capability]string{
		azure.TakesStructuredBodies:    "the message is stored as if it were the content",
		azure.AsksForCredentials:       "403",
		azure.AnswersRangeCRC64:        "no x-ms-content-crc64",
		azure.ChecksDatesOfUncommitted: "committed",
		azure.ListsFromTo:              "taken for parameters without a meaning",
		azure.NamesUnchangedSource:     "501 APINotImplemented",
		azure.RefusesGroupsInSearches:  "200",
		azure.ChecksBlobBeforeTags:     "set, whatever the condition",
		azure.RehydratesLater:          "200 or 202, and at once",
		azure.KeepsArchivedSnapshots:   "200",
		azure.CopiesOutOfArchive:       "copied at once",
		azure.GetShowsTier:             "not shown",
		azure.SnapshotsHaveNoLease:     "available",
		azure.AnswersBothDigests:       "no x-ms-content-crc64",
		azure.AnswersCRC64:             "no x-ms-content-crc64",
		azure.AnswersMD5WithCRC64:      "neither",
		azure.ChecksStoredMD5:          "stored",
		azure.ChecksMD5OfSource:        "copied",
		azure.MatchesSubdomains:        "subdomains in any case, other names not",
		azure.ContainerSASIsForBlobs:   "403 AuthorizationPermissionMismatch",
		azure.CopiesSeals:              "not sealed",
		azure.ListsSystemContainers:    "not listed",
		azure.DeletesTwice:             "404 ContainerNotFound",
		azure.PadsPolicyTimes:          "as they were sent",
	}
}

// azuriteLacksOfSoftDelete is the part about blobs that are deleted: Azurite keeps the setting and does not act on it.
func azuriteLacksOfSoftDelete() map[*conformance.Capability]string {
	return map[*conformance.Capability]string{
		azure.ShowsPermanentDelete:      "not shown",
		azure.ChecksRetention:           "400 without a code",
		azure.KeepsDeletedBlobs:         "gone",
		azure.Undeletes:                 "500",
		azure.UndeletesNoLease:          "500",
		azure.KeepsOverwritten:          "gone",
		azure.KeepsNoChanges:            "nothing is kept, nor what is overwritten",
		azure.LosesArchived:             "409 BlobArchived",
		azure.KeepsReplacedDeletedBlobs: "gone",
		azure.LosesOtherTypes:           "gone as soon as it was deleted",
		azure.DeletesPermanently:        "the parameter has no effect",
		azure.DeletedSnapshotsCount:     "deleted",
	}
}

// azuriteLacksOfContent is the rest.
func azuriteLacksOfContent() map[*conformance.Capability]string {
	return map[*conformance.Capability]string{
		azure.DerivesETags:                `random, such as "0x246E80A9C5DEFE0"`,
		azure.RefusesRangeAtEnd:           "206 with an empty body",
		azure.NamesMD5Mismatch:            "400 InvalidOperation",
		azure.NamesMalformedMD5:           "400 InvalidOperation",
		azure.RefusesWrongCRC64:           "500 FeatureNotSupported",
		azure.TakesCRC64:                  "500 FeatureNotSupported",
		azure.LimitsAccessPolicies:        "taken",
		azure.NamesUnknownTiers:           "400 AccessTierNotSupportedForBlobType",
		azure.NamesForbiddenOverwrite:     "403 AuthorizationPermissionMismatch",
		azure.MissingBeforeConditions:     "412 ConditionNotMet",
		azure.IfMatchNeedsBlob:            "the blob is made",
		azure.PutDropsBlocks:              "they are kept",
		azure.RefusesEmptyBlocks:          "201",
		azure.NamesMalformedXML:           "400 without a code",
		azure.RefusesForeignMarkers:       "the marker is taken for a name",
		azure.NamesMaxResultsOutOfRange:   "400 without a code",
		azure.NamesBadQueryParameters:     "400 without a code",
		azure.ListsSnapshotsFirst:         "the blob comes first",
		azure.NamesMissingCopySource:      "404 BlobNotFound",
		azure.NamesSourceConditions:       "412 ConditionNotMet",
		azure.CopyNeedsInfiniteLease:      "copied",
		azure.PutsBlobsFromURL:            "501 APINotImplemented",
		azure.PutsBlocksFromURL:           "501 APINotImplemented",
		azure.ChecksCopySource:            "copied",
		azure.NamesBadCopyIDs:             "409 CopyIdMismatch",
		azure.NamesBadPageRanges:          "416 without a documented code",
		azure.ComparesPages:               "all pages of the blob",
		azure.ConditionsOnTierChange:      "deleted",
		azure.ErrorsRepeatRequestID:       "not on an error",
		azure.NamesMissingBlobType:        "400 without a code",
		azure.NamesUnknownBlobType:        "400 without a code",
		azure.RefusesUnknownComp:          "taken for Get Blob",
		azure.NamesMalformedSnapshots:     "404 BlobNotFound",
		azure.LimitsMetadata:              "201",
		azure.LimitsPageWrites:            "201",
		azure.HasRootContainer:            "400 InvalidResourceName",
		azure.RefusesMalformedBlobBatches: "202 without an answer",
	}
}

// azuriteLacksOfKeys is the part about encryption, whose headers Azurite refuses.
func azuriteLacksOfKeys() map[*conformance.Capability]string {
	lacks := map[*conformance.Capability]string{}
	for _, capability := range []*conformance.Capability{
		azure.EncryptsBlobs, azure.BlobsNeedKeys, azure.NamesUnusedKeys, azure.BlocksNeedKeys,
		azure.AppendsNeedKeys, azure.PagesNeedKeys, azure.OthersNeedNoKeys, azure.RotatesKeys, azure.ListsKeys,
		azure.NamesMalformedKeys, azure.TakesAlgorithmAlone, azure.CopiesNoCustomerKeys, azure.TakesKeysOfSources,
		azure.NamesUnknownScopes, azure.KeepsKeys,
	} {
		lacks[capability] = "500 FeatureNotSupported"
	}
	return lacks
}

// azuriteLacksOfVersions is all of it: Azurite has no versions.
func azuriteLacksOfVersions() map[*conformance.Capability]string {
	return map[*conformance.Capability]string{
		azure.WritesMakeVersions:         "no version",
		azure.ReadsVersions:              "no version",
		azure.ChangesMakeNoVersions:      "no version, of a write either",
		azure.PartsMakeNoVersions:        "no version, of a write either",
		azure.SetsVersions:               "no version",
		azure.VersionsAreImmutable:       "no version",
		azure.ListsVersions:              "no version",
		azure.SnapshotsMakeVersions:      "no version",
		azure.DeletesToVersions:          "gone",
		azure.DeletesVersions:            "no version",
		azure.KeepsCurrentVersions:       "no version",
		azure.SoftDeletesVersions:        "no version",
		azure.KeepsVersionsOnly:          "gone",
		azure.DeletesVersionsPermanently: "no version",
		azure.KeepsTypeOfVersions:        "no version",
		azure.KeepsKeys:                  "500 FeatureNotSupported",
	}
}
