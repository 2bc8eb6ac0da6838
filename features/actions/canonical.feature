Feature: A record is stored and compared in one canonical form

  @GA-CAN-1
  Rule: The order of keys, white space and the spelling of values do not matter
    > Canonicalize JSON (sorted keys) before hashing to avoid false positives.
    > (contract) RFC 8785; the hash is SHA-256.

    Scenario: the example of RFC 8785, section 3.2, is stored in canonical form
      When Ana sends POST /api/ActionsUpsert with the body
        """
          { "numbers": [333333333.3333333, 1E+30, 1e+0, 4.50, 2e-3, 0.000000000000000000000000001, -0, 100E-2, 1e20, 1E21, 1e-6, 1E-7, 5e-324, 9, -1.5, 10.05, 1180591620717411303424],
          "string": "\ud83d\ude00\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/<&>\u2028",
          "empty": { }, "none": [ ], "one": [ { } , [ ] ], "name" : "checkout", "literals": [null, true, false], "owner":"octo-{tag}",
          "mark": "{byte ef}{byte bf}{byte bd}" }{byte 0a}{byte 20}
        """
      Then the answer is 200 or 201
      And the record octo-{tag} / checkout is stored as
        """
        {"empty":{},"literals":[null,true,false],"mark":"{byte ef}{byte bf}{byte bd}","name":"checkout","none":[],"numbers":[333333333.3333333,1e+30,1,4.5,0.002,1e-27,0,1,100000000000000000000,1e+21,0.000001,1e-7,5e-324,9,-1.5,10.05,1.1805916207174113e+21],"one":[{},[]],"owner":"octo-{tag}","string":"😀€$\u000f\nA'B\"\\\\\"/<&>{byte e2}{byte 80}{byte a8}"}
        """

    Scenario: keys are sorted by their UTF-16 code units
      When Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","\ufb33":1,"😀":2,"€":3,"ö":4,"9":5,"10":6,"__proto__":7,"Z":8,"z":{"b":1,"a":2}}
      Then the record octo-{tag} / checkout is stored as
        """
        {"10":6,"9":5,"Z":8,"__proto__":7,"name":"checkout","owner":"octo-{tag}","z":{"a":2,"b":1},"ö":4,"€":3,"😀":2,"{byte ef}{byte ac}{byte b3}":1}
        """

    Scenario Outline: the same record with <what> changes nothing
      Given Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","stars":100,"icon":"é/"}
      When Ana sends POST /api/ActionsUpsert <record>
      Then the answer is 200
      And the answer has
        | updated | false |
      And nothing was written

      Examples:
        | what                    | record                                                                         |
        | keys in another order   | {"icon":"é/","stars":100,"name":"checkout","owner":"octo-{tag}"}               |
        | white space             | { "owner" : "octo-{tag}" , "name":"checkout",  "stars":  100, "icon":"é/" }    |
        | other numbers           | {"owner":"octo-{tag}","name":"checkout","stars":1.0E2,"icon":"é/"}             |
        | escapes                 | {"owner":"octo-{tag}","n\\u0061me":"checkout","stars":100,"icon":"\\u00E9\\/"} |
        | blanks around its names | {"owner":" octo-{tag}","name":"checkout ","stars":100,"icon":"é/"}             |

    Scenario Outline: a record with <what> counts as changed
      Given Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","tags":["a","b"],"icon":"é"}
      When Ana sends POST /api/ActionsUpsert <record>
      Then the answer is 200
      And the answer has
        | updated | true |

      Examples:
        | what                       | record                                                                      |
        | another order of a list    | {"owner":"octo-{tag}","name":"checkout","tags":["b","a"],"icon":"é"}        |
        | an accent put together     | {"owner":"octo-{tag}","name":"checkout","tags":["a","b"],"icon":"e\\u0301"} |
        | a text instead of a number | {"owner":"octo-{tag}","name":"checkout","tags":["a","b"],"icon":"é","x":1}  |

  @GA-CAN-2
  Rule: What is stored is what was hashed
    > Reuse the same ordering for storage to ensure diffs reflect real changes.
    > `PayloadHash`: SHA-256 hash (Base64/hex) of the canonical JSON payload to detect changes quickly.

    Scenario: new and changed records are stored in the form that was hashed
      When Ana sends POST /api/ActionsUpsert {"stars":1, "owner":" octo-{tag} ","name":"checkout"}
      Then the record octo-{tag} / checkout is stored as
        """
        {"name":"checkout","owner":"octo-{tag}","stars":1}
        """
      When Ana sends POST /api/ActionsUpsert {"stars":2.0, "owner":"octo-{tag}","name":"checkout"}
      Then the record octo-{tag} / checkout is stored as
        """
        {"name":"checkout","owner":"octo-{tag}","stars":2}
        """
      And "PayloadHash" of the row {actions} octo-{tag} / checkout is called Hash
      When Ben sends GET /api/actions/octo-{tag}/checkout
      Then the answer has
        | stars                  | 2          |
        | _metadata.payloadHash  | {Hash}     |
        | _metadata.partitionKey | octo-{tag} |
        | _metadata.rowKey       | checkout   |
        | _metadata.etag         | anything   |

    Scenario: only the record's own _metadata is left out, not nested fields of that name
      When Ana sends POST /api/ActionsUpsert { "owner": "octo-{tag}", "name":"checkout","_metadata":{"etag":"a"},"uses":[{"_metadata":1}],"with":{"_metadata":{"a":1}}}
      Then the record octo-{tag} / checkout is stored as
        """
        {"name":"checkout","owner":"octo-{tag}","uses":[{"_metadata":1}],"with":{"_metadata":{"a":1}}}
        """
      When Ana sends POST /api/ActionsUpsert {"_metadata":{"etag":"b"},"owner":"octo-{tag}","name":"checkout"}
      Then the record octo-{tag} / checkout is stored as
        """
        {"name":"checkout","owner":"octo-{tag}"}
        """

    Scenario: a compressed record is stored in canonical form
      When Ana sends POST /api/ActionsUpsert {"readme":"{70000×x}","owner":"octo-{tag}","name":"checkout"}
      Then the record octo-{tag} / checkout is stored as
        """
        {"name":"checkout","owner":"octo-{tag}","readme":"{70000×x}"}
        """

    @reference
    Scenario Outline: a row of <size> whose <column> was set to <value> is reported as unreadable
      Given Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","text":"<text>"}
      And the row {actions} octo-{tag} / checkout is
        | <column> | <value> |
      When Ben sends GET /api/actions/octo-{tag}/checkout
      Then the answer is 500 PERSISTENCE_FAILED
      When Ben sends GET /api/actions/list?owner=octo-{tag}
      Then the answer is 500 PERSISTENCE_FAILED

      Examples:
        | size           | text      | column          | value                            |
        | few characters | a         | PayloadJson     | 1                                |
        | few characters | a         | PayloadJson     | {"stars":1                       |
        | few characters | a         | PayloadJson     | "stars":1}                       |
        | few characters | a         | PayloadJson     | [{"stars":1}]                    |
        | few characters | a         | PayloadEncoding | zip                              |
        | few characters | a         | PayloadEncoding | gzip                             |
        | few characters | a         | PayloadHash     | number 3                         |
        | many           | {70000×x} | PayloadEncoding | zip                              |
        | many           | {70000×x} | PayloadZ1       | %                                |
        | many           | {70000×x} | PayloadZ0       | H4sIAAAAAAAC/6tWKi5JLCpWsjKsBQA= |

    @reference
    Scenario: an unreadable payload does not matter where it is not needed
      Given Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","stars":1}
      And the row {actions} octo-{tag} / checkout is
        | PayloadEncoding | zip |
      When Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","stars":1}
      Then the answer is 200
      And the answer has
        | updated | false |
      When Ben sends GET /api/actions/stats
      Then the answer is 200
      And the answer has
        | total | 1 |

    Scenario: a record of a batch is stored in canonical form
      When Ana sends POST /api/ActionsUpsert/batch {"records":[{"z":1,"owner":"octo-{tag}","name":"checkout"}]}
      Then the record octo-{tag} / checkout is stored as
        """
        {"name":"checkout","owner":"octo-{tag}","z":1}
        """

  @GA-CAN-3
  Rule: Times are compared and stored in UTC
    > Canonicalizes values (trim, lowercase for keys, ISO timestamps).
    > (contract) Every text that wholly is an RFC 3339 instant with an offset; all others stay as they are.

    Scenario Outline: the time <given> is stored as <stored>
      When Ana sends POST /api/ActionsUpsert { "owner": "octo-{tag}", "name": "checkout", "at": ["<given>"]}
      Then the record octo-{tag} / checkout is stored as
        """
        {"at":["<stored>"],"name":"checkout","owner":"octo-{tag}"}
        """

      Examples:
        | given                            | stored                           |
        | 2026-01-31T12:00:00+02:00        | 2026-01-31T10:00:00Z             |
        | 2026-01-31T20:00:00-05:30        | 2026-02-01T01:30:00Z             |
        | 2026-01-01T00:30:00+01:00        | 2025-12-31T23:30:00Z             |
        | 2026-01-31T12:00:00.000Z         | 2026-01-31T12:00:00Z             |
        | 2026-01-31T12:00:00.1234567890Z  | 2026-01-31T12:00:00.123456789Z   |
        | 2026-01-31T12:00:00.12345678901Z | 2026-01-31T12:00:00.12345678901Z |
        | 2026-01-31T12:00:00-00:00        | 2026-01-31T12:00:00Z             |
        | 2026-01-31t12:00:00z             | 2026-01-31T12:00:00Z             |
        | 2026-01-31                       | 2026-01-31                       |
        | 2026-01-31T12:00:00              | 2026-01-31T12:00:00              |
        | 2026-01-31T12:00Z                | 2026-01-31T12:00Z                |
        | 2026-01-31 12:00:00Z             | 2026-01-31 12:00:00Z             |
        | 2026-01-31T12:00:00+0200         | 2026-01-31T12:00:00+0200         |
        | 2026-01-31T24:00:00Z             | 2026-01-31T24:00:00Z             |
        | at 2026-01-31T12:00:00+02:00     | at 2026-01-31T12:00:00+02:00     |
        | 2026-02-30T12:00:00+02:00        | 2026-02-30T12:00:00+02:00        |

    @reference
    Scenario Outline: the time <given>, at the edge of seconds or years, is stored as <stored>
      When Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","at":["<given>"]}
      Then the record octo-{tag} / checkout is stored as
        """
        {"at":["<stored>"],"name":"checkout","owner":"octo-{tag}"}
        """

      Examples:
        | given                     | stored                    |
        | 2017-01-01T00:59:60+01:00 | 2016-12-31T23:59:60Z      |
        | 2026-01-31T12:00:60+02:00 | 2026-01-31T12:00:60+02:00 |
        | 2017-01-01T00:59:61+01:00 | 2017-01-01T00:59:61+01:00 |
        | 0000-01-01T00:30:00+01:00 | 0000-01-01T00:30:00+01:00 |
        | 9999-12-31T23:30:00-01:00 | 9999-12-31T23:30:00-01:00 |
        | 0000-01-01T01:00:00+01:00 | 0000-01-01T00:00:00Z      |
        | 9999-12-31T23:59:59-00:00 | 9999-12-31T23:59:59Z      |

    Scenario: the same instant in another time zone changes nothing
      Given Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","pushedAt":"2026-01-31T12:00:00+02:00"}
      When Ana sends POST /api/ActionsUpsert {"owner":"octo-{tag}","name":"checkout","pushedAt":"2026-01-31T10:00:00.0Z"}
      Then the answer is 200
      And the answer has
        | updated | false |
      And nothing was written
