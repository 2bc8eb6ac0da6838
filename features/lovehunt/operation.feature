Feature: What operators can see, and what the server does by itself

  @LH-ADM-1
  Rule: Only the administrators' list scans all hunts, and the store does the filtering
    > Admin: All Hunts. Cross-partition query - use sparingly, with filters where possible

    Background:
      Given Ana sends POST /api/v2/organizations {"slug":"a-{tag}","orgName":"Ants"}
      And Ana sends POST /api/v2/organizations {"slug":"b-{tag}","orgName":"Bears"}
      And Ana sends POST /api/v2/hunts/a-{tag} {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-17","huntId":"fair","status":"active"}
      And Ana sends POST /api/v2/hunts/b-{tag} {"huntName":"Fairest","startDate":"2024-07-20","endDate":"2024-07-21","huntId":"fairest"}
      And Ana sends POST /api/v2/hunts/b-{tag} {"huntName":"Gala","startDate":"2024-07-17","endDate":"2024-07-18","huntId":"gala","status":"active"}

    Scenario Outline: the administrators' list is filtered in the store by <what>
      When Ana sends GET /api/v2/events/all?<query>
      Then the answer is 200
      And "data" of the answer lists, in this order
        | huntId  |
        | <first> |
        | <last>  |
      And the storage calls are at most
        | service | call       | on    | count |
        | table   | table scan | Hunts | 1     |
      And the storage calls brought at most 2 entities

      Examples:
        | what                                   | query                         | first   | last    |
        | a status                               | status=active                 | fair    | gala    |
        | the beginning of a name                | name=Fair                     | fair    | fairest |
        | hunts that are still on after a day    | from=2024-07-18               | fairest | gala    |
        | hunts that begin by a day              | to=2024-07-17                 | fair    | gala    |
        | a day on which one ends and one begins | from=2024-07-17&to=2024-07-17 | fair    | gala    |

    Scenario: the administrators' list without a filter contains all hunts
      When Ana sends GET /api/v2/events/all
      Then "data" of the answer lists, in this order
        | orgSlug | huntId  | huntName |
        | a-{tag} | fair    | Fair     |
        | b-{tag} | fairest | Fairest  |
        | b-{tag} | gala    | Gala     |

  @LH-MON-2
  Rule: Health reports the server's state, and makes no storage call
    > Health Checks: Regular connectivity and performance tests. Alerts: error rate > 0.1 %

    Scenario: health reports phase and build without a storage call
      When Ana sends GET /api/v2/health
      Then the answer is 200
      And the answer has
        | data.phase   | tables-only |
        | data.version | storespec   |
      And no storage call was made

    Scenario: a client's mistake does not count as a failing operation
      Given a fresh target on an account that was never used
      When Ana sends GET /api/v2/organizations/org-{tag}
      Then the answer is 404
      When Ana sends GET /api/v2/health
      Then "data.failing" of the answer is empty

    Scenario: health names the failing operation while storage is down
      Given a fresh target on an account that was never used
      And storage is down
      When Ana sends GET /api/v2/organizations/org-{tag}
      Then the answer is 503 storage_unavailable
      When Ana sends GET /api/v2/health
      Then the answer is 200
      And the answer contains "organizations.get"

    @reference
    Scenario Outline: health reports stores and a closed breaker in <phase>
      Given a fresh target with MIGRATION_PHASE "<phase>"
      When Ana sends GET /api/v2/health
      Then the answer has
        | success        | true    |
        | data.phase     | <phase> |
        | data.breaker   | closed  |
        | data.stores[0] | <first> |
        | data.stores[1] | <last>  |
      And "data.slow" of the answer is empty
      And "data.failing" of the answer is empty

      Examples:
        | phase        | first  | last   |
        | blob-only    | blobs  | absent |
        | dual-write   | tables | blobs  |
        | tables-first | tables | blobs  |
        | tables-only  | tables | absent |

    @reference
    Scenario: health names the operations that are slow or failing
      Given a fresh target with STORAGE_RETRY_DELAY "10ms"
      And Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      And the table service is down
      When Ana sends GET /api/v2/organizations/org-{tag}
      And Ana sends GET /api/v2/hunts/org-{tag}
      And Ana sends GET /api/v2/hunts/org-{tag}/fair
      And Ana sends GET /api/v2/events?date=2024-07-15
      And Ana sends GET /api/v2/health
      Then "data.slow" of the answer has the items
        | organizations.get |
        | hunts.list        |
        | hunts.get         |
        | events.today      |
      And "data.failing" of the answer has the items
        | organizations.get |
        | hunts.list        |
        | hunts.get         |
        | events.today      |

    @reference
    Scenario Outline: health does not call <operation> slow before its longer limit
      Given a fresh target with STORAGE_RETRY_DELAY "<delay>"
      And the table service is down
      When Ana sends GET <path>
      And Ana sends GET /api/v2/health
      Then "data.slow" of the answer has the items
        | <operation> |

      Examples:
        | operation          | path                  | delay |
        | organizations.list | /api/v2/organizations | 50ms  |
        | events.all         | /api/v2/events/all    | 100ms |

    Scenario: health reports an open breaker after repeated failures
      Given a fresh target with BREAKER_RESET_MS "60000"
      And the target starts again with MIGRATION_PHASE "dual-write"
      And Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      And the table service is down
      And Ana sends 6 times one after the other GET /api/v2/organizations/org-{tag}
      When Ana sends GET /api/v2/health
      Then the answer has
        | data.breaker | open |

  @LH-MON-3
  Rule: Reads in dual-write can be compared with the other store
    > Data Integrity: consistency validation between Blob and Azure Tables

    Scenario: every read is compared, and a lagging blob is counted
      Given a fresh target with CONSISTENCY_SAMPLE_PERCENT "100"
      And the target starts again with MIGRATION_PHASE "dual-write"
      And Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      And Ana sends GET /api/v2/organizations/org-{tag}
      And the blob orgs/org-{tag}.json is
        """
        {"slug":"org-{tag}","orgName":"Old","schemaVersion":"1.2.0","hunts":[]}
        """
      When Ana sends GET /api/v2/organizations/org-{tag}
      Then the answer has
        | data.orgName | Vail Lions |
      When Ana sends GET /metrics
      Then the answer contains "lovehunt_dual_write_compared_total 2"
      And the answer contains "lovehunt_dual_write_agreeing_total 1"

    # Creating a hunt reads its organization, whose copies agree.
    @reference
    Scenario: missing, unreadable and unavailable blobs are counted separately
      Given a fresh target with CONSISTENCY_SAMPLE_PERCENT "100"
      And the target starts again with MIGRATION_PHASE "dual-write"
      And Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      And Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"fair"}
      And the blob orgs/org-{tag}.json is
        """
        not JSON
        """
      When Ana sends GET /api/v2/hunts/org-{tag}/fair
      Then the answer is 200
      Given the blob orgs/org-{tag}.json is deleted
      When Ana sends GET /api/v2/hunts/org-{tag}/fair
      Then the answer is 200
      Given the blob service is down
      When Ana sends GET /api/v2/hunts/org-{tag}/fair
      Then the answer is 200
      When Ana sends GET /metrics
      Then the answer contains "lovehunt_dual_write_compared_total 3"
      And the answer contains "lovehunt_dual_write_agreeing_total 1"

    Scenario: no read is compared unless sampling is on
      Given a fresh target with MIGRATION_PHASE "dual-write"
      And Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      And Ana sends GET /api/v2/organizations/org-{tag}
      When Ana sends GET /metrics
      Then the answer contains "lovehunt_dual_write_compared_total 0"

  @LH-AUD-1
  Rule: Each change leaves one line of JSON, without the data written
    > Audit Logging: All data modifications logged. PII: organization contact details

    Scenario: creating, changing and deleting leave one audit line each
      Given Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions","contact":"lions-{tag}@example.com"}
      When Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Secret{tag}","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"fair"}
      And Ana sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"Gala","startDate":"2024-07-15","endDate":"2024-07-15"} with the header If-Match "*"
      And Ana sends DELETE /api/v2/hunts/org-{tag}/fair
      And Ana sends DELETE /api/v2/hunts/org-{tag}/fair
      Then the answer is 404
      And the log has 4 lines with
        | msg     | audit     |
        | orgSlug | org-{tag} |
        | traceId | anything  |
      And the log has 3 lines with
        | msg     | audit     |
        | orgSlug | org-{tag} |
        | huntId  | fair      |
      And the log does not contain "lions-{tag}@example.com"
      And the log does not contain "Secret{tag}"

    @reference
    Scenario: each audit line names the operation and its record
      Given Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      And Ana sends PUT /api/v2/organizations/org-{tag} {"orgName":"Eagle Lions"} with the header If-Match "*"
      And Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"fair"}
      And Ana sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"Gala","startDate":"2024-07-15","endDate":"2024-07-15"} with the header If-Match "*"
      And Ana sends DELETE /api/v2/hunts/org-{tag}/fair
      When Ana sends PUT /api/v2/app {"limit":1}
      Then the log has 1 line with
        | msg       | audit                |
        | operation | organizations.create |
        | orgSlug   | org-{tag}            |
      And the log has 1 line with
        | msg       | audit             |
        | operation | organizations.put |
        | orgSlug   | org-{tag}         |
      And the log has 1 line with
        | msg       | audit        |
        | operation | hunts.create |
        | orgSlug   | org-{tag}    |
        | huntId    | fair         |
      And the log has 1 line with
        | msg       | audit     |
        | operation | hunts.put |
        | huntId    | fair      |
      And the log has 1 line with
        | msg       | audit        |
        | operation | hunts.delete |
        | huntId    | fair         |
      And the log has 1 line with
        | msg       | audit   |
        | operation | app.put |

    Scenario: a refused creation leaves only the first audit line
      Given Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      When Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Others"}
      Then the answer is 409 conflict
      And the log has 1 line with
        | msg     | audit     |
        | orgSlug | org-{tag} |

  @LH-LOG-1
  Rule: AZURE_LOG_LEVEL=verbose shows each storage operation
    > Debug Mode: `AZURE_LOG_LEVEL=verbose` for detailed operation logging

    Scenario: a verbose log shows the read of a record
      Given a fresh target with AZURE_LOG_LEVEL "verbose"
      When Ana sends GET /api/v2/organizations/org-{tag}
      Then the log has 1 line with
        | msg | storage       |
        | on  | Organizations |

    @reference
    Scenario: a verbose log shows each table operation with its outcome
      Given a fresh target with AZURE_LOG_LEVEL "verbose"
      And Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      And Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"fair"}
      And Ana sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"Gala","startDate":"2024-07-15","endDate":"2024-07-15"} with the header If-Match "*"
      And Ana sends DELETE /api/v2/hunts/org-{tag}/fair
      And Ana sends GET /api/v2/organizations
      When the table service is down
      And Ana sends GET /api/v2/app
      Then the answer is 503
      And the log has 1 line with
        | msg       | storage            |
        | operation | inserting a row of |
        | on        | Organizations      |
        | outcome   | done               |
      And the log has 2 lines with
        | msg       | storage          |
        | operation | reading a row of |
        | on        | Organizations    |
        | outcome   | done             |
      And the log has 2 lines with
        | msg       | storage            |
        | operation | replacing a row of |
        | on        | Hunts              |
        | outcome   | done               |
      And the log has 2 lines with
        | msg       | storage          |
        | operation | putting a row of |
        | on        | HuntIndex        |
        | outcome   | done             |
      And the log has 1 line with
        | msg       | storage           |
        | operation | deleting a row of |
        | on        | HuntIndex         |
        | outcome   | done              |
      And the log has 1 line with
        | msg       | storage           |
        | operation | deleting a row of |
        | on        | Hunts             |
        | outcome   | done              |
      And the log has 1 line with
        | msg       | storage       |
        | operation | querying      |
        | on        | Organizations |
        | outcome   | done          |
      And the log has 1 line with
        | msg       | storage          |
        | operation | reading a row of |
        | on        | AppRegistry      |
        | outcome   | anything         |
      And the log has 0 lines with
        | on      | AppRegistry |
        | outcome | done        |

    @reference
    Scenario: a verbose log shows each operation on blobs
      Given a fresh target with AZURE_LOG_LEVEL "verbose"
      And the target starts again with MIGRATION_PHASE "blob-only"
      When Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      And Ana sends GET /api/v2/organizations
      Then the answer is 200
      And the log has 1 line with
        | msg       | storage        |
        | operation | writing a blob |
        | on        | blobs          |
        | outcome   | done           |
      And the log has 1 line with
        | msg       | storage       |
        | operation | listing blobs |
        | on        | blobs         |
        | outcome   | done          |
      And the log has 2 lines with
        | msg       | storage        |
        | operation | reading a blob |
        | on        | blobs          |
        | outcome   | done           |

  @LH-RET-1
  Rule: Hunts past their retention are removed, and only those
    > Data Retention: Automatic cleanup of old hunt data

    Scenario: old hunts are removed at the start and then regularly
      Given a fresh target with CLEANUP_INTERVAL_MS "50"
      And Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      And Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Old","startDate":"2020-01-01","endDate":"2020-01-02","huntId":"old"}
      And Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Far","startDate":"2099-01-01","endDate":"2099-01-02","huntId":"far"}
      When the target starts again with RETENTION_DAYS "365"
      Then the table Hunts holds 1 row within 10 seconds
      When Ana sends GET /api/v2/hunts/org-{tag}
      Then "data" of the answer lists
        | huntId |
        | far    |
      And the table HuntIndex holds 2 rows
      When Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Old","startDate":"2020-01-01","endDate":"2020-01-02","huntId":"old"}
      Then the table Hunts holds 1 row within 10 seconds
      When Ana sends GET /api/v2/hunts/org-{tag}
      Then "data" of the answer lists
        | huntId |
        | far    |

    Scenario: without RETENTION_DAYS no hunt is removed
      Given a fresh target with CLEANUP_INTERVAL_MS "50"
      And Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      And Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Old","startDate":"2020-01-01","endDate":"2020-01-02","huntId":"old"}
      When the target starts again
      And 150 milliseconds pass
      And Ana sends GET /api/v2/hunts/org-{tag}/old
      Then the answer is 200

  @LH-THR-1
  Rule: Throttled calls are retried, but not forever
    > ServerBusy: Service throttling. Implement retry with backoff

    Scenario: a store that throttles for the whole request gets 503
      Given Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      And storage throttles the next request
      When Ana sends PUT /api/v2/organizations/org-{tag} {"orgName":"Eagle Lions"} with the header If-Match "*"
      Then the answer is 503 storage_unavailable
      And the answer says to retry later
      When Ana sends GET /api/v2/organizations/org-{tag}
      Then the answer has
        | data.orgName | Vail Lions |

    Scenario: an update succeeds whichever single storage call fails
      Given Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      When Ana sends PUT /api/v2/organizations/org-{tag} {"orgName":"Eagle Lions"} with the header If-Match "*", and any one storage call fails
      Then the answer is 200
