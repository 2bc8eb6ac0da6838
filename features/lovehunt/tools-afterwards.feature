@reference
Feature: Tools for switching forward and back, archiving, backup and cleanup

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

  @LH-MIG-7
  Rule: After a migration and a comparison, tables-only answers the same
    > Rollback: Feature flags for instant rollback to Blob Storage

    Scenario: migrate and verify lead to tables-only with the same answers, and back
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

    Scenario: repair before a step back writes the blobs that were never written
      Given storespec runs "lovehunt migrate"
      When the target starts again with MIGRATION_PHASE "tables-only"
      And Ana sends POST /api/v2/organizations {"slug":"new-{tag}","orgName":"Bears"}
      And Ana sends POST /api/v2/hunts/new-{tag} {"huntName":"Feast","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"feast"}
      And Ana sends PUT /api/v2/app {"limit":5} with the header If-Match "*"
      And Ana sends PUT /api/v2/organizations/org-{tag} {"orgName":"Eagle Lions"} with the header If-Match "*"
      And storespec runs "lovehunt repair"
      Then storespec has ended with status 0
      And there is no blob orgs/new-{tag}.json
      When storespec runs "lovehunt repair --to tables"
      Then storespec has ended with status 2
      When storespec runs "lovehunt repair --to blob"
      Then storespec has ended with status 0
      And the blob app.json has
        | limit | 5      |
        | hunts | absent |
      And the blob orgs/org-{tag}.json has
        | orgName | Eagle Lions |
      And the blob orgs/new-{tag}.json has
        | orgName           | Bears |
        | hunts[0].huntName | Feast |
      When the target starts again with MIGRATION_PHASE "dual-write"
      And storespec runs "lovehunt verify"
      Then storespec has ended with status 0

    Scenario: repair before a step back writes a dozen hunts into one new blob
      Given storespec runs "lovehunt migrate"
      When the target starts again with MIGRATION_PHASE "tables-only"
      And Ana sends POST /api/v2/organizations {"slug":"new-{tag}","orgName":"Bears"}
      And Ana sends 12 times, 12 at a time, POST /api/v2/hunts/new-{tag} {"huntName":"Feast","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"feast{i}"}
      And storespec runs "lovehunt repair --to blob"
      Then storespec has ended with status 0
      And the blob orgs/new-{tag}.json has
        | hunts[0].huntId  | feast0  |
        | hunts[1].huntId  | feast1  |
        | hunts[2].huntId  | feast10 |
        | hunts[3].huntId  | feast11 |
        | hunts[4].huntId  | feast2  |
        | hunts[5].huntId  | feast3  |
        | hunts[10].huntId | feast8  |
        | hunts[11].huntId | feast9  |

  @LH-MIG-6
  Rule: Old blobs are archived once nothing needs them
    > Phase 3: Full Azure Tables operation. Archive existing Blob data

    Scenario: archive refuses before tables-only and then moves the blobs
      Given storespec runs "lovehunt migrate"
      When storespec runs "lovehunt archive"
      Then storespec has ended with status 3
      And the blob orgs/org-{tag}.json is there
      When the target starts again with MIGRATION_PHASE "tables-only"
      And storespec runs "lovehunt archive"
      Then storespec has ended with status 0
      And storespec has printed "2 blobs archived"
      And there is no blob orgs/org-{tag}.json
      And the blob archive/orgs/org-{tag}.json has
        | name | Vail Lions |
      When Ana sends GET /api/v2/hunts/org-{tag}/fair
      Then the answer is 200

    Scenario Outline: archive changes nothing while the <service> service is down
      Given storespec runs "lovehunt migrate"
      And the target starts again with MIGRATION_PHASE "tables-only"
      And the <service> service is down
      When storespec runs "lovehunt archive"
      Then storespec has ended with status 3
      When the <service> service is back
      Then the blob orgs/org-{tag}.json is there

      Examples:
        | service |
        | table   |
        | blob    |

    Scenario Outline: archive can be repeated after its <call> fails
      Given storespec runs "lovehunt migrate"
      And the target starts again with MIGRATION_PHASE "tables-only"
      And the store refuses the <call> from now: it is being deleted
      When storespec runs "lovehunt archive"
      Then storespec has ended with status 3
      When storespec runs "lovehunt archive"
      Then storespec has ended with status 0
      And there is no blob app.json
      And there is no blob orgs/org-{tag}.json
      And the blob archive/app.json has
        | limit | 3 |
      And the blob archive/orgs/org-{tag}.json has
        | name | Vail Lions |

      Examples:
        | call      |
        | 1st read  |
        | 9th read  |
        | 10th read |
        | 11th read |
        | 1st write |
        | 2nd write |
        | 3rd write |
        | 4th write |

    Scenario: archive does not overwrite another blob
      Given storespec runs "lovehunt migrate"
      And the blob archive/orgs/org-{tag}.json is
        """
        {"orgName":"Others"}
        """
      And the target starts again with MIGRATION_PHASE "tables-only"
      When storespec runs "lovehunt archive"
      Then storespec has ended with status 3
      And the blob orgs/org-{tag}.json is there
      And the blob archive/orgs/org-{tag}.json has
        | orgName | Others |

    Scenario: archive can be repeated when it ended after copying
      Given storespec runs "lovehunt migrate"
      And the blob archive/app.json is
        """
        {"limit":3}
        """
      And the target starts again with MIGRATION_PHASE "tables-only"
      When storespec runs "lovehunt archive"
      Then storespec has ended with status 0
      And there is no blob app.json
      And there is no blob orgs/org-{tag}.json
      When storespec runs "lovehunt archive"
      Then storespec has ended with status 0
      And storespec has printed "0 blobs archived"
      And the blob archive/app.json has
        | limit | 3 |

    Scenario: archive refuses while records are only in blobs
      Given the target starts again with MIGRATION_PHASE "tables-only"
      When storespec runs "lovehunt archive"
      Then storespec has ended with status 3
      And the blob orgs/org-{tag}.json is there

    Scenario: archive refuses while a single organization is only in a blob
      Given storespec runs "lovehunt migrate"
      And the blob orgs/more-{tag}.json is
        """
        {"slug":"more-{tag}","orgName":"More","schemaVersion":"1.2.0","hunts":[]}
        """
      And the target starts again with MIGRATION_PHASE "tables-only"
      When storespec runs "lovehunt archive"
      Then storespec has ended with status 3
      And the blob orgs/org-{tag}.json is there

  @LH-BAK-1
  Rule: A backup is encrypted, and is restored completely or not at all
    > Backup Encryption: All backups encrypted

    Scenario: restore brings back lost data with the right key only
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
      And storespec has printed "7 rows written"
      When Ana sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"Spoilt","startDate":"2024-07-15","endDate":"2024-07-15"} with the header If-Match "*"
      And storespec runs "lovehunt restore --from {Key}.backup --key-file {Wrong} --replace"
      Then storespec has ended with status 3
      And the row Hunts org-{tag} / fair has
        | huntName | Spoilt |
      When storespec runs "lovehunt restore --from {Key}.backup --key-file {Key} --replace"
      Then storespec has ended with status 0
      And storespec has printed "2 rows written or removed"
      And the row Hunts org-{tag} / fair has
        | huntName | Fair |
      And the row HuntIndex 2024-07-15 / org-{tag}:fair has
        | huntName | Fair |

    Scenario: restore keeps rows newer than the backup unless --replace is given
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
      And storespec has printed "2 rows written or removed"
      And there is no row Hunts org-{tag} / new
      And the table Hunts holds 2 rows
      And the table HuntIndex holds 3 rows

    Scenario: restore adds missing rows and replaces existing ones only with --replace
      Given storespec runs "lovehunt migrate"
      And the file Key holds
        """
        0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
        """
      And storespec runs "lovehunt backup --to {Key}.backup --key-file {Key}"
      When storespec runs "lovehunt backup --to {Key}.backup --key-file {Key}"
      Then storespec has ended with status 2
      When storespec runs "lovehunt restore --from {Key} --key-file {Key}"
      Then storespec has ended with status 3
      When Ana sends DELETE /api/v2/hunts/org-{tag}/gala
      And storespec runs "lovehunt restore --from {Key}.backup --key-file {Key}"
      Then storespec has ended with status 0
      And storespec has printed "3 rows written or removed"
      And the table Hunts holds 2 rows
      And the table HuntIndex holds 3 rows
      And the row Hunts org-{tag} / gala has
        | huntName | Gala |
      And the row AppRegistry app / config has
        | appDataJson | anything |
      When Ana sends PUT /api/v2/organizations/org-{tag} {"orgName":"Eagle Lions"} with the header If-Match "*"
      And storespec runs "lovehunt restore --from {Key}.backup --key-file {Key}"
      Then storespec has ended with status 2
      And the row Organizations org-{tag} / org has
        | orgName | Eagle Lions |
      When storespec runs "lovehunt restore --from {Key}.backup --key-file {Key} --replace"
      Then storespec has ended with status 0
      And the row Organizations org-{tag} / org has
        | orgName | Vail Lions |

    Scenario: backup and restore fail without effect while storage is down
      Given storespec runs "lovehunt migrate"
      And the file Key holds
        """
        0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
        """
      And storespec runs "lovehunt backup --to {Key}.backup --key-file {Key}"
      And Ana sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"Spoilt","startDate":"2024-07-15","endDate":"2024-07-15"} with the header If-Match "*"
      Given the table service is down
      When storespec runs "lovehunt backup --to {Key}.second --key-file {Key}"
      Then storespec has ended with status 3
      When storespec runs "lovehunt restore --from {Key}.backup --key-file {Key} --replace"
      Then storespec has ended with status 3
      When the table service is back
      And storespec runs "lovehunt restore --from {Key}.backup --key-file {Key} --replace"
      Then storespec has ended with status 0
      And the row Hunts org-{tag} / fair has
        | huntName | Fair |

    Scenario Outline: restore repairs the data after the <call> of <command> fails
      Given storespec runs "lovehunt migrate"
      And the file Key holds
        """
        0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
        """
      And storespec runs "lovehunt backup --to {Key}.backup --key-file {Key}"
      And Ana sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"Spoilt","startDate":"2024-07-15","endDate":"2024-07-15"} with the header If-Match "*"
      And Ana sends POST /api/v2/hunts/org-{tag} {"huntId":"new","huntName":"New","startDate":"2024-07-20","endDate":"2024-07-20"}
      And the store refuses the <call> from now: it is being deleted
      When storespec runs "lovehunt <command> --key-file {Key}"
      Then storespec has ended with status 3
      When storespec runs "lovehunt restore --from {Key}.backup --key-file {Key} --replace"
      Then storespec has ended with status 0
      And the table Hunts holds 2 rows
      And the table HuntIndex holds 3 rows
      And the row Hunts org-{tag} / fair has
        | huntName | Fair |

      Examples:
        | command                               | call      |
        | backup --to {Key}.second              | 1st read  |
        | backup --to {Key}.second              | 4th read  |
        | restore --from {Key}.backup --replace | 1st read  |
        | restore --from {Key}.backup --replace | 4th read  |
        | restore --from {Key}.backup --replace | 1st write |
        | restore --from {Key}.backup --replace | 3rd write |

  @LH-RET-2
  Rule: cleanup removes hunts past their retention once
    > Data Retention: Automatic cleanup of old hunt data

    Scenario: cleanup with --dry-run removes nothing, and without it the old hunts
      Given storespec runs "lovehunt migrate"
      And Ana sends POST /api/v2/hunts/org-{tag} {"huntId":"later","huntName":"Later","startDate":"2099-07-15","endDate":"2099-07-15"}
      When storespec runs "lovehunt cleanup --days 30 --dry-run"
      Then storespec has ended with status 0
      And storespec has printed "2 hunts are past their retention"
      And the table Hunts holds 3 rows
      When storespec runs "lovehunt cleanup --days 30"
      Then storespec has ended with status 0
      And storespec has printed "2 hunts removed"
      And the row Hunts org-{tag} / later has
        | huntName | Later |
      And the table Hunts holds 1 row
      And the table HuntIndex holds 1 row

    Scenario Outline: cleanup can be repeated after its <call> fails and a repair
      Given storespec runs "lovehunt migrate"
      And Ana sends POST /api/v2/hunts/org-{tag} {"huntId":"later","huntName":"Later","startDate":"2099-07-15","endDate":"2099-07-15"}
      And the target starts again with MIGRATION_PHASE "tables-only"
      And the store refuses the <call> from now: it is being deleted
      When storespec runs "lovehunt cleanup --days 30"
      Then storespec has ended with status 3
      When storespec runs "lovehunt repair"
      And storespec runs "lovehunt cleanup --days 30"
      Then storespec has ended with status 0
      And the table Hunts holds 1 row
      And the table HuntIndex holds 1 row

      Examples:
        | call      |
        | 1st read  |
        | 2nd read  |
        | 1st write |
        | 2nd write |
        | 3rd write |
