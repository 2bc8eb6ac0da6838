Feature: Changes of phase, and outages of a store
  Servers go from one phase to the next while they serve. Nothing that was acknowledged is lost by it, and while the tables
  are down the blobs answer.

  @LH-MIG-3
  Rule: A change of phase loses nothing that was acknowledged
    > Rollback: Feature flags for instant rollback to Blob Storage

    Scenario: all records survive the steps forward, one phase at a time
      Given a fresh target with MIGRATION_PHASE "blob-only"
      And Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      And Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"One","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"one"}
      And Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Two","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"two"}
      And the header ETag of the answer is called Two
      When the target starts again with MIGRATION_PHASE "dual-write"
      And Ana sends PUT /api/v2/hunts/org-{tag}/one {"huntName":"One, changed","startDate":"2024-07-15","endDate":"2024-07-15"} with the header If-Match "*"
      Then the answer is 200
      When the target starts again with MIGRATION_PHASE "tables-first"
      And Ana sends GET /api/v2/hunts/org-{tag}/two
      Then the header ETag of the answer is "{Two}"
      When Ana sends PUT /api/v2/hunts/org-{tag}/two {"huntName":"Two, changed","startDate":"2024-07-16","endDate":"2024-07-16"} with the header If-Match "{Two}"
      Then the answer is 200
      When Ana sends GET /api/v2/hunts/org-{tag}
      Then "data" of the answer lists, in this order
        | huntId | huntName     |
        | one    | One, changed |
        | two    | Two, changed |
      When Ana sends GET /api/v2/events?date=2024-07-15
      Then "data" of the answer lists
        | huntId | huntName     |
        | one    | One, changed |

    Scenario: all records survive the step back from dual-write to blob-only
      Given a fresh target with MIGRATION_PHASE "dual-write"
      And Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      And Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"One","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"one"}
      And Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Two","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"two"}
      And the header ETag of the answer is called Two
      And Ana sends DELETE /api/v2/hunts/org-{tag}/one
      When the target starts again with MIGRATION_PHASE "blob-only"
      And Ana sends GET /api/v2/hunts/org-{tag}/two
      Then the answer is 200
      And the header ETag of the answer is "{Two}"
      When Ana sends GET /api/v2/hunts/org-{tag}
      Then "data" of the answer lists
        | huntId | huntName |
        | two    | Two      |

    Scenario Outline: concurrent writes before the change from <phase> to <next> are kept
      Given a fresh target with MIGRATION_PHASE "<phase>"
      And Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      When Ana sends 8 times, 4 at a time, POST /api/v2/hunts/org-{tag} {"huntName":"Before","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"b{i}"}
      Then all answers are 201
      When the target starts again with MIGRATION_PHASE "<next>"
      And Ana sends 4 times, 4 at a time, POST /api/v2/hunts/org-{tag} {"huntName":"After","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"c{i}"}
      Then all answers are 201
      When Ana sends GET /api/v2/hunts/org-{tag}
      Then "data" of the answer lists, in this order
        | huntId | huntName |
        | b0     | Before   |
        | b1     | Before   |
        | b2     | Before   |
        | b3     | Before   |
        | b4     | Before   |
        | b5     | Before   |
        | b6     | Before   |
        | b7     | Before   |
        | c0     | After    |
        | c1     | After    |
        | c2     | After    |
        | c3     | After    |
      When Ana sends GET /api/v2/events?date=2024-07-15
      Then "data" of the answer lists, in this order
        | huntId | huntName |
        | b0     | Before   |
        | b1     | Before   |
        | b2     | Before   |
        | b3     | Before   |
        | b4     | Before   |
        | b5     | Before   |
        | b6     | Before   |
        | b7     | Before   |
        | c0     | After    |
        | c1     | After    |
        | c2     | After    |
        | c3     | After    |

      Examples:
        | phase        | next         |
        | blob-only    | dual-write   |
        | dual-write   | tables-first |
        | tables-first | tables-only  |
        | dual-write   | blob-only    |

    Scenario Outline: an update survives any one failed call before the change from <phase> to <next>
      Given a fresh target with MIGRATION_PHASE "<phase>"
      And Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      And Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"One","startDate":"2024-07-15","endDate":"2024-07-16","huntId":"one"}
      When Ana sends PUT /api/v2/hunts/org-{tag}/one {"huntName":"Two","startDate":"2024-07-16","endDate":"2024-07-17"} with the header If-Match "*", and any one storage call fails
      Then the answer is 200
      And the header ETag of the answer is called Second
      When the target starts again with MIGRATION_PHASE "<next>"
      And Ana sends GET /api/v2/hunts/org-{tag}/one
      Then the answer has
        | data.huntName | Two |
      And the header ETag of the answer is "{Second}"
      When Ana sends GET /api/v2/events?date=2024-07-17
      Then "data" of the answer lists
        | huntId | huntName |
        | one    | Two      |
      When Ana sends GET /api/v2/events?date=2024-07-15
      Then "data" of the answer is empty

      Examples:
        | phase        | next         |
        | blob-only    | dual-write   |
        | dual-write   | tables-first |
        | tables-first | tables-only  |
        | dual-write   | blob-only    |

  @LH-FLAG-1
  Rule: The design's flags also choose the phase
    > Feature Flags: `ENABLE_AZURE_TABLES`, `DUAL_WRITE_TO_AZURE`, `READ_FROM_AZURE_FIRST`

    Scenario: MIGRATION_PHASE chooses the phase that health reports
      Given a fresh target with MIGRATION_PHASE "tables-first"
      When Ana sends GET /api/v2/health
      Then the answer is 200
      And the answer has
        | data.phase | tables-first |

    @reference
    Scenario: the design's flags choose the phase, unless MIGRATION_PHASE does
      Given a fresh target with MIGRATION_PHASE ""
      When Ana sends GET /api/v2/health
      Then the answer has
        | data.phase | blob-only |
      When the target starts again with ENABLE_AZURE_TABLES "true"
      And Ana sends GET /api/v2/health
      Then the answer has
        | data.phase | tables-only |
      When the target starts again with VITE_READ_FROM_AZURE_FIRST "true"
      And Ana sends GET /api/v2/health
      Then the answer has
        | data.phase | tables-first |
      When the target starts again with DUAL_WRITE_TO_AZURE "true"
      And Ana sends GET /api/v2/health
      Then the answer has
        | data.phase | dual-write |
      When the target starts again with MIGRATION_PHASE "tables-only"
      And Ana sends GET /api/v2/health
      Then the answer has
        | data.phase | tables-only |

    @reference
    Scenario: the design's flags also work under their build names
      Given a fresh target with MIGRATION_PHASE ""
      When the target starts again with VITE_ENABLE_AZURE_TABLES "true"
      And Ana sends GET /api/v2/health
      Then the answer has
        | data.phase | tables-only |
      When the target starts again with VITE_DUAL_WRITE_TO_AZURE "true"
      And Ana sends GET /api/v2/health
      Then the answer has
        | data.phase | dual-write |
      When the target starts again with ENABLE_AZURE_TABLES "true"
      And Ana sends GET /api/v2/health
      Then the answer has
        | data.phase | dual-write |
      When the target starts again with DUAL_WRITE_TO_AZURE ""
      And the target starts again with VITE_DUAL_WRITE_TO_AZURE "false"
      And the target starts again with READ_FROM_AZURE_FIRST "true"
      And Ana sends GET /api/v2/health
      Then the answer has
        | data.phase | tables-first |

  @LH-ERR-3
  Rule: While the tables are down, the blobs are served and the answer says so
    > Circuit Breaker: Fallback to Blob storage on repeated failures. Graceful degradation

    Scenario Outline: reads and lists in <phase> are served from blobs while the tables are down
      Given a fresh target with MIGRATION_PHASE "dual-write"
      And Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      And Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"fair"}
      When the target starts again with MIGRATION_PHASE "<phase>"
      And the table service is down
      And Ana sends GET /api/v2/hunts/org-{tag}/fair
      Then the answer is 200
      And the answer has
        | data.huntName | Fair |
      And the header X-Served-From of the answer is "blob"
      When Ana sends GET /api/v2/hunts/org-{tag}
      Then "data" of the answer lists
        | huntId |
        | fair   |
      And the header X-Served-From of the answer is "blob"
      When Ana sends GET /api/v2/organizations
      Then "data" of the answer lists
        | slug      |
        | org-{tag} |
      When Ana sends GET /api/v2/events?date=2024-07-15
      Then "data" of the answer lists
        | huntId |
        | fair   |
      When Ana sends GET /api/v2/hunts/org-{tag}/nothing
      Then the answer is 404 not_found
      When Ana sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"Gala","startDate":"2024-07-15","endDate":"2024-07-15"} with the header If-Match "*"
      Then the answer is 503 storage_unavailable

      Examples:
        | phase        |
        | dual-write   |
        | tables-first |

    Scenario: an answer from a blob in tables-first is marked as possibly stale
      Given a fresh target with MIGRATION_PHASE "dual-write"
      And Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      When the target starts again with MIGRATION_PHASE "tables-first"
      And the table service is down
      And Ana sends GET /api/v2/organizations/org-{tag}
      Then the answer is 200
      And the header X-Data-Stale of the answer is "true"
      When Ana sends GET /api/v2/organizations
      Then the header X-Served-From of the answer is "blob"
      And the header X-Data-Stale of the answer is "true"
      When Ana sends GET /api/v2/events?date=2024-07-15
      Then the header X-Data-Stale of the answer is "true"

    Scenario: an answer from a blob in dual-write is not marked as stale
      Given a fresh target with MIGRATION_PHASE "dual-write"
      And Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      And the table service is down
      When Ana sends GET /api/v2/organizations/org-{tag}
      Then the header X-Served-From of the answer is "blob"
      And the answer has no header X-Data-Stale
      When Ana sends GET /api/v2/organizations
      Then the header X-Served-From of the answer is "blob"
      And the answer has no header X-Data-Stale

    Scenario: a read in tables-only gets 503 while the tables are down
      Given a fresh target with MIGRATION_PHASE "tables-only"
      And Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      And the table service is down
      When Ana sends GET /api/v2/organizations/org-{tag}
      Then the answer is 503 storage_unavailable

    Scenario Outline: every request in <phase> gets 503 while the <service> service is down
      Given a fresh target with MIGRATION_PHASE "<phase>"
      And Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      And Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"fair"}
      And the <service> service is down
      Then Ana is refused each of these, and nothing is written
        | what                    | request                                  | body                                                                | answer                  |
        | the AppData             | GET /api/v2/app                          |                                                                     | 503 storage_unavailable |
        | changed AppData         | PUT /api/v2/app                          | {"limit":1}                                                         | 503 storage_unavailable |
        | an organization         | GET /api/v2/organizations/org-{tag}      |                                                                     | 503 storage_unavailable |
        | a list of organizations | GET /api/v2/organizations                |                                                                     | 503 storage_unavailable |
        | a new organization      | POST /api/v2/organizations               | {"slug":"new-{tag}","orgName":"Lions"}                              | 503 storage_unavailable |
        | a changed organization  | PUT /api/v2/organizations/org-{tag}      | {"orgName":"Lions"}                                                 | 503 storage_unavailable |
        | a hunt                  | GET /api/v2/hunts/org-{tag}/fair         |                                                                     | 503 storage_unavailable |
        | a list of hunts         | GET /api/v2/hunts/org-{tag}              |                                                                     | 503 storage_unavailable |
        | a list by status        | GET /api/v2/hunts/org-{tag}?status=draft |                                                                     | 503 storage_unavailable |
        | a new hunt              | POST /api/v2/hunts/org-{tag}             | {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15"} | 503 storage_unavailable |
        | a changed hunt          | PUT /api/v2/hunts/org-{tag}/fair         | {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15"} | 503 storage_unavailable |
        | a deleted hunt          | DELETE /api/v2/hunts/org-{tag}/fair      |                                                                     | 503 storage_unavailable |
        | a day                   | GET /api/v2/events?date=2024-07-15       |                                                                     | 503 storage_unavailable |
        | a scan                  | GET /api/v2/events/all                   |                                                                     | 503 storage_unavailable |

      Examples:
        | phase       | service |
        | tables-only | table   |
        | blob-only   | blob    |

    Scenario Outline: a record never migrated gets 503 in <phase> while the blobs are down
      Given a fresh target with MIGRATION_PHASE "<phase>"
      And the blob orgs/old-{tag}.json is
        """
        {"orgName":"Old Lions","hunts":[{"huntId":"fair","huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15","status":"draft"}]}
        """
      And Ana sends GET /api/v2/organizations/old-{tag}
      And the blob service is down
      Then Ana is refused each of these, and nothing is written
        | what                    | request                                  | body                                                                | answer                  |
        | the AppData             | GET /api/v2/app                          |                                                                     | 503 storage_unavailable |
        | changed AppData         | PUT /api/v2/app                          | {"limit":1}                                                         | 503 storage_unavailable |
        | an organization         | GET /api/v2/organizations/old-{tag}      |                                                                     | 503 storage_unavailable |
        | a list of organizations | GET /api/v2/organizations                |                                                                     | 503 storage_unavailable |
        | a new organization      | POST /api/v2/organizations               | {"slug":"new-{tag}","orgName":"Lions"}                              | 503 storage_unavailable |
        | a changed organization  | PUT /api/v2/organizations/old-{tag}      | {"orgName":"Lions"}                                                 | 503 storage_unavailable |
        | a hunt                  | GET /api/v2/hunts/old-{tag}/fair         |                                                                     | 503 storage_unavailable |
        | a list of hunts         | GET /api/v2/hunts/old-{tag}              |                                                                     | 503 storage_unavailable |
        | a list by status        | GET /api/v2/hunts/old-{tag}?status=draft |                                                                     | 503 storage_unavailable |
        | a new hunt              | POST /api/v2/hunts/old-{tag}             | {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15"} | 503 storage_unavailable |
        | a changed hunt          | PUT /api/v2/hunts/old-{tag}/fair         | {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15"} | 503 storage_unavailable |
        | a deleted hunt          | DELETE /api/v2/hunts/old-{tag}/fair      |                                                                     | 503 storage_unavailable |
        | a day                   | GET /api/v2/events?date=2024-07-15       |                                                                     | 503 storage_unavailable |
        | a scan                  | GET /api/v2/events/all                   |                                                                     | 503 storage_unavailable |

      Examples:
        | phase        |
        | dual-write   |
        | tables-first |

    @reference
    Scenario Outline: a record never migrated is listed while its migration mark is unreadable: <request>
      Given a fresh target with MIGRATION_PHASE "dual-write"
      And the blob orgs/old-{tag}.json is
        """
        {"orgName":"Old Lions","hunts":[{"huntId":"fair","huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15","status":"draft"}]}
        """
      And the store refuses each read on Organizations of the next request: it is being deleted
      When Ana sends GET <request>
      Then the answer is 200
      And "data" of the answer lists
        | huntId |
        | fair   |

      Examples:
        | request                        |
        | /api/v2/hunts/old-{tag}        |
        | /api/v2/events/all             |
        | /api/v2/events?date=2024-07-15 |

    Scenario: after five failures the tables are not called
      Given a fresh target with BREAKER_RESET_MS "60000"
      And the target starts again with MIGRATION_PHASE "dual-write"
      And Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      And the table service is down
      And Ana sends 6 times one after the other GET /api/v2/organizations/org-{tag}
      When the table service is back
      And Ana sends GET /api/v2/organizations/org-{tag}
      Then the answer is 200
      And the storage calls are at most
        | service | call | on       | count |
        | blob    | read | anything | 1     |

    Scenario: the tables are called again after the breaker's delay
      Given a fresh target with MIGRATION_PHASE "dual-write"
      And Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      And the table service is down
      And Ana sends 6 times one after the other GET /api/v2/organizations/org-{tag}
      When the table service is back
      And 250 milliseconds pass
      And Ana sends GET /api/v2/organizations/org-{tag}
      Then the answer is 200
      And the answer has no header X-Served-From
      And the storage calls are at most
        | service | call       | on            | count |
        | table   | point read | Organizations | 1     |

    Scenario: the fifth failure opens the breaker
      Given a fresh target with BREAKER_RESET_MS "60000"
      And the target starts again with MIGRATION_PHASE "dual-write"
      And Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      And the table service is down
      And Ana sends 5 times one after the other GET /api/v2/organizations/org-{tag}
      When Ana sends GET /api/v2/organizations/org-{tag}
      Then the answer is 200
      And the storage calls are at most
        | service | call | on       | count |
        | blob    | read | anything | 1     |

    Scenario: four failures do not open the breaker, and a success resets the count
      Given a fresh target with MIGRATION_PHASE "dual-write"
      And Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      And the table service is down
      And Ana sends 4 times one after the other GET /api/v2/organizations/org-{tag}
      And the table service is back
      When Ana sends GET /api/v2/organizations/org-{tag}
      Then the answer has no header X-Served-From
      Given the table service is down
      And Ana sends 4 times one after the other GET /api/v2/organizations/org-{tag}
      And the table service is back
      When Ana sends GET /api/v2/organizations/org-{tag}
      Then the answer has no header X-Served-From

    # However long the requests take, only one of them may call the tables within the reset time.
    Scenario: a failed trial call opens the breaker again
      Given a fresh target with BREAKER_RESET_MS "1000"
      And the target starts again with MIGRATION_PHASE "dual-write"
      And Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      And the table service is down
      And Ana sends 5 times one after the other GET /api/v2/organizations/org-{tag}
      And 1050 milliseconds pass
      When Ana sends 4 times one after the other GET /api/v2/organizations/org-{tag}
      Then the storage calls of the last 4 requests on Organizations start at least 900 milliseconds apart

    @reference
    Scenario: other requests do not call the tables during a trial call
      Given a fresh target with BREAKER_RESET_MS "1000"
      And the target starts again with MIGRATION_PHASE "dual-write"
      And Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      And the table service is down
      And Ana sends 5 times one after the other GET /api/v2/organizations/org-{tag}
      And 1050 milliseconds pass
      When Ana sends 8 times at once GET /api/v2/organizations/org-{tag}
      Then the storage calls of the last 8 requests on Organizations start at least 900 milliseconds apart

    Scenario: a later successful trial call closes the breaker
      Given a fresh target with MIGRATION_PHASE "dual-write"
      And Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      And the table service is down
      And Ana sends 5 times one after the other GET /api/v2/organizations/org-{tag}
      And 250 milliseconds pass
      And Ana sends GET /api/v2/organizations/org-{tag}
      Given the table service is back
      And 250 milliseconds pass
      And Ana sends GET /api/v2/organizations/org-{tag}
      When Ana sends GET /api/v2/organizations/org-{tag}
      Then the answer has no header X-Served-From
