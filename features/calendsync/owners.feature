Feature: Owners of a calendar

  Background:
    Given Ana is an owner of Team
    And Wim is a writer of Team

  @CS-OWN-1
  Rule: A calendar always has an owner
    > owner: Administer Calendar (delete calendar, invite users)

    Scenario Outline: a calendar's only owner is refused when she <what>
      When Ana sends <request>
      Then the answer is 409 conflict
      And the row {calendsync} CAL#{Team} / MEMBER#{Ana} has
        | role | owner |
      And the row {calendsync} CAL#{Team} / CAL#{Team} has
        | owners | number 1 |

      Examples:
        | what             | request                                                              |
        | leaves           | DELETE /api/calendars/{Team}/members/{Ana}                           |
        | becomes a writer | PUT /api/calendars/{Team}/members/{Ana} {"role":"writer"}            |

    Scenario Outline: one of two owners <what>, and the other must stay
      Given Ben is an owner of Team
      When Ana sends <request>
      Then the answer is 200 or 204
      And the row {calendsync} CAL#{Team} / CAL#{Team} has
        | owners | number 1 |
      When Ben sends DELETE /api/calendars/{Team}/members/{Ben}
      Then the answer is 409 conflict

      Examples:
        | what             | request                                                   |
        | leaves           | DELETE /api/calendars/{Team}/members/{Ana}                |
        | becomes a writer | PUT /api/calendars/{Team}/members/{Ana} {"role":"writer"} |
        | becomes a reader | PUT /api/calendars/{Team}/members/{Ana} {"role":"reader"} |

    Scenario: a member becomes an owner, and the first owner leaves
      When Ana sends PUT /api/calendars/{Team}/members/{Wim} {"role":"owner"}
      Then the answer is 200
      And the row {calendsync} CAL#{Team} / CAL#{Team} has
        | owners | number 2 |
      When Ana sends DELETE /api/calendars/{Team}/members/{Ana}
      Then the answer is 204
      And the row {calendsync} CAL#{Team} / CAL#{Team} has
        | owners | number 1 |
      When Wim sends DELETE /api/calendars/{Team}/members/{Wim}
      Then the answer is 409 conflict

    Scenario: making an owner an owner again changes nothing
      When Ana sends PUT /api/calendars/{Team}/members/{Ana} {"role":"owner"}
      Then the answer is 200
      And the row {calendsync} CAL#{Team} / CAL#{Team} has
        | owners | number 1 |

    Scenario: an owner who leaves while being demoted is counted once
      Given Ben is an owner of Team
      And before the 1st write on {calendsync} of the next request Ben sends PUT /api/calendars/{Team}/members/{Ana} {"role":"reader"}
      When Ana sends DELETE /api/calendars/{Team}/members/{Ana}
      Then one answer is 200 and the other 204
      And there is no row {calendsync} CAL#{Team} / MEMBER#{Ana}
      And the row {calendsync} CAL#{Team} / CAL#{Team} has
        | owners | number 1 |

    Scenario: a member who leaves while getting another role stays removed
      Given before the 1st write on {calendsync} of the next request Wim sends DELETE /api/calendars/{Team}/members/{Wim}
      When Ana sends PUT /api/calendars/{Team}/members/{Wim} {"role":"reader"}
      Then one answer is 204 and the other 404
      And there is no row {calendsync} CAL#{Team} / MEMBER#{Wim}

    Scenario: a member promoted during removal stays an owner or is removed as one
      Given Ben is an owner of Team
      And before the 1st write on {calendsync} of the next request Ben sends PUT /api/calendars/{Team}/members/{Wim} {"role":"owner"}
      When Ana sends DELETE /api/calendars/{Team}/members/{Wim}
      Then one answer is 200 and the other 204
      And there is no row {calendsync} CAL#{Team} / MEMBER#{Wim}
      And the row {calendsync} CAL#{Team} / CAL#{Team} has
        | owners | number 2 |

    Scenario Outline: both owners <what> at once, and one of them stays
      Given Ben is an owner of Team
      When these run at the same time
        | who | method   | path                                    | body   |
        | Ana | <method> | /api/calendars/{Team}/members/{<first>}  | <body> |
        | Ben | <method> | /api/calendars/{Team}/members/{<second>} | <body> |
      Then each answer is one of 200, 204, 403, 404, 409
      And some answer is <done>
      And the row {calendsync} CAL#{Team} / CAL#{Team} has
        | owners | number 1 |
      When Wim sends GET /api/calendars/{Team}/members
      Then the answer is 200
      And the answer contains "owner"

      @needs-leaving
      Examples:
        | what  | method | first | second | body | done |
        | leave | DELETE | Ana   | Ben    |      | 204  |

      Examples:
        | what              | method | first | second | body              | done |
        | become readers    | PUT    | Ana   | Ben    | {"role":"reader"} | 200  |
        | remove each other | DELETE | Ben   | Ana    |                   | 204  |
        | demote each other | PUT    | Ben   | Ana    | {"role":"writer"} | 200  |
