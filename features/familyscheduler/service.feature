Feature: The service starts by itself and stays honest when things go wrong

  @FS-SRV-1
  Rule: All tables are created on first use, once per process
    > On Function cold start / first use, create tables if not exist
    > Prefer an in-memory “already initialized” flag to avoid repeating work per request.

    Scenario: the first people on a new account
      Given a fresh target on an account that was never used
      When Ana signs in by link
      Then the answer is 200
      When Ana sends GET /api/me/groups
      Then the answer is 200
      And these tables exist
        | Groups                  |
        | UserGroups              |
        | GroupMembers            |
        | AppointmentsIndex       |
        | DailyMetrics            |
        | UserDailyUsage          |
        | UserDailyUsageByModel   |
        | DailyUsageByModel       |
        | AppointmentParticipants |
        | UserProfiles            |
      When Ana sends POST /api/group/create {"groupName":"Family"}
      Then the answer is 200
      When Ana sends GET /api/me/groups
      Then the answer is 200
      And no table was created twice

  @FS-SRV-2
  Rule: Two instances that start at the same moment both work
    > Auto-provision Tables on cold start / first use (no manual table creation).

    Scenario: the first two requests reach two instances
      Given two fresh targets on an account that was never used
      And Ana is signed in
      And Ben is signed in
      When Ana and Ben send GET /api/me/groups at the same moment
      Then both answers are 200
      And these tables exist
        | Groups                  |
        | UserGroups              |
        | GroupMembers            |
        | AppointmentsIndex       |
        | DailyMetrics            |
        | UserDailyUsage          |
        | UserDailyUsageByModel   |
        | DailyUsageByModel       |
        | AppointmentParticipants |
        | UserProfiles            |

  @FS-SRV-3
  Rule: Health answers while storage is down
    > Cheap: no deep dependency checks; returns `{ ok: true, time: ..., version: ... }`.

    Scenario: storage is up
      When Nobody sends GET /api/health
      Then the answer is 200
      And the answer has
        | ok      | true     |
        | time    | a time   |
        | version | anything |
      And no storage call was made

    Scenario: storage is down
      Given storage is down
      When Nobody sends GET /api/health
      Then the answer is 200
      And the answer has
        | ok | true |

  @FS-SRV-4
  Rule: A malformed request gets a 4xx in the error shape
    > API contracts (minimum)
    > (contract) Every error is {ok:false,error,message,traceId}, and no input is answered with a 500.

    Background:
      Given Ana is an active member of Family

    Scenario Outline: <what>
      When Ana sends <request>
      Then the answer is <answer>
      And nothing was written

      Examples:
        | what                        | request                                                                                                       | answer                    |
        | an unknown route            | GET /api/no/such/route                                                                                        | 404 not_found             |
        | a method the route lacks    | DELETE /api/me/groups                                                                                         | 405 method_not_allowed    |
        | a group id of another type  | POST /api/group/rename {"groupId":7,"groupName":"Smiths"}                                                     | 400 bad_request           |
        | no group id                 | POST /api/group/rename {"groupName":"Smiths"}                                                                 | 400 bad_request           |
        | a group id with a slash     | POST /api/group/rename {"groupId":"a/b","groupName":"Smiths"}                                                 | 400 bad_request           |
        | a name of another type      | POST /api/group/rename {"groupId":"{Family}","groupName":["Smiths"]}                                          | 400 bad_request           |
        | a name of 61 letters        | POST /api/group/create {"groupName":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}          | 400 bad_request           |
        | an e-mail that is none      | POST /api/group/join-link {"groupId":"{Family}","email":"nobody"}                                             | 400 bad_request           |
        | an unknown action           | POST /api/direct {"groupId":"{Family}","action":{"type":"no_such_action"}}                                    | 400 bad_request           |
        | no action                   | POST /api/direct {"groupId":"{Family}"}                                                                       | 400 bad_request           |
        | an unknown appointment      | POST /api/direct {"groupId":"{Family}","action":{"type":"get_appointment_detail","appointmentId":"unknown"}}  | 404 appointment_not_found |
        | an unknown ignite session   | POST /api/ignite/close {"groupId":"{Family}","sessionId":"unknown"}                                           | 404 ignite_not_found      |
        | an unknown member           | POST /api/group/remove-member {"groupId":"{Family}","userKey":"0000000000000000000000000000000000000000000000000000000000000000"} | 404 member_not_found      |
        | an empty message            | POST /api/chat {"groupId":"{Family}","message":""}                                                            | 400 bad_request           |

    Scenario: a body that is not JSON
      When Ana sends POST /api/group/create with the body
        """
        {"groupName": "Family"
        """
      Then the answer is 400 bad_request
      And nothing was written

    Scenario: a body over 10 MiB
      When Ana sends POST /api/group/create with a body of 11534336 bytes
      Then the answer is 413 too_large
      And nothing was written

  @FS-SRV-5
  Rule: While storage is down every other route answers 503
    > Application Insights remains enabled for service health; add a simple health endpoint.
    > (contract) Storage down is answered with 503 storage_unavailable and Retry-After, and nothing is half-written.

    Scenario: storage goes down and comes back
      Given Ana is an active member of Family
      And storage is down
      When Ana sends GET /api/me/groups
      Then the answer is 503 storage_unavailable
      And the answer says to retry later
      When Ana sends POST /api/group/rename {"groupId":"{Family}","groupName":"Smiths"}
      Then the answer is 503 storage_unavailable
      When storage is back
      And Ana sends POST /api/group/rename {"groupId":"{Family}","groupName":"Smiths"}
      Then the answer is 200

  @FS-SRV-8
  Rule: What an account holds from before the tables counts for nothing
    > No migration/backfill required (pre-ship; treat existing data as disposable).

    Scenario: an account with blobs only
      Given a fresh target on an account that was never used
      And Ana is signed in
      And state.json of Family lists Ana among people and members
      When Ana sends GET /api/me/groups
      Then the answer is 200
      And "groups" of the answer is empty
      And these tables exist
        | Groups                  |
        | UserGroups              |
        | GroupMembers            |
        | AppointmentsIndex       |
        | DailyMetrics            |
        | UserDailyUsage          |
        | UserDailyUsageByModel   |
        | DailyUsageByModel       |
        | AppointmentParticipants |
        | UserProfiles            |
      And the table GroupMembers holds 0 rows
      And the table UserGroups holds 0 rows
