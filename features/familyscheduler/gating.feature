Feature: Only active members reach a group
  Ana runs the group Family. Ben and Cleo try to reach it, with and without a row of membership. The
  table below is the only list of the routes that are gated: it fills the Examples named "every gated
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

    Scenario Outline: a stranger calls <route>
      Given Ben is signed in
      When Ben calls <route> for Family
      Then the answer is 403 not_allowed
      And GroupMembers was read

      Examples: every gated route

    Scenario Outline: somebody whose status is <what> sends <request>
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

    Scenario Outline: a call that fails lets no stranger in: <request>
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
  Rule: A roster in state.json opens nothing
    > `people[]` / `members[]` in blob state may exist for compatibility but MUST NOT be used as authoritative membership.

    Scenario Outline: somebody whom only state.json knows calls <route>
      Given Ben is signed in
      And state.json of Family lists Ben among people and members
      When Ben calls <route> for Family
      Then the answer is 403 not_allowed
      And GroupMembers was read

      Examples: every gated route

  @FS-GATE-3 @every-route
  Rule: A roster in state.json closes nothing
    > Membership and authorization truth: `GroupMembers` + `UserGroups` tables only.

    Scenario Outline: an active member whom state.json does not know calls <route>
      Given Ben is an active member of Family
      And state.json of Family lists Ana among people and members
      When Ben calls <route> for Family
      Then the answer is 200
      And GroupMembers was read

      Examples: every gated route

  @FS-GATE-4 @every-route
  Rule: A removed member is refused from the next request on
    > Membership removal uses: `status=removed` + `removedAt` (soft delete semantics).

    Scenario Outline: somebody who was just removed calls <route>
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
  Rule: An invited person may join, and nothing else
    > Accept invite/join flips to `status=active` and sets `joinedAt`.

    Scenario Outline: somebody who was invited calls <route>
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

    Scenario Outline: somebody who was invited calls <route>
      Given Ben is an invited member of Family
      When Ben calls <route> for Family
      Then the answer is 200
      And Ben is active in both tables of Family

      Examples:
        | route                    |
        | POST /api/ignite/join    |

  @FS-GATE-6 @every-route
  Rule: A member of another group is refused, and is not told whether this one exists
    > These endpoints MUST authorize via `GroupMembers`/`UserGroups` table membership (not blob roster arrays)

    Scenario Outline: a member of Work calls <route> for Family, and for a group that does not exist
      Given Ben is an active member of Work
      And Nowhere is the id of a group that does not exist
      When Ben calls <route> for Family
      And Ben calls <route> for Nowhere
      Then both answers are 403 not_allowed
      And both answers are the same except for the trace id
      And GroupMembers was read

      Examples: every gated route

  @FS-GATE-7 @every-route
  Rule: A deleted group is gone for its members and closed to everybody else
    > Groups: soft delete (isDeleted + deletedAt + purgeAfterAt), never hard delete yet.

    Scenario Outline: an active member and a stranger call <route> for a deleted group
      Given Ben is an active member of Family
      And Cleo is signed in
      And Ana sends POST /api/group/delete {"groupId":"{Family}"}
      When Ben calls <route> for Family
      Then the answer is 404 group_not_found
      When Cleo calls <route> for Family
      Then the answer is 403 not_allowed
      And GroupMembers was read

      Examples: every gated route

    Scenario: a group whose row does not say whether it is deleted is open
      Given Ben is an active member of Family
      And the row Groups group / {Family} is
        | isDeleted | absent |
      When Ben calls POST /api/direct for Family
      Then the answer is 200

    Scenario: an invitation to a deleted group is not accepted
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
  Rule: The gate comes before every other check, and an e-mail in a request is nobody's identity
    > Do not use raw email in keys; store email as an entity property where needed (e.g., GroupMembers).

    Scenario Outline: a stranger calls <route> with a wrong ignite session and the e-mail and key of a member
      Given Ben is signed in
      When Ben calls <route> for Family with {"sessionId":"no-such-session","email":"{Ana.email}","userKey":"{Ana.userKey}","memberKey":"{Ana.memberKey}"}
      Then the answer is 403 not_allowed
      And GroupMembers was read

      Examples: every gated route

    Scenario Outline: somebody without a session calls <route> with the e-mail and key of a member
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

    Scenario Outline: somebody without a session calls <route> with the e-mail and key of a member in the query
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

    Scenario: somebody without a session, and without a name, joins with the e-mail and key of a member
      When Nobody calls POST /api/ignite/join for Family with {"email":"{Ana.email}","userKey":"{Ana.userKey}","memberKey":"{Ana.memberKey}"}
      Then the answer is 403 not_allowed

    Scenario: a stranger joins a closed ignite session
      Given Ben is signed in
      And Ana sends POST /api/ignite/close {"groupId":"{Family}","sessionId":"{Hunt}"}
      When Ben calls POST /api/ignite/join for Family
      Then the answer is 403 not_allowed

    Scenario: a stranger sends an action that does not exist
      Given Ben is signed in
      When Ben sends POST /api/direct {"groupId":"{Family}","action":{"type":"no_such_action"}}
      Then the answer is 403 not_allowed

  @FS-GATE-9 @every-route
  Rule: A refused request writes nothing
    > Membership and authorization truth: `GroupMembers` + `UserGroups` tables only.

    Scenario Outline: a removed member calls <route>
      Given Ben is a removed member of Family
      When Ben calls <route> for Family
      Then the answer is 403 not_allowed
      And nothing was written
      And GroupMembers was read
      And Ben is removed in both tables of Family

      Examples: every gated route

    Scenario: a removed member whose row in UserGroups lags behind
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

    Scenario Outline: the calls of refusing <route>
      Given Ben is signed in
      When Ben calls <route> for Family
      Then the answer is 403 not_allowed
      And GroupMembers was read
      And the storage calls are at most
        | service | call       | on           | count |
        | blob    | read       | sessions     | 1     |
        | table   | point read | GroupMembers | 1     |

      Examples: every gated route

    Scenario: an allowed list of appointments reads the group once more and the index once
      Given Ben is an active member of Family
      When Ben calls POST /api/direct for Family
      Then the answer is 200
      And the storage calls are at most
        | service | call            | on                | count |
        | blob    | read            | sessions          | 1     |
        | table   | point read      | GroupMembers      | 1     |
        | table   | point read      | Groups            | 1     |
        | table   | partition query | AppointmentsIndex | 1     |

    Scenario: UserGroups alone opens nothing
      Given Ben is a removed member of Family
      And the row UserGroups {Ben.userKey} / {Family} is
        | status    | active |
        | removedAt | absent |
      When Ben calls POST /api/direct for Family
      Then the answer is 403 not_allowed

    Scenario: UserGroups alone closes nothing
      Given Ben is an active member of Family
      And the row UserGroups {Ben.userKey} / {Family} is
        | status | removed |
      When Ben calls POST /api/direct for Family
      Then the answer is 200
