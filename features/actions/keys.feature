Feature: A record has one key, however its owner and name are spelled

  @GA-KEY-1
  Rule: The key is the owner and name in lower case, without the surrounding white space
    > `PartitionKey`: normalized owner (e.g., lowercase repo owner). `RowKey`: normalized action name (unique per owner).
    > (contract) Trimmed of ASCII white space, A–Z in small letters; a character that keys cannot hold is refused.

    Scenario: an owner and name in other case and white space are the same record
      When Ana sends POST /api/ActionsUpsert {"owner":"  OCTO-{tag}\t","name":"CheckOut \f","stars":1}
      Then the answer is 200 or 201
      And the record octo-{tag} / checkout is stored as
        """
        {"name":"CheckOut","owner":"OCTO-{tag}","stars":1}
        """
      When Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","stars":1}
      Then the answer is 200
      And the answer has
        | updated | true            |
        | created | false or absent |
      And the partition octo-{tag} of {actions} holds, in this order
        | RowKey   |
        | checkout |
      When Ben sends GET /api/actions/OCTO-{tag}/CHECKOUT
      Then the answer is 200

    @reference
    Scenario: white space around the owner and name in a path is ignored
      Given Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout"}
      When Ben sends GET /api/actions/%20octo-{tag}/checkout%09
      Then the answer is 200

    Scenario: letters beyond A–Z keep their case, whatever the server's language
      When Ana sends POST /api/ActionsUpsert {"owner":"ÄRGER-{tag}","name":"İI@AZ[","stars":1}
      Then the answer is 200 or 201
      And the row {actions} Ärger-{tag} / İi@az[ has
        | PayloadHash | anything |

    Scenario: white space beyond ASCII is kept in a key
      When Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"\u3000check out\u00a0"}
      Then the partition octo-{tag} of {actions} holds, in this order
        | RowKey                                                 |
        | {byte e3}{byte 80}{byte 80}check out{byte c2}{byte a0} |

    Scenario: a percent sign is kept literally, even in a path
      When Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"100%41"}
      Then the answer is 200 or 201
      When Ben sends GET /api/actions/octo-{tag}/100%2541
      Then the answer is 200
      And the answer has
        | name | 100%41 |

    Scenario: a name or owner with a character that keys cannot hold is refused
      Then Ana is refused each of these, and nothing is written
        | what                      | request                                   | body                                               | answer                |
        | a slash                   | POST /api/ActionsUpsert                   | {"owner":"octo-{tag}","name":"codeql-action/init"} | 400 VALIDATION_FAILED |
        | a backslash               | POST /api/ActionsUpsert                   | {"owner":"octo\\\\{tag}","name":"checkout"}        | 400 VALIDATION_FAILED |
        | a number sign             | POST /api/ActionsUpsert                   | {"owner":"octo-{tag}","name":"c#"}                 | 400 VALIDATION_FAILED |
        | a question mark           | POST /api/ActionsUpsert                   | {"owner":"octo?{tag}","name":"checkout"}           | 400 VALIDATION_FAILED |
        | a line break              | POST /api/ActionsUpsert                   | {"owner":"octo-{tag}","name":"check\\nout"}        | 400 VALIDATION_FAILED |
        | a slash in a path         | GET /api/actions/octo-{tag}/codeql%2Finit |                                                    | 400 VALIDATION_FAILED |
        | a slash in a path's owner | GET /api/actions/octo%2F{tag}/checkout |                                               | 400 VALIDATION_FAILED |
        | DEL                       | POST /api/ActionsUpsert                   | {"owner":"octo-{tag}","name":"check\\u007fout"}    | 400 VALIDATION_FAILED |
        | NUL                       | POST /api/ActionsUpsert                   | {"owner":"octo-{tag}","name":"check\\u0000out"}    | 400 VALIDATION_FAILED |
        | a path that is not UTF-8  | GET /api/actions/octo-{tag}/check%FFout   |                                                    | 400 VALIDATION_FAILED |
        | a control of C1           | POST /api/ActionsUpsert                   | {"owner":"octo-{tag}","name":"check\\u0085out"}    | 400 VALIDATION_FAILED |
        | the last of C0            | POST /api/ActionsUpsert                   | {"owner":"octo-{tag}","name":"check\\u001fout"}    | 400 VALIDATION_FAILED |
        | the last of C1            | POST /api/ActionsUpsert                   | {"owner":"octo-{tag}","name":"check\\u009fout"}    | 400 VALIDATION_FAILED |

  @GA-KEY-2
  Rule: A key that is longer than the store accepts is refused
    > Combined key yields a stable identifier while staying inside 1 KB row-key limit.

    Scenario: a name of 512 characters is stored
      When Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"{512×k}"}
      Then the answer is 200 or 201
      And the row {actions} octo-{tag} / {512×k} has
        | PayloadHash | anything |

    Scenario: a name of 512 characters beyond ASCII is stored
      When Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"{512×é}"}
      Then the answer is 200 or 201
      And the row {actions} octo-{tag} / {512×é} has
        | PayloadHash | anything |

    Scenario: a key part of 1,025 characters is refused
      Then Ana is refused each of these, and nothing is written
        | what         | request                              | body                                     | answer                |
        | a long name  | POST /api/ActionsUpsert              | {"owner":"octo-{tag}","name":"{1025×k}"} | 400 VALIDATION_FAILED |
        | in a path    | GET /api/actions/octo-{tag}/{1025×k} |                                          | 400 VALIDATION_FAILED |
        | a long owner | POST /api/ActionsUpsert              | {"owner":"{1025×o}","name":"checkout"}   | 400 VALIDATION_FAILED |

    @reference
    Scenario: the reference refuses a key part of 513 characters
      Then Ana is refused each of these, and nothing is written
        | what         | request                             | body                                    | answer                |
        | a long name  | POST /api/ActionsUpsert             | {"owner":"octo-{tag}","name":"{513×k}"} | 400 VALIDATION_FAILED |
        | in a path    | GET /api/actions/octo-{tag}/{513×k} |                                         | 400 VALIDATION_FAILED |
        | a long owner | POST /api/ActionsUpsert             | {"owner":"{513×o}","name":"checkout"}   | 400 VALIDATION_FAILED |
