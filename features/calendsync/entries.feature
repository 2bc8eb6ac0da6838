Feature: Entries

  Background:
    Given Ana is an owner of Team

  @CS-ENT-1
  Rule: An entry is stored as sent, and its index keys follow its date and calendar
    > GSI1PK CAL#<calendar_id>, GSI1SK ENTRY#<date>#<entry_id>
    > Timed Event: date, kind.start, kind.end

    Scenario Outline: a new entry is stored and listed as sent: <what>
      When Ana sends POST /api/entries {"calendarId":"{Team}","title":"Standup","description":"a \"quoted\" é","location":"Zoom","date":"2024-01-15","color":"#3b82f6","kind":<kind>}
      Then the answer is 201
      And "id" of the answer is called Standup
      When Ana sends GET /api/entries/{Standup}
      Then the answer is 200
      And the answer has
        | id          | {Standup}    |
        | calendarId  | {Team}       |
        | title       | Standup      |
        | location    | Zoom         |
        | date        | 2024-01-15   |
        | color       | #3b82f6      |
        | kind        | <shown>      |
        | version     | number 1     |
        | createdAt   | a time       |
        | updatedAt   | a time       |
      And the answer contains "quoted"
      When Ana sends GET /api/calendars/{Team}/entries?start=2024-01-15&end=2024-01-15
      Then "entries" of the answer lists
        | id        | title   | location | kind    | version |
        | {Standup} | Standup | Zoom     | <shown> | 1       |

      Examples:
        | what              | kind                                                        | shown                                                       |
        | timed             | {"type":"Timed","start":"09:00:00","end":"09:30:00"}        | {"end":"09:30:00","start":"09:00:00","type":"Timed"}        |
        | before midnight   | {"type":"Timed","start":"23:59:58","end":"23:59:59"}        | {"end":"23:59:59","start":"23:59:58","type":"Timed"}        |
        | one of several    | {"type":"MultiDay","start":"2024-01-15","end":"2024-01-15"} | {"end":"2024-01-15","start":"2024-01-15","type":"MultiDay"} |
        | over a leap day   | {"type":"MultiDay","start":"2024-01-15","end":"2024-02-14"} | {"end":"2024-02-14","start":"2024-01-15","type":"MultiDay"} |
        | all day           | {"type":"AllDay"}                                           | {"type":"AllDay"}                                           |
        | a task            | {"type":"Task","completed":false}                           | {"completed":false,"type":"Task"}                           |
        | a completed task  | {"type":"Task","completed":true}                            | {"completed":true,"type":"Task"}                            |

    Scenario: an entry moved to another day is listed on that day only
      Given Lunch is a task of Team on 2024-01-15
      When Ana sends GET /api/entries/{Lunch}
      Then the header ETag of the answer is called Version
      When Ana sends PUT /api/entries/{Lunch} {"calendarId":"{Team}","title":"Dinner","location":"Home","date":"2024-02-01","color":"#000000","kind":{"type":"Timed","start":"19:00:00","end":"20:00:00"}} with the header If-Match "{Version}"
      Then the answer is 200
      And the row {calendsync} ENTRY#{Lunch} / ENTRY#{Lunch} has
        | GSI1PK     | CAL#{Team}               |
        | GSI1SK     | ENTRY#2024-02-01#{Lunch} |
        | title      | Dinner                   |
        | location   | Home                     |
        | date       | 2024-02-01               |
        | color      | #000000                  |
        | kind       | {"end":"20:00:00","start":"19:00:00","type":"Timed"} |
        | version    | number 2                 |
        | createdAt  | 2026-01-02T08:00:00Z     |
        | updatedAt  | a time                   |
        | entityType | ENTRY                    |
        | id         | {Lunch}                  |
      When Ana sends GET /api/calendars/{Team}/entries?start=2024-01-15&end=2024-01-15
      Then "entries" of the answer is empty
      When Ana sends GET /api/calendars/{Team}/entries?start=2024-02-01&end=2024-02-01
      Then "entries" of the answer lists
        | id      |
        | {Lunch} |

    Scenario: an entry moved to another calendar is listed there only
      Given Ana is an owner of Other
      And Lunch is a task of Team on 2024-01-15
      When Ana sends GET /api/entries/{Lunch}
      Then the header ETag of the answer is called Version
      When Ana sends PUT /api/entries/{Lunch} {"calendarId":"{Other}","title":"Lunch","date":"2024-01-15","color":"#3B82F6","kind":{"type":"Task","completed":false}} with the header If-Match "{Version}"
      Then the answer is 200
      And the answer has
        | calendarId | {Other} |
      And the row {calendsync} ENTRY#{Lunch} / ENTRY#{Lunch} has
        | GSI1PK     | CAL#{Other}              |
        | GSI1SK     | ENTRY#2024-01-15#{Lunch} |
        | calendarId | {Other}                  |
      When Ana sends GET /api/calendars/{Team}/entries?start=2024-01-01&end=2024-01-31
      Then "entries" of the answer is empty
      When Ana sends GET /api/calendars/{Other}/entries?start=2024-01-01&end=2024-01-31
      Then "entries" of the answer lists
        | id      |
        | {Lunch} |

    Scenario: a PUT without optional fields removes them from the entry
      When Ana sends POST /api/entries {"calendarId":"{Team}","title":"Standup","description":"Daily","location":"Zoom","date":"2024-01-15","color":"#3B82F6","kind":{"type":"AllDay"}}
      Then "id" of the answer is called Standup
      And the header ETag of the answer is called Version
      When Ana sends PUT /api/entries/{Standup} {"calendarId":"{Team}","title":"Standup","date":"2024-01-15","color":"#3B82F6","kind":{"type":"AllDay"}} with the header If-Match "{Version}"
      Then the answer is 200
      And the answer has
        | description | nothing |
        | location    | nothing |

    Scenario: an entry deleted during a change stays deleted
      Given Lunch is a task of Team on 2024-01-15
      When Ana sends GET /api/entries/{Lunch}
      Then the header ETag of the answer is called Version
      Given before the 1st write on {calendsync} of the next request Ana sends DELETE /api/entries/{Lunch}
      When Ana sends PUT /api/entries/{Lunch} {"calendarId":"{Team}","title":"Dinner","date":"2024-01-15","color":"#3B82F6","kind":{"type":"AllDay"}} with the header If-Match "{Version}"
      Then one answer is 204 and the other 404
      And there is no row {calendsync} ENTRY#{Lunch} / ENTRY#{Lunch}

    Scenario: an entry deleted during a toggle stays deleted
      Given Lunch is a task of Team on 2024-01-15
      And before the 1st write on {calendsync} of the next request Ana sends DELETE /api/entries/{Lunch}
      When Ana sends PATCH /api/entries/{Lunch}/toggle
      Then one answer is 204 and the other 404
      And there is no row {calendsync} ENTRY#{Lunch} / ENTRY#{Lunch}

    Scenario: an entry moved to another calendar during its deletion is not deleted
      Given Ana is an owner of Other
      And Wim is a writer of Team
      And Lunch is a task of Team on 2024-01-15
      When Ana sends GET /api/entries/{Lunch}
      Then the header ETag of the answer is called Version
      Given before the 1st write on {calendsync} of the next request Ana sends PUT /api/entries/{Lunch} {"calendarId":"{Other}","title":"Lunch","date":"2024-01-15","color":"#3B82F6","kind":{"type":"AllDay"}} with the header If-Match "{Version}"
      When Wim sends DELETE /api/entries/{Lunch}
      Then each answer is one of 200, 404, 409
      And the row {calendsync} ENTRY#{Lunch} / ENTRY#{Lunch} has
        | calendarId | {Other} |

    Scenario: an entry toggled during a move stays where it is
      Given Ana is an owner of Other
      And Lunch is a task of Team on 2024-01-15
      When Ana sends GET /api/entries/{Lunch}
      Then the header ETag of the answer is called Version
      Given before the 1st write on {calendsync} of the next request Ana sends PATCH /api/entries/{Lunch}/toggle
      When Ana sends PUT /api/entries/{Lunch} {"calendarId":"{Other}","title":"Lunch","date":"2024-01-15","color":"#3B82F6","kind":{"type":"AllDay"}} with the header If-Match "{Version}"
      Then one answer is 200 and the other 409
      And the row {calendsync} ENTRY#{Lunch} / ENTRY#{Lunch} has
        | calendarId | {Team}   |
        | version    | number 2 |

    Scenario: a deleted entry is neither found nor listed
      Given Lunch is a task of Team on 2024-01-15
      And Dinner is a task of Team on 2024-01-15
      When Ana sends DELETE /api/entries/{Lunch}
      Then the answer is 204
      And there is no row {calendsync} ENTRY#{Lunch} / ENTRY#{Lunch}
      When Ana sends GET /api/entries/{Lunch}
      Then the answer is 404 not_found
      When Ana sends DELETE /api/entries/{Lunch}
      Then the answer is 404 not_found
      When Ana sends GET /api/calendars/{Team}/entries?start=2024-01-15&end=2024-01-15
      Then "entries" of the answer lists
        | id       |
        | {Dinner} |

  @CS-ENT-2
  Rule: Each toggle request toggles a task exactly once
    > { "type": "Task", "completed": false }
    > (contract) PATCH /api/entries/{id}/toggle; of anything but a task 409.

    Scenario Outline: two toggles of a <what> change it and change it back
      Given Lunch is a <what> of Team on 2024-01-15
      When Ana sends PATCH /api/entries/{Lunch}/toggle
      Then the answer is 200
      And the answer has
        | kind    | {"completed":<then>,"type":"Task"} |
        | version | number 2                           |
        | title   | Lunch                              |
      And the row {calendsync} ENTRY#{Lunch} / ENTRY#{Lunch} has
        | kind      | {"completed":<then>,"type":"Task"} |
        | version   | number 2                           |
        | updatedAt | a time                             |
        | GSI1SK    | ENTRY#2024-01-15#{Lunch}           |
      When Ana sends PATCH /api/entries/{Lunch}/toggle
      Then the answer has
        | kind    | {"completed":<after>,"type":"Task"} |
        | version | number 3                            |

      Examples:
        | what           | then  | after |
        | task           | true  | false |
        | completed task | false | true  |

    @reference
    Scenario: an entry stores the id of its last create or toggle, so a toggle does not make it larger
      When Ana sends POST /api/entries {"calendarId":"{Team}","title":"Lunch","date":"2024-01-15","color":"#3B82F6","kind":{"type":"Task"}}
      Then "id" of the answer is called Lunch
      And the header ETag of the answer is called Version
      Given "requestId" of the row {calendsync} ENTRY#{Lunch} / ENTRY#{Lunch} is called Creation
      When Ana sends PUT /api/entries/{Lunch} {"calendarId":"{Team}","title":"Dinner","date":"2024-01-15","color":"#3B82F6","kind":{"type":"Task"}} with the header If-Match "{Version}"
      Then the row {calendsync} ENTRY#{Lunch} / ENTRY#{Lunch} has
        | requestId | {Creation} |
      When Ana sends PATCH /api/entries/{Lunch}/toggle
      Then the answer is 200
      Given "requestId" of the row {calendsync} ENTRY#{Lunch} / ENTRY#{Lunch} is called Toggle
      When Ana sends PATCH /api/entries/{Lunch}/toggle
      Then the answer is 200
      And "requestId" of the row {calendsync} ENTRY#{Lunch} / ENTRY#{Lunch} is called Again

    Scenario Outline: <what> cannot be toggled, and nothing is written
      Given <given>
      When Ana sends PATCH /api/entries/{Lunch}/toggle
      Then the answer is 409 conflict
      And nothing was written

      Examples:
        | what         | given                                                   |
        | an all-day entry | Lunch is an all-day entry of Team on 2024-01-15     |
        | a timed entry    | Lunch is a timed entry of Team on 2024-01-15        |
        | several days     | Lunch is an entry of Team from 2024-01-15 to 2024-01-16 |

    Scenario: two toggles at the same time both take effect
      Given Wim is a writer of Team
      And Lunch is a task of Team on 2024-01-15
      When these run at the same time
        | who | method | path                        |
        | Ana | PATCH  | /api/entries/{Lunch}/toggle |
        | Wim | PATCH  | /api/entries/{Lunch}/toggle |
      Then both answers are 200
      And the row {calendsync} ENTRY#{Lunch} / ENTRY#{Lunch} has
        | kind    | {"completed":false,"type":"Task"} |
        | version | number 3                          |

    Scenario: a toggle between another's read and write takes effect too
      Given Wim is a writer of Team
      And Lunch is a task of Team on 2024-01-15
      And before the 1st write on {calendsync} of the next request Wim sends PATCH /api/entries/{Lunch}/toggle
      When Ana sends PATCH /api/entries/{Lunch}/toggle
      Then both answers are 200
      And the row {calendsync} ENTRY#{Lunch} / ENTRY#{Lunch} has
        | kind    | {"completed":false,"type":"Task"} |
        | version | number 3                          |

    Scenario: a toggle during a change makes the change conflict
      Given Wim is a writer of Team
      And Lunch is a task of Team on 2024-01-15
      When Ana sends GET /api/entries/{Lunch}
      Then the header ETag of the answer is called Version
      Given before the 1st write on {calendsync} of the next request Wim sends PATCH /api/entries/{Lunch}/toggle
      When Ana sends PUT /api/entries/{Lunch} {"calendarId":"{Team}","title":"Dinner","date":"2024-01-15","color":"#3B82F6","kind":{"type":"Task","completed":false}} with the header If-Match "{Version}"
      Then one answer is 200 and the other 409
      And the row {calendsync} ENTRY#{Lunch} / ENTRY#{Lunch} has
        | title | Lunch                            |
        | kind  | {"completed":true,"type":"Task"} |

  @CS-ENT-3
  Rule: Every write of an existing item has a condition
    > (contract) Every write of an existing item has a ConditionExpression.

    Scenario: one change of each kind is a conditional write
      Given Wim is a reader of Team
      And Lunch is a task of Team on 2024-01-15
      When Ana sends GET /api/entries/{Lunch}
      Then the header ETag of the answer is called Version
      When Ana sends PUT /api/entries/{Lunch} {"calendarId":"{Team}","title":"Dinner","date":"2024-01-16","color":"#3B82F6","kind":{"type":"Task","completed":false}} with the header If-Match "{Version}"
      Then the answer is 200
      When Ana sends PATCH /api/entries/{Lunch}/toggle
      Then the answer is 200
      When Ana sends PUT /api/calendars/{Team}/members/{Wim} {"role":"writer"}
      Then the answer is 200
      When Ana sends PUT /api/calendars/{Team}/members/{Wim} {"role":"owner"}
      Then the answer is 200
      When Ana sends POST /api/calendars {"name":"Team","color":"#3B82F6"}
      Then the answer is 201
      When Nobody sends POST /api/users {"name":"John","email":"john.{tag}@example.com"}
      Then the answer is 201
      And no write of the scenario was blind

  @CS-LIM-1
  Rule: Malformed entries are refused, and nothing is written
    > date: ISO 8601 YYYY-MM-DD. Entry Kind Variants: MultiDay, AllDay, Timed, Task
    > (contract) Titles have 1 to 200 characters, colors are #RRGGBB; an item over 400 KiB is answered 413.

    Scenario: a malformed entry is refused on creation
      Then Ana is refused each of these, and nothing is written
        | what                       | request           | body | answer |
        | no calendar                | POST /api/entries | {"title":"a","date":"2024-01-15","color":"#3B82F6","kind":{"type":"AllDay"}} | 400 bad_request |
        | a calendar by name         | POST /api/entries | {"calendarId":"Team","title":"a","date":"2024-01-15","color":"#3B82F6","kind":{"type":"AllDay"}} | 400 bad_request |
        | no title                   | POST /api/entries | {"calendarId":"{Team}","date":"2024-01-15","color":"#3B82F6","kind":{"type":"AllDay"}} | 400 bad_request |
        | an empty title             | POST /api/entries | {"calendarId":"{Team}","title":"","date":"2024-01-15","color":"#3B82F6","kind":{"type":"AllDay"}} | 400 bad_request |
        | a title of 201 characters  | POST /api/entries | {"calendarId":"{Team}","title":"{201×a}","date":"2024-01-15","color":"#3B82F6","kind":{"type":"AllDay"}} | 400 bad_request |
        | no date                    | POST /api/entries | {"calendarId":"{Team}","title":"a","color":"#3B82F6","kind":{"type":"AllDay"}} | 400 bad_request |
        | a day that does not exist  | POST /api/entries | {"calendarId":"{Team}","title":"a","date":"2023-02-29","color":"#3B82F6","kind":{"type":"AllDay"}} | 400 bad_request |
        | a date with a time         | POST /api/entries | {"calendarId":"{Team}","title":"a","date":"2024-01-15T00:00:00Z","color":"#3B82F6","kind":{"type":"AllDay"}} | 400 bad_request |
        | a date without zeros       | POST /api/entries | {"calendarId":"{Team}","title":"a","date":"2024-1-5","color":"#3B82F6","kind":{"type":"AllDay"}} | 400 bad_request |
        | a date with a #            | POST /api/entries | {"calendarId":"{Team}","title":"a","date":"2024-01-15#","color":"#3B82F6","kind":{"type":"AllDay"}} | 400 bad_request |
        | a color by name            | POST /api/entries | {"calendarId":"{Team}","title":"a","date":"2024-01-15","color":"blue","kind":{"type":"AllDay"}} | 400 bad_request |
        | no kind                    | POST /api/entries | {"calendarId":"{Team}","title":"a","date":"2024-01-15","color":"#3B82F6"} | 400 bad_request |
        | a kind that is a text      | POST /api/entries | {"calendarId":"{Team}","title":"a","date":"2024-01-15","color":"#3B82F6","kind":"AllDay"} | 400 bad_request |
        | an unknown kind            | POST /api/entries | {"calendarId":"{Team}","title":"a","date":"2024-01-15","color":"#3B82F6","kind":{"type":"Party"}} | 400 bad_request |
        | a kind without a type      | POST /api/entries | {"calendarId":"{Team}","title":"a","date":"2024-01-15","color":"#3B82F6","kind":{}} | 400 bad_request |
        | timed, without an end      | POST /api/entries | {"calendarId":"{Team}","title":"a","date":"2024-01-15","color":"#3B82F6","kind":{"type":"Timed","start":"09:00:00"}} | 400 bad_request |
        | timed, ending at its start | POST /api/entries | {"calendarId":"{Team}","title":"a","date":"2024-01-15","color":"#3B82F6","kind":{"type":"Timed","start":"09:00:00","end":"09:00:00"}} | 400 bad_request |
        | timed, ending before       | POST /api/entries | {"calendarId":"{Team}","title":"a","date":"2024-01-15","color":"#3B82F6","kind":{"type":"Timed","start":"10:00:00","end":"09:00:00"}} | 400 bad_request |
        | timed, until 25:00         | POST /api/entries | {"calendarId":"{Team}","title":"a","date":"2024-01-15","color":"#3B82F6","kind":{"type":"Timed","start":"10:00:00","end":"25:00:00"}} | 400 bad_request |
        | several days, backwards    | POST /api/entries | {"calendarId":"{Team}","title":"a","date":"2024-01-15","color":"#3B82F6","kind":{"type":"MultiDay","start":"2024-01-15","end":"2024-01-14"}} | 400 bad_request |
        | several days, until soon   | POST /api/entries | {"calendarId":"{Team}","title":"a","date":"2024-01-15","color":"#3B82F6","kind":{"type":"MultiDay","start":"2024-01-15","end":"soon"}} | 400 bad_request |
        | timed, from a number       | POST /api/entries | {"calendarId":"{Team}","title":"a","date":"2024-01-15","color":"#3B82F6","kind":{"type":"Timed","start":9,"end":"10:00:00"}} | 400 bad_request |
        | timed, from a date         | POST /api/entries | {"calendarId":"{Team}","title":"a","date":"2024-01-15","color":"#3B82F6","kind":{"type":"Timed","start":"2024-01-15","end":"23:00:00"}} | 400 bad_request |
        | timed, until 9:00:00       | POST /api/entries | {"calendarId":"{Team}","title":"a","date":"2024-01-15","color":"#3B82F6","kind":{"type":"Timed","start":"01:00:00","end":"9:00:00"}} | 400 bad_request |
        | timed, without a zero      | POST /api/entries | {"calendarId":"{Team}","title":"a","date":"2024-01-15","color":"#3B82F6","kind":{"type":"Timed","start":"1:00:00","end":"10:00:00"}} | 400 bad_request |
        | several days, from a time  | POST /api/entries | {"calendarId":"{Team}","title":"a","date":"2024-01-15","color":"#3B82F6","kind":{"type":"MultiDay","start":"09:00:00","end":"2024-01-16"}} | 400 bad_request |
        | a kind of the type 7       | POST /api/entries | {"calendarId":"{Team}","title":"a","date":"2024-01-15","color":"#3B82F6","kind":{"type":7}} | 400 bad_request |
        | a task, perhaps completed  | POST /api/entries | {"calendarId":"{Team}","title":"a","date":"2024-01-15","color":"#3B82F6","kind":{"type":"Task","completed":"perhaps"}} | 400 bad_request |
        | a description of 7         | POST /api/entries | {"calendarId":"{Team}","title":"a","date":"2024-01-15","color":"#3B82F6","description":7,"kind":{"type":"AllDay"}} | 400 bad_request |
        | a location that is a list  | POST /api/entries | {"calendarId":"{Team}","title":"a","date":"2024-01-15","color":"#3B82F6","location":[],"kind":{"type":"AllDay"}} | 400 bad_request |
        | a list                     | POST /api/entries | [] | 400 bad_request |
        | no JSON                    | POST /api/entries | {"title" | 400 bad_request |

    Scenario Outline: a malformed change of an entry is refused: <what>
      Given Lunch is a task of Team on 2024-01-15
      When Ana sends GET /api/entries/{Lunch}
      Then the header ETag of the answer is called Version
      When Ana sends PUT /api/entries/{Lunch} {"calendarId":"{Team}","title":"a","date":"<date>","color":"#3B82F6","kind":<kind>} with the header If-Match "{Version}"
      Then the answer is 400 bad_request
      And nothing was written

      Examples:
        | what             | date       | kind                                                 |
        | an invalid date  | 2023-02-29 | {"type":"AllDay"}                                    |
        | an unknown kind  | 2024-01-15 | {"type":"Party"}                                     |
        | ending before    | 2024-01-15 | {"type":"Timed","start":"10:00:00","end":"09:00:00"} |

    Scenario Outline: a query for a range <what> is refused
      When Ana sends GET /api/calendars/{Team}/entries<query>
      Then the answer is 400 bad_request

      Examples:
        | what                 | query                             |
        | that runs backwards  | ?start=2024-01-02&end=2024-01-01  |
        | without a start      | ?end=2024-01-01                   |
        | without an end       | ?start=2024-01-01                 |
        | from an invalid date | ?start=2023-02-29&end=2023-03-01 |
        | to an invalid date | ?start=2024-01-01&end=2024-01-32 |
        | of words             | ?start=now&end=then               |

    @reference
    Scenario Outline: a limit that only the contract sets is enforced: <what>
      When Ana sends <request>
      Then the answer is <answer>

      Examples:
        | what                            | request                                                                                | answer          |
        | a range of 366 days             | GET /api/calendars/{Team}/entries?start=2024-01-01&end=2024-12-31                      | 200             |
        | a range of 367 days             | GET /api/calendars/{Team}/entries?start=2024-01-01&end=2025-01-01                      | 400 bad_request |
        | days that are weeks             | GET /api/calendars/{Team}/entries?start=2024-01-01&end=2024-01-02&expand=weeks         | 400 bad_request |
        | an entry of 31 days             | POST /api/entries {"calendarId":"{Team}","title":"a","date":"2024-01-15","color":"#3B82F6","kind":{"type":"MultiDay","start":"2024-01-15","end":"2024-02-14"}} | 201 |
        | an entry of 32 days             | POST /api/entries {"calendarId":"{Team}","title":"a","date":"2024-01-15","color":"#3B82F6","kind":{"type":"MultiDay","start":"2024-01-15","end":"2024-02-15"}} | 400 bad_request |
        | a date other than its first day | POST /api/entries {"calendarId":"{Team}","title":"a","date":"2024-01-14","color":"#3B82F6","kind":{"type":"MultiDay","start":"2024-01-15","end":"2024-01-16"}} | 400 bad_request |

    Scenario: a title of 200 multi-byte characters is accepted for an entry
      When Ana sends POST /api/entries {"calendarId":"{Team}","title":"{200×é}","date":"2024-01-15","color":"#3B82F6","kind":{"type":"AllDay"}}
      Then the answer is 201

    Scenario: an entry over 400 KiB is refused on creation and change
      Given Noise stands for 410000 random characters
      And Lunch is a task of Team on 2024-01-15
      When Ana sends POST /api/entries {"calendarId":"{Team}","title":"a","description":"{Noise}","date":"2024-01-15","color":"#3B82F6","kind":{"type":"AllDay"}}
      Then the answer is 413 too_large
      And nothing was written
      When Ana sends GET /api/entries/{Lunch}
      Then the header ETag of the answer is called Version
      When Ana sends PUT /api/entries/{Lunch} {"calendarId":"{Team}","title":"a","description":"{Noise}","date":"2024-01-15","color":"#3B82F6","kind":{"type":"AllDay"}} with the header If-Match "{Version}"
      Then the answer is 413 too_large
      And nothing was written

    Scenario: an entry just below 400 KiB is accepted
      Given Noise stands for 400000 random characters
      When Ana sends POST /api/entries {"calendarId":"{Team}","title":"a","description":"{Noise}","date":"2024-01-15","color":"#3B82F6","kind":{"type":"AllDay"}}
      Then the answer is 201

    Scenario: a calendar over 400 KiB is refused on creation
      Given Noise stands for 410000 random characters
      When Ana sends POST /api/calendars {"name":"a","description":"{Noise}","color":"#3B82F6"}
      Then the answer is 413 too_large
      And nothing was written

    Scenario: a body over the contract's limit is refused
      When Ana sends POST /api/entries with a body of 2097152 bytes
      Then the answer is 413 too_large
