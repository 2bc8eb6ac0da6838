Feature: Only active members reach a group
  Ana runs the group Family. Ben and Cleo try to reach it, with and without a membership row. The
  table below is the only list of gated routes: it fills the Examples named "every gated
  route", and each rule tagged @every-route must show each of them.

  Background:
    Given the gated routes
      | route                    | request                                                                                  |
      | POST /api/chat           | {"groupId":"{group}","message":"What is planned this week?"}                             |
      | POST /api/direct         | {"groupId":"{group}","action":{"type":"list_appointments"}}                              |
      | POST /api/ignite/start   | {"groupId":"{group}"}                                                                    |
      | POST /api/ignite/close   | {"groupId":"{group}","sessionId":"{Hunt}"}                                               |
      | GET /api/ignite/photo    | ?groupId={group}&sessionId={Hunt}&personId={AnasPicture}                                 |
      | POST /api/ignite/photo   | {"groupId":"{group}","sessionId":"{Hunt}","imageMime":"image/png","imageBase64":"{png}"} |
      | GET /api/ignite/meta     | ?groupId={group}&sessionId={Hunt}                                                        |
      | POST /api/ignite/meta    | {"groupId":"{group}","sessionId":"{Hunt}"}                                               |
      | POST /api/ignite/join    | {"groupId":"{group}","sessionId":"{Hunt}"}                                               |
      | POST /api/ignite/spinoff | {"sourceGroupId":"{group}","groupName":"Spin-off"}                                       |
    And Ana is an active member of Family
    And where the target has ignite, Ana sends POST /api/ignite/start {"groupId":"{Family}"}, and "sessionId" of the answer is called Hunt
    And where the target has ignite, Ana sends POST /api/ignite/photo {"groupId":"{Family}","sessionId":"{Hunt}","imageMime":"image/png","imageBase64":"{png}"}, and "personId" of the answer is called AnasPicture

  @FS-GATE-1 @every-route
  Rule: Without a membership row a caller is refused
    > These endpoints MUST authorize via `GroupMembers`/`UserGroups` table membership (not blob roster arrays)

    Scenario Outline: a stranger is refused on <route>
      Given Ben is signed in
      When Ben calls <route> for Family
      Then the answer is 403 not_allowed
      And GroupMembers was read

      Examples: every gated route

    Scenario Outline: a person whose status is <what> is refused: <request>
      Given Ben is an active member of Family
      And the row GroupMembers {Family} / {Ben.userKey} is
        | status | <status> |
      When Ben sends <request>
      Then the answer is 403 not_allowed
      And GroupMembers was read

      Examples:
        | what    | status  | request                                                                       |
        | unknown | blocked | POST /api/direct {"groupId":"{Family}","action":{"type":"list_appointments"}} |
        | empty   |         | POST /api/direct {"groupId":"{Family}","action":{"type":"list_appointments"}} |
        | missing | absent  | POST /api/direct {"groupId":"{Family}","action":{"type":"list_appointments"}} |
        | unknown | blocked | POST /api/ignite/join {"groupId":"{Family}","sessionId":"{Hunt}"}             |
        | empty   |         | POST /api/ignite/join {"groupId":"{Family}","sessionId":"{Hunt}"}             |
        | unknown | blocked | POST /api/group/remove-member {"groupId":"{Family}"}                          |
        | unknown | blocked | POST /api/group/decline {"groupId":"{Family}"}                                |

    Scenario Outline: a failing storage call does not let a stranger in: <request>
      Given Ben is signed in
      When Ben is refused <request>, and any one storage call fails
      Then the answer is 403 or 503

      Examples:
        | request                                                                                                       |
        | POST /api/chat {"groupId":"{Family}","message":"What is planned this week?"}                                  |
        | POST /api/direct {"groupId":"{Family}","action":{"type":"list_appointments"}}                                 |
        | POST /api/ignite/start {"groupId":"{Family}"}                                                                 |
        | POST /api/ignite/close {"groupId":"{Family}","sessionId":"{Hunt}"}                                            |
        | GET /api/ignite/photo?groupId={Family}&sessionId={Hunt}&personId={AnasPicture}                                |
        | POST /api/ignite/photo {"groupId":"{Family}","sessionId":"{Hunt}","imageMime":"image/png","imageBase64":"{png}"} |
        | GET /api/ignite/meta?groupId={Family}&sessionId={Hunt}                                                        |
        | POST /api/ignite/meta {"groupId":"{Family}","sessionId":"{Hunt}"}                                             |
        | POST /api/ignite/join {"groupId":"{Family}","sessionId":"{Hunt}"}                                             |
        | POST /api/ignite/spinoff {"sourceGroupId":"{Family}","groupName":"Spin-off"}                                  |

  @FS-GATE-2 @every-route
  Rule: A roster in state.json grants no access
    > `people[]` / `members[]` in blob state may exist for compatibility but MUST NOT be used as authoritative membership.

    Scenario Outline: a person only in state.json is refused on <route>
      Given Ben is signed in
      And state.json of Family lists Ben among people and members
      When Ben calls <route> for Family
      Then the answer is 403 not_allowed
      And GroupMembers was read

      Examples: every gated route

  @FS-GATE-3 @every-route
  Rule: A roster in state.json takes away no access
    > Membership and authorization truth: `GroupMembers` + `UserGroups` tables only.

    Scenario Outline: an active member missing from state.json is allowed on <route>
      Given Ben is an active member of Family
      And state.json of Family lists Ana among people and members
      When Ben calls <route> for Family
      Then the answer is 200
      And GroupMembers was read

      Examples: every gated route

  @FS-GATE-4 @every-route
  Rule: A removed member is refused from the next request
    > Membership removal uses: `status=removed` + `removedAt` (soft delete semantics).

    Scenario Outline: a member is refused right after removal on <route>
      Given Ben is an active member of Family
      When Ben calls <route> for Family
      Then the answer is 200
      When Ana sends POST /api/group/remove-member {"groupId":"{Family}","userKey":"{Ben.userKey}"}
      Then the answer is 200
      When Ben calls <route> for Family
      Then the answer is 403 not_allowed
      And GroupMembers was read

      Examples: every gated route

  @FS-GATE-5 @every-route
  Rule: An invited person may only join
    > Accept invite/join flips to `status=active` and sets `joinedAt`.

    Scenario Outline: an invited person is refused and stays invited on <route>
      Given Ben is an invited member of Family
      When Ben calls <route> for Family
      Then the answer is 403 not_allowed
      And Ben is invited in both tables of Family

      Examples:
        | route                    |
        | POST /api/chat           |
        | POST /api/direct         |
        | POST /api/ignite/start   |
        | POST /api/ignite/close   |
        | GET /api/ignite/photo    |
        | POST /api/ignite/photo   |
        | GET /api/ignite/meta     |
        | POST /api/ignite/meta    |
        | POST /api/ignite/spinoff |

    Scenario Outline: an invited person may join and becomes active on <route>
      Given Ben is an invited member of Family
      When Ben calls <route> for Family
      Then the answer is 200
      And Ben is active in both tables of Family

      Examples:
        | route                    |
        | POST /api/ignite/join    |

  @FS-GATE-6 @every-route
  Rule: A member of another group is refused, and does not learn whether this one exists
    > These endpoints MUST authorize via `GroupMembers`/`UserGroups` table membership (not blob roster arrays)

    Scenario Outline: a member of Work is refused alike for Family and a missing group on <route>
      Given Ben is an active member of Work
      And Nowhere is the id of a group that does not exist
      When Ben calls <route> for Family
      And Ben calls <route> for Nowhere
      Then both answers are 403 not_allowed
      And both answers are the same except for the trace id
      And GroupMembers was read

      Examples: every gated route

  @FS-GATE-7 @every-route
  Rule: A deleted group is not found for its members and forbidden for everyone else
    > Groups: soft delete (isDeleted + deletedAt + purgeAfterAt), never hard delete yet.

    Scenario Outline: a deleted group is not found for members and forbidden for strangers on <route>
      Given Ben is an active member of Family
      And Cleo is signed in
      And Ana sends POST /api/group/delete {"groupId":"{Family}"}
      When Ben calls <route> for Family
      Then the answer is 404 group_not_found
      When Cleo calls <route> for Family
      Then the answer is 403 not_allowed
      And GroupMembers was read

      Examples: every gated route

    Scenario: a group whose row lacks isDeleted is open
      Given Ben is an active member of Family
      And the row Groups group / {Family} is
        | isDeleted | absent |
      When Ben calls POST /api/direct for Family
      Then the answer is 200

    Scenario: an invitation to a deleted group cannot be accepted by joining a gathering
      Given Ben is an invited member of Family
      And Ana sends POST /api/group/delete {"groupId":"{Family}"}
      When Ben calls POST /api/ignite/join for Family
      Then the answer is 404 group_not_found
      And Ben is invited in both tables of Family

    Scenario Outline: an invitation to a deleted group cannot be answered: <path>
      Given Ben is an invited member of Family
      And Ana sends POST /api/group/delete {"groupId":"{Family}"}
      When Ben sends POST <path> {"groupId":"{Family}"}
      Then the answer is 404 group_not_found
      And Ben is invited in both tables of Family

      Examples:
        | path               |
        | /api/group/join    |
        | /api/group/decline |

    Scenario: a removed member of a deleted group is refused
      Given Ben is a removed member of Family
      And Ana sends POST /api/group/delete {"groupId":"{Family}"}
      When Ben calls POST /api/direct for Family
      Then the answer is 403 not_allowed
      When Ben sends POST /api/group/remove-member {"groupId":"{Family}","userKey":"{Ana.userKey}"}
      Then the answer is 403 not_allowed

  @FS-GATE-8 @every-route
  Rule: The gate comes before every other check, and an e-mail in a request identifies no one
    > Do not use raw email in keys; store email as an entity property where needed (e.g., GroupMembers).

    Scenario Outline: a stranger with a member's e-mail and key and a wrong gathering is refused on <route>
      Given Ben is signed in
      When Ben calls <route> for Family with {"sessionId":"no-such-session","email":"{Ana.email}","userKey":"{Ana.userKey}","memberKey":"{Ana.memberKey}"}
      Then the answer is 403 not_allowed
      And GroupMembers was read

      Examples: every gated route

    Scenario Outline: a caller without a session is refused despite a member's e-mail and key on <route>
      When Nobody calls <route> for Family with {"email":"{Ana.email}","userKey":"{Ana.userKey}","memberKey":"{Ana.memberKey}"}
      Then the answer is 401 unauthorized
      And the answer does not contain "Family"

      Examples:
        | route                    |
        | POST /api/chat           |
        | POST /api/direct         |
        | POST /api/ignite/start   |
        | POST /api/ignite/close   |
        | GET /api/ignite/photo    |
        | POST /api/ignite/photo   |
        | GET /api/ignite/meta     |
        | POST /api/ignite/meta    |
        | POST /api/ignite/spinoff |

    Scenario Outline: a caller without a session is refused despite a member's e-mail and key in the query of <route>
      When Nobody calls <route> for Family with the query {"email":"{Ana.email}","userKey":"{Ana.userKey}","memberKey":"{Ana.memberKey}"}
      Then the answer is 401 unauthorized
      And the answer does not contain "Family"

      Examples:
        | route                    |
        | POST /api/chat           |
        | POST /api/direct         |
        | POST /api/ignite/start   |
        | POST /api/ignite/close   |
        | POST /api/ignite/photo   |
        | POST /api/ignite/meta    |
        | POST /api/ignite/spinoff |

    Scenario: a nameless caller without a session cannot join despite a member's e-mail and key
      When Nobody calls POST /api/ignite/join for Family with {"email":"{Ana.email}","userKey":"{Ana.userKey}","memberKey":"{Ana.memberKey}"}
      Then the answer is 403 not_allowed

    Scenario: a stranger is refused on a closed gathering
      Given Ben is signed in
      And Ana sends POST /api/ignite/close {"groupId":"{Family}","sessionId":"{Hunt}"}
      When Ben calls POST /api/ignite/join for Family
      Then the answer is 403 not_allowed

    Scenario: a stranger is refused on an action that does not exist
      Given Ben is signed in
      When Ben sends POST /api/direct {"groupId":"{Family}","action":{"type":"no_such_action"}}
      Then the answer is 403 not_allowed

  @FS-GATE-9 @every-route
  Rule: A refused request writes nothing
    > Membership and authorization truth: `GroupMembers` + `UserGroups` tables only.

    Scenario Outline: a removed member is refused without a write on <route>
      Given Ben is a removed member of Family
      When Ben calls <route> for Family
      Then the answer is 403 not_allowed
      And nothing was written
      And GroupMembers was read
      And Ben is removed in both tables of Family

      Examples: every gated route

    Scenario: a removed member is refused though the row in UserGroups lags
      Given Ben is a removed member of Family
      And the row UserGroups {Ben.userKey} / {Family} is
        | status    | active |
        | removedAt | absent |
      When Ben calls POST /api/direct for Family
      Then the answer is 403 not_allowed
      And nothing was written

  @FS-GATE-10 @every-route
  Rule: The gate costs one point read of GroupMembers, and GroupMembers decides
    > Membership and authorization truth: `GroupMembers` + `UserGroups` tables only.

    Scenario Outline: refusing a stranger costs one point read of GroupMembers on <route>
      Given Ben is signed in
      When Ben calls <route> for Family
      Then the answer is 403 not_allowed
      And GroupMembers was read
      And the storage calls are at most
        | service | call       | on           | count |
        | blob    | read       | sessions     | 1     |
        | table   | point read | GroupMembers | 1     |

      Examples: every gated route

    Scenario: an allowed list of appointments costs two more reads than the gate
      Given Ben is an active member of Family
      When Ben calls POST /api/direct for Family
      Then the answer is 200
      And the storage calls are at most
        | service | call            | on                | count |
        | blob    | read            | sessions          | 1     |
        | table   | point read      | GroupMembers      | 1     |
        | table   | point read      | Groups            | 1     |
        | table   | partition query | AppointmentsIndex | 1     |

    Scenario: an active row in UserGroups alone grants no access
      Given Ben is a removed member of Family
      And the row UserGroups {Ben.userKey} / {Family} is
        | status    | active |
        | removedAt | absent |
      When Ben calls POST /api/direct for Family
      Then the answer is 403 not_allowed

    Scenario: a removed row in UserGroups alone takes away no access
      Given Ben is an active member of Family
      And the row UserGroups {Ben.userKey} / {Family} is
        | status | removed |
      When Ben calls POST /api/direct for Family
      Then the answer is 200
