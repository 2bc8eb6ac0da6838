@reference
Feature: Tools that migrate, compare and repair

  Background:
    Given a fresh target with MIGRATION_PHASE "dual-write"
    And the blob app.json is
      """
      {"limit":3}
      """
    And the blob orgs/org-{tag}.json is
      """
      {"name":"Vail Lions","hunts":[{"name":"Fair","date":"2024-07-15","huntId":"fair"},{"huntId":"gala","huntName":"Gala","startDate":"2024-07-15","endDate":"2024-07-16","status":"draft"}]}
      """

  @LH-MIG-2
  Rule: Migrating is idempotent and resumable, and reports the records it could not read
    > Data Migration Tool: batch migration with progress tracking, validation and rollback

    Scenario: migrate writes everything once and nothing the second time
      When storespec runs "lovehunt verify"
      Then storespec has ended with status 1
      And storespec has printed "organization org-{tag}: not migrated: only a blob has it"
      And storespec has printed "0 of 4 records agree: 0.00 %"
      When storespec runs "lovehunt migrate"
      Then storespec has ended with status 0
      And storespec has printed "2 organizations, 2 hunts and 3 rows of the index written; 1 organizations marked"
      And the row AppRegistry app / config has
        | schemaVersion | 1.2.0 |
      And the row Organizations org-{tag} / org has
        | orgName    | Vail Lions |
        | migratedAt | anything   |
      And the row Hunts org-{tag} / fair has
        | huntName | Fair |
      And the table HuntIndex holds 3 rows
      When Ana sends GET /api/v2/hunts/org-{tag}/fair
      Then the answer has no header X-Served-From
      When storespec runs "lovehunt verify"
      Then storespec has ended with status 0
      And storespec has printed "7 of 7 records agree: 100.00 %"
      When storespec runs "lovehunt migrate"
      Then storespec has ended with status 0
      And storespec has printed "0 organizations, 0 hunts and 0 rows of the index written; 0 organizations marked"
      When Ana sends GET /api/v2/events?date=2024-07-15
      Then "data" of the answer lists
        | huntId |
        | fair   |
        | gala   |
      And the storage calls are at most
        | service | call            | on            | count |
        | table   | partition query | HuntIndex     | 1     |
        | table   | table scan      | Organizations | 1     |
        | blob    | list            | anything      | 1     |

    Scenario: verify without any record agrees completely
      Given the blob app.json is deleted
      And the blob orgs/org-{tag}.json is deleted
      When storespec runs "lovehunt verify"
      Then storespec has ended with status 0
      And storespec has printed "0 of 0 records agree: 100.00 %"

    Scenario Outline: migrate can be repeated after storage goes down with its first <call>
      Given storage goes down after the next <call>
      When storespec runs "lovehunt migrate"
      Then storespec has ended with status 3
      When storage is back
      And storespec runs "lovehunt migrate"
      Then storespec has ended with status 0
      And the table Hunts holds 2 rows
      And the table HuntIndex holds 3 rows
      And the row Organizations org-{tag} / org has
        | migratedAt | anything |

      Examples:
        | call  |
        | read  |
        | write |

    Scenario Outline: migrate can be repeated after its <call> fails
      Given the store refuses the <call> from now: it is being deleted
      When storespec runs "lovehunt migrate"
      Then storespec has ended with status 3
      When storespec runs "lovehunt migrate"
      Then storespec has ended with status 0
      And the table Hunts holds 2 rows
      And the table HuntIndex holds 3 rows
      And the row Organizations org-{tag} / org has
        | migratedAt | anything |

      Examples:
        | call      |
        | 1st read  |
        | 2nd read  |
        | 3rd read  |
        | 4th read  |
        | 5th read  |
        | 6th read  |
        | 7th read  |
        | 8th read  |
        | 9th read  |
        | 10th read |
        | 11th read |
        | 1st write |
        | 2nd write |
        | 3rd write |
        | 4th write |
        | 5th write |
        | 6th write |

    Scenario Outline: <command> fails and writes nothing while the <service> service is down
      Given the <service> service is down
      When storespec runs "lovehunt <command>"
      Then storespec has ended with status 3
      When the <service> service is back
      Then the table Hunts holds 0 rows

      Examples:
        | command           | service |
        | migrate           | table   |
        | migrate           | blob    |
        | verify            | table   |
        | verify            | blob    |
        | repair            | table   |
        | repair            | blob    |
        | repair --to blob  | table   |
        | repair --to blob  | blob    |
        | cleanup --days 30 | table   |
        | cleanup --days 30 | blob    |

    Scenario Outline: <command> can be repeated after its <call> fails
      Given storespec runs "lovehunt migrate"
      And Ana sends POST /api/v2/hunts/org-{tag} {"huntId":"last","huntName":"Last","startDate":"2024-07-20","endDate":"2024-07-20"}
      And the row HuntIndex 2024-07-30 / org-{tag}:fair is
        | orgSlug  | org-{tag} |
        | huntId   | fair      |
        | huntName | Fair      |
        | status   | active    |
      And the blob orgs/org-{tag}.json is
        """
        {"slug":"org-{tag}","orgName":"Vail Lions","schemaVersion":"1.2.0","hunts":[
          {"huntId":"gala","huntName":"Old","startDate":"2024-07-15","endDate":"2024-07-16","status":"draft","schemaVersion":"1.2.0"},
          {"huntId":"fair","huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15","status":"active","schemaVersion":"1.2.0"},
          {"huntId":"last","huntName":"Last","startDate":"2024-07-20","endDate":"2024-07-20","status":"draft","schemaVersion":"1.2.0"}]}
        """
      And the store refuses the <call> from now: it is being deleted
      When storespec runs "lovehunt <command>"
      Then storespec has ended with status 3
      When storespec runs "lovehunt <command>"
      Then storespec has ended with status <status>
      And the row Hunts org-{tag} / last has
        | huntName | Last |

      Examples:
        | command | call      | status |
        | verify  | 1st read  | 1      |
        | verify  | 2nd read  | 1      |
        | verify  | 3rd read  | 1      |
        | verify  | 4th read  | 1      |
        | verify  | 5th read  | 1      |
        | verify  | 6th read  | 1      |
        | verify  | 7th read  | 1      |
        | verify  | 8th read  | 1      |
        | repair  | 9th read  | 0      |
        | repair  | 10th read | 0      |
        | repair  | 11th read | 0      |
        | repair  | 12th read | 0      |
        | repair  | 13th read | 0      |
        | repair  | 1st write | 0      |
        | repair  | 2nd write | 0      |

    Scenario: migrate keeps hunts changed and deleted in dual-write
      Given Ana sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"Big Fair","startDate":"2024-07-20","endDate":"2024-07-20"} with the header If-Match "*"
      And Ana sends DELETE /api/v2/hunts/org-{tag}/gala
      When storespec runs "lovehunt migrate"
      Then storespec has ended with status 0
      And the row Hunts org-{tag} / fair has
        | huntName | Big Fair |
      And there is no row Hunts org-{tag} / gala
      And the table HuntIndex holds 1 row
      When Ana sends GET /api/v2/hunts/org-{tag}
      Then "data" of the answer lists
        | huntId | huntName |
        | fair   | Big Fair |

    Scenario: migrate writes the hunts of a day and their index rows together
      Given the blob orgs/org-{tag}.json is
        """
        {"slug":"org-{tag}","orgName":"Vail Lions","schemaVersion":"1.2.0","hunts":[
          {"huntId":"gala","huntName":"Gala","startDate":"2024-07-15","endDate":"2024-07-16","status":"draft","schemaVersion":"1.2.0"},
          {"huntId":"fair","huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-16","status":"active","schemaVersion":"1.2.0"},
          {"huntId":"race","huntName":"Race","startDate":"2024-07-15","endDate":"2024-07-16","status":"active","schemaVersion":"1.2.0"}]}
        """
      # 6 writes in all: the configuration, the hunts, two days of the index, the organization and its mark
      And the store refuses the 7th write from now: it is being deleted
      When storespec runs "lovehunt migrate"
      Then storespec has ended with status 0
      And the table Hunts holds 3 rows
      And the table HuntIndex holds 6 rows

    Scenario: migrate keeps hunts changed in tables-first
      Given the target starts again with MIGRATION_PHASE "tables-first"
      And Ana sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"Big Fair","startDate":"2024-07-20","endDate":"2024-07-20"} with the header If-Match "*"
      And Ana sends POST /api/v2/hunts/org-{tag} {"huntId":"new","huntName":"New","startDate":"2024-07-22","endDate":"2024-07-22"}
      When storespec runs "lovehunt migrate"
      Then storespec has ended with status 0
      And the row Hunts org-{tag} / fair has
        | huntName | Big Fair |
      And the row Hunts org-{tag} / gala has
        | huntName | Gala |
      And the row Hunts org-{tag} / new has
        | huntName | New |
      And the row HuntIndex 2024-07-22 / org-{tag}:new has
        | huntName | New |

    Scenario: migrate does not bring back a hunt deleted after the first migration
      Given storespec runs "lovehunt migrate"
      And the target starts again with MIGRATION_PHASE "tables-first"
      And Ana sends DELETE /api/v2/hunts/org-{tag}/fair
      And there is no row Hunts org-{tag} / fair
      When storespec runs "lovehunt migrate"
      Then storespec has ended with status 0
      And there is no row Hunts org-{tag} / fair
      And there is no row HuntIndex 2024-07-15 / org-{tag}:fair

    Scenario: migrate after a step back to blob-only takes the blob's data
      Given storespec runs "lovehunt migrate"
      And the target starts again with MIGRATION_PHASE "blob-only"
      And Ana sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"Big Fair","startDate":"2024-07-20","endDate":"2024-07-20"} with the header If-Match "*"
      When storespec runs "lovehunt migrate"
      Then storespec has ended with status 0
      And the row Hunts org-{tag} / fair has
        | huntName | Big Fair |
      And the row HuntIndex 2024-07-20 / org-{tag}:fair has
        | huntName | Big Fair |
      And there is no row HuntIndex 2024-07-15 / org-{tag}:fair

    Scenario: migrate handles more organizations than one batch
      Given the target starts again with MIGRATION_PHASE "blob-only"
      And Ana sends 101 times one after the other POST /api/v2/organizations {"slug":"more-{tag}-{i}","orgName":"Bears"}
      And the target starts again with MIGRATION_PHASE "dual-write"
      When storespec runs "lovehunt migrate"
      Then storespec has ended with status 0
      And storespec has printed "103 organizations, 2 hunts and 3 rows of the index written; 102 organizations marked"
      And the table Organizations holds 102 rows

    Scenario: migrate reports an unreadable hunt and does not mark its organization
      Given the blob orgs/bad-{tag}.json is
        """
        {"orgName":"Bad","hunts":[{"huntId":"fair"},{"huntId":"gala","huntName":"Gala","startDate":"2024-07-15","endDate":"2024-07-15","status":"draft"}]}
        """
      When storespec runs "lovehunt migrate"
      Then storespec has ended with status 0
      And storespec has printed "3 organizations, 3 hunts and 4 rows of the index written; 1 organizations marked"
      And storespec has printed "1 records match no version of the schema"
      And the row Hunts bad-{tag} / gala has
        | huntName | Gala |
      And there is no row Hunts bad-{tag} / fair
      And the row Organizations bad-{tag} / org has
        | migratedAt | absent |
      When Ana sends GET /api/v2/hunts/bad-{tag}/fair
      Then the answer is 422 schema_invalid

    Scenario: migrate in blob-only copies the blobs without marking organizations
      Given the target starts again with MIGRATION_PHASE "blob-only"
      When storespec runs "lovehunt migrate"
      Then storespec has ended with status 0
      And the row Organizations org-{tag} / org has
        | orgName    | Vail Lions |
        | migratedAt | absent     |
      And the table HuntIndex holds 3 rows
      When Ana sends PUT /api/v2/hunts/org-{tag}/gala {"huntName":"Big Gala","startDate":"2024-07-16","endDate":"2024-07-17"} with the header If-Match "*"
      And Ana sends DELETE /api/v2/hunts/org-{tag}/fair
      And Ana sends PUT /api/v2/organizations/org-{tag} {"orgName":"Eagle Lions"} with the header If-Match "*"
      And Ana sends PUT /api/v2/app {"limit":4} with the header If-Match "*"
      And Ana sends POST /api/v2/organizations {"slug":"new-{tag}","orgName":"Bears"}
      And storespec runs "lovehunt verify"
      Then storespec has ended with status 1
      And storespec has printed "AppData: the blob differs from the row"
      And storespec has printed "hunt org-{tag}/fair: no blob has it"
      And storespec has printed "0 of 5 records agree: 0.00 %"
      When storespec runs "lovehunt migrate"
      Then storespec has ended with status 0
      And storespec has printed "3 organizations, 2 hunts and 3 rows of the index written; 0 organizations marked"
      And the table Hunts holds 1 row
      And the row Hunts org-{tag} / gala has
        | huntName  | Big Gala   |
        | startDate | 2024-07-16 |
      And the row Organizations org-{tag} / org has
        | orgName | Eagle Lions |
      And the row Organizations new-{tag} / org has
        | orgName | Bears |
      And the table HuntIndex holds 2 rows
      And the row HuntIndex 2024-07-17 / org-{tag}:gala has
        | huntName | Big Gala |
      When storespec runs "lovehunt verify"
      Then storespec has ended with status 0
      And storespec has printed "4 of 4 records agree: 100.00 %"
      When storespec runs "lovehunt migrate"
      Then storespec has printed "0 organizations, 0 hunts and 0 rows of the index written; 0 organizations marked"
      When the target starts again with MIGRATION_PHASE "dual-write"
      And Ana sends GET /api/v2/app
      Then the answer has
        | data.limit | 4 |
      And the answer has no header X-Served-From

    Scenario: migrate writes a hundred hunts of one day
      Given the target starts again with MIGRATION_PHASE "blob-only"
      And Ana sends POST /api/v2/organizations {"slug":"new-{tag}","orgName":"Bears"}
      And Ana sends 101 times one after the other POST /api/v2/hunts/new-{tag} {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"fair-{i}"}
      And the target starts again with MIGRATION_PHASE "dual-write"
      And the row Hunts new-{tag} / fair-7 is
        | huntJson      | {"huntName":"Kept","startDate":"2024-07-20","endDate":"2024-07-20","status":"draft","schemaVersion":"1.2.0"} |
        | huntName      | Kept                                                                                                       |
        | startDate     | 2024-07-20                                                                                                 |
        | endDate       | 2024-07-20                                                                                                 |
        | status        | draft                                                                                                      |
        | schemaVersion | 1.2.0                                                                                                      |
      When storespec runs "lovehunt migrate"
      Then storespec has ended with status 0
      And storespec has printed "3 organizations, 102 hunts and 104 rows of the index written; 2 organizations marked"
      And the table Hunts holds 103 rows
      And the table HuntIndex holds 104 rows
      And the row Hunts new-{tag} / fair-7 has
        | huntName | Kept |
      And the row Hunts new-{tag} / fair-100 has
        | huntName | Fair |
      And the row HuntIndex 2024-07-15 / new-{tag}:fair-100 has
        | huntName | Fair |

    Scenario: migrate reports blobs that are not records
      Given the blob app.json is
        """
        [1]
        """
      And the blob orgs/bad-{tag}.json is
        """
        not JSON
        """
      And the blob orgs/NoSlug.json is
        """
        {"orgName":"Nobody","hunts":[]}
        """
      And the blob orgs/ids-{tag}.json is
        """
        {"orgName":"Ids","hunts":[{"huntId":"No Id","huntName":"Gala","startDate":"2024-07-15","endDate":"2024-07-15","status":"draft"},7]}
        """
      And the blob orgs/nameless-{tag}.json is
        """
        {"hunts":[{"huntId":"fair","huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15","status":"draft"}]}
        """
      When storespec runs "lovehunt migrate"
      Then storespec has ended with status 0
      And storespec has printed "5 records match no version of the schema"
      And storespec has printed "orgs/nameless-{tag}.json"
      And the table AppRegistry holds 0 rows
      And there is no row Organizations bad-{tag} / org
      And there is no row Organizations NoSlug / org
      And there is no row Organizations nameless-{tag} / org
      And the row Organizations ids-{tag} / org has
        | orgName    | Ids    |
        | migratedAt | absent |
      And the row Organizations org-{tag} / org has
        | migratedAt | anything |
      And the row Hunts nameless-{tag} / fair has
        | huntName | Fair |
      When storespec runs "lovehunt verify"
      Then storespec has ended with status 1
      And storespec has printed "AppData: it does not match the schema"
      And storespec has printed "organization bad-{tag}: it does not match the schema"
      And storespec has printed "organization nameless-{tag}: it does not match the schema"
      And storespec has printed "hunt ids-{tag}/No Id: not migrated"
      And storespec has printed "9 of 14 records agree: 64.29 %"

    Scenario Outline: verify finds and repair fixes <what>
      Given storespec runs "lovehunt migrate"
      And Ana sends POST /api/v2/hunts/org-{tag} {"huntId":"last","huntName":"Last","startDate":"2024-07-20","endDate":"2024-07-20","status":"draft"}
      And storespec runs "lovehunt verify"
      Then storespec has ended with status 0
      Given the blob orgs/org-{tag}.json is
        """
        {"slug":"org-{tag}","orgName":"<org>","schemaVersion":"1.2.0","hunts":[
          {"huntId":"fair","huntName":"<fair>","startDate":"2024-07-15","endDate":"2024-07-15","status":"active","schemaVersion":"1.2.0"},
          {"huntId":"gala","huntName":"Gala","startDate":"2024-07-15","endDate":"2024-07-16","status":"draft","schemaVersion":"1.2.0"}<more>]}
        """
      When storespec runs "lovehunt verify"
      Then storespec has ended with status 1
      And storespec has printed "<said>"
      And storespec has printed "8 of 9 records agree"
      When storespec runs "lovehunt repair"
      Then storespec has ended with status 0
      And storespec has printed "<said>"
      And storespec has printed "1 records repaired"
      When storespec runs "lovehunt verify"
      Then storespec has ended with status 0
      And the blob orgs/org-{tag}.json has
        | orgName           | Vail Lions |
        | hunts[0].huntName | Fair       |
        | hunts[2].huntName | Last       |

      Examples:
        | what                      | said                                                  | org         | fair  | more                                                                                                  |
        | a hunt that no blob has   | hunt org-{tag}/last: no blob has it                   | Vail Lions  | Fair  |                                                                                                       |
        | a hunt that lags          | hunt org-{tag}/fair: the blob differs from the row    | Vail Lions  | Other | ,{"huntId":"last","huntName":"Last","startDate":"2024-07-20","endDate":"2024-07-20","status":"draft"} |
        | an organization that lags | organization org-{tag}: the blob differs from the row | Eagle Lions | Fair  | ,{"huntId":"last","huntName":"Last","startDate":"2024-07-20","endDate":"2024-07-20","status":"draft"} |

    Scenario: verify finds and repair removes a deleted hunt that its blob still has
      Given storespec runs "lovehunt migrate"
      And Ana sends DELETE /api/v2/hunts/org-{tag}/fair
      And the blob orgs/org-{tag}.json is
        """
        {"slug":"org-{tag}","orgName":"Vail Lions","schemaVersion":"1.2.0","hunts":[
          {"huntId":"fair","huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15","status":"active","schemaVersion":"1.2.0"},
          {"huntId":"gala","huntName":"Gala","startDate":"2024-07-15","endDate":"2024-07-16","status":"draft","schemaVersion":"1.2.0"}]}
        """
      When storespec runs "lovehunt verify"
      Then storespec has ended with status 1
      And storespec has printed "hunt org-{tag}/fair: deleted, but its blob has it"
      When storespec runs "lovehunt repair"
      Then storespec has ended with status 0
      And storespec has printed "1 records repaired"
      And the blob orgs/org-{tag}.json has
        | hunts[0].huntName | Gala   |
        | hunts[1].huntName | absent |
      And there is no row Hunts org-{tag} / fair
      When storespec runs "lovehunt verify"
      Then storespec has ended with status 0

    Scenario: repair finishes a deletion that was interrupted
      Given storespec runs "lovehunt migrate"
      And the store refuses each write on HuntIndex of the next request: it is being deleted
      When Ana sends DELETE /api/v2/hunts/org-{tag}/gala
      Then the answer is 503 storage_unavailable
      And the table HuntIndex holds 3 rows
      When storespec runs "lovehunt repair"
      Then storespec has ended with status 0
      And the table HuntIndex holds 1 row
      And there is no row Hunts org-{tag} / gala

    Scenario: verify finds and repair writes missing index rows
      Given storespec runs "lovehunt migrate"
      And the store refuses each write on HuntIndex of the next request: it is being deleted
      When Ana sends PUT /api/v2/hunts/org-{tag}/gala {"huntName":"Big Gala","startDate":"2024-07-16","endDate":"2024-07-18"} with the header If-Match "*"
      Then the answer is 503 storage_unavailable
      When storespec runs "lovehunt verify"
      Then storespec has ended with status 1
      And storespec has printed "index 2024-07-15 org-{tag}:gala: HuntIndex points at a hunt that is not on that date"
      And storespec has printed "index 2024-07-16 org-{tag}:gala: HuntIndex has another name or status"
      And storespec has printed "index 2024-07-17 org-{tag}:gala: HuntIndex lacks it"
      And storespec has printed "4 of 9 records agree: 44.44 %"
      When storespec runs "lovehunt repair"
      Then storespec has ended with status 0
      And storespec has printed "5 records repaired"
      And the table HuntIndex holds 4 rows
      And the row HuntIndex 2024-07-18 / org-{tag}:gala has
        | huntName | Big Gala |
      When storespec runs "lovehunt verify"
      Then storespec has ended with status 0

    Scenario: verify accepts hunts changed in tables-first before the migration is complete
      Given the target starts again with MIGRATION_PHASE "tables-first"
      And Ana sends DELETE /api/v2/hunts/org-{tag}/fair
      Then the table Hunts holds 1 row
      When storespec runs "lovehunt verify"
      Then storespec has ended with status 1
      And storespec has printed "1 of 4 records agree: 25.00 %"
      When storespec runs "lovehunt repair"
      Then storespec has ended with status 0
      And storespec has printed "0 records repaired"
      And the table Hunts holds 1 row
      When storespec runs "lovehunt migrate"
      Then storespec has ended with status 0
      And storespec has printed "2 organizations, 2 hunts and 2 rows of the index written; 1 organizations marked"
      And the table Hunts holds 1 row
      And the table HuntIndex holds 2 rows
      And there is no row Hunts org-{tag} / fair
      When storespec runs "lovehunt verify"
      Then storespec has ended with status 0

    Scenario: verify finds and repair fixes wrong and outdated index rows
      Given storespec runs "lovehunt migrate"
      And the row HuntIndex 2024-07-30 / org-{tag}:fair is
        | orgSlug  | org-{tag} |
        | huntId   | fair      |
        | huntName | Fair      |
        | status   | active    |
      And the row HuntIndex 2024-07-15 / org-{tag}:gala is
        | orgSlug  | org-{tag} |
        | huntId   | gala      |
        | huntName | Other     |
        | status   | draft     |
      When storespec runs "lovehunt verify"
      Then storespec has ended with status 1
      And storespec has printed "6 of 8 records agree: 75.00 %"
      When storespec runs "lovehunt repair"
      Then storespec has ended with status 0
      And storespec has printed "2 records repaired"
      And there is no row HuntIndex 2024-07-30 / org-{tag}:fair
      And the row HuntIndex 2024-07-15 / org-{tag}:gala has
        | huntName | Gala |

    Scenario Outline: repair gives a row without status the status of its JSON, which has <what>
      Given the row Hunts org-{tag} / more is
        | huntJson      | {"schemaVersion":"1.2.0","huntId":"more","huntName":"More","startDate":"2024-07-20","endDate":"2024-07-20"<status>} |
        | huntName      | More                                                                                                              |
        | startDate     | 2024-07-20                                                                                                        |
        | endDate       | 2024-07-20                                                                                                        |
        | schemaVersion | 1.2.0                                                                                                             |
      When storespec runs "lovehunt migrate"
      Then the row HuntIndex 2024-07-20 / org-{tag}:more has
        | status | <read> |
      When storespec runs "lovehunt repair"
      Then storespec has ended with status 0
      And storespec has printed "hunt org-{tag}/more: its columns differ from its JSON"
      And the row Hunts org-{tag} / more has
        | status | <read> |
      And the row HuntIndex 2024-07-20 / org-{tag}:more has
        | status | <read> |
      When Ana sends GET /api/v2/events?date=2024-07-20
      Then "data" of the answer lists
        | huntId | status |
        | more   | <read> |
      When storespec runs "lovehunt verify"
      Then storespec has ended with status 0

      Examples:
        | what   | status               | read     |
        | none   |                      | draft    |
        | active | ,"status":"active" | active |
