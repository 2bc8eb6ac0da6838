Feature: Who may do what with a calendar
  Ana owns Team, Wim writes to it, Rea reads it, and Sam is a stranger.

  Background:
    Given the gated routes
      | route                                           | request |
      | GET /api/calendars/{group}                      |  |
      | PUT /api/calendars/{group}                      | {"name":"New","color":"#000000"} |
      | DELETE /api/calendars/{group}                   |  |
      | GET /api/calendars/{group}/members              |  |
      | POST /api/calendars/{group}/members             | {"userId":"{Sam}","role":"reader"} |
      | PUT /api/calendars/{group}/members/{Rea}        | {"role":"writer"} |
      | DELETE /api/calendars/{group}/members/{Rea}     |  |
      | GET /api/calendars/{group}/entries              | ?start=2024-01-01&end=2024-01-31 |
      | POST /api/entries                               | {"calendarId":"{group}","title":"More","date":"2024-01-16","color":"#3B82F6","kind":{"type":"AllDay"}} |
      | GET /api/entries/{Lunch}                        |  |
      | PUT /api/entries/{Lunch}                        | {"calendarId":"{group}","title":"New","date":"2024-01-16","color":"#3B82F6","kind":{"type":"AllDay"}} |
      | PATCH /api/entries/{Lunch}/toggle               |  |
      | DELETE /api/entries/{Lunch}                     |  |
    And Ana is an owner of Team
    And Wim is a writer of Team
    And Rea is a reader of Team
    And Sam has an account
    And Lunch is a task of Team on 2024-01-15

  @CS-GATE-1 @every-route
  Rule: Every route except signing up requires a valid session
    > Membership: links users to calendars with roles
    > (contract) The caller is Authorization: Bearer <session>; sessions are items SESSION#<id> {userId, expiresAt}.

    Scenario Outline: a request without a session is refused on <route>
      When Nobody calls <route> for Team
      Then the answer is 401 unauthorized
      And nothing was written

      Examples: every gated route

    Scenario Outline: a request with an expired session is refused on <route>
      Given Ana has a session that has expired
      When Ana calls <route> for Team
      Then the answer is 401 unauthorized
      And nothing was written

      Examples: every gated route

    Scenario Outline: a request with Authorization "<value>" is refused
      When Nobody sends GET /api/calendars with the header Authorization "<value>"
      Then the answer is 401 unauthorized

      Examples:
        | value                 |
        | Bearer                |
        | {Ana.userKey}         |
        | Basic {Ana.userKey}   |
        | Bearer {Ana.userKey}x |
        | Bearer {201×a}        |

    Scenario: the Authorization scheme is accepted in any case
      When Nobody sends GET /api/users/{Ana} with the header Authorization "bearer {Ana.userKey}"
      Then the answer is 200

    Scenario Outline: a session with <what> is refused
      Given the row {calendsync} SESSION#{Ana.userKey} / SESSION#{Ana.userKey} is
        | <column> | <value> |
      When Ana sends GET /api/calendars
      Then the answer is 401 unauthorized

      Examples:
        | what                | column    | value     |
        | no user             | userId    | absent    |
        | no end              | expiresAt | absent    |
        | a malformed end     | expiresAt | next year |

    Scenario: the health route is open and needs no store
      When Nobody sends GET /readyz
      Then the answer is 200
      And no storage call was made

  @CS-ROLE-1 @every-route
  Rule: A stranger does not learn that a calendar exists
    > Roles: owner, writer, reader
    > (contract) A stranger sees 404.

    Scenario Outline: a stranger is not shown that the calendar exists on <route>
      Given Sam is an owner of Other
      When Sam calls <route> for Team
      Then the answer is 404 or 428
      And nothing was written

      Examples: every gated route

    Scenario: a stranger who knows an old version gets 404
      When Ana sends GET /api/entries/{Lunch}
      Then the header ETag of the answer is called Version
      When Ana sends PATCH /api/entries/{Lunch}/toggle
      Then the answer is 200
      When Ana sends PATCH /api/entries/{Lunch}/toggle
      Then the answer is 200
      When Sam sends PUT /api/entries/{Lunch} {"calendarId":"{Team}","title":"New","date":"2024-01-16","color":"#3B82F6","kind":{"type":"AllDay"}} with the header If-Match "{Version}"
      Then the answer is 404 not_found

    Scenario Outline: a stranger who knows the current version gets 404: PUT <path>
      When Ana sends GET <path>
      Then the header ETag of the answer is called Version
      When Sam sends PUT <path> <body> with the header If-Match "{Version}"
      Then the answer is 404 not_found
      And nothing was written

      Examples:
        | path                  | body                             |
        | /api/calendars/{Team} | {"name":"New","color":"#000000"} |
        | /api/entries/{Lunch}  | {"calendarId":"{Team}","title":"New","date":"2024-01-16","color":"#3B82F6","kind":{"type":"AllDay"}} |

    Scenario Outline: a failing storage call does not let a stranger in: <request>
      When Sam is refused <request>, and any one storage call fails
      Then the answer is 404 or 503

      Examples:
        | request                                                               |
        | GET /api/calendars/{Team}                                             |
        | GET /api/calendars/{Team}/members                                     |
        | GET /api/calendars/{Team}/entries?start=2024-01-01&end=2024-01-31     |
        | GET /api/entries/{Lunch}                                              |
        | DELETE /api/calendars/{Team}                                          |
        | DELETE /api/entries/{Lunch}                                           |
        | PATCH /api/entries/{Lunch}/toggle                                     |

    Scenario: a stranger gets the same answer for existing and missing ids
      Given Nowhere is a new id
      When Sam sends GET /api/calendars/{Nowhere}
      Then the answer is 404 not_found
      When Sam sends GET /api/calendars/{Team}
      Then both answers are the same except for the trace id
      When Sam sends GET /api/entries/{Nowhere}
      Then the answer is 404 not_found
      When Sam sends GET /api/entries/{Lunch}
      Then both answers are the same except for the trace id
      When Sam sends GET /api/users/{Nowhere}
      Then the answer is 404 not_found
      When Sam sends GET /api/users/{Ana}
      Then both answers are the same except for the trace id

    Scenario Outline: an id of the wrong form or kind is not found: <request>
      When Ana sends <request>
      Then the answer is 404 not_found

      Examples:
        | request                                                        |
        | GET /api/users/ana                                             |
        | GET /api/calendars/MEMBER%23                                   |
        | GET /api/calendars/1/members                                   |
        | GET /api/calendars/1/entries?start=2024-01-01&end=2024-01-31   |
        | GET /api/entries/{Team}                                        |
        | GET /api/calendars/{Lunch}                                     |
        | DELETE /api/calendars/{Team}/members/{Lunch}                   |

  @CS-ROLE-2
  Rule: A role allows what the table of roles says, and no more
    > owner: read, write, administer; writer: read, write; reader: read
    > (contract) Somebody with a smaller role than is needed sees 403.

    Scenario Outline: a <role> may read: <request>
      When <who> sends <request>
      Then the answer is 200

      Examples:
        | role   | who | request                                                           |
        | owner  | Ana | GET /api/calendars/{Team}                                         |
        | writer | Wim | GET /api/calendars/{Team}                                         |
        | reader | Rea | GET /api/calendars/{Team}                                         |
        | owner  | Ana | GET /api/calendars/{Team}/entries?start=2024-01-01&end=2024-01-31 |
        | writer | Wim | GET /api/calendars/{Team}/entries?start=2024-01-01&end=2024-01-31 |
        | reader | Rea | GET /api/calendars/{Team}/entries?start=2024-01-01&end=2024-01-31 |
        | owner  | Ana | GET /api/entries/{Lunch}                                          |
        | writer | Wim | GET /api/entries/{Lunch}                                          |
        | reader | Rea | GET /api/entries/{Lunch}                                          |
        | owner  | Ana | GET /api/calendars/{Team}/members                                 |
        | writer | Wim | GET /api/calendars/{Team}/members                                 |
        | reader | Rea | GET /api/calendars/{Team}/members                                 |

    Scenario Outline: a reader may not write: <route>
      When Rea calls <route> for Team
      Then the answer is 403 forbidden
      And nothing was written

      Examples:
        | route                             |
        | POST /api/entries                 |
        | PATCH /api/entries/{Lunch}/toggle |
        | DELETE /api/entries/{Lunch}       |

    Scenario: a reader may not change an entry
      When Rea sends GET /api/entries/{Lunch}
      Then the header ETag of the answer is called Version
      When Rea sends PUT /api/entries/{Lunch} {"calendarId":"{Team}","title":"New","date":"2024-01-16","color":"#3B82F6","kind":{"type":"AllDay"}} with the header If-Match "{Version}"
      Then the answer is 403 forbidden

    Scenario Outline: a <role> may not administer: <route>
      When <who> calls <route> for Team
      Then the answer is 403 forbidden
      And nothing was written

      Examples:
        | role   | who | route                                       |
        | writer | Wim | DELETE /api/calendars/{group}               |
        | reader | Rea | DELETE /api/calendars/{group}               |
        | writer | Wim | POST /api/calendars/{group}/members         |
        | reader | Rea | POST /api/calendars/{group}/members         |
        | writer | Wim | PUT /api/calendars/{group}/members/{Rea}    |
        | reader | Rea | PUT /api/calendars/{group}/members/{Rea}    |
        | writer | Wim | DELETE /api/calendars/{group}/members/{Rea} |

    Scenario Outline: a <role> may not learn whether a person to add exists
      Given Nowhere is a new id
      When <who> sends POST /api/calendars/{Team}/members {"email":"nobody.{tag}@example.com","role":"reader"}
      Then the answer is 403 forbidden
      When <who> sends POST /api/calendars/{Team}/members {"userId":"{Nowhere}","role":"reader"}
      Then the answer is 403 forbidden
      When <who> sends DELETE /api/calendars/{Team}/members/{Nowhere}
      Then the answer is 403 forbidden

      Examples:
        | role   | who |
        | writer | Wim |
        | reader | Rea |

    Scenario Outline: a <role> may not change the calendar
      When <who> sends GET /api/calendars/{Team}
      Then the header ETag of the answer is called Version
      When <who> sends PUT /api/calendars/{Team} {"name":"New","color":"#000000"} with the header If-Match "{Version}"
      Then the answer is 403 forbidden
      And the row {calendsync} CAL#{Team} / CAL#{Team} has
        | name | Team |

      Examples:
        | role   | who |
        | writer | Wim |
        | reader | Rea |

    Scenario Outline: a <role> may create, toggle and delete entries
      When <who> sends POST /api/entries {"calendarId":"{Team}","title":"More","date":"2024-01-16","color":"#3B82F6","kind":{"type":"AllDay"}}
      Then the answer is 201
      When <who> sends PATCH /api/entries/{Lunch}/toggle
      Then the answer is 200
      When <who> sends DELETE /api/entries/{Lunch}
      Then the answer is 204
      And there is no row {calendsync} ENTRY#{Lunch} / ENTRY#{Lunch}

      Examples:
        | role   | who |
        | owner  | Ana |
        | writer | Wim |

    Scenario: a member with an unknown role may do nothing
      Given the row {calendsync} CAL#{Team} / MEMBER#{Wim} is
        | role | king |
      When Wim sends GET /api/entries/{Lunch}
      Then the answer is 404 not_found
      When Wim sends DELETE /api/calendars/{Team}
      Then the answer is 403 or 404
      When Wim sends DELETE /api/entries/{Lunch}
      Then the answer is 403 or 404

  @CS-ROLE-3
  Rule: Moving an entry requires write access to both calendars
    > Write Entries: owner, writer
    > (contract) Moving an entry needs a writer on both calendars.

    Scenario Outline: an entry moves only to a calendar that the writer may write to: one he <what>
      Given Sam is an owner of Other
      And <given>
      When Wim sends GET /api/entries/{Lunch}
      Then the header ETag of the answer is called Version
      When Wim sends PUT /api/entries/{Lunch} {"calendarId":"{Other}","title":"Lunch","date":"2024-01-15","color":"#3B82F6","kind":{"type":"AllDay"}} with the header If-Match "{Version}"
      Then the answer is <answer>
      And the row {calendsync} ENTRY#{Lunch} / ENTRY#{Lunch} has
        | calendarId | {<stays>}      |
        | GSI1PK     | CAL#{<stays>}  |

      Examples:
        | what           | given                   | answer        | stays |
        | cannot see     | Wim has an account      | 404 not_found | Team  |
        | may only read  | Wim is a reader of Other | 403 forbidden | Team  |
        | may write to   | Wim is a writer of Other | 200           | Other |

    Scenario: an entry does not move from a calendar that the caller may only read
      Given Rea is an owner of Other
      When Rea sends GET /api/entries/{Lunch}
      Then the header ETag of the answer is called Version
      When Rea sends PUT /api/entries/{Lunch} {"calendarId":"{Other}","title":"Lunch","date":"2024-01-15","color":"#3B82F6","kind":{"type":"AllDay"}} with the header If-Match "{Version}"
      Then the answer is 403 forbidden
      And the row {calendsync} ENTRY#{Lunch} / ENTRY#{Lunch} has
        | calendarId | {Team} |

  @CS-ROLE-4
  Rule: A user can be seen only by people who share a calendar with them
    > Links users to calendars with roles
    > (contract) GET users: oneself and people who share a calendar, else 404.

    Scenario Outline: only a person who shares a calendar finds the user: <request>
      When Rea sends <request>
      Then the answer is 200
      And the answer has
        | id    | {Wim}       |
        | email | {Wim.email} |
      When Sam sends <request>
      Then the answer is 404 not_found
      And the answer does not contain "{Wim}"

      Examples:
        | request                          |
        | GET /api/users/{Wim}             |
        | GET /api/users?email={Wim.email} |

    Scenario: a removed member no longer sees the other members
      When Ana sends DELETE /api/calendars/{Team}/members/{Rea}
      Then the answer is 204
      When Rea sends GET /api/users/{Wim}
      Then the answer is 404 not_found

    Scenario: a user is found by provider account only within a shared calendar
      Given Gus has an account at google
      And Gus is a reader of Team
      When Ana sends GET /api/users?provider=google&subject=sub-gus-{tag}
      Then the answer is 200
      When Sam sends GET /api/users?provider=google&subject=sub-gus-{tag}
      Then the answer is 404 not_found

    Scenario: a calendar shared among many others is enough to see a user
      Given Wim is an owner of 30 more calendars
      And Rea is an owner of 30 more calendars
      And the store answers queries in pages of 7 rows
      When Rea sends GET /api/users/{Wim}
      Then the answer is 200

    Scenario: a user cannot be changed by another user
      When Ana sends GET /api/users/{Wim}
      Then the header ETag of the answer is called Version
      When Ana sends PUT /api/users/{Wim} {"name":"Mallory","email":"{Wim.email}"} with the header If-Match "{Version}"
      Then the answer is 403 or 404
      And the row {calendsync} USER#{Wim} / USER#{Wim} has
        | name | Wim |

  @CS-ROLE-5 @contract
  Rule: Members may leave
    > (contract) DELETE of one's own membership: every member.

    Scenario Outline: a <role> may leave the calendar
      When <who> sends DELETE /api/calendars/{Team}/members/{<who>}
      Then the answer is 204
      And there is no row {calendsync} CAL#{Team} / MEMBER#{<who>}
      When <who> sends GET /api/calendars/{Team}
      Then the answer is 404 not_found
      When <who> sends GET /api/entries/{Lunch}
      Then the answer is 404 not_found
      When <who> sends GET /api/calendars/me
      Then "memberships" of the answer is empty

      Examples:
        | role   | who |
        | writer | Wim |
        | reader | Rea |

  @CS-ROLE-6
  Rule: A changed role applies from the next request
    > Roles: owner, writer, reader

    Scenario: a reader who becomes a writer, and a reader again, has each role at once
      When Ana sends PUT /api/calendars/{Team}/members/{Rea} {"role":"writer"}
      Then the answer is 200
      And the answer has
        | userId | {Rea}  |
        | role   | writer |
      And the row {calendsync} CAL#{Team} / MEMBER#{Rea} has
        | role      | writer     |
        | GSI1PK    | USER#{Rea} |
        | GSI1SK    | CAL#{Team} |
        | version   | number 2   |
        | updatedAt | a time     |
        | createdAt | 2026-01-02T08:00:00Z |
      When Rea sends PATCH /api/entries/{Lunch}/toggle
      Then the answer is 200
      When Ana sends PUT /api/calendars/{Team}/members/{Rea} {"role":"reader"}
      Then the answer is 200
      When Rea sends PATCH /api/entries/{Lunch}/toggle
      Then the answer is 403 forbidden

    Scenario Outline: a removed member is refused while inconsistent reads lag: <request>
      Given reads that are not strongly consistent lag behind the last write
      When Ana sends DELETE /api/calendars/{Team}/members/{Wim}
      Then the answer is 204
      When Wim sends <request>
      Then the answer is 404 not_found

      Examples:
        | request                                                           |
        | GET /api/calendars/{Team}                                         |
        | GET /api/calendars/{Team}/entries?start=2024-01-01&end=2024-01-31 |
        | GET /api/entries/{Lunch}                                          |
        | DELETE /api/entries/{Lunch}                                       |

    Scenario: a demoted writer is refused while inconsistent reads lag
      Given reads that are not strongly consistent lag behind the last write
      When Ana sends PUT /api/calendars/{Team}/members/{Wim} {"role":"reader"}
      Then the answer is 200
      When Wim sends PATCH /api/entries/{Lunch}/toggle
      Then the answer is 403 forbidden

    Scenario: a removed member may not delete an entry
      When Ana sends DELETE /api/calendars/{Team}/members/{Wim}
      Then the answer is 204
      And there is no row {calendsync} CAL#{Team} / MEMBER#{Wim}
      When Wim sends DELETE /api/entries/{Lunch}
      Then the answer is 404 not_found

    Scenario: a new member may write from the next request
      When Ana sends POST /api/calendars/{Team}/members {"email":"{Sam.EMAIL}","role":"writer"}
      Then the answer is 201
      And the answer has
        | userId | {Sam}  |
        | role   | writer |
      When Sam sends PATCH /api/entries/{Lunch}/toggle
      Then the answer is 200

    Scenario Outline: adding a member is refused for a bad person or role: <what>
      Given Nowhere is a new id
      When Ana sends POST /api/calendars/{Team}/members <body>
      Then the answer is <answer>
      And nothing was written

      Examples:
        | what                        | body                                                        | answer          |
        | a person who is a member    | {"userId":"{Wim}","role":"reader"}                          | 409 conflict    |
        | an owner as a reader        | {"userId":"{Ana}","role":"reader"}                          | 409 conflict    |
        | an unknown id               | {"userId":"{Nowhere}","role":"reader"}                      | 404 not_found   |
        | an unknown e-mail           | {"email":"nobody.{tag}@example.com","role":"reader"}        | 404 not_found   |
        | a calendar                  | {"userId":"{Team}","role":"reader"}                         | 404 not_found   |
        | with a role that is not one | {"userId":"{Sam}","role":"king"}                            | 400 bad_request |
        | without a role              | {"userId":"{Sam}"}                                          | 400 bad_request |
        | no person                   | {"role":"reader"}                                           | 400 bad_request |
        | a person named twice        | {"userId":"{Sam}","email":"{Sam.email}","role":"reader"}    | 400 bad_request |

    Scenario Outline: changing or removing a person who is not a member is not found: <request>
      When Ana sends <request>
      Then the answer is 404 not_found
      And nothing was written

      Examples:
        | request                                                         |
        | PUT /api/calendars/{Team}/members/{Sam} {"role":"reader"} |
        | DELETE /api/calendars/{Team}/members/{Sam}                |
