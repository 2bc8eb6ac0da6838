Feature: What somebody sees after signing in
  The dashboard lists the groups of a person. It reads their own partition of UserGroups and the row
  of each group, and nothing that belongs to others.

  @FS-DASH-1
  Rule: Active and invited groups are listed, removed ones are not
    > “Your groups”: all groups the current user is a member of (active + invited/pending supported).

    Scenario: one of each
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
        | groupId  | groupName  | myStatus | invitedAt            | joinedAt             |
        | {Choir}  | choir      | active   | 2026-01-05T08:00:00Z | 2026-01-06T09:30:00Z |
        | {Family} | The Smiths | active   | 2026-01-05T08:00:00Z | 2026-01-06T09:30:00Z |
        | {Work}   | Accounting | invited  | 2026-01-05T08:00:00Z | absent or null       |

    Scenario: somebody without a group
      Given Ana is signed in
      When Ana sends GET /api/me/groups
      Then the answer is 200
      And "groups" of the answer is empty

    Scenario: a group of others is not listed
      Given Ben is an active member of Family
      And Ana is signed in
      When Ana sends GET /api/me/groups
      Then "groups" of the answer is empty

  @FS-DASH-2
  Rule: Deleted groups are left out
    > Should filter out groups where `Groups.isDeleted=true`.

    Scenario: one of two groups is deleted
      Given Ana is an active member of Family
      And Ana is an active member of Work
      And Ana sends POST /api/group/delete {"groupId":"{Work}"}
      When Ana sends GET /api/me/groups
      Then the answer is 200
      And "groups" of the answer lists
        | groupId  |
        | {Family} |

    Scenario: an invitation to a deleted group
      Given Ana is an invited member of Family
      And the group Family was deleted
      When Ana sends GET /api/me/groups
      Then "groups" of the answer is empty

  @FS-DASH-3
  Rule: One partition query of UserGroups, one read per group, whatever others have
    > Dashboard load: 1 partition query (UserGroups) + bounded group meta reads (join via API).

    Scenario Outline: a person with <groups> groups
      Given Ana is signed in
      And Ana is an active member of <groups> more groups
      When Ana sends GET /api/me/groups
      Then the answer is 200
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

    Scenario Outline: a group with <members> other members, and as many groups of others
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

    @reference
    Scenario: the calls of the reference are exactly these
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
      Given Ana is an active member of Family
      And Ben is an invited member of Family
      And Ana sends PUT /api/user/profile {"displayName":"Ana of the tables"}
      And Ben sends PUT /api/user/profile {"displayName":"Ben of the tables"}

    Scenario: state.json knows other people by other names
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

    Scenario: what a roster costs
      When Ana sends GET /api/group/members?groupId={Family}
      Then the storage calls are at most
        | service | call            | on           | count |
        | blob    | read            | sessions     | 1     |
        | table   | point read      | GroupMembers | 1     |
        | table   | point read      | Groups       | 1     |
        | table   | partition query | GroupMembers | 1     |
        | table   | point read      | UserProfiles | 2     |
