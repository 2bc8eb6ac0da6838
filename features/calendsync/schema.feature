Feature: What the table contains
  Scenarios read the items directly, not through the server. Attributes that the design does not have, such as version,
  are explained in docs/designs/calendsync.md.

  Background:
    Given Ana has an account

  @CS-PROV-1
  Rule: The server uses the existing table, and never creates one
    > Deploying the Schema: Deploy the table (creates if not exists)

    Scenario: a server that starts and is used creates no table
      Given the target starts again
      When Ana sends POST /api/calendars {"name":"Team","color":"#3B82F6"}
      Then the answer is 201
      And "id" of the answer is called Team
      When Ana sends POST /api/entries {"calendarId":"{Team}","title":"Lunch","date":"2024-01-15","color":"#3B82F6","kind":{"type":"AllDay"}}
      Then the answer is 201
      And no table was created

    Scenario: a server without its table gets 503 and creates none
      Given a fresh target with DYNAMODB_TABLE_NAME "{calendsync}-none"
      And Ben has an account
      When Ben sends POST /api/calendars {"name":"Team","color":"#3B82F6"}
      Then the answer is 503 storage_unavailable
      And no table was created

    Scenario: a server that starts while the store is down works once it is back
      Given a fresh target on an account that was never used
      And the target starts again while storage is down
      When storage is back
      Given Ben has an account
      When Ben sends POST /api/calendars {"name":"Team","color":"#3B82F6"}
      Then the answer is 201
      And no table was created

  @CS-SCH-1
  Rule: A user has the attributes of the design's example
    > PK USER#<user_id>, SK USER#<user_id>, GSI2PK EMAIL#<email>, GSI2SK USER#<user_id>
    > GSI3 keys are only present when the user has OAuth provider information

    Scenario: a user without a provider account has the design's attributes
      When Nobody sends POST /api/users {"name":"John Doe","email":"John.{tag}@Example.com"}
      Then the answer is 201
      And the answer has
        | email    | john.{tag}@example.com |
        | provider | absent or null         |
      And "id" of the answer matches "^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$"
      And "id" of the answer is called John
      And the row {calendsync} USER#{John} / USER#{John} has the columns
        | column     | type | value                        |
        | PK         | S    | USER#{John}                  |
        | SK         | S    | USER#{John}                  |
        | GSI2PK     | S    | EMAIL#john.{tag}@example.com |
        | GSI2SK     | S    | USER#{John}                  |
        | entityType | S    | USER                         |
        | id         | S    | {John}                       |
        | name       | S    | John Doe                     |
        | email      | S    | john.{tag}@example.com       |
        | createdAt  | time | a time                       |
        | updatedAt  | time | a time                       |
        | version    | N    | number 1                     |

    Scenario: a user with a provider account has the design's attributes
      When Nobody sends POST /api/users {"name":"John Doe","email":"john.{tag}@example.com","provider":"google","providerSubject":"1-{tag}"}
      Then the answer is 201
      And "id" of the answer is called John
      And the row {calendsync} USER#{John} / USER#{John} has the columns
        | column          | type | value                        |
        | PK              | S    | USER#{John}                  |
        | SK              | S    | USER#{John}                  |
        | GSI2PK          | S    | EMAIL#john.{tag}@example.com |
        | GSI2SK          | S    | USER#{John}                  |
        | GSI3PK          | S    | PROV#google#1-{tag}          |
        | GSI3SK          | S    | USER#{John}                  |
        | entityType      | S    | USER                         |
        | id              | S    | {John}                       |
        | name            | S    | John Doe                     |
        | email           | S    | john.{tag}@example.com       |
        | provider        | S    | google                       |
        | providerSubject | S    | 1-{tag}                      |
        | createdAt       | time | a time                       |
        | updatedAt       | time | a time                       |
        | version         | N    | number 1                     |

    Scenario: guards name their user and have no entity type
      When Nobody sends POST /api/users {"name":"John Doe","email":"john.{tag}@example.com","provider":"google","providerSubject":"1-{tag}"}
      Then the answer is 201
      And "id" of the answer is called John
      And the row {calendsync} EMAIL#john.{tag}@example.com / EMAIL#john.{tag}@example.com has
        | userId     | {John} |
        | entityType | absent |
        | GSI1PK     | absent |
        | GSI2PK     | absent |
        | GSI3PK     | absent |
      And the row {calendsync} PROV#google#1-{tag} / PROV#google#1-{tag} has
        | userId     | {John} |
        | entityType | absent |
        | GSI1PK     | absent |
        | GSI2PK     | absent |
        | GSI3PK     | absent |

  @CS-SCH-2
  Rule: A calendar has the attributes of the design's example
    > PK CAL#<calendar_id>, SK CAL#<calendar_id>; GSI1PK (not used)

    Scenario Outline: a calendar with the description <description> has the design's attributes
      When Ana sends POST /api/calendars {"name":"Personal","color":"#3B82F6","description":<description>}
      Then the answer is 201
      And the answer has
        | description | <shown> |
      And "id" of the answer matches "^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$"
      And "id" of the answer is called Team
      And the row {calendsync} CAL#{Team} / CAL#{Team} has the columns
        | column      | type   | value      |
        | PK          | S      | CAL#{Team} |
        | SK          | S      | CAL#{Team} |
        | entityType  | S      | CALENDAR   |
        | id          | S      | {Team}     |
        | name        | S      | Personal   |
        | color       | S      | #3B82F6    |
        | description | <type> | <stored>   |
        | createdAt   | time   | a time     |
        | updatedAt   | time   | a time     |
        | version     | N      | number 1   |
        | owners      | N      | number 1   |

      Examples:
        | description            | shown                | type | stored               |
        | "My personal calendar" | My personal calendar | S    | My personal calendar |
        | null                   | nothing              | NULL | optional             |

  @CS-SCH-3
  Rule: A membership has the attributes of the design's example
    > PK CAL#<calendar_id>, SK MEMBER#<user_id>, GSI1PK USER#<user_id>, GSI1SK CAL#<calendar_id>
    > Roles: owner, writer, reader

    Scenario: the creator's membership has the design's attributes
      When Ana sends POST /api/calendars {"name":"Personal","color":"#3B82F6"}
      Then the answer is 201
      And "id" of the answer is called Team
      And the row {calendsync} CAL#{Team} / MEMBER#{Ana} has the columns
        | column     | type | value         |
        | PK         | S    | CAL#{Team}    |
        | SK         | S    | MEMBER#{Ana}  |
        | GSI1PK     | S    | USER#{Ana}    |
        | GSI1SK     | S    | CAL#{Team}    |
        | entityType | S    | MEMBERSHIP    |
        | calendarId | S    | {Team}        |
        | userId     | S    | {Ana}         |
        | role       | S    | owner         |
        | createdAt  | time | a time        |
        | updatedAt  | time | a time        |
        | version    | N    | number 1      |
        | requestId  | S    | optional      |

    Scenario Outline: the membership of a new <role> has the design's attributes
      Given Ana is an owner of Team
      And Ben has an account
      When Ana sends POST /api/calendars/{Team}/members {"userId":"{Ben}","role":"<role>"}
      Then the answer is 201
      And the row {calendsync} CAL#{Team} / MEMBER#{Ben} has the columns
        | column     | type | value         |
        | PK         | S    | CAL#{Team}    |
        | SK         | S    | MEMBER#{Ben}  |
        | GSI1PK     | S    | USER#{Ben}    |
        | GSI1SK     | S    | CAL#{Team}    |
        | entityType | S    | MEMBERSHIP    |
        | calendarId | S    | {Team}        |
        | userId     | S    | {Ben}         |
        | role       | S    | <role>        |
        | createdAt  | time | a time        |
        | updatedAt  | time | a time        |
        | version    | N    | number 1      |
        | requestId  | S    | optional      |
      And the row {calendsync} CAL#{Team} / CAL#{Team} has
        | owners | number <owners> |

      Examples:
        | role   | owners |
        | owner  | 2      |
        | writer | 1      |
        | reader | 1      |

  @CS-SCH-4
  Rule: An entry has the attributes of the design's example, and its kind is a map
    > PK ENTRY#<entry_id>, SK ENTRY#<entry_id>, GSI1PK CAL#<calendar_id>, GSI1SK ENTRY#<date>#<entry_id>
    > Entry Kind Variants: MultiDay, AllDay, Timed, Task

    Scenario Outline: an entry has the design's attributes: <what>
      Given Ana is an owner of Team
      When Ana sends POST /api/entries {"calendarId":"{Team}","title":"Standup","date":"2024-01-15","color":"#3B82F6","location":<location>,"description":<description>,"kind":<kind>}
      Then the answer is 201
      And "id" of the answer matches "^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$"
      And "id" of the answer is called Standup
      And the row {calendsync} ENTRY#{Standup} / ENTRY#{Standup} has the columns
        | column      | type          | value                      |
        | PK          | S             | ENTRY#{Standup}            |
        | SK          | S             | ENTRY#{Standup}            |
        | GSI1PK      | S             | CAL#{Team}                 |
        | GSI1SK      | S             | ENTRY#2024-01-15#{Standup} |
        | entityType  | S             | ENTRY                      |
        | id          | S             | {Standup}                  |
        | calendarId  | S             | {Team}                     |
        | title       | S             | Standup                    |
        | description | <about>       | <description stored>       |
        | location    | <place>       | <location stored>          |
        | date        | S             | 2024-01-15                 |
        | color       | S             | #3B82F6                    |
        | kind        | M             | <stored>                   |
        | createdAt   | time          | a time                     |
        | updatedAt   | time          | a time                     |
        | version     | N             | number 1                   |
        | requestId   | S             | optional                   |
      And the answer has
        | calendarId  | {Team}     |
        | title       | Standup    |
        | date        | 2024-01-15 |
        | color       | #3B82F6    |
        | kind        | <shown>    |

      Examples:
        | what         | kind                                                     | stored                                                    | shown                                                     | location | place | location stored | description | about | description stored |
        | timed        | {"type":"Timed","start":"09:00:00","end":"09:30:00"}     | {"end":"09:30:00","start":"09:00:00","type":"Timed"}      | {"end":"09:30:00","start":"09:00:00","type":"Timed"}      | "Zoom"   | S     | Zoom            | null        | NULL  | optional           |
        | several days | {"type":"MultiDay","start":"2024-01-15","end":"2024-01-16"} | {"end":"2024-01-16","start":"2024-01-15","type":"MultiDay"} | {"end":"2024-01-16","start":"2024-01-15","type":"MultiDay"} | null     | NULL  | optional        | "Every day" | S     | Every day          |
        | all day      | {"type":"AllDay"}                                        | {"type":"AllDay"}                                         | {"type":"AllDay"}                                         | null     | NULL  | optional        | null        | NULL  | optional           |
        | a task       | {"type":"Task","completed":true}                         | {"completed":true,"type":"Task"}                          | {"completed":true,"type":"Task"}                          | null     | NULL  | optional        | null        | NULL  | optional           |
        | an open task | {"type":"Task"}                                          | {"completed":false,"type":"Task"}                         | {"completed":false,"type":"Task"}                         | null     | NULL  | optional        | null        | NULL  | optional           |

    Scenario: a kind that an earlier server stored as a string is read and toggled
      Given Ana is an owner of Team
      And Lunch is a task of Team on 2024-01-15
      And the row {calendsync} ENTRY#{Lunch} / ENTRY#{Lunch} is
        | kind | absent |
      And the row {calendsync} ENTRY#{Lunch} / ENTRY#{Lunch} is
        | kind | {"type":"Task","completed":true} |
      When Ana sends GET /api/entries/{Lunch}
      Then the answer is 200
      And the answer has
        | kind | {"completed":true,"type":"Task"} |
      When Ana sends GET /api/calendars/{Team}/entries?start=2024-01-15&end=2024-01-15
      Then "entries" of the answer lists
        | id      | kind                             |
        | {Lunch} | {"completed":true,"type":"Task"} |
      When Ana sends PATCH /api/entries/{Lunch}/toggle
      Then the answer is 200
      And the answer has
        | kind | {"completed":false,"type":"Task"} |

    Scenario: an entry without its optional attributes is shown without them
      Given Ana is an owner of Team
      And Lunch is an all-day entry of Team on 2024-01-15
      And the row {calendsync} ENTRY#{Lunch} / ENTRY#{Lunch} is
        | description | absent |
        | location    | absent |
      When Ana sends GET /api/entries/{Lunch}
      Then the answer is 200
      And the answer has
        | description | nothing |
        | location    | nothing |

  @CS-KEY-5
  Rule: Index keys that an item does not use are absent
    > GSI1PK (not used). GSI3 keys are only present when the user has OAuth provider information

    Scenario: new users, calendars, memberships and entries have no unused index keys
      When Nobody sends POST /api/users {"name":"John Doe","email":"john.{tag}@example.com"}
      Then "id" of the answer is called John
      And the row {calendsync} USER#{John} / USER#{John} has
        | GSI1PK | absent |
        | GSI1SK | absent |
        | GSI3PK | absent |
        | GSI3SK | absent |
      When Ana sends POST /api/calendars {"name":"Personal","color":"#3B82F6"}
      Then "id" of the answer is called Team
      And the row {calendsync} CAL#{Team} / CAL#{Team} has
        | GSI1PK | absent |
        | GSI1SK | absent |
        | GSI2PK | absent |
        | GSI3PK | absent |
      And the row {calendsync} CAL#{Team} / MEMBER#{Ana} has
        | GSI2PK | absent |
        | GSI3PK | absent |
      When Ana sends POST /api/entries {"calendarId":"{Team}","title":"Lunch","date":"2024-01-15","color":"#3B82F6","kind":{"type":"AllDay"}}
      Then "id" of the answer is called Lunch
      And the row {calendsync} ENTRY#{Lunch} / ENTRY#{Lunch} has
        | GSI2PK | absent |
        | GSI3PK | absent |
