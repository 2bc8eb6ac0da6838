Feature: What the tables contain
  Requests fill each table, and its rows are read back from the store: keys, columns and types, and no
  column unknown to the design. Counter rows may have recentOps and other rows opId, so that a retry
  counts once.

  Background:
    Given Ana is signed in

  @FS-SCH-1
  Rule: Rows of Groups have the design's keys and columns
    > PK: `"group"`
    > RK: `groupId`

    Scenario: a new group has the design's columns
      When Ana sends POST /api/group/create {"groupName":"Choir"}
      Then "groupId" of the answer is called Choir
      And the row Groups group / {Choir} has the columns
        | column           | type   | value         |
        | groupId          | string | {Choir}       |
        | groupName        | string | Choir         |
        | createdAt        | time   | a time        |
        | updatedAt        | time   | a time        |
        | createdByUserKey | string | {Ana.userKey} |
        | isDeleted        | bool   | false         |
        | opId             | string | optional      |

    Scenario: a deleted group has the design's columns
      Given Ana sends POST /api/group/create {"groupName":"Choir"}
      And "groupId" of the answer is called Choir
      When Ana sends POST /api/group/delete {"groupId":"{Choir}"}
      Then the row Groups group / {Choir} has the columns
        | column           | type   | value                   |
        | groupId          | string | {Choir}                 |
        | groupName        | string | Choir                   |
        | createdAt        | time   | a time                  |
        | updatedAt        | time   | a time                  |
        | createdByUserKey | string | {Ana.userKey}           |
        | isDeleted        | bool   | true                    |
        | deletedAt        | time   | a time                  |
        | deletedByUserKey | string | {Ana.userKey}           |
        | purgeAfterAt     | time   | 30 days after deletedAt |
        | opId             | string | optional                |

  @FS-SCH-2
  Rule: Rows of UserGroups have the design's keys and columns
    > PK: `userKey`
    > RK: `groupId`

    Scenario: UserGroups has the design's columns for invited, joined and removed
      Given Ben is signed in
      And Ana sends POST /api/group/create {"groupName":"Choir"}
      And "groupId" of the answer is called Choir
      When Ana sends POST /api/group/join-link {"groupId":"{Choir}","email":"{Ben.email}"}
      Then the row UserGroups {Ben.userKey} / {Choir} has the columns
        | column    | type   | value    |
        | groupId   | string | {Choir}  |
        | status    | string | invited  |
        | invitedAt | time   | a time   |
        | updatedAt | time   | a time   |
        | opId      | string | optional |
      When Ben sends POST /api/group/join {"groupId":"{Choir}"}
      Then the row UserGroups {Ben.userKey} / {Choir} has the columns
        | column    | type   | value    |
        | groupId   | string | {Choir}  |
        | status    | string | active   |
        | invitedAt | time   | a time   |
        | joinedAt  | time   | a time   |
        | updatedAt | time   | a time   |
        | opId      | string | optional |
      When Ana sends POST /api/group/remove-member {"groupId":"{Choir}","userKey":"{Ben.userKey}"}
      Then the row UserGroups {Ben.userKey} / {Choir} has the columns
        | column    | type   | value    |
        | groupId   | string | {Choir}  |
        | status    | string | removed  |
        | invitedAt | time   | a time   |
        | joinedAt  | time   | a time   |
        | removedAt | time   | a time   |
        | updatedAt | time   | a time   |
        | opId      | string | optional |

  @FS-SCH-3
  Rule: Rows of GroupMembers have the design's keys and columns
    > PK: `groupId`
    > RK: `userKey`

    Scenario: GroupMembers has the design's columns for invited, joined and removed
      Given Ben is signed in
      And Ana sends POST /api/group/create {"groupName":"Choir"}
      And "groupId" of the answer is called Choir
      When Ana sends POST /api/group/join-link {"groupId":"{Choir}","email":" {Ben.EMAIL} "}
      Then the row GroupMembers {Choir} / {Ben.userKey} has the columns
        | column    | type   | value         |
        | userKey   | string | {Ben.userKey} |
        | email     | string | {Ben.email}   |
        | memberKey | string | optional      |
        | status    | string | invited       |
        | invitedAt | time   | a time        |
        | updatedAt | time   | a time        |
        | opId      | string | optional      |
      When Ben sends POST /api/group/join {"groupId":"{Choir}"}
      And Ana sends POST /api/group/remove-member {"groupId":"{Choir}","userKey":"{Ben.userKey}"}
      Then the row GroupMembers {Choir} / {Ben.userKey} has the columns
        | column    | type   | value           |
        | userKey   | string | {Ben.userKey}   |
        | email     | string | {Ben.email}     |
        | memberKey | string | {Ben.memberKey} |
        | status    | string | removed         |
        | invitedAt | time   | a time          |
        | joinedAt  | time   | a time          |
        | removedAt | time   | a time          |
        | updatedAt | time   | a time          |
        | opId      | string | optional        |

    Scenario: the founder's row of GroupMembers has the design's columns
      When Ana sends POST /api/group/create {"groupName":"Choir"}
      Then "groupId" of the answer is called Choir
      And the row GroupMembers {Choir} / {Ana.userKey} has the columns
        | column    | type   | value           |
        | userKey   | string | {Ana.userKey}   |
        | email     | string | {Ana.email}     |
        | memberKey | string | {Ana.memberKey} |
        | status    | string | active          |
        | joinedAt  | time   | a time          |
        | updatedAt | time   | a time          |
        | opId      | string | optional        |

    Scenario: a guest's row of GroupMembers has no e-mail
      Given Ana is an active member of Family
      And Ana sends POST /api/ignite/start {"groupId":"{Family}"}
      And "sessionId" of the answer is called Hunt
      When Nobody sends POST /api/ignite/join {"groupId":"{Family}","sessionId":"{Hunt}","name":"Gus","email":"gus@example.com"}
      Then "memberKey" of the answer is called Gus
      When Ana sends GET /api/group/members?groupId={Family}
      Then "members" of the answer lists
        | userKey       | memberKey       | status | email       | displayName |
        | {Ana.userKey} | {Ana.memberKey} | active | {Ana.email} | null        |
        | anything      | {Gus}           | active | null        | Gus         |

  @FS-SCH-4
  Rule: Rows of AppointmentsIndex have the design's keys and columns
    > RK: `YYYYMMDDHHmmssZ|appointmentId` (time-ordered key; current implementation uses `|` delimiter)

    Scenario: a scanned and deleted appointment has the design's columns
      Given Ana is an active member of Family
      And Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"create_appointment","startTime":"2026-06-01T09:00:00Z","desc":"Dentist"}}
      And "appointmentId" of the answer is called Dentist
      Then the row AppointmentsIndex {Family} / 20260601090000Z|{Dentist} has the columns
        | column        | type   | value                |
        | appointmentId | string | {Dentist}            |
        | startTime     | time   | 2026-06-01T09:00:00Z |
        | status        | string | active               |
        | hasScan       | bool   | false                |
        | createdAt     | time   | a time               |
        | updatedAt     | time   | a time               |
        | isDeleted     | bool   | false                |
        | opId          | string | optional             |
      When Ana sends POST /api/appointment/scan {"groupId":"{Family}","appointmentId":"{Dentist}","imageMime":"image/png","imageBase64":"{png}"}
      And Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"delete_appointment","appointmentId":"{Dentist}"}}
      Then the row AppointmentsIndex {Family} / 20260601090000Z|{Dentist} has the columns
        | column           | type   | value                   |
        | appointmentId    | string | {Dentist}               |
        | startTime        | time   | 2026-06-01T09:00:00Z    |
        | status           | string | active                  |
        | hasScan          | bool   | true                    |
        | scanCapturedAt   | time   | a time                  |
        | scanExt          | string | optional                |
        | createdAt        | time   | a time                  |
        | updatedAt        | time   | a time                  |
        | isDeleted        | bool   | true                    |
        | deletedAt        | time   | a time                  |
        | deletedByUserKey | string | {Ana.userKey}           |
        | purgeAfterAt     | time   | 30 days after deletedAt |
        | opId             | string | optional                |

  @FS-SCH-5
  Rule: Rows of DailyMetrics have the design's keys and columns
    > PK: `YYYY-MM`
    > RK: `YYYY-MM-DD`

    Scenario: the counts of a day have the design's columns
      When Ana sends POST /api/group/create {"groupName":"Choir"}
      Then the row DailyMetrics {month} / {today} has the columns
        | column          | type   | value    |
        | newUsers        | count  | 0        |
        | newGroups       | count  | 1        |
        | newAppointments | count  | 0        |
        | invitesSent     | count  | 0        |
        | invitesAccepted | count  | 0        |
        | updatedAt       | time   | a time   |
        | recentOps       | string | optional |

  @FS-SCH-6
  Rule: Rows of UserDailyUsage have the design's keys and columns
    > PK: `userKey`
    > RK: `YYYY-MM-DD`

    Scenario: one question has the design's columns in UserDailyUsage
      Given Ana is an active member of Family
      When Ana sends POST /api/chat {"groupId":"{Family}","message":"What is next?"}
      Then the row UserDailyUsage {Ana.userKey} / {today} has the columns
        | column          | type   | value    |
        | openaiCalls     | count  | 1        |
        | openaiTokensIn  | count  | 12       |
        | openaiTokensOut | count  | 5        |
        | openaiErrors    | count  | 0        |
        | updatedAt       | time   | a time   |
        | recentOps       | string | optional |

  @FS-SCH-7
  Rule: Rows of UserDailyUsageByModel have the design's keys and columns
    > PK: `userKey#YYYY-MM-DD`
    > RK: `model`
    > (contract) The separator is `|`: no key may hold `#`.

    Scenario: one question has the design's columns in UserDailyUsageByModel
      Given Ana is an active member of Family
      When Ana sends POST /api/chat {"groupId":"{Family}","message":"What is next?"}
      Then the row UserDailyUsageByModel {Ana.userKey}|{today} / gpt-4o~2F2024~231 has the columns
        | column    | type   | value    |
        | calls     | count  | 1        |
        | tokensIn  | count  | 12       |
        | tokensOut | count  | 5        |
        | errors    | count  | 0        |
        | updatedAt | time   | a time   |
        | recentOps | string | optional |

  @FS-SCH-8
  Rule: Rows of DailyUsageByModel have the design's keys and columns
    > PK: `YYYY-MM`
    > RK: `YYYY-MM-DD#model`
    > (contract) The separator is `|`: no key may hold `#`.

    Scenario: one question has the design's columns in DailyUsageByModel
      Given Ana is an active member of Family
      When Ana sends POST /api/chat {"groupId":"{Family}","message":"What is next?"}
      Then the row DailyUsageByModel {month} / {today}|gpt-4o~2F2024~231 has the columns
        | column    | type   | value    |
        | calls     | count  | 1        |
        | tokensIn  | count  | 12       |
        | tokensOut | count  | 5        |
        | errors    | count  | 0        |
        | updatedAt | time   | a time   |
        | recentOps | string | optional |

  @FS-SCH-9
  Rule: Rows of AppointmentParticipants have the design's keys and columns
    > PK: `g:{groupId}|a:{apptId}`
    > RK: `m:{memberKey}`

    Background:
      Given Ana is an active member of Family
      And Ben is an active member of Family
      And Family has 1 appointment
      And Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"assign_participant","appointmentId":"{FamilyAppointment0}","memberKey":"{Ben.memberKey}","role":"driver"}}

    Scenario: an assigned participant has the design's columns
      Then the answer is 200
      And the row AppointmentParticipants g:{Family}|a:{FamilyAppointment0} / m:{Ben.memberKey} has the columns
        | column     | type   | value           |
        | status     | string | assigned        |
        | role       | string | driver          |
        | assignedAt | time   | a time          |
        | assignedBy | string | {Ana.memberKey} |
        | updatedAt  | time   | a time          |
        | opId       | string | optional        |

    @reference
    Scenario: the answers name who was assigned and unassigned
      Then the answer has
        | appointmentId | {FamilyAppointment0} |
        | memberKey     | {Ben.memberKey}      |
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"unassign_participant","appointmentId":"{FamilyAppointment0}","memberKey":"{Ben.memberKey}"}}
      Then the answer has
        | appointmentId | {FamilyAppointment0} |
        | memberKey     | {Ben.memberKey}      |

    Scenario: an unassigned participant's row stays
      Given the row AppointmentParticipants g:{Family}|a:{FamilyAppointment0} / m:{Ben.memberKey} is
        | updatedAt | 2026-01-02T08:00:00Z |
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"unassign_participant","appointmentId":"{FamilyAppointment0}","memberKey":"{Ben.memberKey}"}}
      Then the answer is 200
      And the row AppointmentParticipants g:{Family}|a:{FamilyAppointment0} / m:{Ben.memberKey} has the columns
        | column     | type   | value           |
        | status     | string | unassigned      |
        | role       | string | driver          |
        | assignedAt | time   | a time          |
        | assignedBy | string | {Ana.memberKey} |
        | updatedAt  | time   | a time          |
        | opId       | string | optional        |

    Scenario: assigning a participant again replaces the role
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"assign_participant","appointmentId":"{FamilyAppointment0}","memberKey":"{Ben.memberKey}","role":"cook"}}
      Then the row AppointmentParticipants g:{Family}|a:{FamilyAppointment0} / m:{Ben.memberKey} has
        | role | cook |
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"assign_participant","appointmentId":"{FamilyAppointment0}","memberKey":"{Ben.memberKey}","role":""}}
      Then the answer is 200
      And the row AppointmentParticipants g:{Family}|a:{FamilyAppointment0} / m:{Ben.memberKey} has
        | status | assigned |
        | role   | nothing  |

    @reference
    Scenario: assigning a participant again keeps unknown columns
      Given the row AppointmentParticipants g:{Family}|a:{FamilyAppointment0} / m:{Ben.memberKey} is
        | status | unassigned |
        | seat   | 4a         |
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"assign_participant","appointmentId":"{FamilyAppointment0}","memberKey":"{Ben.memberKey}"}}
      Then the answer is 200
      And the row AppointmentParticipants g:{Family}|a:{FamilyAppointment0} / m:{Ben.memberKey} has
        | status | assigned |
        | seat   | 4a       |

    Scenario: a member on a later page of the store is assigned
      Given the store answers queries in pages of 1 row, with an empty page before each
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"assign_participant","appointmentId":"{FamilyAppointment0}","memberKey":"{Ana.memberKey}"}}
      Then the answer is 200
      And the row AppointmentParticipants g:{Family}|a:{FamilyAppointment0} / m:{Ana.memberKey} has
        | status | assigned |

    Scenario Outline: <membership> of the group cannot be assigned
      Given Cleo is <membership> of Family
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"assign_participant","appointmentId":"{FamilyAppointment0}","memberKey":"{Cleo.memberKey}"}}
      Then the answer is 404 member_not_found
      And there is no row AppointmentParticipants g:{Family}|a:{FamilyAppointment0} / m:{Cleo.memberKey}

      Examples:
        | membership        |
        | an invited member |
        | a removed member  |

  @FS-SCH-10
  Rule: Rows of UserProfiles have the design's keys and columns
    > PK: `memberKey`
    > RK: `profile`

    Scenario: a profile with a photo has the design's columns
      Given Ana is an active member of Family
      And Ana sends PUT /api/user/profile {"displayName":"Ana Maria","timezone":"Europe/Berlin"}
      And Ana sends POST /api/ignite/start {"groupId":"{Family}"}
      And "sessionId" of the answer is called Hunt
      When Ana sends POST /api/ignite/photo {"groupId":"{Family}","sessionId":"{Hunt}","imageMime":"image/png","imageBase64":"{png}"}
      Then the answer is 200
      And "photoKey" of the row UserProfiles {Ana.memberKey} / profile is called Photo
      And the blob {Photo} is there
      And the row UserProfiles {Ana.memberKey} / profile has the columns
        | column      | type   | value                 |
        | displayName | string | Ana Maria             |
        | photoKey    | string | anything              |
        | email       | string | {Ana.email} or absent |
        | timezone    | string | Europe/Berlin         |
        | createdAt   | time   | a time                |
        | updatedAt   | time   | a time                |
        | opId        | string | optional              |
      When Ana sends GET /api/user/profile
      Then the answer has
        | hasPhoto | true |

    Scenario: a profile is readable before and after its first write
      When Ana sends GET /api/user/profile
      Then the answer is 200
      And the answer has
        | displayName | null           |
        | timezone    | absent or null |
        | hasPhoto    | false          |
      When Ana sends PUT /api/user/profile {"displayName":"Ana Maria","timezone":"Europe/Berlin"}
      Then the answer has
        | email       | {Ana.email} or absent   |
        | displayName | Ana Maria               |
        | timezone    | Europe/Berlin or absent |
        | hasPhoto    | false                   |
      When Ana sends GET /api/user/profile
      Then the answer has
        | email       | {Ana.email} or absent   |
        | displayName | Ana Maria               |
        | timezone    | Europe/Berlin or absent |
        | hasPhoto    | false                   |

    @reference
    Scenario: the reference stores the e-mail and returns the time zone
      When Ana sends GET /api/user/profile
      Then the answer has
        | email | {Ana.email} |
      When Ana sends PUT /api/user/profile {"displayName":"Ana","timezone":"Europe/Berlin"}
      Then the answer has
        | timezone | Europe/Berlin |
      And the row UserProfiles {Ana.memberKey} / profile has
        | email | {Ana.email} |
      When Ana sends PUT /api/user/profile {"displayName":"Ana Maria"}
      Then the answer has
        | timezone | Europe/Berlin |

    @reference
    Scenario: a guest's e-mail is in the profile and stays there
      Given Ana is an active member of Family
      And Ana sends POST /api/ignite/start {"groupId":"{Family}"}
      And "sessionId" of the answer is called Hunt
      And Nobody sends POST /api/ignite/join {"groupId":"{Family}","sessionId":"{Hunt}","name":"Gus","email":"gus@example.com"}
      And "sessionId" of the answer is called GusSession
      And Gus has the session id "{GusSession}"
      When Gus sends PUT /api/user/profile {"displayName":"Gustav","timezone":"Europe/Berlin"}
      Then the answer has
        | email       | gus@example.com |
        | displayName | Gustav          |
      When Gus sends GET /api/user/profile
      Then the answer has
        | email       | gus@example.com |
        | displayName | Gustav          |

    Scenario Outline: changing <what> keeps when the profile was created and updates when it changed
      Given the row UserProfiles {Ana.memberKey} / profile is
        | displayName | Ana                  |
        | timezone    | Europe/Berlin        |
        | createdAt   | 2026-01-02T08:00:00Z |
        | updatedAt   | 2026-01-02T08:00:00Z |
      And Ana is an active member of Family
      And where the target has ignite, Ana sends POST /api/ignite/start {"groupId":"{Family}"}, and "sessionId" of the answer is called Hunt
      When Ana sends <request>
      Then the answer is 200
      And the row UserProfiles {Ana.memberKey} / profile has
        | displayName | <name>               |
        | timezone    | Europe/Berlin        |
        | createdAt   | 2026-01-02T08:00:00Z |
        | updatedAt   | a time               |

      Examples:
        | what      | name      | request                                                                                                           |
        | the name  | Ana Maria | PUT /api/user/profile {"displayName":"Ana Maria"}                                                                 |
        | the photo | Ana       | POST /api/ignite/photo {"groupId":"{Family}","sessionId":"{Hunt}","imageMime":"image/png","imageBase64":"{png}"} |

    Scenario: a guest's profile is stored under the guest's member key
      Given Ana is an active member of Family
      And Ana sends POST /api/ignite/start {"groupId":"{Family}"}
      And "sessionId" of the answer is called Hunt
      When Nobody sends POST /api/ignite/join {"groupId":"{Family}","sessionId":"{Hunt}","name":"Gus"}
      Then "memberKey" of the answer is called Gus
      And the row UserProfiles {Gus} / profile has the columns
        | column      | type   | value    |
        | displayName | string | Gus      |
        | createdAt   | time   | a time   |
        | updatedAt   | time   | a time   |
        | opId        | string | optional |

    @reference
    Scenario: a guest's profile keeps the e-mail given, even a member's
      Given Ana is an active member of Family
      And Ana sends POST /api/ignite/start {"groupId":"{Family}"}
      And "sessionId" of the answer is called Hunt
      When Nobody sends POST /api/ignite/join {"groupId":"{Family}","sessionId":"{Hunt}","name":"Gus","email":"{Ana.EMAIL}"}
      Then the answer is 200
      And "memberKey" of the answer is called Gus
      And the row UserProfiles {Gus} / profile has
        | email | {Ana.email} |

  @FS-SCH-11
  Rule: No key contains a character that a key may not contain
    > (contract) Each of `/ \ # ? ~` and control characters is written `~HH` per UTF-8 byte, upper hex.
    > RK: `model`

    Scenario: a model named gpt-4o/2024#1 is escaped in keys
      Given Ana is an active member of Family
      When Ana sends POST /api/chat {"groupId":"{Family}","message":"What is next?"}
      Then the answer is 200
      And the partition {Ana.userKey}|{today} of UserDailyUsageByModel holds, in this order
        | RowKey            | calls |
        | gpt-4o~2F2024~231 | 1     |
      And the partition {month} of DailyUsageByModel holds, in this order
        | RowKey                     | calls |
        | {today}\|gpt-4o~2F2024~231 | 1     |

    Scenario: a member key with every forbidden character is escaped
      Given Ana is an active member of Family
      And Family has 1 appointment
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"assign_participant","appointmentId":"{FamilyAppointment0}","memberKey":"auth:a/b\\c#d?e~f\u0007g\u0085h i\u001fj\u007fk\u009fl\u00a0m"}}
      Then the answer is 404 member_not_found
      Given the row GroupMembers {Family} / {Ana.userKey} is
        | memberKey | auth:a/b\\c#d?e~f{byte 07}g{byte c2}{byte 85}h i{byte 1f}j{byte 7f}k{byte c2}{byte 9f}l{byte c2}{byte a0}m |
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"assign_participant","appointmentId":"{FamilyAppointment0}","memberKey":"auth:a/b\\c#d?e~f\u0007g\u0085h i\u001fj\u007fk\u009fl\u00a0m"}}
      Then the answer is 200
      And the partition g:{Family}|a:{FamilyAppointment0} of AppointmentParticipants holds, in this order
        | RowKey                                                                      | status   |
        | m:auth:a~2Fb~5Cc~23d~3Fe~7Ef~07g~C2~85h i~1Fj~7Fk~C2~9Fl{byte c2}{byte a0}m | assigned |
