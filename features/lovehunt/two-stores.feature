Feature: Lists and reads that need both stores
  Until all organizations are migrated, a list combines the records of the tables with those only in blobs.

  @LH-MIG-8
  Rule: A list contains each record once, from the store the phase reads it from, in key order
    > Read from Azure Tables first, fall back to Blob. Blob fallback for missing data
    > (contract) The filters select the same in both stores. `X-Invalid-Records` counts those of blobs too.

    Background:
      Given a fresh target with MIGRATION_PHASE "blob-only"
      And the blob orgs/a-{tag}.json is
        """
        {"slug":"a-{tag}","orgName":"Ants","schemaVersion":"1.2.0","hunts":[
          {"huntId":"fair","huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-17","status":"active","schemaVersion":"1.2.0"},
          {"huntId":"old","name":"Old Gala","date":"2024-07-10"},
          {"huntId":"fair","huntName":"Twice","startDate":"2024-07-15","endDate":"2024-07-17","status":"active"}]}
        """
      And the blob orgs/a-{tag}-2.json is
        """
        {"name":"Ant Eaters","city":"Vail","hunts":[
          {"huntId":"gala","huntName":"Gala","startDate":"2024-07-17","endDate":"2024-07-20","status":"draft"}]}
        """
      And the blob orgs/b-{tag}.json is
        """
        {"orgName":"Bears","hunts":[]}
        """
      And the blob orgs/NoSlug.json is
        """
        {"orgName":"Nobody","hunts":[]}
        """

    Scenario Outline: lists of organizations, hunts and days are complete in <phase>
      When the target starts again with MIGRATION_PHASE "<phase>"
      And Ana sends GET /api/v2/organizations
      Then the answer is 200
      And "data" of the answer lists, in this order
        | slug      | orgName    |
        | a-{tag}   | Ants       |
        | a-{tag}-2 | Ant Eaters |
        | b-{tag}   | Bears      |
      And the answer has no header X-Invalid-Records
      When Ana sends GET /api/v2/events/all
      Then "data" of the answer lists, in this order
        | orgSlug   | huntId | huntName | status | endDate    |
        | a-{tag}   | fair   | Fair     | active | 2024-07-17 |
        | a-{tag}   | old    | Old Gala | active | 2024-07-10 |
        | a-{tag}-2 | gala   | Gala     | draft  | 2024-07-20 |
      When Ana sends GET /api/v2/hunts/a-{tag}
      Then "data" of the answer lists, in this order
        | huntId |
        | fair   |
        | old    |
      When Ana sends GET /api/v2/events?date=2024-07-17
      Then "data" of the answer lists, in this order
        | orgSlug   | huntId |
        | a-{tag}-2 | gala   |
        | a-{tag}   | fair   |
      When Ana sends GET /api/v2/hunts/nobody-{tag}
      Then "data" of the answer is empty
      When Ana sends GET /api/v2/hunts/a-{tag}/nothing
      Then the answer is 404 not_found

      Examples:
        | phase        |
        | blob-only    |
        | dual-write   |
        | tables-first |

    Scenario Outline: a list of hunts in <phase> is filtered by <what>
      When the target starts again with MIGRATION_PHASE "<phase>"
      And Ana sends GET <query>
      Then the answer is 200
      And "data" of the answer lists
        | huntId  |
        | <found> |

      Examples:
        | phase      | what                              | query                                                       | found |
        | blob-only  | a status                          | /api/v2/events/all?status=draft                             | gala  |
        | blob-only  | the beginning of a name           | /api/v2/events/all?name=Fa                                  | fair  |
        | blob-only  | hunts that are on from a day      | /api/v2/events/all?from=2024-07-18                          | gala  |
        | blob-only  | hunts that begin by a day         | /api/v2/events/all?to=2024-07-14                            | old   |
        | blob-only  | an organization's of a status     | /api/v2/hunts/a-{tag}-2?status=draft                        | gala  |
        | blob-only  | the day of one organization       | /api/v2/events?date=2024-07-17&orgSlug=a-{tag}-2            | gala  |
        | blob-only  | the day of one status             | /api/v2/events?date=2024-07-17&status=active                | fair  |
        | dual-write | a status                          | /api/v2/events/all?status=draft                             | gala  |
        | dual-write | the beginning of a name           | /api/v2/events/all?name=Fa                                  | fair  |
        | dual-write | hunts that are on from a day      | /api/v2/events/all?from=2024-07-18                          | gala  |
        | dual-write | the day of one organization       | /api/v2/events?date=2024-07-17&orgSlug=a-{tag}-2            | gala  |
        | dual-write | the day of one status             | /api/v2/events?date=2024-07-17&status=active                | fair  |

    Scenario Outline: organizations are found by the beginning of their names in <phase>
      When the target starts again with MIGRATION_PHASE "<phase>"
      And Ana sends GET /api/v2/organizations?name=Ant%20
      Then "data" of the answer lists
        | slug      |
        | a-{tag}-2 |

      Examples:
        | phase      |
        | blob-only  |
        | dual-write |

    Scenario: a row that a filter leaves out still hides its blob
      When the target starts again with MIGRATION_PHASE "tables-first"
      And Ana sends PUT /api/v2/organizations/a-{tag} {"orgName":"Zebras"} with the header If-Match "*"
      And Ana sends PUT /api/v2/hunts/a-{tag}/fair {"huntName":"Zoo","startDate":"2024-08-01","endDate":"2024-08-01","status":"archived"} with the header If-Match "*"
      And Ana sends GET /api/v2/organizations?name=Ant
      Then "data" of the answer lists
        | slug      |
        | a-{tag}-2 |
      And the header X-Served-From of the answer is "blob"
      When Ana sends GET /api/v2/organizations?name=Zeb
      Then "data" of the answer lists
        | slug    |
        | a-{tag} |
      And the answer has no header X-Served-From
      When Ana sends GET /api/v2/organizations
      Then "data" of the answer lists, in this order
        | slug      |
        | a-{tag}   |
        | a-{tag}-2 |
        | b-{tag}   |
      When Ana sends GET /api/v2/hunts/a-{tag}?status=active
      Then "data" of the answer lists
        | huntId |
        | old    |
      When Ana sends GET /api/v2/events/all?name=Zoo
      Then "data" of the answer lists
        | huntId |
        | fair   |
      When Ana sends GET /api/v2/events?date=2024-07-16
      Then "data" of the answer is empty

    Scenario Outline: new records are listed with those of blobs in <phase>
      When the target starts again with MIGRATION_PHASE "<phase>"
      And Ana sends POST /api/v2/organizations {"slug":"a-{tag}","orgName":"Others"}
      Then the answer is 409 conflict
      When Ana sends POST /api/v2/hunts/a-{tag} {"huntName":"Other","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"fair"}
      Then the answer is 409 conflict
      When Ana sends POST /api/v2/hunts/a-{tag} {"huntName":"Late","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"late"}
      Then the answer is 201
      When Ana sends POST /api/v2/hunts/a-{tag} {"huntName":"Early","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"early"}
      Then the answer is 201
      When Ana sends GET /api/v2/hunts/a-{tag}
      Then "data" of the answer lists, in this order
        | huntId |
        | early  |
        | fair   |
        | late   |
        | old    |
      When Ana sends GET /api/v2/events?date=2024-07-15
      Then "data" of the answer lists, in this order
        | huntId |
        | early  |
        | fair   |
        | late   |

      Examples:
        | phase        |
        | blob-only    |
        | dual-write   |
        | tables-first |

    Scenario: filters also apply to blobs while the tables are down
      When the target starts again with MIGRATION_PHASE "tables-first"
      And the table service is down
      And Ana sends GET /api/v2/hunts/a-{tag}-2?status=active
      Then "data" of the answer is empty
      And the header X-Served-From of the answer is "blob"
      And the header X-Data-Stale of the answer is "true"
      When Ana sends GET /api/v2/events/all?name=Ga&from=2024-07-20&to=2024-07-17
      Then "data" of the answer lists
        | huntId |
        | gala   |
      When Ana sends GET /api/v2/organizations?name=Be
      Then "data" of the answer lists
        | slug    |
        | b-{tag} |
      When Ana sends GET /api/v2/events?date=2024-07-15&orgSlug=a-{tag}&status=active
      Then "data" of the answer lists
        | huntId |
        | fair   |

    Scenario Outline: unreadable blobs are left out of lists and counted in <phase>
      Given the blob orgs/c-{tag}.json is
        """
        not JSON
        """
      And the blob orgs/d-{tag}.json is
        """
        {"orgName":"Deer","hunts":7}
        """
      And the blob orgs/e-{tag}.json is
        """
        {"orgName":"Elks","hunts":[{"huntId":"bad","huntName":"Bad"},5,{"huntName":"Good","startDate":"2024-09-01","endDate":"2024-09-02","status":"draft"}]}
        """
      When the target starts again with MIGRATION_PHASE "<phase>"
      And Ana sends GET /api/v2/organizations
      Then "data" of the answer lists
        | slug      |
        | a-{tag}   |
        | a-{tag}-2 |
        | b-{tag}   |
        | e-{tag}   |
      And the header X-Invalid-Records of the answer is "2"
      When Ana sends GET /api/v2/hunts/e-{tag}
      Then "data" of the answer lists
        | huntId        |
        | good-20240901 |
      And the header X-Invalid-Records of the answer is "2"
      When Ana sends GET /api/v2/events/all?name=Good
      Then the header X-Invalid-Records of the answer is "4"
      When Ana sends GET /api/v2/organizations/c-{tag}
      Then the answer is 422 schema_invalid
      When Ana sends GET /api/v2/hunts/d-{tag}/any
      Then the answer is 422 schema_invalid
      When Ana sends GET /api/v2/hunts/e-{tag}/bad
      Then the answer is 422 schema_invalid
      When Ana sends PUT /api/v2/organizations/c-{tag} {"orgName":"Cats"} with the header If-Match "*"
      Then the answer is 422 schema_invalid
      When Ana sends PUT /api/v2/hunts/e-{tag}/bad {"huntName":"Better","startDate":"2024-09-01","endDate":"2024-09-01"} with the header If-Match "*"
      Then the answer is 422 schema_invalid

      Examples:
        | phase     |
        | blob-only |
        | dual-write |

    Scenario: an older record of a blob is upgraded and written back once
      When Ana sends GET /api/v2/hunts/a-{tag}/old
      Then the answer is 200
      And the answer has
        | data.huntName      | Old Gala   |
        | data.startDate     | 2024-07-10 |
        | data.schemaVersion | 1.2.0      |
      When Ana sends GET /api/v2/organizations/a-{tag}-2
      Then the answer has
        | data.orgName | Ant Eaters |
        | data.city    | Vail       |
        | data.hunts   | absent     |
      And the blob orgs/a-{tag}-2.json has
        | orgName       | Ant Eaters |
        | schemaVersion | 1.2.0      |
      And the blob orgs/a-{tag}.json has
        | hunts[1].huntName      | Old Gala |
        | hunts[1].schemaVersion | 1.2.0    |
      When Ana sends GET /api/v2/hunts/a-{tag}/old
      Then the storage calls are at most
        | service | call | on       | count |
        | blob    | read | anything | 1     |

  @LH-MIG-9
  Rule: Once an organization is migrated, its blob is no longer read
    > Migration Status: blob fallback for missing data
    > (contract) An organization created in tables is migrated from the start.

    Background:
      Given a fresh target with MIGRATION_PHASE "tables-first"
      And Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      And Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"fair"}
      And Ana sends GET /api/v2/hunts/org-{tag}/nothing
      And Ana sends GET /api/v2/events?date=2024-07-15

    Scenario: reads and lists of a migrated organization do not read its blob
      When Ana sends GET /api/v2/hunts/org-{tag}/nothing
      Then the answer is 404 not_found
      And the storage calls are at most
        | service | call       | on    | count |
        | table   | point read | Hunts | 1     |
      When Ana sends GET /api/v2/hunts/org-{tag}
      Then the storage calls are at most
        | service | call            | on    | count |
        | table   | partition query | Hunts | 1     |
      When Ana sends GET /api/v2/events?date=2024-07-15
      Then "data" of the answer lists
        | huntId |
        | fair   |
      And the storage calls are at most
        | service | call            | on        | count |
        | table   | partition query | HuntIndex | 1     |

    Scenario: a blob that appears after the migration is ignored
      Given the blob orgs/org-{tag}.json is
        """
        {"orgName":"Old Lions","hunts":[{"huntId":"gala","huntName":"Gala","startDate":"2024-07-15","endDate":"2024-07-15","status":"draft"}]}
        """
      When Ana sends GET /api/v2/hunts/org-{tag}/gala
      Then the answer is 404 not_found
      When Ana sends GET /api/v2/hunts/org-{tag}
      Then "data" of the answer lists
        | huntId |
        | fair   |
      When Ana sends DELETE /api/v2/hunts/org-{tag}/fair
      Then the answer is 204
      And there is no row Hunts org-{tag} / fair
