Feature: Several people change one thing

  Background:
    Given Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
    And Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15","huntId":"fair"}
    And the header ETag of the answer is called First

  @LH-CON-1
  Rule: An update names the version that was read
    > Optimistic Concurrency: All upserts use ETag-based concurrency control

    Scenario: without a version
      When Ana sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"Fair","startDate":"2024-07-16","endDate":"2024-07-16"}
      Then the answer is 428 precondition_required
      When Ana sends PUT /api/v2/organizations/org-{tag} {"orgName":"Others"}
      Then the answer is 428 precondition_required

    Scenario: a version that somebody has replaced
      Given Ben sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"Bens","startDate":"2024-07-15","endDate":"2024-07-15"} with the header If-Match "{First}"
      And the header ETag of the answer is called Second
      When Ana sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"Anas","startDate":"2024-07-15","endDate":"2024-07-15"} with the header If-Match "{First}"
      Then the answer is 412 precondition_failed
      And the header ETag of the answer is "{Second}"
      And the storage calls are at most
        | service | call       | on    | count |
        | table   | point read | Hunts | 1     |
      When Ana sends DELETE /api/v2/hunts/org-{tag}/fair with the header If-Match "{First}"
      Then the answer is 412 precondition_failed
      When Ana sends GET /api/v2/hunts/org-{tag}/fair
      Then the answer has
        | data.huntName | Bens |

    Scenario: two who have read the same
      When these run at the same time
        | who | method | path                         | body                                                                | header            |
        | Ana | PUT    | /api/v2/hunts/org-{tag}/fair | {"huntName":"Anas","startDate":"2024-07-15","endDate":"2024-07-15"} | If-Match: {First} |
        | Ben | PUT    | /api/v2/hunts/org-{tag}/fair | {"huntName":"Bens","startDate":"2024-07-15","endDate":"2024-07-15"} | If-Match: {First} |
      Then each answer is one of 200, 412
      And one answer is 200 and the other 412

  @LH-CON-2
  Rule: Who writes over any version loses nothing to others
    > PreconditionFailed: Read fresh data and retry. Implement exponential backoff

    Scenario: two at once
      When these run at the same time
        | who | method | path                            | body                | header      |
        | Ana | PUT    | /api/v2/organizations/org-{tag} | {"orgName":"Anas"}  | If-Match: * |
        | Ben | PUT    | /api/v2/organizations/org-{tag} | {"orgName":"Bens"}  | If-Match: * |
      Then all answers are 200
      And no write of the scenario was blind

    Scenario: somebody wins in between
      Given after the 1st read on Hunts of the next request Ben sends DELETE /api/v2/hunts/org-{tag}/fair
      When Ana sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"Anas","startDate":"2024-07-15","endDate":"2024-07-15"} with the header If-Match "*"
      Then the answer is 404 not_found
      And the table HuntIndex holds 0 rows

  @LH-CON-3
  Rule: The version follows from the data alone
    > Optimistic Concurrency: All upserts use ETag-based concurrency control

    Scenario: the same data again, after a restart
      When the target starts again
      And Ana sends GET /api/v2/hunts/org-{tag}/fair
      Then the header ETag of the answer is "{First}"
      Given Ana sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"Other","startDate":"2024-07-15","endDate":"2024-07-15"} with the header If-Match "{First}"
      And the header ETag of the answer is called Second
      When Ana sends PUT /api/v2/hunts/org-{tag}/fair {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-15"} with the header If-Match "{Second}"
      Then the header ETag of the answer is "{First}"
