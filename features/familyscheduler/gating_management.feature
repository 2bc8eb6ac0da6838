Feature: The other routes of a group have the same gate
  The design's matrix names ten routes. The routes that manage a group and its scans reach the
  same data, so they have the same gate.

  Background:
    Given the gated routes
      | route                         | request                                                                                         |
      | GET /api/group/meta           | ?groupId={group}                                                                                |
      | GET /api/group/members        | ?groupId={group}                                                                                |
      | POST /api/group/rename        | {"groupId":"{group}","groupName":"Renamed"}                                                     |
      | POST /api/group/delete        | {"groupId":"{group}"}                                                                           |
      | POST /api/group/restore       | {"groupId":"{group}"}                                                                           |
      | POST /api/group/join-link     | {"groupId":"{group}","email":"{Dora.email}"}                                                    |
      | POST /api/group/remove-member | {"groupId":"{group}","userKey":"{Ana.userKey}"}                                                 |
      | POST /api/appointment/scan    | {"groupId":"{group}","appointmentId":"{Dentist}","imageMime":"image/png","imageBase64":"{png}"} |
      | GET /api/appointment/scan     | ?groupId={group}&appointmentId={Dentist}                                                        |
    And Dora is signed in
    And Ana is an active member of Family
    And Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"create_appointment","startTime":"2026-06-01T09:00:00Z","desc":"Dentist"}}
    And "appointmentId" of the answer is called Dentist
    And where the target has scan, Ana sends POST /api/appointment/scan {"groupId":"{Family}","appointmentId":"{Dentist}","imageMime":"image/png","imageBase64":"{png}"}

  @FS-GATE-11 @every-route
  Rule: Meta, members, rename, delete, restore, join-link, remove-member and scans are gated alike
    > Membership and authorization truth: `GroupMembers` + `UserGroups` tables only.

    Scenario Outline: a stranger whom state.json lists is refused on <route>
      Given Ben is signed in
      And state.json of Family lists Ben among people and members
      When Ben calls <route> for Family
      Then the answer is 403 not_allowed
      And GroupMembers was read
      And the storage calls are at most
        | service | call       | on           | count |
        | blob    | read       | sessions     | 1     |
        | table   | point read | GroupMembers | 1     |

      Examples: every gated route

    Scenario Outline: a caller without a session may not manage the group despite a member's e-mail and key on <route>
      When Nobody calls <route> for Family with {"email":"{Ana.email}","userKey":"{Ana.userKey}","memberKey":"{Ana.memberKey}"}
      Then the answer is 401 unauthorized
      And the answer does not contain "Family"

      Examples: every gated route

    Scenario Outline: a failing storage call does not let a stranger into management: <request>
      Given Ben is signed in
      When Ben is refused <request>, and any one storage call fails
      Then the answer is 403 or 503

      Examples:
        | request                                                                                                                              |
        | GET /api/group/meta?groupId={Family}                                                                                                 |
        | GET /api/group/members?groupId={Family}                                                                                              |
        | POST /api/group/rename {"groupId":"{Family}","groupName":"Renamed"}                                                                  |
        | POST /api/group/delete {"groupId":"{Family}"}                                                                                        |
        | POST /api/group/restore {"groupId":"{Family}"}                                                                                       |
        | POST /api/group/join-link {"groupId":"{Family}","email":"{Dora.email}"}                                                              |
        | POST /api/group/remove-member {"groupId":"{Family}","userKey":"{Ana.userKey}"}                                                       |
        | POST /api/appointment/scan {"groupId":"{Family}","appointmentId":"{Dentist}","imageMime":"image/png","imageBase64":"{png}"}          |
        | GET /api/appointment/scan?groupId={Family}&appointmentId={Dentist}                                                                   |

    Scenario Outline: a removed member may not manage the group on <route>
      Given Ben is a removed member of Family
      When Ben calls <route> for Family
      Then the answer is 403 not_allowed
      And nothing was written

      Examples: every gated route

    Scenario Outline: an invited member may not manage the group on <route>
      Given Ben is an invited member of Family
      When Ben calls <route> for Family
      Then the answer is 403 not_allowed
      And nothing was written

      Examples: every gated route

    Scenario Outline: a member of another group is refused alike for Family and a missing group on <route>
      Given Ben is an active member of Work
      And Nowhere is the id of a group that does not exist
      When Ben calls <route> for Family
      And Ben calls <route> for Nowhere
      Then both answers are 403 not_allowed
      And both answers are the same except for the trace id

      Examples: every gated route

    Scenario Outline: an active member missing from state.json may manage the group on <route>
      Given Ben is an active member of Family
      And state.json of Family lists Ana among people and members
      When Ben calls <route> for Family
      Then the answer is 200

      Examples: every gated route

    Scenario Outline: an active member of a deleted group gets <answer> on <route>
      Given Ben is an active member of Family
      And Ana sends POST /api/group/delete {"groupId":"{Family}"}
      When Ben calls <route> for Family
      Then the answer is <answer>

      Examples:
        | route                         | answer              |
        | GET /api/group/meta           | 404 group_not_found |
        | GET /api/group/members        | 404 group_not_found |
        | POST /api/group/rename        | 404 group_not_found |
        | POST /api/group/delete        | 200                 |
        | POST /api/group/restore       | 200                 |
        | POST /api/group/join-link     | 404 group_not_found |
        | POST /api/group/remove-member | 404 group_not_found |
        | POST /api/appointment/scan    | 404 group_not_found |
        | GET /api/appointment/scan     | 404 group_not_found |
