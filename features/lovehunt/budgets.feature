Feature: What a request may cost, however much is stored

  Background:
    Given the budgeted routes
      | route                              | with |
      | GET /api/v2/app                    |      |
      | PUT /api/v2/app                    |      |
      | GET /api/v2/organizations          |      |
      | POST /api/v2/organizations         |      |
      | GET /api/v2/organizations/{slug}   |      |
      | PUT /api/v2/organizations/{slug}   |      |
      | GET /api/v2/hunts/{slug}           |      |
      | POST /api/v2/hunts/{slug}          |      |
      | GET /api/v2/hunts/{slug}/{huntId}  |      |
      | PUT /api/v2/hunts/{slug}/{huntId}  |      |
      | DELETE /api/v2/hunts/{slug}/{huntId} |    |
      | GET /api/v2/events                 |      |
      | GET /api/v2/events/all             |      |
      | GET /api/v2/health                 |      |
      | GET /metrics                       |      |
    And Org stands for "org-{tag}"
    And Fair stands for "fair"

  @LH-BUD-1
  Rule: One record costs its own row, whatever else is stored
    > Query Performance: Point queries: < 10ms. Partition queries: < 50ms
    > (contract) Reading one is 1 point read; a write also deletes the dates that the write before removed; health and metrics make no storage call.

    Scenario: the AppData is read and replaced at the cost of its own row
      Given Ana sends PUT /api/v2/app {"limit":3}
      When Ana sends GET /api/v2/app
      Then the answer is 200
      And the storage calls are at most
        | service | call       | on          | count |
        | table   | point read | AppRegistry | 1     |
      When Ana sends PUT /api/v2/app {"limit":4} with the header If-Match "*"
      Then the answer is 200
      And the storage calls are at most
        | service | call            | on          | count |
        | table   | point read      | AppRegistry | 1     |
        | table   | update or merge | AppRegistry | 1     |

    Scenario Outline: an organization is created, read and replaced at the same cost next to <others> others
      Given Ana sends <others> times, 8 at a time, POST /api/v2/organizations {"slug":"other-{tag}-{i}","orgName":"Others"}
      When Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      Then the answer is 201
      And the storage calls are at most
        | service | call       | on            | count |
        | table   | point read | Organizations | 1     |
        | table   | insert     | Organizations | 1     |
      When Ana sends GET /api/v2/organizations/{Org}
      Then the storage calls are at most
        | service | call       | on            | count |
        | table   | point read | Organizations | 1     |
      And the storage calls brought at most 1 entity
      When Ana sends PUT /api/v2/organizations/{Org} {"orgName":"Eagle Lions"} with the header If-Match "*"
      Then the answer is 200
      And the storage calls are at most
        | service | call            | on            | count |
        | table   | point read      | Organizations | 1     |
        | table   | update or merge | Organizations | 1     |
      When Ana sends GET /api/v2/organizations
      Then the storage calls are at most
        | service | call       | on            | count |
        | table   | table scan | Organizations | 1     |

      Examples:
        | others |
        | 1      |
        | 64     |

    Scenario Outline: a hunt is created, read, moved and deleted at the same cost next to <others> others
      Given Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      And Ana sends <others> times, 8 at a time, POST /api/v2/hunts/{Org} {"huntName":"Other {i}","startDate":"2024-07-15","endDate":"2024-07-15"}
      When Ana sends POST /api/v2/hunts/{Org} {"huntName":"Fair","startDate":"2024-07-14","endDate":"2024-07-15","huntId":"fair"}
      Then the answer is 201
      And the storage calls are at most
        | service | call                                | on            | count |
        | table   | point read                          | Organizations | 1     |
        | table   | point read                          | Hunts         | 2     |
        | table   | insert                              | Hunts         | 1     |
        | table   | insert or update or merge or upsert | HuntIndex     | 2     |
      When Ana sends GET /api/v2/hunts/{Org}/{Fair}
      Then the storage calls are at most
        | service | call       | on    | count |
        | table   | point read | Hunts | 1     |
      And the storage calls brought at most 1 entity
      When Ana sends PUT /api/v2/hunts/{Org}/{Fair} {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-17"} with the header If-Match "*"
      Then the answer is 200
      And the storage calls are at most
        | service | call                                | on        | count |
        | table   | point read                          | Hunts     | 2     |
        | table   | update or merge                     | Hunts     | 1     |
        | table   | insert or update or merge or upsert | HuntIndex | 2     |
        | table   | delete                              | HuntIndex | 1     |
      When Ana sends GET /api/v2/hunts/{Org}
      Then the storage calls are at most
        | service | call            | on    | count |
        | table   | partition query | Hunts | 1     |
      When Ana sends GET /api/v2/events?date=2024-07-17
      Then "data" of the answer lists
        | huntId |
        | fair   |
      And the storage calls are at most
        | service | call            | on        | count |
        | table   | partition query | HuntIndex | 1     |
      And the storage calls brought at most 1 entity
      When Ana sends GET /api/v2/events/all?from=2024-07-16
      Then the storage calls are at most
        | service | call       | on    | count |
        | table   | table scan | Hunts | 1     |
      And the storage calls brought at most 1 entity
      When Ana sends DELETE /api/v2/hunts/{Org}/{Fair}
      Then the answer is 204
      And the storage calls are at most
        | service | call            | on        | count |
        | table   | point read      | Hunts     | 2     |
        | table   | update or merge | Hunts     | 1     |
        | table   | delete          | HuntIndex | 4     |
        | table   | delete          | Hunts     | 1     |

      Examples:
        | others |
        | 1      |
        | 64     |

    Scenario: health and metrics make no storage call
      When Ana sends GET /api/v2/health
      Then the storage calls are at most
        | service | call | on | count |
      When where the target has metrics, Ana sends GET /metrics
      Then the storage calls are at most
        | service | call | on | count |

  @LH-BUD-2
  Rule: A phase that reads or writes both stores costs one more call for each
    > Dual-Write Mode: Writes go to both storages
    > (contract) A miss costs one blob read; a write one blob read and one blob write.

    Scenario: dual-write costs one blob call more than the tables alone
      Given a fresh target with MIGRATION_PHASE "dual-write"
      And Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      And Ana sends POST /api/v2/hunts/{Org} {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"fair"}
      When Ana sends POST /api/v2/organizations {"slug":"new-{tag}","orgName":"Bears"}
      Then the answer is 201
      And the storage calls are at most
        | service | call       | on            | count |
        | table   | point read | Organizations | 1     |
        | table   | insert     | Organizations | 1     |
        | blob    | read       | anything      | 2     |
        | blob    | write      | anything      | 1     |
      When Ana sends GET /api/v2/hunts/{Org}/{Fair}
      Then the storage calls are at most
        | service | call       | on    | count |
        | table   | point read | Hunts | 1     |
      When Ana sends PUT /api/v2/organizations/{Org} {"orgName":"Eagle Lions"} with the header If-Match "*"
      Then the answer is 200
      And the storage calls are at most
        | service | call            | on            | count |
        | table   | point read      | Organizations | 1     |
        | table   | update or merge | Organizations | 1     |
        | blob    | read            | anything      | 1     |
        | blob    | write           | anything      | 1     |

    Scenario Outline: a record that was never migrated costs one blob read in <phase>
      Given a fresh target with MIGRATION_PHASE "<phase>"
      And the blob orgs/org-{tag}.json is
        """
        {"orgName":"Vail Lions","schemaVersion":"1.2.0","slug":"org-{tag}","hunts":[]}
        """
      And Ana sends GET /api/v2/organizations/{Org}
      When Ana sends GET /api/v2/organizations/{Org}
      Then the answer is 200
      And the storage calls are at most
        | service | call       | on            | count |
        | table   | point read | Organizations | 1     |
        | blob    | read       | anything      | 1     |

      Examples:
        | phase        |
        | dual-write   |
        | tables-first |

    @reference
    Scenario: a list of a never migrated organization costs one query and one blob read
      Given a fresh target with MIGRATION_PHASE "tables-first"
      And the blob orgs/org-{tag}.json is
        """
        {"orgName":"Vail Lions","schemaVersion":"1.2.0","slug":"org-{tag}","hunts":[]}
        """
      And Ana sends GET /api/v2/hunts/{Org}
      When Ana sends GET /api/v2/hunts/{Org}
      Then the answer is 200
      And the storage calls are at most
        | service | call            | on            | count |
        | table   | partition query | Hunts         | 1     |
        | table   | point read      | Organizations | 1     |
        | blob    | read            | anything      | 1     |
      When Ana sends GET /api/v2/hunts/{Org}?status=active
      Then the storage calls are at most
        | service | call            | on            | count |
        | table   | partition query | Hunts         | 2     |
        | table   | point read      | Organizations | 1     |
        | blob    | read            | anything      | 1     |

    Scenario: blob-only makes no call to the tables
      Given a fresh target with MIGRATION_PHASE "blob-only"
      And Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      When Ana sends GET /api/v2/organizations/{Org}
      Then the answer is 200
      And the storage calls are at most
        | service | call | on       | count |
        | blob    | read | anything | 1     |
      When Ana sends PUT /api/v2/organizations/{Org} {"orgName":"Eagle Lions"} with the header If-Match "*"
      Then the storage calls are at most
        | service | call  | on       | count |
        | blob    | read  | anything | 1     |
        | blob    | write | anything | 1     |
