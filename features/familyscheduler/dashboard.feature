Feature: What a person sees after signing in
  The dashboard lists the groups of a person. It reads the person's own partition of UserGroups and
  the row of each group, and no data of other people.

  @FS-DASH-1
  Rule: Active and invited groups are listed, removed ones are not
    > “Your groups”: all groups the current user is a member of (active + invited/pending supported).

    Scenario: active and invited groups are listed with their names and times
      Given the group Family is named "The Smiths"
      And the group Choir is named "choir"
      And the group Work is named "Accounting"
      And the group Chess is named "Chess"
      And Ana is an active member of Family
      And Ana is an active member of Choir
      And Ana is an invited member of Work
      And Ana is a removed member of Chess
      When Ana sends GET /api/me/groups
      Then the answer is 200
      And "groups" of the answer lists, in this order
        | groupId  | groupName  | myStatus | invitedAt            | joinedAt             | removedAt | updatedAt            |
        | {Choir}  | choir      | active   | 2026-01-05T08:00:00Z | 2026-01-06T09:30:00Z | null      | 2026-01-06T09:30:00Z |
        | {Family} | The Smiths | active   | 2026-01-05T08:00:00Z | 2026-01-06T09:30:00Z | null      | 2026-01-06T09:30:00Z |
        | {Work}   | Accounting | invited  | 2026-01-05T08:00:00Z | absent or null       | null      | 2026-01-05T08:00:00Z |

    Scenario: groups with the same name are listed by id
      Given the group Aunts is named "The Smiths"
      And the group Boys is named "the smiths"
      And the group Cooks is named "The Smiths"
      And Ana is an active member of Cooks
      And Ana is an active member of Aunts
      And Ana is an active member of Boys
      When Ana sends GET /api/me/groups
      Then "groups" of the answer lists
        | groupId |
        | {Aunts} |
        | {Boys}  |
        | {Cooks} |
      And "groups" of the answer is in ascending order of "groupId"

    Scenario: a person without a group gets an empty list
      Given Ana is signed in
      When Ana sends GET /api/me/groups
      Then the answer is 200
      And "groups" of the answer is empty

    Scenario: a group beyond the first 1,000 rows is listed
      Given Ana is a removed member of 1000 more groups
      And Ana is an active member of Family
      When Ana sends GET /api/me/groups
      Then "groups" of the answer lists
        | groupId  | myStatus |
        | {Family} | active   |
      And the storage calls are at most
        | service | call            | on         | count |
        | blob    | read            | sessions   | 1     |
        | table   | partition query | UserGroups | 1     |
        | table   | page            | UserGroups | 1     |
        | table   | point read      | Groups     | 1     |

    Scenario: the list of groups is complete when the store ends pages early
      Given Ana is an active member of Family
      And Ana is an active member of Work
      And Ana is an invited member of Chess
      And the store answers queries in pages of 1 row, with an empty page before each
      When Ana sends GET /api/me/groups
      Then the answer is 200
      And "groups" of the answer lists
        | groupId  | myStatus |
        | {Family} | active   |
        | {Work}   | active   |
        | {Chess}  | invited  |

    Scenario: the list of groups is complete whichever storage call fails
      Given Ana is an active member of Family
      And Ana is an active member of Work
      And Ana is an invited member of Chess
      When Ana sends GET /api/me/groups, and any one storage call fails
      Then the answer is 200
      And "groups" of the answer lists
        | groupId  | myStatus |
        | {Family} | active   |
        | {Work}   | active   |
        | {Chess}  | invited  |

    Scenario: a list of several pages is complete whichever storage call fails
      Given Ana is an active member of Family
      And Ana is an invited member of Chess
      And the store answers queries in pages of 1 row
      When Ana sends GET /api/me/groups, and any one storage call fails
      Then the answer is 200
      And "groups" of the answer lists
        | groupId  | myStatus |
        | {Family} | active   |
        | {Chess}  | invited  |

    Scenario Outline: a membership whose status is <what> does not count
      Given Ana is an active member of Family
      And Ana is an active member of Work
      And the row UserGroups {Ana.userKey} / {Work} is
        | status | <status> |
      When Ana sends GET /api/me/groups
      Then the answer is 200
      And "groups" of the answer lists
        | groupId  |
        | {Family} |

      Examples:
        | what    | status  |
        | unknown | blocked |
        | empty   |         |
        | missing | absent  |

    Scenario: a group of other people is not listed
      Given Ben is an active member of Family
      And Ana is signed in
      When Ana sends GET /api/me/groups
      Then "groups" of the answer is empty

  @FS-DASH-2
  Rule: Deleted groups are left out
    > Should filter out groups where `Groups.isDeleted=true`.

    Scenario: a deleted group is left out of the list
      Given Ana is an active member of Family
      And Ana is an active member of Work
      And Ana sends POST /api/group/delete {"groupId":"{Work}"}
      When Ana sends GET /api/me/groups
      Then the answer is 200
      And "groups" of the answer lists
        | groupId  |
        | {Family} |

    @invariant
    Scenario: no deleted group is listed for anyone
      Then the answer to GET /api/me/groups shows no <group> of a row Groups group / <group> where isDeleted is true

    Scenario: a group whose row lacks isDeleted is listed
      Given Ana is an active member of Family
      And the row Groups group / {Family} is
        | isDeleted | absent |
      When Ana sends GET /api/me/groups
      Then the answer is 200
      And "groups" of the answer lists
        | groupId  | groupName | myStatus |
        | {Family} | Family    | active   |

    Scenario: an invitation to a deleted group is not listed
      Given Ana is an invited member of Family
      And the group Family was deleted
      When Ana sends GET /api/me/groups
      Then "groups" of the answer is empty

  @FS-DASH-3
  Rule: One partition query of UserGroups, one read per group, whatever others have
    > Dashboard load: 1 partition query (UserGroups) + bounded group meta reads (join via API).

    Scenario Outline: the dashboard of a person with <groups> groups costs one query and their rows
      Given Ana is signed in
      And Ana is an active member of <groups> more groups
      When Ana sends GET /api/me/groups
      Then the answer is 200
      And UserGroups was read
      And the storage calls are at most
        | service | call            | on         | count    |
        | blob    | read            | sessions   | 1        |
        | table   | partition query | UserGroups | 1        |
        | table   | point read      | Groups     | <groups> |

      Examples:
        | groups |
        | 0      |
        | 1      |
        | 4      |
        | 16     |
        | 64     |

    Scenario Outline: the dashboard costs the same with <members> other members and as many groups of others
      Given Ana is an active member of Family
      And Family has <members> more active members
      And Ben is an active member of <members> more groups
      When Ana sends GET /api/me/groups
      Then the answer is 200
      And the storage calls are at most
        | service | call            | on         | count |
        | blob    | read            | sessions   | 1     |
        | table   | partition query | UserGroups | 1     |
        | table   | point read      | Groups     | 1     |

      Examples:
        | members |
        | 1       |
        | 4       |
        | 16      |
        | 64      |

    Scenario: groups that the person left are not read
      Given Ana is an active member of Family
      And Ana is a removed member of Chess
      And Ana is a removed member of Choir
      When Ana sends GET /api/me/groups
      Then the answer is 200
      And the storage calls are at most
        | service | call            | on         | count |
        | blob    | read            | sessions   | 1     |
        | table   | partition query | UserGroups | 1     |
        | table   | point read      | Groups     | 1     |

    @reference
    Scenario: reading the dashboard reuses connections to the store
      Given a fresh target whose connections are counted
      And Ana is signed in
      And Ana is an active member of 16 more groups
      When Ana sends 8 times one after the other GET /api/me/groups
      Then all answers are 200
      And the target has opened at most 40 connections to the store

    @reference
    Scenario: the reference makes exactly these calls for the dashboard
      Given Ana is signed in
      And Ana is an active member of 4 more groups
      When Ana sends GET /api/me/groups
      Then the storage calls are exactly
        | service | call            | on         | count |
        | blob    | read            | sessions   | 1     |
        | table   | partition query | UserGroups | 1     |
        | table   | point read      | Groups     | 4     |

  @FS-DASH-4
  Rule: Rosters come from the tables
    > Roster/display truth: table-driven (`GroupMembers` joined to `UserProfiles`, or equivalent cached display fields on `GroupMembers`).

    Background:
      Given the group Family is named "The Smiths"
      And Ana is an active member of Family
      And Ben is an invited member of Family
      And Ana sends PUT /api/user/profile {"displayName":"Ana of the tables"}
      And Ben sends PUT /api/user/profile {"displayName":"Ben of the tables"}

    Scenario: names and members in state.json do not affect the roster
      Given Cleo is signed in
      And state.json of Family is
        """
        {"people":[{"personId":"{Cleo.memberKey}","name":"Cleo"},{"personId":"{Ana.memberKey}","name":"Somebody else"}],
         "members":[{"userKey":"{Cleo.userKey}","status":"active"},{"userKey":"{Ben.userKey}","status":"active"}],
         "appointments":[]}
        """
      When Ana sends GET /api/group/members?groupId={Family}
      Then the answer is 200
      And "members" of the answer lists
        | userKey       | displayName       | status  |
        | {Ana.userKey} | Ana of the tables | active  |
        | {Ben.userKey} | Ben of the tables | invited |

    Scenario: state.json that contradicts the tables has no effect on answers
      Given Cleo is signed in
      And Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"create_appointment","startTime":"2026-05-01T12:00:00Z","desc":"Lunch"}}
      And the answer is 200
      And "appointmentId" of the answer is called Lunch
      And state.json of Family is
        """
        {"groupId":"{Family}","groupName":"Name of the blob","isDeleted":true,
         "people":[{"personId":"{Cleo.memberKey}","name":"Cleo of the blob"},{"personId":"{Ana.memberKey}","name":"Ana of the blob"}],
         "members":[{"userKey":"{Cleo.userKey}","memberKey":"{Cleo.memberKey}","email":"{Cleo.email}","status":"active"},
                    {"userKey":"{Ana.userKey}","memberKey":"{Ana.memberKey}","email":"{Ana.email}","status":"removed"},
                    {"userKey":"{Ben.userKey}","memberKey":"{Ben.memberKey}","email":"{Ben.email}","status":"active"}],
         "appointments":[{"appointmentId":"{Lunch}","id":"{Lunch}","startTime":"2026-06-06T06:00:00Z","status":"canceled","isDeleted":true,"desc":"Dinner"},
                         {"appointmentId":"of-the-blob","id":"of-the-blob","startTime":"2026-07-07T07:00:00Z","status":"active","desc":"Dinner"}]}
        """
      When Ana sends GET /api/group/members?groupId={Family}
      Then "members" of the answer lists
        | userKey       | displayName       | status  |
        | {Ana.userKey} | Ana of the tables | active  |
        | {Ben.userKey} | Ben of the tables | invited |
      When Ana sends GET /api/me/groups
      Then "groups" of the answer lists
        | groupId  | groupName  | myStatus |
        | {Family} | The Smiths | active   |
      When Ana sends GET /api/group/meta?groupId={Family}
      Then the answer is 200
      And the answer does not contain "Name of the blob"
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"list_appointments"}}
      Then "snapshot.appointments" of the answer lists
        | appointmentId | startTime            | status |
        | {Lunch}       | 2026-05-01T12:00:00Z | active |
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"get_appointment_detail","appointmentId":"{Lunch}"}}
      Then the answer is 200
      And the answer does not contain "Dinner"
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"get_appointment_detail","appointmentId":"of-the-blob"}}
      Then the answer is 404 appointment_not_found
      When Ben sends GET /api/me/groups
      Then "groups" of the answer lists
        | groupId  | myStatus |
        | {Family} | invited  |
      When Ben sends GET /api/group/members?groupId={Family}
      Then the answer is 403 not_allowed
      When Cleo sends GET /api/me/groups
      Then "groups" of the answer is empty
      When Cleo sends GET /api/group/members?groupId={Family}
      Then the answer is 403 not_allowed

    Scenario: the home page shows the tables, not state.json
      Given Cleo is signed in
      And state.json of Family is
        """
        {"groupId":"{Family}","groupName":"Name of the blob","isDeleted":true,
         "members":[{"userKey":"{Cleo.userKey}","memberKey":"{Cleo.memberKey}","email":"{Cleo.email}","status":"active"},
                    {"userKey":"{Ana.userKey}","memberKey":"{Ana.memberKey}","email":"{Ana.email}","status":"removed"},
                    {"userKey":"{Ben.userKey}","memberKey":"{Ben.memberKey}","email":"{Ben.email}","status":"active"}]}
        """
      When Ana opens /
      Then the page shows "The Smiths"
      And the page does not show "Name of the blob"
      When Ben opens /
      Then the page offers "Accept"
      When Cleo opens /
      Then the page does not show "Name of the blob"
      And the page does not offer "Accept"

    Scenario Outline: the roster is the same when state.json <what>
      Given state.json of Family is
        """
        <content>
        """
      When Ana sends GET /api/group/members?groupId={Family}
      Then the answer is 200
      And "members" of the answer lists
        | userKey       | displayName       | status  |
        | {Ana.userKey} | Ana of the tables | active  |
        | {Ben.userKey} | Ben of the tables | invited |

      Examples:
        | what                      | content                                        |
        | is empty                  | {}                                             |
        | is not JSON               | {"people":[                                    |
        | has lists of another type | {"people":"Ana","members":7,"appointments":{}} |

    Scenario Outline: a member whose status is <what> is not in the roster
      Given Cleo is an active member of Family
      And the row GroupMembers {Family} / {Cleo.userKey} is
        | status | <status> |
      When Ana sends GET /api/group/members?groupId={Family}
      Then the answer is 200
      And "members" of the answer lists
        | userKey       | displayName       | status  |
        | {Ana.userKey} | Ana of the tables | active  |
        | {Ben.userKey} | Ben of the tables | invited |

      Examples:
        | what    | status  |
        | unknown | blocked |
        | empty   |         |
        | missing | absent  |

    Scenario: the roster shows a new name and a removal immediately
      Given state.json of Family lists Ben among people and members
      And Ana sends GET /api/group/members?groupId={Family}
      And Ana sends PUT /api/user/profile {"displayName":"Ana the Second"}
      And Ana sends POST /api/group/remove-member {"groupId":"{Family}","userKey":"{Ben.userKey}"}
      When Ana sends GET /api/group/members?groupId={Family}
      Then "members" of the answer lists
        | userKey       | displayName    | status |
        | {Ana.userKey} | Ana the Second | active |

    Scenario: a member who joined by e-mail has the name of their profile
      Given Cleo is signed in
      And Cleo sends PUT /api/user/profile {"displayName":"Cleo of the tables"}
      And Ana sends POST /api/group/join-link {"groupId":"{Family}","email":"{Cleo.email}"}
      And Cleo sends POST /api/group/join {"groupId":"{Family}"}
      When Ana sends GET /api/group/members?groupId={Family}
      Then "members" of the answer lists
        | userKey        | displayName        | status  |
        | {Ana.userKey}  | Ana of the tables  | active  |
        | {Ben.userKey}  | Ben of the tables  | invited |
        | {Cleo.userKey} | Cleo of the tables | active  |

    Scenario: the roster is complete when the store ends pages early
      Given the store answers queries in pages of 1 row, with an empty page before each
      When Ana sends GET /api/group/members?groupId={Family}
      Then the answer is 200
      And "members" of the answer lists
        | userKey       | displayName       | status  |
        | {Ana.userKey} | Ana of the tables | active  |
        | {Ben.userKey} | Ben of the tables | invited |

    Scenario: the roster is complete whichever storage call fails
      When Ana sends GET /api/group/members?groupId={Family}, and any one storage call fails
      Then the answer is 200
      And "members" of the answer lists
        | userKey       | displayName       | status  |
        | {Ana.userKey} | Ana of the tables | active  |
        | {Ben.userKey} | Ben of the tables | invited |

    Scenario: the roster shows when each person was invited and joined
      When Ana sends GET /api/group/members?groupId={Family}
      Then "members" of the answer lists
        | userKey       | email       | invitedAt            | joinedAt             | removedAt |
        | {Ana.userKey} | {Ana.email} | 2026-01-05T08:00:00Z | 2026-01-06T09:30:00Z | null      |
        | {Ben.userKey} | {Ben.email} | 2026-01-05T08:00:00Z | null                 | null      |

    Scenario: the roster costs one query and the members' profiles
      When Ana sends GET /api/group/members?groupId={Family}
      Then the storage calls are at most
        | service | call            | on           | count |
        | blob    | read            | sessions     | 1     |
        | table   | point read      | GroupMembers | 1     |
        | table   | point read      | Groups       | 1     |
        | table   | partition query | GroupMembers | 1     |
        | table   | point read      | UserProfiles | 2     |
