Feature: The service itself

  @LH-ERR-1
  Rule: What cannot be taken is refused, and nothing is written
    > EntityNotFound: Hunt/org doesn't exist. Return appropriate 404 errors

    Scenario: hostile requests
      Given Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      Then Ana is refused each of these, and nothing is written
        | what                              | request                                  | body                                                                                  | answer          |
        | a body that is not JSON           | PUT /api/v2/app                          | {"a":                                                                                 | 400 bad_request |
        | a list                            | PUT /api/v2/app                          | []                                                                                    | 400 bad_request |
        | a slug with capitals              | POST /api/v2/organizations               | {"slug":"Org","orgName":"Lions"}                                                      | 400 bad_request |
        | a slug with a slash               | POST /api/v2/organizations               | {"slug":"a/b","orgName":"Lions"}                                                      | 400 bad_request |
        | a slug that ends with a dash      | POST /api/v2/organizations               | {"slug":"a-","orgName":"Lions"}                                                       | 400 bad_request |
        | a slug of 64 letters              | POST /api/v2/organizations               | {"slug":"{64×a}","orgName":"Lions"}                                                   | 400 bad_request |
        | an organization without a name    | POST /api/v2/organizations               | {"slug":"new-{tag}"}                                                                  | 400 bad_request |
        | a slug with a slash in the path   | GET /api/v2/organizations/a%2Fb          |                                                                                       | 400 bad_request |
        | a slug with an apostrophe         | GET /api/v2/organizations/a%27b          |                                                                                       | 400 bad_request |
        | a status with a space             | GET /api/v2/hunts/org-{tag}?status=a%20b |                                                                                       | 400 bad_request |
        | a name given twice                | GET /api/v2/organizations?name=a&name=b  |                                                                                       | 400 bad_request |
        | another organization in the body  | PUT /api/v2/organizations/org-{tag}      | {"slug":"other","orgName":"Lions"}                                                    | 400 bad_request |
        | an end before the start           | POST /api/v2/hunts/org-{tag}             | {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-14"}                   | 400 bad_request |
        | 32 days                           | POST /api/v2/hunts/org-{tag}             | {"huntName":"Fair","startDate":"2024-07-01","endDate":"2024-08-01"}                   | 400 bad_request |
        | an end that is no day             | POST /api/v2/hunts/org-{tag}             | {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-99"}                   | 400 bad_request |
        | a name of 201 bytes               | POST /api/v2/hunts/org-{tag}             | {"huntName":"{201×a}","startDate":"2024-07-15","endDate":"2024-07-15"}                | 400 bad_request |
        | a name of an organization, longer | POST /api/v2/organizations               | {"slug":"new-{tag}","orgName":"{201×a}"}                                              | 400 bad_request |
        | an organization of no such slug   | GET /api/v2/events?orgSlug=A             |                                                                                       | 400 bad_request |
        | the 30th of February              | POST /api/v2/hunts/org-{tag}             | {"huntName":"Fair","startDate":"2024-02-30","endDate":"2024-03-01"}                   | 400 bad_request |
        | a hunt without a name             | POST /api/v2/hunts/org-{tag}             | {"startDate":"2024-07-15","endDate":"2024-07-15"}                                     | 400 bad_request |
        | a name that is a number           | POST /api/v2/hunts/org-{tag}             | {"huntName":7,"startDate":"2024-07-15","endDate":"2024-07-15"}                        | 400 bad_request |
        | an id with a slash                | POST /api/v2/hunts/org-{tag}             | {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"a/b"}    | 400 bad_request |
        | a status in capitals              | POST /api/v2/hunts/org-{tag}             | {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15","status":"Active"} | 400 bad_request |
        | another id in the body            | PUT /api/v2/hunts/org-{tag}/fair         | {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"other"}  | 400 bad_request |
        | an id with capitals               | GET /api/v2/hunts/org-{tag}/Fair         |                                                                                       | 400 bad_request |
        | an id with capitals to be deleted | DELETE /api/v2/hunts/org-{tag}/Fair      |                                                                                       | 400 bad_request |
        | a date that is none               | GET /api/v2/events?date=2024-13-01       |                                                                                       | 400 bad_request |
        | a last day that is none           | GET /api/v2/events/all?to=today          |                                                                                       | 400 bad_request |

  @LH-ERR-2
  Rule: A record has 1 MiB at most, and a large one is read as it was written
    > Entity too large: JSON payload exceeds 1MB limit. Consider data compression or normalization

    Scenario: 100,000 letters
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

    Scenario: more than 1 MiB
      When Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions","story":"{1048576×a}"}
      Then the answer is 413 too_large

  @LH-PRV-1
  Rule: Tables are created by the server, and a failed creation is tried again
    > "Table does not exist": Tables are auto-created on first access

    Scenario: the first request
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

    Scenario: storage is down at first
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

    Scenario: what the migration has done so far
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

    Scenario: an operation
      Given Ana sends GET /api/v2/organizations/org-{tag}
      When Ana sends GET /metrics
      Then the answer is 200
      And the answer contains "organizations"
      And no storage call was made
