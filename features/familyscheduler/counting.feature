Feature: What is counted
  Calls of OpenAI are counted by person, by person and model, and by model. Events of the service
  are counted by day. Counters are exact even under many simultaneous requests and when a request is repeated.

  Background:
    Given Ana is an active member of Family

  @FS-USE-1
  Rule: Each call of OpenAI is added to three tables
    > Usage/cost tracking truth: Tables (`UserDailyUsage*`, `DailyUsageByModel`).

    Scenario: calls of two people are added to all three tables
      Given Ben is an active member of Family
      And OpenAI answers "Lunch at noon." with 30 tokens in and 7 out
      When Ana sends POST /api/chat {"groupId":"{Family}","message":"What is next?"}
      Then the answer is 200
      And the answer has
        | kind          | reply          |
        | assistantText | Lunch at noon. |
      Given OpenAI answers "Dinner at eight." with 40 tokens in and 9 out
      When Ana sends POST /api/chat {"groupId":"{Family}","message":"And then?"}
      And Ben sends POST /api/chat {"groupId":"{Family}","message":"And then?"}
      Then OpenAI was asked 3 times
      And the row UserDailyUsage {Ana.userKey} / {today} has
        | openaiCalls     | 2  |
        | openaiTokensIn  | 70 |
        | openaiTokensOut | 16 |
        | openaiErrors    | 0  |
      And OpenAI was sent "Bearer storespec"
      And OpenAI was sent "gpt-4o/2024#1"
      And the row UserDailyUsage {Ben.userKey} / {today} has
        | openaiCalls    | 1  |
        | openaiTokensIn | 40 |
      And the row UserDailyUsageByModel {Ana.userKey}|{today} / gpt-4o~2F2024~231 has
        | calls     | 2  |
        | tokensIn  | 70 |
        | tokensOut | 16 |
        | errors    | 0  |
      And the row DailyUsageByModel {month} / {today}|gpt-4o~2F2024~231 has
        | calls     | 3   |
        | tokensIn  | 110 |
        | tokensOut | 25  |
        | errors    | 0   |

    Scenario: usage is shown completely whichever storage call fails
      Given Ana sends POST /api/chat {"groupId":"{Family}","message":"What is next?"}
      When Ana sends GET /api/usage, and any one storage call fails
      Then the answer is 200
      And the answer has
        | today.calls | 1 |
        | month.calls | 1 |

    Scenario: a count stores the time of its last change
      Given the row UserDailyUsage {Ana.userKey} / {today} is
        | openaiCalls | number 3             |
        | updatedAt   | 2026-01-02T08:00:00Z |
      And the row UserDailyUsageByModel {Ana.userKey}|{today} / gpt-4o~2F2024~231 is
        | calls     | number 3             |
        | updatedAt | 2026-01-02T08:00:00Z |
      And the row DailyUsageByModel {month} / {today}|gpt-4o~2F2024~231 is
        | calls     | number 3             |
        | updatedAt | 2026-01-02T08:00:00Z |
      When Ana sends POST /api/chat {"groupId":"{Family}","message":"What is next?"}
      Then the answer is 200
      And the row UserDailyUsage {Ana.userKey} / {today} has
        | openaiCalls | 4      |
        | updatedAt   | a time |
      And the row UserDailyUsageByModel {Ana.userKey}|{today} / gpt-4o~2F2024~231 has
        | calls     | 4      |
        | updatedAt | a time |
      And the row DailyUsageByModel {month} / {today}|gpt-4o~2F2024~231 has
        | calls     | 4      |
        | updatedAt | a time |

    Scenario Outline: a message of <length> characters is answered
      Given Question stands for <length> random characters
      When Ana sends POST /api/chat {"groupId":"{Family}","message":"{Question}"}
      Then the answer is 200
      And OpenAI was asked 1 time

      Examples:
        | length |
        | 1      |
        | 4000   |

    @reference
    Scenario: the model is sent only the first 100 appointments
      Given Family has 101 appointments
      When Ana sends POST /api/chat {"groupId":"{Family}","message":"What is next?"}
      Then OpenAI was sent "You help a group of people to plan."
      And OpenAI was sent "2026-06-01T09:00:00Z active {FamilyAppointment0}"
      And OpenAI was sent "active {FamilyAppointment99}"
      And OpenAI was not sent "{FamilyAppointment100}"

    @reference
    Scenario: a count stops at the maximum of its column
      Given the row UserDailyUsage {Ana.userKey} / {today} is
        | openaiTokensIn | number 2147483640 |
      When Ana sends POST /api/chat {"groupId":"{Family}","message":"What is next?"}
      Then the answer is 200
      And the row UserDailyUsage {Ana.userKey} / {today} has
        | openaiTokensIn | 2147483647 |

    @reference
    Scenario: a question repeated under its Idempotency-Key writes nothing more
      Given Ana sends POST /api/chat {"groupId":"{Family}","message":"What is next?"} with the key First
      When Ana sends POST /api/chat {"groupId":"{Family}","message":"What is next?"} with the key First
      Then the answer is 200
      And nothing was written

    Scenario: a refused chat is not counted
      Given Ben is signed in
      When Ben sends POST /api/chat {"groupId":"{Family}","message":"What is next?"}
      Then the answer is 403 not_allowed
      And OpenAI was asked 0 times
      And the table UserDailyUsage holds 0 rows
      And the table DailyUsageByModel holds 0 rows

    Scenario: a slow answer of OpenAI is awaited and counted once
      Given OpenAI takes 700 milliseconds to answer
      When Ana sends POST /api/chat {"groupId":"{Family}","message":"What is next?"}
      Then the answer is 200
      And OpenAI was asked 1 time
      And the row UserDailyUsage {Ana.userKey} / {today} has
        | openaiCalls    | 1  |
        | openaiTokensIn | 12 |
        | openaiErrors   | 0  |

    Scenario: a person sees today's and this month's usage
      Given the row UserDailyUsage {Ana.userKey} / {otherDay} is
        | openaiCalls     | number 3   |
        | openaiTokensIn  | number 100 |
        | openaiTokensOut | number 50  |
        | openaiErrors    | number 1   |
      And the row UserDailyUsage {Ana.userKey} / 2020-01-31 is
        | openaiCalls | number 7 |
      And the row UserDailyUsage {Ana.userKey} / {lastMonthsEnd} is
        | openaiCalls | number 7 |
      And the row UserDailyUsage {Ana.userKey} / 2999-01-31 is
        | openaiCalls | number 7 |
      And Ana sends POST /api/chat {"groupId":"{Family}","message":"What is next?"}
      When Ana sends GET /api/usage
      Then the answer is 200
      And the answer has
        | today.date      | {today} |
        | today.calls     | 1       |
        | today.tokensIn  | 12      |
        | today.tokensOut | 5       |
        | today.errors    | 0       |
        | month.calls     | 4       |
        | month.tokensIn  | 112     |
        | month.tokensOut | 55      |
        | month.errors    | 1       |
      And the storage calls are at most
        | service | call            | on             | count |
        | blob    | read            | sessions       | 1     |
        | table   | partition range | UserDailyUsage | 1     |
      Given the store answers queries in pages of 1 row, with an empty page before each
      When Ana sends GET /api/usage
      Then the answer has
        | today.calls | 1 |
        | month.calls | 4 |

    Scenario: a person who never asked sees a usage of zero
      When Ana sends GET /api/usage
      Then the answer has
        | today.calls | 0 |
        | month.calls | 0 |

    Scenario: usage includes a question as soon as it is answered
      Given Ana sends GET /api/usage
      And Ana sends POST /api/chat {"groupId":"{Family}","message":"What is next?"}
      When Ana sends GET /api/usage
      Then the answer has
        | today.calls | 1 |
        | month.calls | 1 |

    Scenario: a guest may not see usage
      Given Gus is a guest of Family
      When Gus sends GET /api/usage
      Then the answer is 403 forbidden

  @FS-USE-2
  Rule: Counting costs one read and one write per table
    > OpenAI tracking: update UserDailyUsage (+ optional per-model tables) with bounded ops; no per-request ledger for now.

    Scenario Outline: the <which> call of the day costs one read and one write per table
      Given <before>
      When Ana sends POST /api/chat {"groupId":"{Family}","message":"What is next?"}
      Then the answer is 200
      And the storage calls are at most
        | service | call            | on                    | count |
        | blob    | read            | sessions              | 1     |
        | table   | point read      | GroupMembers          | 1     |
        | table   | point read      | Groups                | 1     |
        | table   | partition query | AppointmentsIndex     | 1     |
        | table   | point read      | UserDailyUsage        | 1     |
        | table   | write           | UserDailyUsage        | 1     |
        | table   | point read      | UserDailyUsageByModel | 1     |
        | table   | write           | UserDailyUsageByModel | 1     |
        | table   | point read      | DailyUsageByModel     | 1     |
        | table   | write           | DailyUsageByModel     | 1     |
      And the row UserDailyUsage {Ana.userKey} / {today} has
        | openaiCalls | <calls> |

      Examples:
        | which | calls | before                                                                       |
        | first | 1     | OpenAI answers "Lunch at noon." with 30 tokens in and 7 out                  |
        | next  | 2     | Ana sends POST /api/chat {"groupId":"{Family}","message":"What was before?"} |

  @FS-USE-3
  Rule: There are no rows per request
    > OpenAI tracking: update UserDailyUsage (+ optional per-model tables) with bounded ops; no per-request ledger for now.

    Scenario: three calls add to one row of each table
      When Ana sends POST /api/chat {"groupId":"{Family}","message":"What is next?"}
      And Ana sends POST /api/chat {"groupId":"{Family}","message":"And then?"}
      And Ana sends POST /api/chat {"groupId":"{Family}","message":"And then?"}
      Then the table UserDailyUsage holds 1 row
      And the table UserDailyUsageByModel holds 1 row
      And the table DailyUsageByModel holds 1 row

  @FS-USE-4
  Rule: Fifty simultaneous calls are counted fifty times
    > Usage/cost tracking truth: Tables (`UserDailyUsage*`, `DailyUsageByModel`).

    Scenario: two questions at once are both counted, in every order
      When these run at the same time
        | who | method | path      | body                                             |
        | Ana | POST   | /api/chat | {"groupId":"{Family}","message":"What is next?"} |
        | Ana | POST   | /api/chat | {"groupId":"{Family}","message":"What is next?"} |
      Then all answers are 200
      And the row UserDailyUsage {Ana.userKey} / {today} has
        | openaiCalls    | 2  |
        | openaiTokensIn | 24 |
      And the row UserDailyUsageByModel {Ana.userKey}|{today} / gpt-4o~2F2024~231 has
        | calls | 2 |
      And the row DailyUsageByModel {month} / {today}|gpt-4o~2F2024~231 has
        | calls | 2 |

    Scenario: fifty questions at once are counted fifty times
      When Ana sends 50 times at once POST /api/chat {"groupId":"{Family}","message":"What is next?"}
      Then all answers are 200
      And OpenAI was asked 50 times
      And the row UserDailyUsage {Ana.userKey} / {today} has
        | openaiCalls     | 50  |
        | openaiTokensIn  | 600 |
        | openaiTokensOut | 250 |
        | openaiErrors    | 0   |
      And the row UserDailyUsageByModel {Ana.userKey}|{today} / gpt-4o~2F2024~231 has
        | calls    | 50  |
        | tokensIn | 600 |
      And the row DailyUsageByModel {month} / {today}|gpt-4o~2F2024~231 has
        | calls    | 50  |
        | tokensIn | 600 |

    Scenario Outline: a count in <table> overtaken just before the <which> write of the day is exact
      Given <before>
      And before the 1st write on <table> of the next request Ana sends POST /api/chat {"groupId":"{Family}","message":"What is next?"}
      When Ana sends POST /api/chat {"groupId":"{Family}","message":"What is next?"}
      Then all answers are 200
      And the row UserDailyUsage {Ana.userKey} / {today} has
        | openaiCalls | <calls> |
      And the row UserDailyUsageByModel {Ana.userKey}|{today} / gpt-4o~2F2024~231 has
        | calls | <calls> |
      And the row DailyUsageByModel {month} / {today}|gpt-4o~2F2024~231 has
        | calls | <calls> |

      Examples:
        | table                 | which | calls | before                                                                       |
        | UserDailyUsage        | first | 2     | OpenAI answers "Lunch at noon." with 30 tokens in and 7 out                  |
        | UserDailyUsageByModel | first | 2     | OpenAI answers "Lunch at noon." with 30 tokens in and 7 out                  |
        | DailyUsageByModel     | first | 2     | OpenAI answers "Lunch at noon." with 30 tokens in and 7 out                  |
        | UserDailyUsage        | next  | 3     | Ana sends POST /api/chat {"groupId":"{Family}","message":"What was before?"} |
        | UserDailyUsageByModel | next  | 3     | Ana sends POST /api/chat {"groupId":"{Family}","message":"What was before?"} |
        | DailyUsageByModel     | next  | 3     | Ana sends POST /api/chat {"groupId":"{Family}","message":"What was before?"} |

    @needs-idempotency-key
    Scenario: a repeated question is counted once whichever storage call fails
      Given Ana sends POST /api/chat {"groupId":"{Family}","message":"What is next?"}
      When Ana sends POST /api/chat {"groupId":"{Family}","message":"What is next?"}, and any one storage call fails
      Then the answer is 200
      And the row UserDailyUsage {Ana.userKey} / {today} has
        | openaiCalls | 2 |
      And the row UserDailyUsageByModel {Ana.userKey}|{today} / gpt-4o~2F2024~231 has
        | calls | 2 |
      And the row DailyUsageByModel {month} / {today}|gpt-4o~2F2024~231 has
        | calls | 2 |

  @FS-USE-5
  Rule: A failed call is counted as an error
    > - openaiErrors

    Scenario Outline: a failed call is counted as an error when <failure>
      Given <failure>
      When Ana sends POST /api/chat {"groupId":"{Family}","message":"What is next?"}
      Then the answer is 502 OPENAI_CALL_FAILED
      And OpenAI was asked 1 time
      And the row UserDailyUsage {Ana.userKey} / {today} has
        | openaiCalls     | 1 |
        | openaiTokensIn  | 0 |
        | openaiTokensOut | 0 |
        | openaiErrors    | 1 |
      And the row UserDailyUsageByModel {Ana.userKey}|{today} / gpt-4o~2F2024~231 has
        | calls     | 1 |
        | tokensOut | 0 |
        | errors    | 1 |
      And the row DailyUsageByModel {month} / {today}|gpt-4o~2F2024~231 has
        | calls     | 1 |
        | tokensOut | 0 |
        | errors    | 1 |

      Examples:
        | failure                             |
        | OpenAI fails with 500               |
        | OpenAI fails with 429               |
        | OpenAI answers without a completion |
        | OpenAI answers with the body {"choices":[],"usage":{"prompt_tokens":12,"completion_tokens":5}} |
        | OpenAI answers with the body {"choices":[{"message":{"content":null}}]} |
        | OpenAI answers with the body {"choices":[{"message":{"content":7}}]} |
        | OpenAI hangs up                     |

    @reference
    Scenario Outline: a call is counted as an error when OPENAI_BASE_URL is "<address>"
      Given a fresh target with OPENAI_BASE_URL "<address>"
      And Ben is an active member of Work
      When Ben sends POST /api/chat {"groupId":"{Work}","message":"What is next?"}
      Then the answer is 502 OPENAI_CALL_FAILED
      And the row UserDailyUsage {Ben.userKey} / {today} has
        | openaiErrors | 1 |

      Examples:
        | address |
        |         |
        | :       |

    @reference
    Scenario: a failed call that cannot be counted still gets 502
      Given OpenAI fails with 500
      And the store refuses each write on UserDailyUsage of the next request: its key is wrong
      When Ana sends POST /api/chat {"groupId":"{Family}","message":"What is next?"}
      Then the answer is 502 OPENAI_CALL_FAILED

    Scenario: the call after a failed one works and is counted
      Given OpenAI fails with 500
      And Ana sends POST /api/chat {"groupId":"{Family}","message":"What is next?"}
      And the answer is 502 OPENAI_CALL_FAILED
      And OpenAI answers "Lunch at noon." with 30 tokens in and 7 out
      When Ana sends POST /api/chat {"groupId":"{Family}","message":"What is next?"}
      Then the answer is 200
      And the row UserDailyUsage {Ana.userKey} / {today} has
        | openaiCalls    | 2  |
        | openaiTokensIn | 30 |
        | openaiErrors   | 1  |

  @FS-MET-1
  Rule: Events of the service are counted by day, exactly
    > High-level analytics (counts) and per-user OpenAI usage tracking are stored in Tables.

    Scenario: each kind of event is counted once
      Given Ben is signed in
      When Ana sends PUT /api/user/profile {"displayName":"Ana"}
      And Ana sends POST /api/group/create {"groupName":"Choir"}
      And Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"create_appointment","startTime":"2026-06-01T09:00:00Z"}}
      And Ana sends POST /api/group/join-link {"groupId":"{Family}","email":"{Ben.email}"}
      And Ben sends POST /api/group/join {"groupId":"{Family}"}
      Then the row DailyMetrics {month} / {today} has
        | newUsers        | 1      |
        | newGroups       | 1      |
        | newAppointments | 1      |
        | invitesSent     | 1      |
        | invitesAccepted | 1      |
        | updatedAt       | a time |

    Scenario: a later event of the day updates the row's time
      Given the row DailyMetrics {month} / {today} is
        | newGroups | number 3             |
        | updatedAt | 2026-01-02T08:00:00Z |
      When Ana sends POST /api/group/create {"groupName":"Choir"}
      Then the answer is 200
      And the row DailyMetrics {month} / {today} has
        | newGroups | 4      |
        | updatedAt | a time |

    @reference
    Scenario: a repeated creation counts on the day of the creation
      Given Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"create_appointment","startTime":"2026-06-01T09:00:00Z"}} with the key First
      And "appointmentId" of the answer is called Dentist
      And Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"create_appointment","startTime":"2026-06-01T09:00:00Z"}} with the key First
      And the row AppointmentsIndex {Family} / 20260601090000Z|{Dentist} is
        | createdAt | 2026-01-02T08:00:00Z |
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"create_appointment","startTime":"2026-06-01T09:00:00Z"}} with the key First
      Then the answer is 200
      And the row DailyMetrics 2026-01 / 2026-01-02 has
        | newAppointments | 1 |

    Scenario: a request that changes nothing is not counted
      Given Ben is signed in
      And Ana sends PUT /api/user/profile {"displayName":"Ana"}
      And Ana sends POST /api/group/join-link {"groupId":"{Family}","email":"{Ben.email}"}
      And Ben sends POST /api/group/join {"groupId":"{Family}"}
      When Ana sends PUT /api/user/profile {"displayName":"Ana Maria"}
      And Ana sends POST /api/group/join-link {"groupId":"{Family}","email":"{Ben.email}"}
      And Ben sends POST /api/group/join {"groupId":"{Family}"}
      And Ana sends POST /api/group/remove-member {"groupId":"{Family}","userKey":"{Ben.userKey}"}
      Then the row DailyMetrics {month} / {today} has
        | newUsers        | 1 |
        | invitesSent     | 1 |
        | invitesAccepted | 1 |

    @reference
    Scenario: a request repeated after midnight counts on the day of its first attempt
      Given Ana sends PUT /api/user/profile {"displayName":"Ana"} with the key First
      And the row UserProfiles {Ana.memberKey} / profile is
        | createdAt | 2026-01-02T08:00:00.000Z |
      When Ana sends PUT /api/user/profile {"displayName":"Ana"} with the key First
      Then the answer is 200
      And the row DailyMetrics 2026-01 / 2026-01-02 has
        | newUsers | 1 |

    Scenario: inviting a removed member again counts as another invitation
      Given Ben is a removed member of Family
      When Ana sends POST /api/group/join-link {"groupId":"{Family}","email":"{Ben.email}"}
      Then the row DailyMetrics {month} / {today} has
        | invitesSent | 1 |

    @reference
    Scenario: a request repeated on another day counts on the day of its effect
      Given Ben is signed in
      And Ana sends POST /api/group/create {"groupName":"Choir"} with the key First
      And "groupId" of the answer is called Choir
      And Ana sends POST /api/group/join-link {"groupId":"{Family}","email":"{Ben.email}"} with the key First
      And the row Groups group / {Choir} is
        | createdAt | {otherDay}T12:00:00Z |
      And the row GroupMembers {Family} / {Ben.userKey} is
        | invitedAt | {otherDay}T12:00:00Z |
      When Ana sends POST /api/group/create {"groupName":"Choir"} with the key First
      And Ana sends POST /api/group/join-link {"groupId":"{Family}","email":"{Ben.email}"} with the key First
      Then the row DailyMetrics {month} / {otherDay} has
        | newGroups       | 1 |
        | invitesSent     | 1 |
        | invitesAccepted | 0 |
      Given Ben sends POST /api/group/join {"groupId":"{Family}"} with the key First
      And the row GroupMembers {Family} / {Ben.userKey} is
        | joinedAt | {otherDay}T12:00:00Z |
      When Ben sends POST /api/group/join {"groupId":"{Family}"} with the key First
      Then the row DailyMetrics {month} / {otherDay} has
        | invitesAccepted | 1 |

    Scenario: an invitation accepted by joining a gathering is counted
      Given Ben is an invited member of Family
      And Ana sends POST /api/ignite/start {"groupId":"{Family}"}
      And "sessionId" of the answer is called Hunt
      When Ben sends POST /api/ignite/join {"groupId":"{Family}","sessionId":"{Hunt}"}
      Then the answer is 200
      And the row DailyMetrics {month} / {today} has
        | invitesAccepted | 1 |

    Scenario: a group that is spun off is counted as new
      When Ana sends POST /api/ignite/spinoff {"sourceGroupId":"{Family}"}
      Then the answer is 200
      And the row DailyMetrics {month} / {today} has
        | newGroups | 1 |

    Scenario: guests are not counted as new users
      Given Ana sends POST /api/ignite/start {"groupId":"{Family}"}
      And "sessionId" of the answer is called Hunt
      When Nobody sends POST /api/ignite/join {"groupId":"{Family}","sessionId":"{Hunt}","name":"Gus"}
      Then the answer is 200
      Given Gil is a guest of Family
      When Gil sends PUT /api/user/profile {"displayName":"Gil"}
      Then the answer is 200
      And the table DailyMetrics holds 0 rows

    Scenario: an invitation and an acceptance at once are both counted
      Given Ben is an invited member of Family
      And Cleo is signed in
      When these run at the same time
        | who | method | path                 | body                                          |
        | Ana | POST   | /api/group/join-link | {"groupId":"{Family}","email":"{Cleo.email}"} |
        | Ben | POST   | /api/group/join      | {"groupId":"{Family}"}                        |
      Then all answers are 200
      And the row DailyMetrics {month} / {today} has
        | invitesSent     | 1 |
        | invitesAccepted | 1 |

    Scenario Outline: the same request twice at once counts once: <counter>
      Given Cleo is signed in
      When these run at the same time
        | who | method   | path   | body   | key   |
        | Ana | <method> | <path> | <body> | First |
        | Ana | <method> | <path> | <body> | First |
      Then all answers are 200
      And the row DailyMetrics {month} / {today} has
        | <counter> | 1 |

      Examples:
        | counter         | method | path                 | body                                                                                             |
        | newUsers        | PUT    | /api/user/profile    | {"displayName":"Ana"}                                                                            |
        | newGroups       | POST   | /api/ignite/spinoff  | {"sourceGroupId":"{Family}"}                                                                     |
        | newAppointments | POST   | /api/direct          | {"groupId":"{Family}","action":{"type":"create_appointment","startTime":"2026-06-01T09:00:00Z"}} |
        | invitesSent     | POST   | /api/group/join-link | {"groupId":"{Family}","email":"{Cleo.email}"}                                                    |

    Scenario Outline: <count> requests at once are counted exactly: <counter>
      When Ana sends <count> times at once <request>
      Then all answers are 200
      And the row DailyMetrics {month} / {today} has
        | <counter> | <counted> |

      Examples:
        | counter         | count | counted | request                                                                                                                      |
        | newGroups       | 50    | 50      | POST /api/group/create {"groupName":"Choir {i}"}                                                                             |
        | newAppointments | 20    | 20      | POST /api/direct {"groupId":"{Family}","action":{"type":"create_appointment","startTime":"2026-06-01T09:00:00Z"}}            |
        | invitesSent     | 20    | 20      | POST /api/group/join-link {"groupId":"{Family}","email":"singer{i}@example.com"}                                             |
        | invitesSent     | 8     | 1       | POST /api/group/join-link {"groupId":"{Family}","email":"singer@example.com"}                                                |
        | newUsers        | 8     | 1       | PUT /api/user/profile {"displayName":"Ana"}                                                                                  |

    Scenario Outline: a count overtaken just before the <which> write of the day is exact
      Given <before>
      And before the 1st write on DailyMetrics of the next request Ana sends POST /api/group/create {"groupName":"Band"}
      When Ana sends POST /api/group/create {"groupName":"Choir"}
      Then all answers are 200
      And the row DailyMetrics {month} / {today} has
        | newGroups | <groups> |

      Examples:
        | which | groups | before                                                |
        | first | 2      | Ben is signed in                                      |
        | next  | 3      | Ana sends POST /api/group/create {"groupName":"Duet"} |

    Scenario: a count is exact when another client counts before the retry
      Given Ben is signed in
      And the answer to the 4th write of the next request is lost
      When Ana sends POST /api/group/create {"groupName":"Choir"} with the key First
      And Ben sends POST /api/group/create {"groupName":"Band"}
      And Ana sends POST /api/group/create {"groupName":"Choir"} with the key First
      Then the answer is 200
      And the row DailyMetrics {month} / {today} has
        | newGroups | 2 |

    @needs-idempotency-key
    Scenario Outline: <counter> counts once whichever storage call fails
      Given Ben is an invited member of Band
      And Cleo is signed in
      When <request>, and any one storage call fails
      Then the answer is 200
      And the row DailyMetrics {month} / {today} has
        | <counter> | 1 |

      Examples:
        | counter         | request                                                                                                                      |
        | newGroups       | Cleo sends POST /api/group/create {"groupName":"Choir"}                                                                      |
        | newGroups       | Ana sends POST /api/ignite/spinoff {"sourceGroupId":"{Family}","groupName":"Choir"}                                          |
        | newAppointments | Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"create_appointment","startTime":"2026-06-01T09:00:00Z"}} |
        | invitesSent     | Ana sends POST /api/group/join-link {"groupId":"{Family}","email":"{Cleo.email}"}                                            |
        | invitesAccepted | Ben sends POST /api/group/join {"groupId":"{Band}"}                                                                          |
        | newUsers        | Cleo sends PUT /api/user/profile {"displayName":"Cleo"}                                                                      |
