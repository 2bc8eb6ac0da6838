Feature: The service itself

  @LH-ERR-1
  Rule: Invalid requests are refused, and nothing is written
    > EntityNotFound: Hunt/org doesn't exist. Return appropriate 404 errors

    Scenario: malformed and oversized requests of every route are refused
      Given Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      Then Ana is refused each of these, and nothing is written
        | what                              | request                                            | body                                                                                   | answer          |
        | a body that is not JSON           | PUT /api/v2/app                                    | {"a":                                                                                  | 400 bad_request |
        | a list                            | PUT /api/v2/app                                    | []                                                                                     | 400 bad_request |
        | a slug with capitals              | POST /api/v2/organizations                         | {"slug":"Org","orgName":"Lions"}                                                       | 400 bad_request |
        | a slug with a slash               | POST /api/v2/organizations                         | {"slug":"a/b","orgName":"Lions"}                                                       | 400 bad_request |
        | a slug that ends with a dash      | POST /api/v2/organizations                         | {"slug":"a-","orgName":"Lions"}                                                        | 400 bad_request |
        | a slug of 64 letters              | POST /api/v2/organizations                         | {"slug":"{64×a}","orgName":"Lions"}                                                    | 400 bad_request |
        | an organization without a name    | POST /api/v2/organizations                         | {"slug":"new-{tag}"}                                                                   | 400 bad_request |
        | a slug with a slash in the path   | GET /api/v2/organizations/a%2Fb                    |                                                                                        | 400 bad_request |
        | a slug with an apostrophe         | GET /api/v2/organizations/a%27b                    |                                                                                        | 400 bad_request |
        | a status with a space             | GET /api/v2/hunts/org-{tag}?status=a%20b           |                                                                                        | 400 bad_request |
        | a name given twice                | GET /api/v2/organizations?name=a&name=b            |                                                                                        | 400 bad_request |
        | another organization in the body  | PUT /api/v2/organizations/org-{tag}                | {"slug":"other","orgName":"Lions"}                                                     | 400 bad_request |
        | an end before the start           | POST /api/v2/hunts/org-{tag}                       | {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-14"}                    | 400 bad_request |
        | 32 days                           | POST /api/v2/hunts/org-{tag}                       | {"huntName":"Fair","startDate":"2024-07-01","endDate":"2024-08-01"}                    | 400 bad_request |
        | an end that is not a date         | POST /api/v2/hunts/org-{tag}                       | {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-99"}                    | 400 bad_request |
        | a name of 201 bytes               | POST /api/v2/hunts/org-{tag}                       | {"huntName":"{201×a}","startDate":"2024-07-15","endDate":"2024-07-15"}                 | 400 bad_request |
        | a name of an organization, longer | POST /api/v2/organizations                         | {"slug":"new-{tag}","orgName":"{201×a}"}                                               | 400 bad_request |
        | an organization of no such slug   | GET /api/v2/events?orgSlug=A                       |                                                                                        | 400 bad_request |
        | the 30th of February              | POST /api/v2/hunts/org-{tag}                       | {"huntName":"Fair","startDate":"2024-02-30","endDate":"2024-03-01"}                    | 400 bad_request |
        | a hunt without a name             | POST /api/v2/hunts/org-{tag}                       | {"startDate":"2024-07-15","endDate":"2024-07-15"}                                      | 400 bad_request |
        | a name that is a number           | POST /api/v2/hunts/org-{tag}                       | {"huntName":7,"startDate":"2024-07-15","endDate":"2024-07-15"}                         | 400 bad_request |
        | an id with a slash                | POST /api/v2/hunts/org-{tag}                       | {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"a/b"}     | 400 bad_request |
        | a status in capitals              | POST /api/v2/hunts/org-{tag}                       | {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15","status":"Active"}  | 400 bad_request |
        | another id in the body            | PUT /api/v2/hunts/org-{tag}/fair                   | {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"other"}   | 400 bad_request |
        | an id with capitals               | GET /api/v2/hunts/org-{tag}/Fair                   |                                                                                        | 400 bad_request |
        | an id with capitals to be deleted | DELETE /api/v2/hunts/org-{tag}/Fair                |                                                                                        | 400 bad_request |
        | an impossible date                | GET /api/v2/events?date=2024-13-01                 |                                                                                        | 400 bad_request |
        | an impossible last day            | GET /api/v2/events/all?to=today                    |                                                                                        | 400 bad_request |
        | an impossible first day           | POST /api/v2/hunts/org-{tag}                       | {"huntName":"Fair","startDate":"tomorrow","endDate":"2024-07-15"}                      | 400 bad_request |
        | a hunt without a first day        | POST /api/v2/hunts/org-{tag}                       | {"huntName":"Fair","endDate":"2024-07-15"}                                             | 400 bad_request |
        | a day of the year 0               | POST /api/v2/hunts/org-{tag}                       | {"huntName":"Fair","startDate":"0000-01-01","endDate":"0000-01-01"}                    | 400 bad_request |
        | a status that is a number         | POST /api/v2/hunts/org-{tag}                       | {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15","status":7}         | 400 bad_request |
        | a status of 33 letters            | POST /api/v2/hunts/org-{tag}                       | {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15","status":"{33×a}"}  | 400 bad_request |
        | an id that is a number            | POST /api/v2/hunts/org-{tag}                       | {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15","huntId":7}         | 400 bad_request |
        | an id of 129 letters              | POST /api/v2/hunts/org-{tag}                       | {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"{129×a}"} | 400 bad_request |
        | an id that ends with a dash       | POST /api/v2/hunts/org-{tag}                       | {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"fair-"}   | 400 bad_request |
        | an id that begins with a dash     | POST /api/v2/hunts/org-{tag}                       | {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"-fair"}   | 400 bad_request |
        | another organization's hunt       | POST /api/v2/hunts/org-{tag}                       | {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15","orgSlug":"other"}  | 400 bad_request |
        | a hunt with another slug          | PUT /api/v2/hunts/org-{tag}/fair                   | {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15","slug":"other"}     | 400 bad_request |
        | an id that is not a text          | PUT /api/v2/hunts/org-{tag}/fair                   | {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15","huntId":7}         | 400 bad_request |
        | a changed hunt without a name     | PUT /api/v2/hunts/org-{tag}/fair                   | {"startDate":"2024-07-15","endDate":"2024-07-15"}                                      | 400 bad_request |
        | a changed hunt, not JSON          | PUT /api/v2/hunts/org-{tag}/fair                   | {"huntName":                                                                           | 400 bad_request |
        | a hunt that is not JSON           | POST /api/v2/hunts/org-{tag}                       | {"huntName":                                                                           | 400 bad_request |
        | an organization, not JSON         | POST /api/v2/organizations                         | {"slug":                                                                               | 400 bad_request |
        | an organization without a slug    | POST /api/v2/organizations                         | {"orgName":"Lions"}                                                                    | 400 bad_request |
        | a slug that is a number           | POST /api/v2/organizations                         | {"slug":7,"orgName":"Lions"}                                                           | 400 bad_request |
        | an empty name                     | POST /api/v2/organizations                         | {"slug":"new-{tag}","orgName":""}                                                      | 400 bad_request |
        | a changed slug, a number          | PUT /api/v2/organizations/org-{tag}                | {"slug":7,"orgName":"Lions"}                                                           | 400 bad_request |
        | a changed name, a number          | PUT /api/v2/organizations/org-{tag}                | {"orgName":7}                                                                          | 400 bad_request |
        | another orgSlug in the body       | PUT /api/v2/organizations/org-{tag}                | {"orgSlug":"other","orgName":"Lions"}                                                  | 400 bad_request |
        | capitals in a changed slug        | PUT /api/v2/organizations/Org                      | {"orgName":"Lions"}                                                                    | 400 bad_request |
        | capitals in a list's slug         | GET /api/v2/hunts/Org                              |                                                                                        | 400 bad_request |
        | capitals in a hunt's slug         | GET /api/v2/hunts/Org/fair                         |                                                                                        | 400 bad_request |
        | a new hunt of no such slug        | POST /api/v2/hunts/Org                             | {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15"}                    | 400 bad_request |
        | a changed hunt of no such slug    | PUT /api/v2/hunts/Org/fair                         | {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15"}                    | 400 bad_request |
        | a deleted hunt of no such slug    | DELETE /api/v2/hunts/Org/fair                      |                                                                                        | 400 bad_request |
        | a changed hunt, an id in capitals | PUT /api/v2/hunts/org-{tag}/Fair                   | {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15"}                    | 400 bad_request |
        | a status given twice              | GET /api/v2/hunts/org-{tag}?status=a&status=b      |                                                                                        | 400 bad_request |
        | a date given twice                | GET /api/v2/events?date=2024-07-15&date=2024-07-16 |                                                                                        | 400 bad_request |
        | a day's status in capitals        | GET /api/v2/events?status=A                        |                                                                                        | 400 bad_request |
        | a scan's status in capitals       | GET /api/v2/events/all?status=A                    |                                                                                        | 400 bad_request |
        | a scan's name given twice         | GET /api/v2/events/all?name=a&name=b               |                                                                                        | 400 bad_request |
        | a scan from no day                | GET /api/v2/events/all?from=2024-7-15              |                                                                                        | 400 bad_request |

    Scenario: values at the limits of the contract are accepted
      Given a fresh target on an account that was never used
      When Ana sends POST /api/v2/organizations {"slug":"a","orgName":"{200×n}"}
      Then the answer is 201
      When Ana sends POST /api/v2/organizations {"slug":"{63×a}","orgName":"Lions"}
      Then the answer is 201
      When Ana sends POST /api/v2/hunts/a {"huntName":"{200×n}","startDate":"2024-07-01","endDate":"2024-07-31","status":"{32×a}","huntId":"{128×a}"}
      Then the answer is 201
      And the answer has
        | data.huntId | {128×a} |
        | data.status | {32×a}  |
      When Ana sends POST /api/v2/hunts/a {"huntName":"-- The 2nd FAIR!","startDate":"0001-01-01","endDate":"0001-01-01","huntId":"","orgSlug":"a","slug":"a"}
      Then the answer is 201
      And the answer has
        | data.huntId | the-2nd-fair-00010101 |
      When Ana sends PUT /api/v2/app {"slug":"any","orgSlug":"any","huntId":7}
      Then the answer is 200
      When Ana sends POST /api/v2/hunts/a {"huntName":"!","startDate":"2024-07-15","endDate":"2024-07-16"}
      Then the answer is 201
      And the answer has
        | data.huntId | 20240715 |

    Scenario: each answer says whether it succeeded and when
      When Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      Then the answer has
        | success   | true   |
        | timestamp | a time |
      When Ana sends PUT /api/v2/organizations/org-{tag} {"orgName":"Eagle Lions"} with the header If-Match "*"
      Then the answer is 200
      And the answer has
        | success      | true        |
        | data.slug    | org-{tag}   |
        | data.orgName | Eagle Lions |
      When Ana sends GET /api/v2/organizations?name=nobody
      Then the answer has
        | success   | true   |
        | timestamp | a time |

    Scenario Outline: <what> is refused with the status and reason
      Given Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      When Ana sends <request>
      Then the answer is <status> <error>
      And the answer has
        | success   | false    |
        | error     | <error>  |
        | message   | anything |
        | timestamp | a time   |

      Examples:
        | what                       | status | error                 | request                                                                              |
        | an invalid request         | 400    | bad_request           | POST /api/v2/organizations {"slug":"Org","orgName":"Lions"}                          |
        | an unknown hunt            | 404    | not_found             | GET /api/v2/hunts/org-{tag}/fair                                                     |
        | an existing slug           | 409    | conflict              | POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Others"}                   |
        | a change without a version | 428    | precondition_required | PUT /api/v2/organizations/org-{tag} {"orgName":"Others"}                             |
        | a change of an old version | 412    | precondition_failed   | PUT /api/v2/organizations/org-{tag} {"orgName":"Others"} with the header If-Match "old" |
        | too large a record         | 413    | too_large             | PUT /api/v2/app {"story":"{1048576×a}"}                                              |

    Scenario: an unavailable store is named as the reason
      Given storage throttles the next request
      When Ana sends GET /api/v2/organizations/org-{tag}
      Then the answer is 503 storage_unavailable
      And the answer has
        | success | false    |
        | message | anything |

    Scenario: an unreadable record is named as the reason
      Given the row Organizations bad-{tag} / org is
        | orgDataJson   | [1]   |
        | orgName       | Bad   |
        | schemaVersion | 1.2.0 |
      When Ana sends GET /api/v2/organizations/bad-{tag}
      Then the answer is 422 schema_invalid
      And the answer has
        | success | false    |
        | message | anything |
      When Ana sends POST /api/v2/hunts/bad-{tag} {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15"}
      Then the answer is 422 schema_invalid
      And nothing was written

  @LH-ERR-2
  Rule: A record has at most 1 MiB, and a large one is read back as it was written
    > Entity too large: JSON payload exceeds 1MB limit. Consider data compression or normalization

    Scenario: a record of 100,000 letters is read back and becomes small again
      Given Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions","story":"{100000×a}"}
      When Ana sends GET /api/v2/organizations/org-{tag}
      Then the answer is 200
      And the answer contains "{100000×a}"
      When Ana sends PUT /api/v2/organizations/org-{tag} {"orgName":"Vail Lions","story":"short"} with the header If-Match "*"
      And Ana sends GET /api/v2/organizations/org-{tag}
      Then the answer has
        | data.story | short |
      And the row Organizations org-{tag} / org has the columns
        | column        | type   | value      |
        | orgDataJson   | string | anything   |
        | orgName       | string | Vail Lions |
        | schemaVersion | string | 1.2.0      |
        | migratedAt    | string | optional   |

    Scenario Outline: a record of <letters> letters, at the limit of a column, is read back
      When Ana sends PUT /api/v2/app {"story":"{<letters>×a}"}
      Then the answer is 200
      When Ana sends GET /api/v2/app
      Then the answer contains "{<letters>×a}"

      Examples:
        | letters |
        | 32732   |
        | 32733   |

    Scenario: a record of 12,000 small items is read back and becomes small again
      When Ana sends PUT /api/v2/app with 12000 items in "words" like {"w":"{i}"}
      Then the answer is 200
      When Ana sends GET /api/v2/app
      Then the answer has
        | data.words[11999].w | 11999 |
        | data.words[7001].w  | 7001  |
      When Ana sends PUT /api/v2/app {"limit":1} with the header If-Match "*"
      Then the answer is 200
      And the row AppRegistry app / config has the columns
        | column        | type   | value    |
        | appDataJson   | string | anything |
        | schemaVersion | string | 1.2.0    |

    @reference
    Scenario: a record below 1 MiB that does not fit into a row compressed gets 413
      Given Noise stands for 900000 random characters
      When Ana sends PUT /api/v2/app {"story":"{Noise}"}
      Then the answer is 413 too_large

    Scenario: a record of more than 1 MiB gets 413
      When Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions","story":"{1048576×a}"}
      Then the answer is 413 too_large

  @LH-PRV-1
  Rule: Tables are created by the server, and a failed creation is tried again
    > "Table does not exist": Tables are auto-created on first access

    Scenario: the first request creates all tables once
      Given a fresh target on an account that was never used
      When Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      Then the answer is 201
      And these tables exist
        | AppRegistry   |
        | Organizations |
        | Hunts         |
        | HuntIndex     |
      When Ana sends GET /api/v2/organizations/org-{tag}
      Then no table was created twice

    Scenario: a table creation that failed during an outage is tried again
      Given a fresh target on an account that was never used
      And storage is down
      When Ana sends GET /api/v2/organizations/org-{tag}
      Then the answer is 503 storage_unavailable
      And the answer says to retry later
      When storage is back
      And Ana sends GET /api/v2/organizations/org-{tag}
      Then the answer is 404 not_found

  @LH-MON-1
  Rule: Prometheus can read how long operations take
    > Query Latency: P95 latency thresholds per operation type

    Scenario: metrics count reads from blobs and migrations on read
      Given a fresh target with MIGRATION_PHASE "tables-first"
      And the blob orgs/org-{tag}.json is
        """
        {"orgName":"Lions","hunts":[{"huntId":"a","huntName":"A","startDate":"2024-07-15","endDate":"2024-07-15","status":"draft"},{"huntId":"b","huntName":"B","startDate":"2024-07-15","endDate":"2024-07-15","status":"draft"}]}
        """
      And the row Organizations old-{tag} / org is
        | orgDataJson   | {"name":"Old Lions"} |
        | orgName       | Old Lions            |
        | schemaVersion | 1.0.0                |
      And Ana sends GET /api/v2/organizations/org-{tag}
      And Ana sends GET /api/v2/hunts/org-{tag}
      And Ana sends GET /api/v2/organizations/nobody-{tag}
      And Ana sends 2 times one after the other GET /api/v2/organizations/old-{tag}
      When Ana sends GET /metrics
      Then the answer contains "lovehunt_served_from_blob_total 3"
      And the answer contains "lovehunt_migrated_on_read_total 1"
      And the answer contains "lovehunt_dual_write_compared_total 0"

    Scenario: metrics count a blob that was written back once
      Given a fresh target with MIGRATION_PHASE "blob-only"
      And the blob orgs/org-{tag}.json is
        """
        {"name":"Lions","hunts":[]}
        """
      And Ana sends 2 times one after the other GET /api/v2/organizations/org-{tag}
      When Ana sends GET /metrics
      Then the answer contains "lovehunt_migrated_on_read_total 1"

    Scenario: metrics contain operations and cost no storage call
      Given Ana sends GET /api/v2/organizations/org-{tag}
      When Ana sends GET /metrics
      Then the answer is 200
      And the answer contains "organizations"
      And no storage call was made
