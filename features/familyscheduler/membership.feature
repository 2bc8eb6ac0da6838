Feature: How a person becomes a member, and stops being one
  A membership is one row in each of two tables: GroupMembers, by group, and UserGroups, by person.
  They always agree.

  Background:
    Given Ana is an active member of Family

  @FS-MEM-1
  Rule: An invitation is a row with status invited in both tables
    > Invites are represented as membership rows with `status=invited` and `invitedAt`.

    Scenario: inviting a person who never signed in writes invited rows
      Given Ben never signed in
      When Ana sends POST /api/group/join-link {"groupId":"{Family}","email":"{Ben.email}"}
      Then the answer is 200
      And the row GroupMembers {Family} / {Ben.userKey} has
        | userKey   | {Ben.userKey}    |
        | email     | {Ben.email}      |
        | status    | invited          |
        | invitedAt | a time           |
        | joinedAt  | absent or null   |
        | removedAt | absent or null   |
        | updatedAt | a time           |
      And the row UserGroups {Ben.userKey} / {Family} has
        | groupId   | {Family}         |
        | status    | invited          |
        | invitedAt | a time           |
        | joinedAt  | absent or null   |
        | removedAt | absent or null   |
        | updatedAt | a time           |

    @reference
    Scenario: the answer to an invitation names the person and status
      Given Ben is an invited member of Family
      When Ana sends POST /api/group/join-link {"groupId":"{Family}","email":" {Ben.EMAIL} "}
      Then the answer has
        | groupId   | {Family}             |
        | userKey   | {Ben.userKey}        |
        | status    | invited              |
        | invitedAt | 2026-01-05T08:00:00Z |

    Scenario: an invitation costs a fixed number of calls
      Given Ben is signed in
      When Ana sends POST /api/group/join-link {"groupId":"{Family}","email":"{Ben.email}"}
      Then the answer is 200
      And the storage calls are at most
        | service | call       | on           | count |
        | blob    | read       | sessions     | 1     |
        | table   | point read | GroupMembers | 4     |
        | table   | point read | Groups       | 1     |
        | table   | point read | UserGroups   | 1     |
        | table   | write      | GroupMembers | 1     |
        | table   | write      | UserGroups   | 1     |
        | table   | point read | DailyMetrics | 1     |
        | table   | write      | DailyMetrics | 1     |

    Scenario: inviting an invited person again keeps the first time
      Given Ben is an invited member of Family
      When Ana sends POST /api/group/join-link {"groupId":"{Family}","email":"{Ben.email}"}
      Then the answer is 200
      And the row GroupMembers {Family} / {Ben.userKey} has
        | status    | invited              |
        | invitedAt | 2026-01-05T08:00:00Z |

    @reference
    Scenario Outline: a person whose status is <what> is not a member and is invited again
      Given Ben is an active member of Family
      And the row GroupMembers {Family} / {Ben.userKey} is
        | status | <status> |
      When Ana sends POST /api/group/join-link {"groupId":"{Family}","email":"{Ben.email}"}
      Then the answer is 200
      And Ben is invited in both tables of Family
      And the row GroupMembers {Family} / {Ben.userKey} has
        | invitedAt | a time         |
        | joinedAt  | absent or null |

      Examples:
        | what    | status  |
        | unknown | blocked |
        | missing | absent  |

    Scenario: an active member cannot be invited
      Given Ben is an active member of Family
      When Ana sends POST /api/group/join-link {"groupId":"{Family}","email":"{Ben.email}"}
      Then the answer is 409 already_member
      And Ben is active in both tables of Family

  @FS-MEM-2
  Rule: Joining turns an invitation into an active membership and keeps the invitation time
    > Accept invite/join flips to `status=active` and sets `joinedAt`.

    Scenario: a person who accepts becomes active in both tables
      Given Ben is an invited member of Family
      When Ben sends POST /api/group/join {"groupId":"{Family}"}
      Then the answer is 200
      And the answer has
        | groupId   | {Family} |
        | groupName | Family   |
        | status    | active   |
        | joinedAt  | a time   |
      And the row GroupMembers {Family} / {Ben.userKey} has
        | status    | active               |
        | invitedAt | 2026-01-05T08:00:00Z |
        | joinedAt  | a time               |
        | updatedAt | a time               |
      And the row UserGroups {Ben.userKey} / {Family} has
        | status    | active               |
        | invitedAt | 2026-01-05T08:00:00Z |
        | joinedAt  | a time               |
        | updatedAt | a time               |

    Scenario: accepting an invitation costs a fixed number of calls
      Given Ben is an invited member of Family
      When Ben sends POST /api/group/join {"groupId":"{Family}"}
      Then the answer is 200
      And the storage calls are at most
        | service | call       | on           | count |
        | blob    | read       | sessions     | 1     |
        | table   | point read | GroupMembers | 4     |
        | table   | point read | Groups       | 1     |
        | table   | point read | UserGroups   | 1     |
        | table   | write      | GroupMembers | 1     |
        | table   | write      | UserGroups   | 1     |
        | table   | point read | DailyMetrics | 1     |
        | table   | write      | DailyMetrics | 1     |

    Scenario: a person without an invitation cannot join
      Given Ben is signed in
      When Ben sends POST /api/group/join {"groupId":"{Family}"}
      Then the answer is 403 not_allowed
      And there is no row GroupMembers {Family} / {Ben.userKey}

    Scenario: columns unknown to the design survive an acceptance
      Given Ben is an invited member of Family
      And the row GroupMembers {Family} / {Ben.userKey} is
        | nickname | Benny |
      And the row UserGroups {Ben.userKey} / {Family} is
        | color | blue |
      When Ben sends POST /api/group/join {"groupId":"{Family}"}
      Then the row GroupMembers {Family} / {Ben.userKey} has
        | status   | active |
        | nickname | Benny  |
      And the row UserGroups {Ben.userKey} / {Family} has
        | status | active |
        | color | blue   |

  @FS-MEM-3
  Rule: Removal keeps the row and records when
    > Membership: status=removed + removedAt.

    Scenario: a removed member's rows record when
      Given Ben is an active member of Family
      When Ana sends POST /api/group/remove-member {"groupId":"{Family}","userKey":"{Ben.userKey}"}
      Then the answer is 200
      And the row GroupMembers {Family} / {Ben.userKey} has
        | status    | removed              |
        | invitedAt | 2026-01-05T08:00:00Z |
        | joinedAt  | 2026-01-06T09:30:00Z |
        | removedAt | a time               |
        | updatedAt | a time               |
      And the row UserGroups {Ben.userKey} / {Family} has
        | status    | removed |
        | removedAt | a time  |
        | updatedAt | a time  |

    @reference
    Scenario: the answer to a removal names the person
      Given Ben is an active member of Family
      When Ana sends POST /api/group/remove-member {"groupId":"{Family}","userKey":"{Ben.userKey}"}
      Then the answer has
        | groupId | {Family}      |
        | userKey | {Ben.userKey} |
        | status  | removed       |

    Scenario: a member who leaves is removed in both tables
      Given Ben is an active member of Family
      When Ben sends POST /api/group/remove-member {"groupId":"{Family}"}
      Then the answer is 200
      And Ben is removed in both tables of Family

    Scenario: an invited person who declines is removed in both tables
      Given Ben is an invited member of Family
      When Ben sends POST /api/group/decline {"groupId":"{Family}"}
      Then the answer is 200
      And Ben is removed in both tables of Family

    Scenario: declining an invitation twice writes nothing the second time
      Given Ben is an invited member of Family
      And Ben sends POST /api/group/decline {"groupId":"{Family}"}
      When Ben sends POST /api/group/decline {"groupId":"{Family}"}
      Then the answer is 200
      And nothing was written
      And Ben is removed in both tables of Family

    @reference
    Scenario: the answer to declining names the status, even after the group's deletion
      Given Ben is an invited member of Family
      When Ben sends POST /api/group/decline {"groupId":"{Family}"}
      Then the answer has
        | groupId | {Family} |
        | status  | removed  |
      Given the group Family was deleted
      When Ben sends POST /api/group/decline {"groupId":"{Family}"}
      Then the answer is 200

    Scenario: a withdrawn invitation is removed in both tables
      Given Ben is an invited member of Family
      When Ana sends POST /api/group/remove-member {"groupId":"{Family}","userKey":"{Ben.userKey}"}
      Then the answer is 200
      And Ben is removed in both tables of Family
      And the row GroupMembers {Family} / {Ben.userKey} has
        | invitedAt | 2026-01-05T08:00:00Z |

    Scenario: removing a removed member keeps the first time
      Given Ben is a removed member of Family
      When Ana sends POST /api/group/remove-member {"groupId":"{Family}","userKey":"{Ben.userKey}"}
      Then the answer is 200
      And the row GroupMembers {Family} / {Ben.userKey} has
        | removedAt | 2026-02-01T10:00:00Z |

    Scenario: a person who was never a member cannot be removed
      Given Ben is signed in
      When Ana sends POST /api/group/remove-member {"groupId":"{Family}","userKey":"{Ben.userKey}"}
      Then the answer is 404 member_not_found

    Scenario: an active member cannot decline and stays active
      Given Ben is an active member of Family
      When Ben sends POST /api/group/decline {"groupId":"{Family}"}
      Then the answer is 409
      And Ben is active in both tables of Family

  @FS-MEM-4
  Rule: The two tables agree after every operation
    > Membership and authorization truth: `GroupMembers` + `UserGroups` tables only.

    Scenario: the founder of a group is active in both tables
      When Ana sends POST /api/group/create {"groupName":"Choir"}
      Then the answer is 200
      And "groupId" of the answer is called Choir
      And the row GroupMembers {Choir} / {Ana.userKey} has
        | status   | active |
        | joinedAt | a time |
      And the row UserGroups {Ana.userKey} / {Choir} has
        | status   | active |
        | joinedAt | a time |

    @invariant
    Scenario: every membership has the same status in both tables
      Then for each row UserGroups <user> / <group> there is the row GroupMembers <group> / <user> with
        | status | <status> |

    Scenario: the tables agree from invitation to removal and back
      Given Ben is signed in
      When Ana sends POST /api/group/join-link {"groupId":"{Family}","email":"{Ben.email}"}
      Then Ben is invited in both tables of Family
      When Ben sends POST /api/group/join {"groupId":"{Family}"}
      Then Ben is active in both tables of Family
      When Ana sends POST /api/group/remove-member {"groupId":"{Family}","userKey":"{Ben.userKey}"}
      Then Ben is removed in both tables of Family
      When Ana sends POST /api/group/join-link {"groupId":"{Family}","email":"{Ben.email}"}
      Then Ben is invited in both tables of Family
      When Ben sends POST /api/group/decline {"groupId":"{Family}"}
      Then Ben is removed in both tables of Family

    Scenario: the tables agree after joining by a gathering
      Given Ben is an invited member of Family
      And Ana sends POST /api/ignite/start {"groupId":"{Family}"}
      And "sessionId" of the answer is called Hunt
      When Ben sends POST /api/ignite/join {"groupId":"{Family}","sessionId":"{Hunt}"}
      Then the answer is 200
      And Ben is active in both tables of Family

    Scenario: repeating an operation completes a lagging table
      Given Ben is an active member of Family
      And the row UserGroups {Ben.userKey} / {Family} is
        | status   | invited |
        | joinedAt | absent  |
      When Ben sends POST /api/group/join {"groupId":"{Family}"}
      Then the answer is 200
      And Ben is active in both tables of Family

    Scenario Outline: a table that lags only in <column> is completed too
      Given Ben is <membership> member of Family
      And the row UserGroups {Ben.userKey} / {Family} is
        | <column> | <value> |
      When <who> sends POST <request>
      Then the answer is 200
      And Ben is <status> in both tables of Family

      Examples:
        | column    | value                | membership | status  | who | request                                                           |
        | status    | invited              | an active  | active  | Ben | /api/group/join {"groupId":"{Family}"}                            |
        | invitedAt | 2025-12-01T08:00:00Z | an invited | invited | Ana | /api/group/join-link {"groupId":"{Family}","email":"{Ben.email}"} |
        | joinedAt  | absent               | an active  | active  | Ben | /api/group/join {"groupId":"{Family}"}                            |

      @reference
      Examples:
        | column    | value                | membership | status  | who | request                                         |
        | removedAt | 2026-01-31T10:00:00Z | a removed  | removed | Ben | /api/group/remove-member {"groupId":"{Family}"} |

  @FS-MEM-6
  Rule: A removed person can return only by a new invitation
    > Membership: status=removed + removedAt.

    Scenario: a removed member cannot return by the old invitation
      Given Ben is a removed member of Family
      When Ben sends POST /api/group/join {"groupId":"{Family}"}
      Then the answer is 403 not_allowed
      And Ben is removed in both tables of Family

    Scenario: a removed member cannot return by a gathering
      Given Ben is a removed member of Family
      And Ana sends POST /api/ignite/start {"groupId":"{Family}"}
      And "sessionId" of the answer is called Hunt
      When Ben sends POST /api/ignite/join {"groupId":"{Family}","sessionId":"{Hunt}"}
      Then the answer is 403 not_allowed
      And Ben is removed in both tables of Family

    Scenario Outline: a removed member cannot return as a guest with the same e-mail, <spelled>
      Given Ben is a removed member of Family
      And Ana sends POST /api/ignite/start {"groupId":"{Family}"}
      And "sessionId" of the answer is called Hunt
      When Nobody sends POST /api/ignite/join {"groupId":"{Family}","sessionId":"{Hunt}","name":"Ben","email":"<email>"}
      Then the answer is 403
      And Ben is removed in both tables of Family

      Examples:
        | spelled     | email       |
        | as it was   | {Ben.email} |
        | in capitals | {Ben.EMAIL} |

    Scenario: a removed member cannot return as a guest when a storage call fails
      Given Ben is a removed member of Family
      And Ana sends POST /api/ignite/start {"groupId":"{Family}"}
      And "sessionId" of the answer is called Hunt
      When Nobody is refused POST /api/ignite/join {"groupId":"{Family}","sessionId":"{Hunt}","name":"Ben","email":"{Ben.email}"}, and any one storage call fails
      Then the answer is 403 or 503

    Scenario: a new invitation of a removed member starts over
      Given Ben is a removed member of Family
      When Ana sends POST /api/group/join-link {"groupId":"{Family}","email":"{Ben.email}"}
      Then the answer is 200
      And the row GroupMembers {Family} / {Ben.userKey} has
        | status    | invited        |
        | invitedAt | a time         |
        | joinedAt  | absent or null |
        | removedAt | absent or null |
      When Ben sends POST /api/group/join {"groupId":"{Family}"}
      Then the answer is 200
      And Ben is active in both tables of Family

    @reference
    Scenario: a person who is invited again keeps their name
      Given Ben is a removed member of Family
      And Ben sends PUT /api/user/profile {"displayName":"Benny"}
      When Ana sends POST /api/group/join-link {"groupId":"{Family}","email":"{Ben.email}"}
      And Ana sends GET /api/group/members?groupId={Family}
      Then "members" of the answer lists
        | userKey       | memberKey       | status  | displayName |
        | {Ana.userKey} | {Ana.memberKey} | active  | null        |
        | {Ben.userKey} | {Ben.memberKey} | invited | Benny       |

  @FS-MEM-7
  Rule: Accepting twice has the effect of accepting once
    > Accept invite/join flips to `status=active` and sets `joinedAt`.

    Scenario: accepting again writes nothing and keeps the joining time
      Given Ben is an active member of Family
      When Ben sends POST /api/group/join {"groupId":"{Family}"}
      Then the answer is 200
      And the answer has
        | status   | active               |
        | joinedAt | 2026-01-06T09:30:00Z |
      And nothing was written

    Scenario: two simultaneous acceptances are counted once
      Given Ben is an invited member of Family
      When these run at the same time
        | who | method | path            | body                   |
        | Ben | POST   | /api/group/join | {"groupId":"{Family}"} |
        | Ben | POST   | /api/group/join | {"groupId":"{Family}"} |
      Then all answers are 200
      And Ben is active in both tables of Family
      And the row DailyMetrics {month} / {today} has
        | invitesAccepted | 1 |

  @FS-MEM-9
  Rule: Only the status shows that an invitation is not accepted
    > “Invited but not accepted” is computed by `status=invited`.

    Scenario: an active member with invitedAt is not shown as invited
      Given Ben is an active member of Family
      When Ben sends GET /api/me/groups
      Then "groups" of the answer lists
        | groupId  | myStatus | invitedAt            |
        | {Family} | active   | 2026-01-05T08:00:00Z |

    Scenario: an invitation without invitedAt is shown as invited
      Given Ben is an invited member of Family
      And the row GroupMembers {Family} / {Ben.userKey} is
        | invitedAt | absent |
      And the row UserGroups {Ben.userKey} / {Family} is
        | invitedAt | absent |
      When Ben sends GET /api/me/groups
      Then "groups" of the answer lists
        | groupId  | myStatus |
        | {Family} | invited  |
      When Ana sends GET /api/group/members?groupId={Family}
      Then "members" of the answer lists
        | userKey       | status  |
        | {Ana.userKey} | active  |
        | {Ben.userKey} | invited |

    Scenario: repeating an invitation without invitedAt writes nothing
      Given Ben is an invited member of Family
      And the row GroupMembers {Family} / {Ben.userKey} is
        | invitedAt | absent |
      And the row UserGroups {Ben.userKey} / {Family} is
        | invitedAt | absent |
      When Ana sends POST /api/group/join-link {"groupId":"{Family}","email":"{Ben.email}"}
      Then the answer is 200
      And nothing was written

  @FS-MEM-10
  Rule: The last active member may leave, and the group stays
    > Groups: soft delete (isDeleted + deletedAt + purgeAfterAt), never hard delete yet.

    Scenario: the only member of a group may leave
      When Ana sends POST /api/group/remove-member {"groupId":"{Family}"}
      Then the answer is 200
      And Ana is removed in both tables of Family
      And the row Groups group / {Family} has
        | isDeleted | false |

    Scenario: the founder may leave the group they created
      Given Ana sends POST /api/group/create {"groupName":"Choir"}
      And "groupId" of the answer is called Choir
      When Ana sends POST /api/group/remove-member {"groupId":"{Choir}"}
      Then the answer is 200
      And the row GroupMembers {Choir} / {Ana.userKey} has
        | status    | removed |
        | removedAt | a time  |
      And the row Groups group / {Choir} has
        | isDeleted | false |
