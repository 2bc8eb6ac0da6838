Feature: Users have unique e-mail addresses and accounts

  @CS-USR-1
  Rule: An e-mail address belongs to one user, and so does an account at a provider
    > This is a unique lookup since emails are unique per user.
    > PROV#<provider>#<subject>: the unique identifier from that provider

    Background:
      Given Eve has an account at google

    Scenario Outline: a new user is refused when <what> is taken
      When Nobody sends POST /api/users <body>
      Then the answer is 409 conflict
      And nothing was written

      Examples:
        | what                           | body |
        | the e-mail                     | {"name":"Eva","email":"{Eve.email}"} |
        | the e-mail, in capital letters | {"name":"Eva","email":"{Eve.EMAIL}"} |
        | the account                    | {"name":"Eva","email":"eva.{tag}@example.com","provider":"google","providerSubject":"sub-eve-{tag}"} |

    Scenario: the same subject at another provider is another account
      When Nobody sends POST /api/users {"name":"Eva","email":"eva.{tag}@example.com","provider":"github","providerSubject":"sub-eve-{tag}"}
      Then the answer is 201
      And "id" of the answer is called Eva
      And the row {calendsync} PROV#github#sub-eve-{tag} / PROV#github#sub-eve-{tag} has
        | userId | {Eva} |
      And the row {calendsync} PROV#google#sub-eve-{tag} / PROV#google#sub-eve-{tag} has
        | userId | {Eve} |

    Scenario Outline: only one of two people signing up at once gets the same <what>
      When these run at the same time
        | who    | method | path       | body     |
        | Nobody | POST   | /api/users | <first>  |
        | Nobody | POST   | /api/users | <second> |
      Then one answer is 201 and the other 409

      Examples:
        | what    | first | second |
        | e-mail  | {"name":"John","email":"john.{tag}@example.com"} | {"name":"Jon","email":"John.{tag}@example.com"} |
        | account | {"name":"John","email":"john.{tag}@example.com","provider":"google","providerSubject":"1-{tag}"} | {"name":"Jon","email":"jon.{tag}@example.com","provider":"google","providerSubject":"1-{tag}"} |

    Scenario: a malformed user is refused on sign-up
      Then Nobody is refused each of these, and nothing is written
        | what                          | request | body | answer |
        | no e-mail                     | POST /api/users | {"name":"John"} | 400 bad_request |
        | an e-mail without an at       | POST /api/users | {"name":"John","email":"john"} | 400 bad_request |
        | an e-mail with a display name | POST /api/users | {"name":"John","email":"John <john.{tag}@example.com>"} | 400 bad_request |
        | an e-mail of 201 characters   | POST /api/users | {"name":"John","email":"{189×a}@example.com"} | 400 bad_request |
        | an e-mail that is a number    | POST /api/users | {"name":"John","email":7} | 400 bad_request |
        | no name                       | POST /api/users | {"email":"john.{tag}@example.com"} | 400 bad_request |
        | an empty name                 | POST /api/users | {"name":"","email":"john.{tag}@example.com"} | 400 bad_request |
        | a name of 201 characters      | POST /api/users | {"name":"{201×a}","email":"john.{tag}@example.com"} | 400 bad_request |
        | a provider without a subject  | POST /api/users | {"name":"John","email":"john.{tag}@example.com","provider":"google"} | 400 bad_request |
        | a subject without a provider  | POST /api/users | {"name":"John","email":"john.{tag}@example.com","providerSubject":"1"} | 400 bad_request |
        | a body that is not JSON       | POST /api/users | {"name": | 400 bad_request |
        | a list                        | POST /api/users | [] | 400 bad_request |

    Scenario: a provider account too long for a key is refused
      When Nobody sends POST /api/users {"name":"John","email":"john.{tag}@example.com","provider":"{200×漢}","providerSubject":"{200×漢}"}
      Then the answer is 400 bad_request
      And nothing was written

    Scenario Outline: a user search <what> is refused
      When Eve sends GET /api/users<query>
      Then the answer is 400 bad_request

      Examples:
        | what                        | query                                              |
        | for nothing                 |                                                    |
        | for a provider alone        | ?provider=google                                   |
        | for a subject alone         | ?subject=sub-eve-{tag}                             |
        | for an e-mail and a provider | ?email={Eve.email}&provider=google                |
        | for an e-mail and a subject alone | ?email={Eve.email}&subject=sub-eve-{tag}     |
        | for an e-mail and a subject | ?email={Eve.email}&provider=google&subject=sub-eve |

  @CS-USR-2
  Rule: After changing their e-mail a user is found by the new one, and the old one is free
    > GSI2PK EMAIL#<email>
    > (contract) PUT /api/users/{id} with If-Match.

    Background:
      Given Eve has an account at google
      And Ana has an account

    Scenario: a changed e-mail changes item, index key and guard together
      When Ana sends GET /api/users/{Ana}
      Then the header ETag of the answer is called Version
      When Ana sends PUT /api/users/{Ana} {"name":"Anna","email":"Anna.{tag}@Example.com"} with the header If-Match "{Version}"
      Then the answer is 200
      And the answer has
        | name    | Anna                   |
        | email   | anna.{tag}@example.com |
        | version | number 2               |
      And the row {calendsync} USER#{Ana} / USER#{Ana} has
        | name      | Anna                         |
        | email     | anna.{tag}@example.com       |
        | GSI2PK    | EMAIL#anna.{tag}@example.com |
        | GSI2SK    | USER#{Ana}                   |
        | version   | number 2                     |
        | updatedAt | a time                       |
        | createdAt | 2026-01-02T08:00:00Z         |
      And the row {calendsync} EMAIL#anna.{tag}@example.com / EMAIL#anna.{tag}@example.com has
        | userId | {Ana} |
      And there is no row {calendsync} EMAIL#{Ana.email} / EMAIL#{Ana.email}
      When Ana sends GET /api/users?email=anna.{tag}@example.com
      Then the answer is 200
      When Ana sends GET /api/users?email={Ana.email}
      Then the answer is 404 not_found
      When Nobody sends POST /api/users {"name":"Ana","email":"{Ana.email}"}
      Then the answer is 201

    Scenario: a changed e-mail keeps the provider account
      When Eve sends GET /api/users/{Eve}
      Then the header ETag of the answer is called Version
      When Eve sends PUT /api/users/{Eve} {"name":"Eva","email":"eva.{tag}@example.com"} with the header If-Match "{Version}"
      Then the answer is 200
      And the row {calendsync} USER#{Eve} / USER#{Eve} has
        | provider        | google                    |
        | providerSubject | sub-eve-{tag}             |
        | GSI3PK          | PROV#google#sub-eve-{tag} |
        | GSI3SK          | USER#{Eve}                |
      When Eve sends GET /api/users?provider=google&subject=sub-eve-{tag}
      Then the answer is 200

    @reference
    Scenario: a user stored by an earlier server without a guard can change e-mail
      Given Old is a new id
      And Cleo is a person
      And the row {calendsync} SESSION#{Cleo.userKey} / SESSION#{Cleo.userKey} is
        | userId    | {Old}                |
        | expiresAt | 2099-01-01T00:00:00Z |
      And the row {calendsync} USER#{Old} / USER#{Old} is
        | GSI2PK     | EMAIL#{Cleo.email}   |
        | GSI2SK     | USER#{Old}           |
        | entityType | USER                 |
        | id         | {Old}                |
        | name       | Cleo                 |
        | email      | {Cleo.email}         |
        | createdAt  | 2026-01-02T08:00:00Z |
        | updatedAt  | 2026-01-02T08:00:00Z |
        | version    | number 1             |
      When Cleo sends GET /api/users/{Old}
      Then the header ETag of the answer is called Version
      When Cleo sends PUT /api/users/{Old} {"name":"Cleo","email":"c.{tag}@example.com"} with the header If-Match "{Version}"
      Then the answer is 200
      And the row {calendsync} EMAIL#c.{tag}@example.com / EMAIL#c.{tag}@example.com has
        | userId | {Old} |

    @reference
    Scenario: a guard that names another user is left alone
      Given the row {calendsync} EMAIL#{Ana.email} / EMAIL#{Ana.email} is
        | userId | {Eve} |
      When Ana sends GET /api/users/{Ana}
      Then the header ETag of the answer is called Version
      When Ana sends PUT /api/users/{Ana} {"name":"Ana","email":"anna.{tag}@example.com"} with the header If-Match "{Version}"
      Then the answer is 409 conflict
      And the row {calendsync} EMAIL#{Ana.email} / EMAIL#{Ana.email} has
        | userId | {Eve} |

    Scenario: an e-mail that belongs to another user is refused
      When Ana sends GET /api/users/{Ana}
      Then the header ETag of the answer is called Version
      When Ana sends PUT /api/users/{Ana} {"name":"Ana","email":"{Eve.EMAIL}"} with the header If-Match "{Version}"
      Then the answer is 409 conflict
      And the row {calendsync} USER#{Ana} / USER#{Ana} has
        | email | {Ana.email} |
      And the row {calendsync} EMAIL#{Eve.email} / EMAIL#{Eve.email} has
        | userId | {Eve} |
      And the row {calendsync} EMAIL#{Ana.email} / EMAIL#{Ana.email} has
        | userId | {Ana} |

    Scenario: an e-mail changed only in case keeps its guard
      When Ana sends GET /api/users/{Ana}
      Then the header ETag of the answer is called Version
      When Ana sends PUT /api/users/{Ana} {"name":"Anna","email":"{Ana.EMAIL}"} with the header If-Match "{Version}"
      Then the answer is 200
      And the row {calendsync} EMAIL#{Ana.email} / EMAIL#{Ana.email} has
        | userId | {Ana} |

    Scenario Outline: a malformed change of a user is refused: <what>
      When Ana sends GET /api/users/{Ana}
      Then the header ETag of the answer is called Version
      When Ana sends PUT /api/users/{Ana} <body> with the header If-Match "{Version}"
      Then the answer is 400 bad_request
      And nothing was written

      Examples:
        | what                    | body                               |
        | no e-mail               | {"name":"Ana"}                     |
        | an e-mail without an at | {"name":"Ana","email":"ana"}       |
        | an empty name           | {"name":"","email":"{Ana.email}"} |

    Scenario: an e-mail that another user takes at the same moment is refused
      When Ana sends GET /api/users/{Ana}
      Then the header ETag of the answer is called Version
      Given before the 1st write on {calendsync} of the next request Nobody sends POST /api/users {"name":"Anna","email":"anna.{tag}@example.com"}
      When Ana sends PUT /api/users/{Ana} {"name":"Anna","email":"anna.{tag}@example.com"} with the header If-Match "{Version}"
      Then the answer is 409 conflict
      And the row {calendsync} USER#{Ana} / USER#{Ana} has
        | email | {Ana.email} |
      And the row {calendsync} EMAIL#{Ana.email} / EMAIL#{Ana.email} has
        | userId | {Ana} |

  @CS-VER-1 @contract
  Rule: A change applies to the version that the client read
    > (contract) Updates are conditional on version; ETag and If-Match; PUT without it 428, with an old one 409.

    Background:
      Given Ana is an owner of Team
      And Lunch is an all-day entry of Team on 2024-01-15

    Scenario Outline: a change without If-Match is refused: PUT <path>
      When Ana sends PUT <path> <body>
      Then the answer is 428 precondition_required
      And nothing was written

      Examples:
        | path                  | body |
        | /api/users/{Ana}      | {"name":"New","email":"{Ana.email}"} |
        | /api/calendars/{Team} | {"name":"New","color":"#000000"} |
        | /api/entries/{Lunch}  | {"calendarId":"{Team}","title":"New","date":"2024-01-16","color":"#3B82F6","kind":{"type":"AllDay"}} |

    Scenario Outline: a change with a malformed If-Match is refused: PUT <path>
      When Ana sends PUT <path> <body> with the header If-Match "yesterday"
      Then the answer is 400 or 409
      And nothing was written

      Examples:
        | path                  | body |
        | /api/users/{Ana}      | {"name":"New","email":"{Ana.email}"} |
        | /api/calendars/{Team} | {"name":"New","color":"#000000"} |
        | /api/entries/{Lunch}  | {"calendarId":"{Team}","title":"New","date":"2024-01-16","color":"#3B82F6","kind":{"type":"AllDay"}} |

    Scenario: a malformed If-Match is refused even if nothing would change
      Given Ana sends POST /api/calendars {"name":"Choir","color":"#3B82F6"}
      And "id" of the answer is called Choir
      When Ana sends PUT /api/calendars/{Choir} {"name":"Choir","color":"#3B82F6"} with the header If-Match "yesterday"
      Then the answer is 400 or 409
      And nothing was written

    Scenario: a user's provider without its subject is refused
      Given Ana sends GET /api/users/{Ana}
      And the header ETag of the answer is called Version
      When Ana sends PUT /api/users/{Ana} {"name":"New","email":"{Ana.email}","provider":"google"} with the header If-Match "{Version}"
      Then the answer is 400 bad_request
      And nothing was written

    Scenario Outline: a change of an old version is refused: PUT <path>
      When Ana sends GET <path>
      Then the header ETag of the answer is called Version
      When Ana sends PUT <path> <first> with the header If-Match "{Version}"
      Then the answer is 200
      And the answer has
        | version | number 2 |
      And the header ETag of the answer is called Next
      When Ana sends PUT <path> <second> with the header If-Match "{Version}"
      Then the answer is 409 conflict
      And the answer has
        | version | number 2 |
      And nothing was written
      When Ana sends PUT <path> <second> with the header If-Match "{Next}"
      Then the answer is 200
      And the answer has
        | version | number 3 |

      Examples:
        | path                  | first | second |
        | /api/users/{Ana}      | {"name":"New","email":"{Ana.email}"} | {"name":"Newer","email":"{Ana.email}"} |
        | /api/calendars/{Team} | {"name":"New","color":"#000000"} | {"name":"Newer","color":"#000000"} |
        | /api/entries/{Lunch}  | {"calendarId":"{Team}","title":"New","date":"2024-01-16","color":"#3B82F6","kind":{"type":"AllDay"}} | {"calendarId":"{Team}","title":"Newer","date":"2024-01-16","color":"#3B82F6","kind":{"type":"AllDay"}} |

    Scenario Outline: a change of a version that is just being changed is refused: PUT <path>
      When Ana sends GET <path>
      Then the header ETag of the answer is called Version
      Given before the 1st write on {calendsync} of the next request Ana sends PUT <path> <second> with the header If-Match "{Version}"
      When Ana sends PUT <path> <first> with the header If-Match "{Version}"
      Then the answer is 409 conflict
      And the answer has
        | version | number 2 |
      When Ana sends GET <path>
      Then the answer contains "Newer"

      Examples:
        | path                  | first | second |
        | /api/users/{Ana}      | {"name":"New","email":"{Ana.email}"} | {"name":"Newer","email":"{Ana.email}"} |
        | /api/calendars/{Team} | {"name":"New","color":"#000000"} | {"name":"Newer","color":"#000000"} |
        | /api/entries/{Lunch}  | {"calendarId":"{Team}","title":"New","date":"2024-01-16","color":"#3B82F6","kind":{"type":"AllDay"}} | {"calendarId":"{Team}","title":"Newer","date":"2024-01-16","color":"#3B82F6","kind":{"type":"AllDay"}} |

    @reference
    Scenario Outline: the reference reports a malformed If-Match as a malformed request: <value>
      When Ana sends PUT /api/calendars/{Team} {"name":"New","color":"#000000"} with the header If-Match "<value>"
      Then the answer is 400 bad_request

      Examples:
        | value     |
        | yesterday |
        | 1         |
        | *         |

    Scenario: a change repeated after its answer writes nothing
      When Ana sends GET /api/entries/{Lunch}
      Then the header ETag of the answer is called Version
      When Ana sends PUT /api/entries/{Lunch} {"calendarId":"{Team}","title":"New","date":"2024-01-16","color":"#3B82F6","kind":{"type":"AllDay"}} with the header If-Match "{Version}"
      Then the answer is 200
      When Ana sends PUT /api/entries/{Lunch} {"calendarId":"{Team}","title":"New","date":"2024-01-16","color":"#3B82F6","kind":{"type":"AllDay"}} with the header If-Match "{Version}"
      Then the answer is 200 or 409
      And nothing was written

    Scenario Outline: a change of an old version is refused when it differs in <what> of an entry
      When Ana sends GET /api/entries/{Lunch}
      Then the header ETag of the answer is called Version
      When Ana sends PUT /api/entries/{Lunch} {"calendarId":"{Team}","title":"a","description":"b","location":"c","date":"2024-01-16","color":"#3B82F6","kind":{"type":"Timed","start":"09:00:00","end":"10:00:00"}} with the header If-Match "{Version}"
      Then the answer is 200
      When Ana sends PUT /api/entries/{Lunch} <body> with the header If-Match "{Version}"
      Then the answer is 409 conflict
      And nothing was written

      Examples:
        | what            | body |
        | the title       | {"calendarId":"{Team}","title":"x","description":"b","location":"c","date":"2024-01-16","color":"#3B82F6","kind":{"type":"Timed","start":"09:00:00","end":"10:00:00"}} |
        | the description | {"calendarId":"{Team}","title":"a","description":"x","location":"c","date":"2024-01-16","color":"#3B82F6","kind":{"type":"Timed","start":"09:00:00","end":"10:00:00"}} |
        | the location    | {"calendarId":"{Team}","title":"a","description":"b","location":"x","date":"2024-01-16","color":"#3B82F6","kind":{"type":"Timed","start":"09:00:00","end":"10:00:00"}} |
        | the date        | {"calendarId":"{Team}","title":"a","description":"b","location":"c","date":"2024-01-17","color":"#3B82F6","kind":{"type":"Timed","start":"09:00:00","end":"10:00:00"}} |
        | the color       | {"calendarId":"{Team}","title":"a","description":"b","location":"c","date":"2024-01-16","color":"#000000","kind":{"type":"Timed","start":"09:00:00","end":"10:00:00"}} |
        | the start       | {"calendarId":"{Team}","title":"a","description":"b","location":"c","date":"2024-01-16","color":"#3B82F6","kind":{"type":"Timed","start":"08:00:00","end":"10:00:00"}} |
        | the end         | {"calendarId":"{Team}","title":"a","description":"b","location":"c","date":"2024-01-16","color":"#3B82F6","kind":{"type":"Timed","start":"09:00:00","end":"11:00:00"}} |
        | the kind        | {"calendarId":"{Team}","title":"a","description":"b","location":"c","date":"2024-01-16","color":"#3B82F6","kind":{"type":"AllDay"}} |

    Scenario: a change of an old version is refused when it differs in a task's completion
      When Ana sends GET /api/entries/{Lunch}
      Then the header ETag of the answer is called Version
      When Ana sends PUT /api/entries/{Lunch} {"calendarId":"{Team}","title":"a","date":"2024-01-16","color":"#3B82F6","kind":{"type":"Task","completed":true}} with the header If-Match "{Version}"
      Then the answer is 200
      When Ana sends PUT /api/entries/{Lunch} {"calendarId":"{Team}","title":"a","date":"2024-01-16","color":"#3B82F6","kind":{"type":"Task","completed":false}} with the header If-Match "{Version}"
      Then the answer is 409 conflict

    Scenario: a change of an old version is refused when it would move the entry
      Given Ana is an owner of Other
      When Ana sends GET /api/entries/{Lunch}
      Then the header ETag of the answer is called Version
      When Ana sends PUT /api/entries/{Lunch} {"calendarId":"{Team}","title":"a","date":"2024-01-16","color":"#3B82F6","kind":{"type":"AllDay"}} with the header If-Match "{Version}"
      Then the answer is 200
      When Ana sends PUT /api/entries/{Lunch} {"calendarId":"{Other}","title":"a","date":"2024-01-16","color":"#3B82F6","kind":{"type":"AllDay"}} with the header If-Match "{Version}"
      Then the answer is 409 conflict

    Scenario Outline: a change of an old version is refused when it differs in <what> at <path>
      When Ana sends GET <path>
      Then the header ETag of the answer is called Version
      When Ana sends PUT <path> <first> with the header If-Match "{Version}"
      Then the answer is 200
      When Ana sends PUT <path> <second> with the header If-Match "{Version}"
      Then the answer is 409 conflict
      And nothing was written

      Examples:
        | what            | path                  | first | second |
        | the color       | /api/calendars/{Team} | {"name":"a","color":"#111111","description":"b"} | {"name":"a","color":"#222222","description":"b"} |
        | the description | /api/calendars/{Team} | {"name":"a","color":"#111111","description":"b"} | {"name":"a","color":"#111111","description":"x"} |
        | the e-mail      | /api/users/{Ana}      | {"name":"a","email":"a.{tag}@example.com"}       | {"name":"a","email":"b.{tag}@example.com"}       |

    Scenario Outline: a version before the last is refused even with the current content: PUT <path>
      When Ana sends GET <path>
      Then the header ETag of the answer is called First
      When Ana sends PUT <path> <other> with the header If-Match "{First}"
      Then the answer is 200
      And the header ETag of the answer is called Second
      When Ana sends PUT <path> <body> with the header If-Match "{Second}"
      Then the answer is 200
      When Ana sends PUT <path> <body> with the header If-Match "{First}"
      Then the answer is 409 conflict
      And the answer has
        | version | number 3 |
      And nothing was written

      Examples:
        | path                  | other | body |
        | /api/users/{Ana}      | {"name":"New","email":"{Ana.email}"} | {"name":"Newer","email":"{Ana.email}"} |
        | /api/calendars/{Team} | {"name":"New","color":"#000000"} | {"name":"Newer","color":"#000000"} |
        | /api/entries/{Lunch}  | {"calendarId":"{Team}","title":"New","date":"2024-01-16","color":"#3B82F6","kind":{"type":"AllDay"}} | {"calendarId":"{Team}","title":"Newer","date":"2024-01-16","color":"#3B82F6","kind":{"type":"AllDay"}} |
