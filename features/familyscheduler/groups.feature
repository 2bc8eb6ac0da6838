Feature: Groups are renamed, deleted and restored
  The row in Groups is everything stored about a group itself. Its name is stored nowhere else, and the row is
  never deleted.

  Background:
    Given Ana is an active member of Family

  @FS-GRP-1
  Rule: A rename is one update of Groups, whatever the number of members
    > Group rename: 1 update (Groups only; avoid fan-out writes).

    Scenario Outline: renaming a group with <members> more members is one update
      Given Family has <members> more active members
      When Ana sends POST /api/group/rename {"groupId":"{Family}","groupName":"  The   Smiths "}
      Then the answer is 200
      And the storage calls are at most
        | service | call       | on           | count |
        | blob    | read       | sessions     | 1     |
        | table   | point read | GroupMembers | 1     |
        | table   | point read | Groups       | 1     |
        | table   | write      | Groups       | 1     |
      And the row Groups group / {Family} has
        | groupName | The Smiths                        |
        | updatedAt | a time after 2026-01-02T08:00:00Z |
        | createdAt | 2026-01-02T08:00:00Z              |

      Examples:
        | members |
        | 0       |
        | 1       |
        | 4       |
        | 16      |
        | 64      |

    Scenario: every member sees a group's new name
      Given Ben is an invited member of Family
      When Ana sends POST /api/group/rename {"groupId":"{Family}","groupName":"The Smiths"}
      And Ben sends GET /api/me/groups
      Then "groups" of the answer lists
        | groupId  | groupName  |
        | {Family} | The Smiths |
      When Ana sends GET /api/group/meta?groupId={Family}
      Then the answer has
        | groupId   | {Family}   |
        | groupName | The Smiths |

    @reference
    Scenario: the answers to a rename and to meta describe the group
      When Ana sends POST /api/group/rename {"groupId":"{Family}","groupName":"The Smiths"}
      Then the answer has
        | groupId   | {Family}                          |
        | groupName | The Smiths                        |
        | updatedAt | a time after 2026-01-02T08:00:00Z |
      When Ana sends GET /api/group/meta?groupId={Family}
      Then the answer has
        | createdAt | 2026-01-02T08:00:00Z              |
        | updatedAt | a time after 2026-01-02T08:00:00Z |
        | linkPath  | /g/{Family}                       |
        | myStatus  | active                            |

    @reference
    Scenario: a repeated rename under its Idempotency-Key writes nothing more
      Given Ana sends POST /api/group/rename {"groupId":"{Family}","groupName":"The Smiths"} with the key First
      When Ana sends POST /api/group/rename {"groupId":"{Family}","groupName":"The Smiths"} with the key First
      Then the answer is 200
      And nothing was written

    @reference
    Scenario: the later of two simultaneous renames stays
      Given Ben is an active member of Family
      And before the 1st write on Groups of the next request Ben sends POST /api/group/rename {"groupId":"{Family}","groupName":"Smiths"}
      When Ana sends POST /api/group/rename {"groupId":"{Family}","groupName":"The Smiths"}
      Then the answer is 200
      And the row Groups group / {Family} has
        | groupName | The Smiths |

    Scenario: a rename keeps columns unknown to the design
      Given the row Groups group / {Family} is
        | color | blue |
      When Ana sends POST /api/group/rename {"groupId":"{Family}","groupName":"The Smiths"}
      Then the row Groups group / {Family} has
        | groupName | The Smiths |
        | color    | blue       |

    Scenario: an invalid name is refused for a rename
      When Ana sends POST /api/group/rename {"groupId":"{Family}","groupName":"   "}
      Then the answer is 400

  @FS-GRP-2
  Rule: Deleting records when, by whom and when to purge; restoring undoes it
    > Soft delete uses: `isDeleted`, `deletedAt`, `deletedByUserKey`, `purgeAfterAt` (set to deletedAt + 30 days; purge job NYI).

    Scenario: a deleted group records when, by whom and when to purge
      When Ana sends POST /api/group/delete {"groupId":"{Family}"}
      Then the answer is 200
      And the row Groups group / {Family} has
        | groupId          | {Family}                          |
        | groupName        | Family                            |
        | isDeleted        | true                              |
        | deletedAt        | a time                            |
        | deletedByUserKey | {Ana.userKey}                     |
        | purgeAfterAt     | 30 days after deletedAt           |
        | updatedAt        | a time after 2026-01-02T08:00:00Z |

    Scenario: a restored group loses its deletion columns and is listed
      Given the group Family was deleted
      When Ana sends POST /api/group/restore {"groupId":"{Family}"}
      Then the answer is 200
      And the row Groups group / {Family} has
        | groupName        | Family                            |
        | isDeleted        | false                             |
        | deletedAt        | absent                            |
        | deletedByUserKey | absent                            |
        | purgeAfterAt     | absent                            |
        | updatedAt        | a time after 2026-03-01T10:00:00Z |
      When Ana sends GET /api/me/groups
      Then "groups" of the answer lists
        | groupId  | myStatus |
        | {Family} | active   |

    Scenario: columns unknown to the design survive deleting and restoring a group
      Given the row Groups group / {Family} is
        | color | blue |
      And Ana sends POST /api/group/delete {"groupId":"{Family}"}
      When Ana sends POST /api/group/restore {"groupId":"{Family}"}
      Then the row Groups group / {Family} has
        | isDeleted | false  |
        | deletedAt | absent |
        | color    | blue   |

    Scenario: deleting a group twice keeps the first deletion time
      Given Ben is an active member of Family
      And the group Family was deleted
      When Ben sends POST /api/group/delete {"groupId":"{Family}"}
      Then the answer is 200
      And the row Groups group / {Family} has
        | deletedAt    | 2026-03-01T10:00:00Z |
        | purgeAfterAt | 2026-03-31T10:00:00Z |

    @reference
    Scenario: the answer to a deletion names the time of the purge
      When Ana sends POST /api/group/delete {"groupId":"{Family}"}
      Then the answer has
        | groupId      | {Family} |
        | isDeleted    | true     |
        | purgeAfterAt | anything |
      And "purgeAfterAt" of the answer is called PurgeAfter
      And the row Groups group / {Family} has
        | purgeAfterAt | {PurgeAfter} |
      When Ana sends POST /api/group/restore {"groupId":"{Family}"}
      Then the answer has
        | groupId   | {Family} |
        | isDeleted | false    |

    @reference
    Scenario: deleting a deleted group or restoring an existing one writes nothing
      When Ana sends POST /api/group/restore {"groupId":"{Family}"}
      Then the answer is 200
      And nothing was written
      Given the group Family was deleted
      When Ana sends POST /api/group/delete {"groupId":"{Family}"}
      Then the answer is 200
      And nothing was written

    @reference
    Scenario: a rename just after a deletion is answered with 404
      Given Ben is an active member of Family
      And before the 1st write on Groups of the next request Ben sends POST /api/group/delete {"groupId":"{Family}"}
      When Ana sends POST /api/group/rename {"groupId":"{Family}","groupName":"The Smiths"}
      Then the answer is 404 group_not_found
      And the row Groups group / {Family} has
        | groupName | Family |

    Scenario: a deleted group is restored whichever storage call fails
      Given the group Family was deleted
      When Ana sends POST /api/group/restore {"groupId":"{Family}"}, and any one storage call fails
      Then the answer is 200
      And the row Groups group / {Family} has
        | isDeleted    | false  |
        | purgeAfterAt | absent |

    Scenario: a rename just after a deletion does not undo it
      Given Ben is an active member of Family
      And before the 1st write on Groups of the next request Ben sends POST /api/group/delete {"groupId":"{Family}"}
      When Ana sends POST /api/group/rename {"groupId":"{Family}","groupName":"The Smiths"}
      Then the row Groups group / {Family} has
        | isDeleted        | true                    |
        | deletedByUserKey | {Ben.userKey}           |
        | purgeAfterAt     | 30 days after deletedAt |

    Scenario Outline: the operation <operation> takes effect whichever storage call fails
      When Ana sends POST /api/group/<operation> {"groupId":"{Family}"}, and any one storage call fails
      Then the answer is 200
      And the row Groups group / {Family} has
        | groupName | Family      |
        | isDeleted | <isDeleted> |

      Examples:
        | operation | isDeleted |
        | delete    | true      |
        | restore   | false     |

    Scenario: a repeated deletion whose first answer was lost records who and when
      Given the answer to the 1st write of the next request is lost
      And Ana sends POST /api/group/delete {"groupId":"{Family}"} with the key First
      When Ana sends POST /api/group/delete {"groupId":"{Family}"} with the key First
      Then the answer is 200
      And the row Groups group / {Family} has
        | isDeleted        | true                    |
        | deletedByUserKey | {Ana.userKey}           |
        | purgeAfterAt     | 30 days after deletedAt |

    Scenario Outline: the operation <operation> costs one read and one write of the group
      When Ana sends POST /api/group/<operation> {"groupId":"{Family}"}
      Then the answer is 200
      And the storage calls are at most
        | service | call       | on           | count |
        | blob    | read       | sessions     | 1     |
        | table   | point read | GroupMembers | 1     |
        | table   | point read | Groups       | 1     |
        | table   | write      | Groups       | 1     |

      Examples:
        | operation |
        | delete    |
        | restore   |

    Scenario: creating a group writes one row in each of three tables
      When Ana sends POST /api/group/create {"groupName":"Choir"}
      Then the answer is 200
      And the storage calls are at most
        | service | call       | on           | count |
        | blob    | read       | sessions     | 1     |
        | table   | write      | Groups       | 1     |
        | table   | write      | GroupMembers | 1     |
        | table   | write      | UserGroups   | 1     |
        | table   | point read | DailyMetrics | 1     |
        | table   | write      | DailyMetrics | 1     |
      And "groupId" of the answer is called Choir
      And the row Groups group / {Choir} has
        | groupId          | {Choir}       |
        | groupName        | Choir         |
        | createdAt        | a time        |
        | updatedAt        | a time        |
        | createdByUserKey | {Ana.userKey} |
        | isDeleted        | false         |

    Scenario: spinning off a group costs a creation and the gate of its source
      When Ana sends POST /api/ignite/spinoff {"sourceGroupId":"{Family}"}
      Then the answer is 200
      And the answer has
        | groupName | Family |
      And the storage calls are at most
        | service | call       | on           | count |
        | blob    | read       | sessions     | 1     |
        | table   | point read | GroupMembers | 1     |
        | table   | point read | Groups       | 1     |
        | table   | write      | Groups       | 1     |
        | table   | write      | GroupMembers | 1     |
        | table   | write      | UserGroups   | 1     |
        | table   | point read | DailyMetrics | 1     |
        | table   | write      | DailyMetrics | 1     |

    @reference
    Scenario: the link of a new group is made of its id
      When Ana sends POST /api/group/create {"groupName":"Choir"}
      Then "groupId" of the answer is called Choir
      And the answer has
        | linkPath | /g/{Choir} |
      When Ana sends POST /api/ignite/spinoff {"sourceGroupId":"{Choir}"}
      Then "newGroupId" of the answer is called Band
      And the answer has
        | linkPath | /g/{Band} |

  @FS-GRP-3
  Rule: No row of a group, an appointment or a membership is ever deleted from its table
    > Groups: soft delete (isDeleted + deletedAt + purgeAfterAt), never hard delete yet.
    > Appointments: soft delete in AppointmentsIndex; appointment blob may remain until purge job exists.

    Scenario: deleting groups, appointments and memberships deletes no row
      Given Ben is an active member of Family
      And Cleo is an invited member of Family
      And Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"create_appointment","startTime":"2026-06-01T09:00:00Z","desc":"Dentist"}}
      And "appointmentId" of the answer is called Dentist
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"delete_appointment","appointmentId":"{Dentist}"}}
      Then the answer is 200
      When Cleo sends POST /api/group/decline {"groupId":"{Family}"}
      Then the answer is 200
      When Ana sends POST /api/group/remove-member {"groupId":"{Family}","userKey":"{Ben.userKey}"}
      Then the answer is 200
      When Ana sends POST /api/group/delete {"groupId":"{Family}"}
      Then the answer is 200
      When Ana sends POST /api/group/remove-member {"groupId":"{Family}"}
      Then the answer is 404 group_not_found
      And no storage call of the scenario is
        | service | call         | on                |
        | table   | delete       | Groups            |
        | table   | delete       | GroupMembers      |
        | table   | delete       | UserGroups        |
        | table   | delete       | AppointmentsIndex |
      And the row GroupMembers {Family} / {Ben.userKey} has
        | status | removed |
      And the row Groups group / {Family} has
        | isDeleted | true |
      And the partition {Family} of AppointmentsIndex holds, in this order
        | appointmentId | isDeleted |
        | {Dentist}     | true      |

    Scenario: unassigning a participant deletes no row
      Given Ben is an active member of Family
      And Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"create_appointment","startTime":"2026-06-01T09:00:00Z","desc":"Dentist"}}
      And "appointmentId" of the answer is called Dentist
      And Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"assign_participant","appointmentId":"{Dentist}","memberKey":"{Ben.memberKey}"}}
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"unassign_participant","appointmentId":"{Dentist}","memberKey":"{Ben.memberKey}"}}
      Then the answer is 200
      And no storage call of the scenario is
        | service | call   | on                      |
        | table   | delete | AppointmentParticipants |
      And the row AppointmentParticipants g:{Family}|a:{Dentist} / m:{Ben.memberKey} has
        | status | unassigned |
