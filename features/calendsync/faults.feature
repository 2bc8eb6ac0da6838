Feature: Failed storage calls, repeated requests and lagging indexes
  A scenario with the step "and any one storage call fails" runs once for each storage call of the request and each kind of
  failure: the call is throttled, refused, or lost before or after the store has performed it, or conflicts with another
  transaction. After a 503 the client sends the same request again.

  Background:
    Given Ana is an owner of Team
    And Wim is a writer of Team
    And Lunch is a task of Team on 2024-01-15

  @CS-FLT-1
  Rule: Whichever storage call fails, repeating the request gives the same result as without a failure
    > (contract) Any one failed call and a retry converge; a POST that is sent again has its Idempotency-Key.

    Scenario: a new user is complete whichever storage call fails
      When Nobody sends POST /api/users {"name":"John","email":"john.{tag}@example.com","provider":"google","providerSubject":"1-{tag}"} with the header Idempotency-Key "sign-up", and any one storage call fails
      Then the answer is 201
      And "id" of the answer is called John
      And the row {calendsync} USER#{John} / USER#{John} has
        | email   | john.{tag}@example.com |
        | version | number 1               |
      And the row {calendsync} EMAIL#john.{tag}@example.com / EMAIL#john.{tag}@example.com has
        | userId | {John} |
      And the row {calendsync} PROV#google#1-{tag} / PROV#google#1-{tag} has
        | userId | {John} |

    Scenario: a changed e-mail is consistent whichever storage call fails
      When Ana sends GET /api/users/{Ana}
      Then the header ETag of the answer is called Version
      When Ana sends PUT /api/users/{Ana} {"name":"Anna","email":"anna.{tag}@example.com"} with the header If-Match "{Version}", and any one storage call fails
      Then the answer is 200
      And the row {calendsync} USER#{Ana} / USER#{Ana} has
        | name    | Anna                         |
        | email   | anna.{tag}@example.com       |
        | GSI2PK  | EMAIL#anna.{tag}@example.com |
        | version | number 2                     |
      And the row {calendsync} EMAIL#anna.{tag}@example.com / EMAIL#anna.{tag}@example.com has
        | userId | {Ana} |
      And there is no row {calendsync} EMAIL#{Ana.email} / EMAIL#{Ana.email}

    Scenario: a changed name takes effect once whichever storage call fails
      When Ana sends GET /api/users/{Ana}
      Then the header ETag of the answer is called Version
      When Ana sends PUT /api/users/{Ana} {"name":"Anna","email":"{Ana.email}"} with the header If-Match "{Version}", and any one storage call fails
      Then the answer is 200
      And the row {calendsync} USER#{Ana} / USER#{Ana} has
        | name    | Anna     |
        | version | number 2 |

    Scenario: a new calendar has its owner whichever storage call fails
      When Ana sends POST /api/calendars {"name":"Choir","color":"#3B82F6"} with the header Idempotency-Key "choir", and any one storage call fails
      Then the answer is 201
      And "id" of the answer is called Choir
      And the row {calendsync} CAL#{Choir} / CAL#{Choir} has
        | name    | Choir    |
        | owners  | number 1 |
        | version | number 1 |
      And the row {calendsync} CAL#{Choir} / MEMBER#{Ana} has
        | role | owner |
      When Ana sends GET /api/calendars/me
      Then "memberships" of the answer lists
        | calendar.id |
        | {Team}      |
        | {Choir}     |

    Scenario: a changed calendar is changed once whichever storage call fails
      When Ana sends GET /api/calendars/{Team}
      Then the header ETag of the answer is called Version
      When Ana sends PUT /api/calendars/{Team} {"name":"Family","color":"#000000"} with the header If-Match "{Version}", and any one storage call fails
      Then the answer is 200
      And the row {calendsync} CAL#{Team} / CAL#{Team} has
        | name    | Family   |
        | owners  | number 1 |
        | version | number 2 |

    Scenario Outline: a member added as <role> is counted once whichever storage call fails
      Given Sam has an account
      When Ana sends POST /api/calendars/{Team}/members {"userId":"{Sam}","role":"<role>"} with the header Idempotency-Key "sam", and any one storage call fails
      Then the answer is 201
      And the row {calendsync} CAL#{Team} / MEMBER#{Sam} has
        | role    | <role>   |
        | version | number 1 |
      And the row {calendsync} CAL#{Team} / CAL#{Team} has
        | owners | number <owners> |

      Examples:
        | role   | owners |
        | reader | 1      |
        | owner  | 2      |

    Scenario Outline: a writer made <role> is counted once whichever storage call fails
      When Ana sends PUT /api/calendars/{Team}/members/{Wim} {"role":"<role>"}, and any one storage call fails
      Then the answer is 200
      And the row {calendsync} CAL#{Team} / MEMBER#{Wim} has
        | role    | <role>   |
        | version | number 2 |
      And the row {calendsync} CAL#{Team} / CAL#{Team} has
        | owners | number <owners> |

      Examples:
        | role   | owners |
        | reader | 1      |
        | owner  | 2      |

    Scenario Outline: <who>, <what>, is removed completely whichever storage call fails
      Given <given>
      When Ana sends DELETE /api/calendars/{Team}/members/{<who>}, and any one storage call fails
      Then the answer is 204 or 404
      And there is no row {calendsync} CAL#{Team} / MEMBER#{<who>}
      And the row {calendsync} CAL#{Team} / CAL#{Team} has
        | owners | number 1 |

      Examples:
        | who | what     | given                  |
        | Wim | a writer | Wim is a writer of Team |
        | Ben | an owner | Ben is an owner of Team |
        | Ana | an owner | Ben is an owner of Team |

    Scenario: a new entry is created once whichever storage call fails
      When Wim sends POST /api/entries {"calendarId":"{Team}","title":"Dinner","date":"2024-02-15","color":"#3B82F6","kind":{"type":"AllDay"}} with the header Idempotency-Key "dinner", and any one storage call fails
      Then the answer is 201
      And "id" of the answer is called Dinner
      When Ana sends GET /api/calendars/{Team}/entries?start=2024-02-01&end=2024-02-28
      Then "entries" of the answer lists
        | id       | title  | version |
        | {Dinner} | Dinner | 1       |

    Scenario: a changed entry is changed once whichever storage call fails
      When Wim sends GET /api/entries/{Lunch}
      Then the header ETag of the answer is called Version
      When Wim sends PUT /api/entries/{Lunch} {"calendarId":"{Team}","title":"Dinner","date":"2024-02-15","color":"#3B82F6","kind":{"type":"AllDay"}} with the header If-Match "{Version}", and any one storage call fails
      Then the answer is 200
      And the row {calendsync} ENTRY#{Lunch} / ENTRY#{Lunch} has
        | title   | Dinner                   |
        | GSI1SK  | ENTRY#2024-02-15#{Lunch} |
        | version | number 2                 |

    Scenario: a moved entry is moved once whichever storage call fails
      Given Wim is an owner of Other
      When Wim sends GET /api/entries/{Lunch}
      Then the header ETag of the answer is called Version
      When Wim sends PUT /api/entries/{Lunch} {"calendarId":"{Other}","title":"Lunch","date":"2024-01-15","color":"#3B82F6","kind":{"type":"AllDay"}} with the header If-Match "{Version}", and any one storage call fails
      Then the answer is 200
      And the row {calendsync} ENTRY#{Lunch} / ENTRY#{Lunch} has
        | calendarId | {Other}     |
        | GSI1PK     | CAL#{Other} |
        | version    | number 2    |

    Scenario: a deleted entry is gone whichever storage call fails
      When Wim sends DELETE /api/entries/{Lunch}, and any one storage call fails
      Then the answer is 204 or 404
      And there is no row {calendsync} ENTRY#{Lunch} / ENTRY#{Lunch}

    Scenario: a deleted calendar is gone completely whichever storage call fails
      Given Trip is an entry of Team from 2024-01-14 to 2024-01-16
      And Team has 1 more owner
      And Team has 40 more readers
      And Ana is an owner of Other
      And Dinner is a task of Other on 2024-01-15
      When Ana sends DELETE /api/calendars/{Team}, and any one storage call fails
      Then the answer is 204 or 404
      And the partition CAL#{Team} of {calendsync} is empty
      And there is no row {calendsync} ENTRY#{Lunch} / ENTRY#{Lunch}
      And there is no row {calendsync} ENTRY#{Trip} / ENTRY#{Trip}
      And the row {calendsync} ENTRY#{Dinner} / ENTRY#{Dinner} has
        | calendarId | {Other} |

    Scenario Outline: a read is correct whichever storage call fails: <request>
      When Wim sends <request>, and any one storage call fails
      Then the answer is 200
      And the answer has
        | <path> | <value> |

      Examples:
        | request                                                           | path                      | value       |
        | GET /api/users/{Ana}                                              | email                     | {Ana.email} |
        | GET /api/users?email={Ana.email}                                  | id                        | {Ana}       |
        | GET /api/calendars                                                | calendars[0].name         | Team        |
        | GET /api/calendars/me                                             | memberships[0].calendar.name | Team     |
        | GET /api/calendars/{Team}                                         | name                      | Team        |
        | GET /api/calendars/{Team}/members                                 | members[1].name           | anything    |
        | GET /api/calendars/{Team}/entries?start=2024-01-01&end=2024-01-31 | entries[0].title          | Lunch       |
        | GET /api/entries/{Lunch}                                          | title                     | Lunch       |

  @CS-FLT-2
  Rule: A request that fails and is not repeated has no partial effect
    > (contract) Toggle: 1 read + 1 write.

    Scenario: a toggle happens once or not at all
      When Wim sends PATCH /api/entries/{Lunch}/toggle, and any one storage call fails for good
      Then the answer is 200 or 503
      And the row {calendsync} ENTRY#{Lunch} / ENTRY#{Lunch} has
        | version | 1 or 2 |

    Scenario: a toggle whose storage answer is lost happens once
      Given the answer to the 1st write of the next request is lost
      When Wim sends PATCH /api/entries/{Lunch}/toggle
      Then the answer is 200 or 503
      And the row {calendsync} ENTRY#{Lunch} / ENTRY#{Lunch} has
        | kind    | {"completed":true,"type":"Task"} |
        | version | number 2                         |

    @reference
    Scenario Outline: a change whose storage answer is lost is not reported as a conflict: PUT <path>
      Given Wim is an owner of Other
      When Wim sends GET <path>
      Then the header ETag of the answer is called Version
      When Wim sends PUT <path> <body> with the header If-Match "{Version}", and any one storage call fails for good
      Then each answer is one of 200, 503

      Examples:
        | path                   | body |
        | /api/users/{Wim}       | {"name":"Wilhelm","email":"{Wim.email}"} |
        | /api/users/{Wim}       | {"name":"Wilhelm","email":"wilhelm.{tag}@example.com"} |
        | /api/calendars/{Other} | {"name":"Family","color":"#000000","description":"Ours"} |
        | /api/entries/{Lunch}   | {"calendarId":"{Team}","title":"Dinner","description":"a","location":"b","date":"2024-02-15","color":"#000000","kind":{"type":"Timed","start":"19:00:00","end":"20:00:00"}} |
        | /api/entries/{Lunch}   | {"calendarId":"{Team}","title":"Dinner","date":"2024-02-15","color":"#000000","kind":{"type":"Task","completed":true}} |
        | /api/entries/{Lunch}   | {"calendarId":"{Other}","title":"Dinner","date":"2024-02-15","color":"#000000","kind":{"type":"AllDay"}} |

    @reference
    Scenario Outline: a role change whose storage answer is lost is not reported as a conflict: <method> to <role>
      Given Ben is an owner of Team
      When Ana sends <request>, and any one storage call fails for good
      Then each answer is one of 200, 204, 503

      Examples:
        | method | role   | request                                                        |
        | PUT    | reader | PUT /api/calendars/{Team}/members/{Wim} {"role":"reader"}      |
        | PUT    | owner  | PUT /api/calendars/{Team}/members/{Wim} {"role":"owner"}       |
        | PUT    | writer | PUT /api/calendars/{Team}/members/{Ben} {"role":"writer"}      |
        | DELETE | none   | DELETE /api/calendars/{Team}/members/{Wim}                     |
        | DELETE | none   | DELETE /api/calendars/{Team}/members/{Ben}                     |
        | DELETE | none   | DELETE /api/calendars/{Team}/members/{Ana}                     |
        | DELETE | none   | DELETE /api/entries/{Lunch}                                    |
        | DELETE | none   | DELETE /api/calendars/{Team}                                   |

    @reference
    Scenario Outline: a POST whose storage answer is lost is not reported as a conflict: <request>
      Given Sam has an account
      When Ana sends <request>, and any one storage call fails for good
      Then each answer is one of 201, 503

      Examples:
        | request                                                                           |
        | POST /api/users {"name":"John","email":"john.{tag}@example.com"}                  |
        | POST /api/calendars {"name":"Choir","color":"#3B82F6"}                            |
        | POST /api/calendars/{Team}/members {"userId":"{Sam}","role":"reader"}             |
        | POST /api/calendars/{Team}/members {"email":"{Sam.email}","role":"owner"}         |
        | POST /api/entries {"calendarId":"{Team}","title":"Dinner","date":"2024-02-15","color":"#3B82F6","kind":{"type":"AllDay"}} |

    Scenario: a user exists with their guard or not at all
      When Nobody sends POST /api/users {"name":"John","email":"john.{tag}@example.com"}, and any one storage call fails for good
      Then each answer is one of 201, 409, 503
      When Nobody sends POST /api/users {"name":"Jon","email":"john.{tag}@example.com"}
      Then the answer is 201 or 409
      And the row {calendsync} EMAIL#john.{tag}@example.com / EMAIL#john.{tag}@example.com has
        | userId | anything |

    Scenario: requests during an outage get 503 while the health route still answers
      Given storage is down
      When Ana sends GET /api/calendars/{Team}
      Then the answer is 503 storage_unavailable
      And the answer says to retry later
      When Ana sends POST /api/entries {"calendarId":"{Team}","title":"Dinner","date":"2024-02-15","color":"#3B82F6","kind":{"type":"AllDay"}}
      Then the answer is 503 storage_unavailable
      When Nobody sends GET /readyz
      Then the answer is 200
      When storage is back
      And Ana sends GET /api/calendars/{Team}
      Then the answer is 200

    Scenario: a deletion that the store keeps throttling gets 503 and deletes nothing
      Given storage throttles the next request
      When Ana sends DELETE /api/entries/{Lunch}
      Then the answer is 503 storage_unavailable
      And the answer says to retry later
      And the row {calendsync} ENTRY#{Lunch} / ENTRY#{Lunch} has
        | version | number 1 |

    Scenario: a read that the store throttles once succeeds
      Given storage throttles the next request once
      When Ana sends GET /api/entries/{Lunch}
      Then the answer is 200

    Scenario Outline: a request gets 503 when the table does not exist: <request>
      Given the store refuses each <call> on {calendsync} of the next request: it does not exist
      When Ana sends <request>
      Then the answer is 503
      And no table was created

      Examples:
        | call | request                                                 |
        | read | GET /api/calendars/{Team}                               |
        | call | POST /api/calendars {"name":"Choir","color":"#3B82F6"} |

  @CS-IDEM-1 @contract
  Rule: A POST repeated with the same Idempotency-Key takes effect once
    > (contract) The id is shaped as a UUID v4 from SHA-256(caller, route, key).

    Scenario Outline: <what> created twice with one Idempotency-Key exists once
      Given Sam has an account
      When Ana sends POST <path> <body> with the header Idempotency-Key "once"
      Then the answer is 201
      And "<id>" of the answer is called First
      And "<id>" of the answer matches "^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$"
      When Ana sends POST <path> <body> with the header Idempotency-Key "once"
      Then the answer is 201
      And the answer has
        | <id>    | {First}  |
        | version | number 1 |
      And nothing was written

      Examples:
        | what       | path                          | id     | body |
        | a calendar | /api/calendars                | id     | {"name":"Choir","color":"#3B82F6"} |
        | an entry   | /api/entries                  | id     | {"calendarId":"{Team}","title":"Dinner","date":"2024-02-15","color":"#3B82F6","kind":{"type":"AllDay"}} |
        | a member   | /api/calendars/{Team}/members | userId | {"userId":"{Sam}","role":"reader"} |

    Scenario: a user created twice with one Idempotency-Key exists once
      When Nobody sends POST /api/users {"name":"John","email":"john.{tag}@example.com"} with the header Idempotency-Key "once-{tag}"
      Then the answer is 201
      And "id" of the answer is called John
      When Nobody sends POST /api/users {"name":"John","email":"john.{tag}@example.com"} with the header Idempotency-Key "once-{tag}"
      Then the answer is 201
      And the answer has
        | id | {John} |

    @reference
    Scenario: an Idempotency-Key reused for another request is a conflict
      Given Ana is an owner of Other
      When Ana sends POST /api/entries {"calendarId":"{Team}","title":"Dinner","date":"2024-02-15","color":"#3B82F6","kind":{"type":"AllDay"}} with the header Idempotency-Key "once"
      Then the answer is 201
      When Ana sends POST /api/entries {"calendarId":"{Other}","title":"Dinner","date":"2024-02-15","color":"#3B82F6","kind":{"type":"AllDay"}} with the header Idempotency-Key "once"
      Then the answer is 409 conflict
      When Nobody sends POST /api/users {"name":"John","email":"john.{tag}@example.com"} with the header Idempotency-Key "once-{tag}"
      Then the answer is 201
      When Nobody sends POST /api/users {"name":"John","email":"jon.{tag}@example.com"} with the header Idempotency-Key "once-{tag}"
      Then the answer is 409 conflict
      When Ana sends POST /api/calendars {"name":"Choir","color":"#3B82F6"} with the header Idempotency-Key "choir"
      Then "id" of the answer is called Choir
      Given the row {calendsync} CAL#{Choir} / CAL#{Choir} is
        | deletingAt | 2026-01-02T09:00:00Z |
      When Ana sends POST /api/calendars {"name":"Choir","color":"#3B82F6"} with the header Idempotency-Key "choir"
      Then the answer is 409 conflict

    Scenario: a repeated request from a former member shows nothing
      When Ana sends POST /api/calendars {"name":"Choir","color":"#3B82F6"} with the header Idempotency-Key "once"
      Then "id" of the answer is called Choir
      When Ana sends POST /api/calendars/{Choir}/members {"userId":"{Wim}","role":"owner"}
      Then the answer is 201
      When Ana sends DELETE /api/calendars/{Choir}/members/{Ana}
      Then the answer is 204
      When Wim sends GET /api/calendars/{Choir}
      Then the header ETag of the answer is called Version
      When Wim sends PUT /api/calendars/{Choir} {"name":"Secret","color":"#3B82F6"} with the header If-Match "{Version}"
      Then the answer is 200
      When Ana sends POST /api/calendars {"name":"Choir","color":"#3B82F6"} with the header Idempotency-Key "once"
      Then the answer does not contain "Secret"
      And there is no row {calendsync} CAL#{Choir} / MEMBER#{Ana}

    Scenario: another user's identical Idempotency-Key creates a second calendar
      When Ana sends POST /api/calendars {"name":"Choir","color":"#3B82F6"} with the header Idempotency-Key "once"
      Then "id" of the answer is called First
      When Wim sends POST /api/calendars {"name":"Choir","color":"#3B82F6"} with the header Idempotency-Key "once"
      Then the answer is 201
      And "id" of the answer is called Second
      And the row {calendsync} CAL#{First} / MEMBER#{Ana} has
        | role | owner |
      And there is no row {calendsync} CAL#{First} / MEMBER#{Wim}
      And the row {calendsync} CAL#{Second} / MEMBER#{Wim} has
        | role | owner |

    Scenario: the same POST with another Idempotency-Key takes effect again
      When Ana sends POST /api/calendars {"name":"Choir","color":"#3B82F6"} with the header Idempotency-Key "once"
      Then the answer is 201
      When Ana sends POST /api/calendars {"name":"Choir","color":"#3B82F6"} with the header Idempotency-Key "twice"
      Then the answer is 201
      When Ana sends GET /api/calendars/me
      Then the answer has
        | memberships[2] | anything |
        | memberships[3] | absent   |

    Scenario: a POST without an Idempotency-Key takes effect each time
      When Ana sends POST /api/calendars {"name":"Choir","color":"#3B82F6"}
      Then the answer is 201
      When Ana sends POST /api/calendars {"name":"Choir","color":"#3B82F6"}
      Then the answer is 201
      When Ana sends GET /api/calendars/me
      Then the answer has
        | memberships[2] | anything |

    Scenario: adding a member again with another Idempotency-Key is a conflict
      Given Sam has an account
      When Ana sends POST /api/calendars/{Team}/members {"userId":"{Sam}","role":"reader"} with the header Idempotency-Key "once"
      Then the answer is 201
      When Ana sends POST /api/calendars/{Team}/members {"userId":"{Sam}","role":"reader"} with the header Idempotency-Key "twice"
      Then the answer is 409 conflict

    Scenario Outline: an Idempotency-Key of more than 200 bytes is refused: <path>
      Given Sam has an account
      When Ana sends POST <path> <body> with the header Idempotency-Key "{201×a}"
      Then the answer is 400 bad_request
      And nothing was written

      Examples:
        | path                          | body |
        | /api/users                    | {"name":"John","email":"john.{tag}@example.com"} |
        | /api/calendars                | {"name":"Choir","color":"#3B82F6"} |
        | /api/calendars/{Team}/members | {"userId":"{Sam}","role":"reader"} |
        | /api/entries                  | {"calendarId":"{Team}","title":"Dinner","date":"2024-02-15","color":"#3B82F6","kind":{"type":"AllDay"}} |

  @CS-GSI-1
  Rule: While an index lags, something may be missing or outdated, but no user is mistaken for another
    > Eventual consistency: global secondary indexes
    > (contract) A lagging index may answer 404 for a moment, never another user.

    Scenario: authorization does not depend on a lagging index
      Given index updates arrive 40 calls late
      When Ana sends DELETE /api/calendars/{Team}/members/{Wim}
      Then the answer is 204
      When Wim sends GET /api/calendars/{Team}/entries?start=2024-01-01&end=2024-01-31
      Then the answer is 404 not_found
      When Wim sends GET /api/entries/{Lunch}
      Then the answer is 404 not_found
      When Wim sends GET /api/calendars/{Team}
      Then the answer is 404 not_found
      When Wim sends GET /api/calendars/me
      Then the answer is 200

    Scenario: a new user's e-mail is taken before the index shows it
      Given index updates arrive 40 calls late
      When Nobody sends POST /api/users {"name":"John","email":"john.{tag}@example.com"}
      Then the answer is 201
      When Nobody sends POST /api/users {"name":"Jon","email":"john.{tag}@example.com"}
      Then the answer is 409 conflict
      When Ana sends POST /api/calendars/{Team}/members {"email":"john.{tag}@example.com","role":"reader"}
      Then the answer is 201 or 404

    Scenario: an address that changed hands does not lead to its former user
      Given index updates arrive 60 calls late
      When Wim sends GET /api/users/{Wim}
      Then the header ETag of the answer is called Version
      When Wim sends PUT /api/users/{Wim} {"name":"Wim","email":"wilhelm.{tag}@example.com"} with the header If-Match "{Version}"
      Then the answer is 200
      When Nobody sends POST /api/users {"name":"Wilma","email":"{Wim.email}"}
      Then the answer is 201
      When Ana sends GET /api/users?email={Wim.email}
      Then the answer is 404 not_found
      Given Ben is an owner of Other
      When Ben sends POST /api/calendars/{Other}/members {"email":"{Wim.email}","role":"writer"}
      Then the answer is 201 or 404
      And there is no row {calendsync} CAL#{Other} / MEMBER#{Wim}

    Scenario: a deleted calendar is not listed though the index still has it
      Given Wim is an owner of Other
      And index updates arrive 40 calls late
      When Ana sends DELETE /api/calendars/{Team}
      Then the answer is 204
      When Wim sends GET /api/calendars/me
      Then "memberships" of the answer lists
        | calendar.id |
        | {Other}     |
      When Wim sends GET /api/calendars
      Then "calendars" of the answer lists
        | id      |
        | {Other} |

    Scenario: a new calendar is usable before the index lists it
      Given index updates arrive 40 calls late
      When Ana sends POST /api/calendars {"name":"Choir","color":"#3B82F6"}
      Then "id" of the answer is called Choir
      When Ana sends GET /api/calendars/{Choir}
      Then the answer is 200
      When Ana sends POST /api/entries {"calendarId":"{Choir}","title":"Dinner","date":"2024-02-15","color":"#3B82F6","kind":{"type":"AllDay"}}
      Then the answer is 201
      And "id" of the answer is called Dinner
      When Ana sends GET /api/entries/{Dinner}
      Then the answer is 200
      When Ana sends GET /api/calendars/{Choir}/entries?start=2024-02-01&end=2024-02-28
      Then the answer is 200
