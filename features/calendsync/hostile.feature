Feature: Malformed requests are refused, and nothing is written

  Background:
    Given Ana is an owner of Team
    And Rea is a reader of Team
    And Lunch is a task of Team on 2024-01-15
    And Nowhere is a new id

  @CS-LIM-2
  Rule: Every route refuses malformed input
    > All IDs are UUID v4 strings. All timestamps use ISO 8601 format in UTC. Roles: owner, writer, reader

    Scenario: malformed requests of every route are refused
      Then Ana is refused each of these, and nothing is written
        | what                              | request                                                                  | body | answer |
        | a user by an e-mail without an at | GET /api/users?email=ana                                                 |  | 404 not_found |
        | a search for nothing              | GET /api/users?name=Ana                                                  |  | 400 bad_request |
        | a user that is a path             | GET /api/users/..%2F..%2Fetc                                             |  | 404 not_found |
        | a user in capital letters         | GET /api/users/AAAAAAAA-AAAA-4AAA-AAAA-AAAAAAAAAAAA                      |  | 404 not_found |
        | a calendar that is a list         | POST /api/calendars                                                      | [] | 400 bad_request |
        | an empty calendar                 | POST /api/calendars                                                      | {} | 400 bad_request |
        | a calendar that is not an id      | GET /api/calendars/team                                                  |  | 404 not_found |
        | a calendar with a null byte       | GET /api/calendars/{Nowhere}%00                                          |  | 404 not_found |
        | deleting an unknown calendar      | DELETE /api/calendars/{Nowhere}                                          |  | 404 not_found |
        | members of an unknown calendar    | GET /api/calendars/{Nowhere}/members                                     |  | 404 not_found |
        | a member of an unknown calendar   | POST /api/calendars/{Nowhere}/members                                    | {"userId":"{Rea}","role":"reader"} | 404 not_found |
        | a member without a role           | POST /api/calendars/{Team}/members                                       | {"userId":"{Rea}"} | 400 bad_request |
        | a member who is a list            | POST /api/calendars/{Team}/members                                       | {"userId":["{Rea}"],"role":"reader"} | 400 bad_request |
        | a role that is a number           | PUT /api/calendars/{Team}/members/{Rea}                                  | {"role":1} | 400 bad_request |
        | a role in capital letters         | PUT /api/calendars/{Team}/members/{Rea}                                  | {"role":"OWNER"} | 400 bad_request |
        | a role of a stranger              | PUT /api/calendars/{Team}/members/{Nowhere}                              | {"role":"owner"} | 404 not_found |
        | removing a stranger               | DELETE /api/calendars/{Team}/members/{Nowhere}                           |  | 404 not_found |
        | a member by a prefix              | DELETE /api/calendars/{Team}/members/MEMBER%23                           |  | 404 not_found |
        | a range backwards                 | GET /api/calendars/{Team}/entries?start=2024-01-02&end=2024-01-01        |  | 400 bad_request |
        | a range of keys                   | GET /api/calendars/{Team}/entries?start=ENTRY%23&end=~                   |  | 400 bad_request |
        | an empty entry                    | POST /api/entries                                                        | {} | 400 bad_request |
        | an entry in an unknown calendar   | POST /api/entries                                                        | {"calendarId":"{Nowhere}","title":"a","date":"2024-01-15","color":"#3B82F6","kind":{"type":"AllDay"}} | 404 not_found |
        | an entry that is not an id        | GET /api/entries/lunch                                                   |  | 404 not_found |
        | an entry by a calendar's id       | GET /api/entries/{Team}                                                  |  | 404 not_found |
        | toggling an unknown entry         | PATCH /api/entries/{Nowhere}/toggle                                      |  | 404 not_found |
        | deleting an unknown entry         | DELETE /api/entries/{Nowhere}                                            |  | 404 not_found |

    @reference
    Scenario: the reference refuses requests whose mistakes may be checked in any order
      Then Ana is refused each of these, and nothing is written
        | what                        | request                       | body | answer |
        | a parameter twice           | GET /api/calendars/{Team}/entries?start=2024-01-01&start=2024-01-02&end=2024-01-03 | | 400 bad_request |
        | an e-mail twice             | GET /api/users?email={Ana.email}&email={Rea.email} | | 400 bad_request |
        | a change of an unknown user | PUT /api/users/{Nowhere}      | []   | 400 bad_request |
        | a change of no calendar     | PUT /api/calendars/{Nowhere}  | {"name":"a","color":"#000000"} | 428 precondition_required |
        | a change of no entry        | PUT /api/entries/{Nowhere}    | {"calendarId":"{Team}","title":"a","date":"2024-01-15","color":"#3B82F6","kind":{"type":"AllDay"}} | 428 precondition_required |

    @reference
    Scenario: a path with an empty segment, which some servers redirect, is not found
      Then Ana is refused each of these, and nothing is written
        | what     | request                     | body | answer        |
        | left out | GET /api/calendars//members |      | 404 not_found |

    Scenario: each error is a problem document of RFC 9457
      When Ana sends GET /api/calendars/{Nowhere}
      Then the answer is 404 not_found
      And the header Content-Type of the answer is "application/problem+json"
      And the answer has
        | status | number 404 |
        | title  | anything   |
        | detail | anything   |
