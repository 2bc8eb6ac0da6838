Feature: Groups are renamed, deleted and restored
  The row in Groups is all there is to know of a group. Its name stands nowhere else, and it is never
  taken away.

  Background:
    Given Ana is an active member of Family

  @FS-GRP-1
  Rule: A rename is one update of Groups, whatever the number of members
    > Group rename: 1 update (Groups only; avoid fan-out writes).

    Scenario Outline: a group with <members> more members
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

    Scenario: everybody sees the new name
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
    Scenario: the answers say what the group is like
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
    Scenario: a rename that is sent again writes nothing more
      Given Ana sends POST /api/group/rename {"groupId":"{Family}","groupName":"The Smiths"} with the key First
      When Ana sends POST /api/group/rename {"groupId":"{Family}","groupName":"The Smiths"} with the key First
      Then the answer is 200
      And nothing was written

    @reference
    Scenario: of two new names at once the later one stays
      Given Ben is an active member of Family
      And before the 1st write on Groups of the next request Ben sends POST /api/group/rename {"groupId":"{Family}","groupName":"Smiths"}
      When Ana sends POST /api/group/rename {"groupId":"{Family}","groupName":"The Smiths"}
      Then the answer is 200
      And the row Groups group / {Family} has
        | groupName | The Smiths |

    Scenario: a new name keeps the columns that the design does not know
      Given the row Groups group / {Family} is
        | colour | blue |
      When Ana sends POST /api/group/rename {"groupId":"{Family}","groupName":"The Smiths"}
      Then the row Groups group / {Family} has
        | groupName | The Smiths |
        | colour    | blue       |

    Scenario: an invalid name
      When Ana sends POST /api/group/rename {"groupId":"{Family}","groupName":"   "}
      Then the answer is 400

  @FS-GRP-2
  Rule: Deleting says when, by whom and when it may be purged; restoring takes that back
    > Soft delete uses: `isDeleted`, `deletedAt`, `deletedByUserKey`, `purgeAfterAt` (set to deletedAt + 30 days; purge job NYI).

    Scenario: Ana deletes the group
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

    Scenario: Ana restores the group
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

    Scenario: columns the design does not know survive both
      Given the row Groups group / {Family} is
        | colour | blue |
      And Ana sends POST /api/group/delete {"groupId":"{Family}"}
      When Ana sends POST /api/group/restore {"groupId":"{Family}"}
      Then the row Groups group / {Family} has
        | isDeleted | false  |
        | deletedAt | absent |
        | colour    | blue   |

    Scenario: deleting twice keeps the first time
      Given Ben is an active member of Family
      And the group Family was deleted
      When Ben sends POST /api/group/delete {"groupId":"{Family}"}
      Then the answer is 200
      And the row Groups group / {Family} has
        | deletedAt    | 2026-03-01T10:00:00Z |
        | purgeAfterAt | 2026-03-31T10:00:00Z |

    @reference
    Scenario: the answers say until when the group can be restored
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
    Scenario: what changes nothing writes nothing
      When Ana sends POST /api/group/restore {"groupId":"{Family}"}
      Then the answer is 200
      And nothing was written
      Given the group Family was deleted
      When Ana sends POST /api/group/delete {"groupId":"{Family}"}
      Then the answer is 200
      And nothing was written

    @reference
    Scenario: a group that is deleted just before its rename is gone
      Given Ben is an active member of Family
      And before the 1st write on Groups of the next request Ben sends POST /api/group/delete {"groupId":"{Family}"}
      When Ana sends POST /api/group/rename {"groupId":"{Family}","groupName":"The Smiths"}
      Then the answer is 404 group_not_found
      And the row Groups group / {Family} has
        | groupName | Family |

    Scenario: a deleted group is restored, whatever call fails
      Given the group Family was deleted
      When Ana sends POST /api/group/restore {"groupId":"{Family}"}, and any one storage call fails
      Then the answer is 200
      And the row Groups group / {Family} has
        | isDeleted    | false  |
        | purgeAfterAt | absent |

    Scenario: a rename that comes just after a deletion does not undo it
      Given Ben is an active member of Family
      And before the 1st write on Groups of the next request Ben sends POST /api/group/delete {"groupId":"{Family}"}
      When Ana sends POST /api/group/rename {"groupId":"{Family}","groupName":"The Smiths"}
      Then the row Groups group / {Family} has
        | isDeleted        | true                    |
        | deletedByUserKey | {Ben.userKey}           |
        | purgeAfterAt     | 30 days after deletedAt |

    Scenario Outline: <operation>, whatever call of it fails
      When Ana sends POST /api/group/<operation> {"groupId":"{Family}"}, and any one storage call fails
      Then the answer is 200
      And the row Groups group / {Family} has
        | groupName | Family      |
        | isDeleted | <isDeleted> |

      Examples:
        | operation | isDeleted |
        | delete    | true      |
        | restore   | false     |

    Scenario: a deletion whose answer was lost says afterwards when it was and who did it
      Given the answer to the 1st write of the next request is lost
      And Ana sends POST /api/group/delete {"groupId":"{Family}"} with the key First
      When Ana sends POST /api/group/delete {"groupId":"{Family}"} with the key First
      Then the answer is 200
      And the row Groups group / {Family} has
        | isDeleted        | true                    |
        | deletedByUserKey | {Ana.userKey}           |
        | purgeAfterAt     | 30 days after deletedAt |

    Scenario Outline: what <operation> costs
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

    Scenario: spinning a group off costs what creating one does, and the gate of its source
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
    Scenario: the address of a new group is made of its id
      When Ana sends POST /api/group/create {"groupName":"Choir"}
      Then "groupId" of the answer is called Choir
      And the answer has
        | linkPath | /g/{Choir} |
      When Ana sends POST /api/ignite/spinoff {"sourceGroupId":"{Choir}"}
      Then "newGroupId" of the answer is called Band
      And the answer has
        | linkPath | /g/{Band} |

  @FS-GRP-3
  Rule: No row of a group, an appointment or a membership is ever deleted
    > Groups: soft delete (isDeleted + deletedAt + purgeAfterAt), never hard delete yet.
    > Appointments: soft delete in AppointmentsIndex; appointment blob may remain until purge job exists.

    Scenario: everything that can be deleted is deleted
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

    Scenario: who takes part is taken off
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
