Feature: Items with a log
  Each person stores items of their own: a row of Items by owner and name. Each write adds one line to the table Log.

  @ITEMS-PUT-1
  Rule: Storing an item is one write, and one line of the log
    > Storing an item writes its row of Items once and one row of Log.

    Scenario: storing an item writes its row and a line of the log
      When Ana sends PUT /items/milk {"text":"Buy milk"}
      Then the answer is 200
      And the storage calls are at most
        | service | call   | on    | count |
        | table   | upsert | Items | 1     |
        | table   | upsert | Log   | 1     |
      And the row Items {Ana.userKey} / milk has
        | text | Buy milk |

  @ITEMS-GET-1
  Rule: Reading an item is one point read, and writes nothing
    > An item is read by its key, and reading changes nothing.

    Scenario: reading a stored item is one point read
      Given Ana sends PUT /items/milk {"text":"Buy milk"}
      When Ana sends GET /items/milk
      Then the answer is 200
      And the storage calls are at most
        | service | call       | on    | count |
        | table   | point read | Items | 1     |

    Scenario: reading a missing item is one point read and a 404
      When Ben sends GET /items/milk
      Then the answer is 404
      And the storage calls are at most
        | service | call       | on    | count |
        | table   | point read | Items | 1     |
