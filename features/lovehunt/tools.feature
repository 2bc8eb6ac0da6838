@reference
Feature: Tools that migrate, compare, repair, back up and archive

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
  Rule: Migrating is idempotent, resumable, and says what it could not read
    > Data Migration Tool: batch migration with progress tracking, validation and rollback

    Scenario: everything, and then nothing
      When storespec runs "lovehunt verify"
      Then storespec has ended with status 1
      When storespec runs "lovehunt migrate"
      Then storespec has ended with status 0
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
      When storespec runs "lovehunt migrate"
      Then storespec has ended with status 0
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

    Scenario Outline: ended after its first <call>, and run again
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

    Scenario: what was changed and deleted before stays so
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

    Scenario: what tables-first has changed stays so
      Given the target starts again with MIGRATION_PHASE "tables-first"
      And Ana sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"Big Fair","startDate":"2024-07-20","endDate":"2024-07-20"} with the header If-Match "*"
      When storespec runs "lovehunt migrate"
      Then storespec has ended with status 0
      And the row Hunts org-{tag} / fair has
        | huntName | Big Fair |
      And the row Hunts org-{tag} / gala has
        | huntName | Gala |

    Scenario: a record that nobody can read
      Given the blob orgs/bad-{tag}.json is
        """
        {"orgName":"Bad","hunts":[{"huntId":"fair"},{"huntId":"gala","huntName":"Gala","startDate":"2024-07-15","endDate":"2024-07-15","status":"draft"}]}
        """
      When storespec runs "lovehunt migrate"
      Then storespec has ended with status 0
      And the row Hunts bad-{tag} / gala has
        | huntName | Gala |
      And there is no row Hunts bad-{tag} / fair
      And the row Organizations bad-{tag} / org has
        | migratedAt | absent |
      When Ana sends GET /api/v2/hunts/bad-{tag}/fair
      Then the answer is 422 schema_invalid

    Scenario: the index follows the hunts again
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
      When storespec runs "lovehunt repair"
      Then storespec has ended with status 0
      And there is no row HuntIndex 2024-07-30 / org-{tag}:fair
      And the row HuntIndex 2024-07-15 / org-{tag}:gala has
        | huntName | Gala |

  @LH-MIG-7
  Rule: After a migration and a comparison, tables-only answers the same
    > Rollback: Feature flags for instant rollback to Blob Storage

    Scenario: all the way, and back
      Given storespec runs "lovehunt migrate"
      When the target starts again with MIGRATION_PHASE "tables-first"
      And Ana sends PUT /api/v2/hunts/org-{tag}/gala {"huntName":"Big Gala","startDate":"2024-07-15","endDate":"2024-07-16"} with the header If-Match "*"
      And storespec runs "lovehunt verify"
      Then storespec has ended with status 0
      When the target starts again with MIGRATION_PHASE "tables-only"
      And Ana sends GET /api/v2/hunts/org-{tag}
      Then "data" of the answer lists, in this order
        | huntId | huntName |
        | fair   | Fair     |
        | gala   | Big Gala |
      When Ana sends DELETE /api/v2/hunts/org-{tag}/fair
      And storespec runs "lovehunt repair --to blob"
      Then storespec has ended with status 0
      When the target starts again with MIGRATION_PHASE "blob-only"
      And Ana sends GET /api/v2/hunts/org-{tag}
      Then "data" of the answer lists
        | huntId | huntName |
        | gala   | Big Gala |

  @LH-MIG-6
  Rule: Old blobs are put aside when nothing needs them
    > Phase 3: Full Azure Tables operation. Archive existing Blob data

    Scenario: too early, and then
      Given storespec runs "lovehunt migrate"
      When storespec runs "lovehunt archive"
      Then storespec has ended with status 3
      And the blob orgs/org-{tag}.json is there
      When the target starts again with MIGRATION_PHASE "tables-only"
      And storespec runs "lovehunt archive"
      Then storespec has ended with status 0
      And there is no blob orgs/org-{tag}.json
      And the blob archive/orgs/org-{tag}.json has
        | name | Vail Lions |
      When Ana sends GET /api/v2/hunts/org-{tag}/fair
      Then the answer is 200

    Scenario: not while a record is only in a blob
      Given the target starts again with MIGRATION_PHASE "tables-only"
      When storespec runs "lovehunt archive"
      Then storespec has ended with status 3
      And the blob orgs/org-{tag}.json is there

  @LH-BAK-1
  Rule: A backup is encrypted, and comes back whole or not at all
    > Backup Encryption: All backups encrypted

    Scenario: back after a loss
      Given storespec runs "lovehunt migrate"
      And the file Key holds
        """
        0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
        """
      And the file Wrong holds
        """
        1123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
        """
      When storespec runs "lovehunt backup --to {Key}.backup --key-file {Key}"
      Then storespec has ended with status 0
      When Ana sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"Spoilt","startDate":"2024-07-15","endDate":"2024-07-15"} with the header If-Match "*"
      And storespec runs "lovehunt restore --from {Key}.backup --key-file {Wrong} --replace"
      Then storespec has ended with status 3
      And the row Hunts org-{tag} / fair has
        | huntName | Spoilt |
      When storespec runs "lovehunt restore --from {Key}.backup --key-file {Key} --replace"
      Then storespec has ended with status 0
      And the row Hunts org-{tag} / fair has
        | huntName | Fair |

    Scenario: rows that are newer than the backup
      Given storespec runs "lovehunt migrate"
      And the file Key holds
        """
        0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
        """
      And storespec runs "lovehunt backup --to {Key}.backup --key-file {Key}"
      And Ana sends POST /api/v2/hunts/org-{tag} {"huntId":"new","huntName":"New","startDate":"2024-07-20","endDate":"2024-07-20"}
      When storespec runs "lovehunt restore --from {Key}.backup --key-file {Key}"
      Then storespec has ended with status 2
      And the row Hunts org-{tag} / new has
        | huntName | New |
      When storespec runs "lovehunt restore --from {Key}.backup --key-file {Key} --replace"
      Then storespec has ended with status 0
      And there is no row Hunts org-{tag} / new
      And the table Hunts holds 2 rows
      And the table HuntIndex holds 3 rows

  @LH-RET-2
  Rule: cleanup removes hunts past their retention once
    > Data Retention: Automatic cleanup of old hunt data

    Scenario: a dry run, and then
      Given storespec runs "lovehunt migrate"
      And Ana sends POST /api/v2/hunts/org-{tag} {"huntId":"later","huntName":"Later","startDate":"2099-07-15","endDate":"2099-07-15"}
      When storespec runs "lovehunt cleanup --days 30 --dry-run"
      Then storespec has ended with status 0
      And the table Hunts holds 3 rows
      When storespec runs "lovehunt cleanup --days 30"
      Then storespec has ended with status 0
      And the row Hunts org-{tag} / later has
        | huntName | Later |
      And the table Hunts holds 1 row
      And the table HuntIndex holds 1 row
