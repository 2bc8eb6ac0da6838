Feature: Malformed requests get a 4xx and change nothing
  Clients send malformed requests of every kind that comes to mind. In the tables {61×a} is the letter 61 times and
  {byte ff} is a byte; {png} is a small picture.

  @FS-SRV-4
  Rule: A malformed request gets a 4xx in the error shape
    > API contracts (minimum)
    > (contract) Every error is {ok:false,error,message,traceId}, and no input is answered with a 500.

    Passes on the stub recording: most malformed requests are refused before any storage call, and no route needs one.

    Background:
      Given Ana is an active member of Family
      And Ben is an active member of Smiths

    Scenario: bodies that are not one JSON object are refused
      Then Ana is refused each of these, and nothing is written
        | what                                   | request                | body                                                   | answer          |
        | no body                                | POST /api/group/create |                                                        | 400             |
        | white space                            | POST /api/group/create | {5× }                                                  | 400             |
        | not JSON                               | POST /api/group/create | groupName=Family                                       | 400             |
        | a body that breaks off                 | POST /api/group/create | {"groupName":"Family"                                  | 400             |
        | a body that breaks off next to a query | POST /api/group/delete?groupId={Family} | {"groupId":"{Family}"                                  | 400             |
        | null                                   | POST /api/group/create | null                                                   | 400             |
        | a text                                 | POST /api/group/create | "Family"                                               | 400             |
        | a number                               | POST /api/group/create | 1e999                                                  | 400             |
        | an array                               | POST /api/group/create | [{"groupName":"Family"}]                               | 400             |
        | two objects                            | POST /api/group/create | {"groupName":"Family"}{"groupName":"Smiths"}           | 400             |
        | text after the object                  | POST /api/group/create | {"groupName":"Family"} // Smiths                       | 400             |
        | a trailing comma                       | POST /api/group/create | {"groupName":"Family",}                                | 400             |
        | single quotes                          | POST /api/group/create | {'groupName':'Family'}                                 | 400             |
        | NaN                                    | POST /api/group/create | {"groupName":"Family","size":NaN}                      | 400             |
        | a raw control character                | POST /api/group/create | {"groupName":"Fam{byte 07}ily"}                        | 400             |
        | a byte that is not UTF-8               | POST /api/group/create | {"groupName":"Fam{byte ff}ily"}                        | 400             |
        | UTF-16                                 | POST /api/group/create | {byte ff}{byte fe}{byte 7b}{byte 00}{byte 7d}{byte 00} | 400             |
        | arrays 100,000 deep                    | POST /api/group/create | {"groupName":{100000×[}{100000×]}}                     | 400             |
        | arrays 5,000 deep                      | POST /api/group/create | {"groupName":{5000×[}{5000×]}}                         | 400             |
        | arrays that never end                  | POST /api/group/create | {100000×[}                                             | 400             |
        | a name of just 10 MiB                  | POST /api/group/create | {"groupName":"{10485744×x}"}                           | 400             |
        | more than 10 MiB                       | POST /api/group/create | {"groupName":"{10485745×x}"}                           | 413 too_large   |
        | more than 10 MiB of another group      | POST /api/group/rename | {"groupId":"{Smiths}","groupName":"{10485760×x}"}      | 413 too_large   |

    Scenario: paths and methods that the service does not have are refused
      Then Ana is refused each of these, and nothing is written
        | what                          | request                                 | body                                        | answer                 |
        | an unknown route              | GET /api/no/such/route                  |                                             | 404 not_found          |
        | a route with a trailing slash | GET /api/me/groups/                     |                                             | 404 not_found          |
        | a route in capitals           | GET /API/me/groups                      |                                             | 404 not_found          |
        | a way out of the service      | GET /api/%2e%2e/%2e%2e/etc/passwd       |                                             | 404 not_found          |
        | DELETE of a list              | DELETE /api/me/groups                   |                                             | 405 method_not_allowed |
        | DELETE of a group             | DELETE /api/group/meta?groupId={Family} |                                             | 405 method_not_allowed |
        | GET of a route that writes    | GET /api/group/delete?groupId={Family}  |                                             | 405 method_not_allowed |
        | PUT of a POST route           | PUT /api/group/rename                   | {"groupId":"{Family}","groupName":"Smiths"} | 405 method_not_allowed |
        | PATCH of the profile          | PATCH /api/user/profile                 | {"displayName":"Ana"}                       | 405 method_not_allowed |
        | POST of the usage             | POST /api/usage                         | {}                                          | 405 method_not_allowed |

    @reference
    Scenario: a path with an empty segment, which some servers redirect, is not found
      Then Ana is refused each of these, and nothing is written
        | what     | request             | body | answer        |
        | left out | GET /api//me/groups |      | 404 not_found |

    Scenario: invalid group ids are refused on every route
      Then Ana is refused each of these, and nothing is written
        | what                          | request                                                  | body                                                       | answer          |
        | a number                      | POST /api/group/rename                                   | {"groupId":7,"groupName":"Smiths"}                         | 400             |
        | none                          | POST /api/group/rename                                   | {"groupName":"Smiths"}                                     | 400             |
        | null                          | POST /api/group/rename                                   | {"groupId":null,"groupName":"Smiths"}                      | 400             |
        | an object                     | POST /api/group/rename                                   | {"groupId":{"$ne":""},"groupName":"Smiths"}                | 400             |
        | a list                        | POST /api/group/rename                                   | {"groupId":["{Family}"],"groupName":"Smiths"}              | 400             |
        | a name in other letters       | POST /api/group/rename                                   | {"GroupID":"{Family}","groupName":"Smiths"}                | 400             |
        | with a slash                  | POST /api/group/rename                                   | {"groupId":"{Family}/members","groupName":"Smiths"}        | 400             |
        | with a quote, for a filter    | POST /api/group/rename                                   | {"groupId":"x' or PartitionKey ne '","groupName":"Smiths"} | 400             |
        | with a control character      | POST /api/group/rename                                   | {"groupId":"{Family}\u0000","groupName":"Smiths"}          | 400             |
        | with a line end               | POST /api/group/rename                                   | {"groupId":"{Family}\\n","groupName":"Smiths"}             | 400             |
        | of 65 letters                 | POST /api/group/rename                                   | {"groupId":"{65×a}","groupName":"Smiths"}                  | 400             |
        | of a million letters          | POST /api/group/delete                                   | {"groupId":"{1000000×a}"}                                  | 400             |
        | empty                         | POST /api/group/restore                                  | {"groupId":""}                                             | 400             |
        | true                          | POST /api/group/join                                     | {"groupId":true}                                           | 400             |
        | a list                        | POST /api/group/decline                                  | {"groupId":[]}                                             | 400             |
        | with dots                     | POST /api/group/remove-member                            | {"groupId":".."}                                           | 400             |
        | with a hash                   | POST /api/group/join-link                                | {"groupId":"a#b","email":"dora@example.com"}               | 400             |
        | with an emoji                 | POST /api/chat                                           | {"groupId":"😀","message":"Hi"}                             | 400             |
        | a number                      | POST /api/direct                                         | {"groupId":1,"action":{"type":"list_appointments"}}        | 400             |
        | under the wrong name          | POST /api/ignite/spinoff                                 | {"groupId":"{Family}"}                                     | 400             |
        | a number                      | POST /api/ignite/spinoff                                 | {"sourceGroupId":12}                                       | 400             |
        | none in a query               | GET /api/group/meta                                      |                                                            | 400             |
        | empty in a query              | GET /api/group/members?groupId=                          |                                                            | 400             |
        | twice in a query              | GET /api/group/members?groupId={Family}&groupId={Smiths} |                                                            | 400             |
        | twice in a query, the same    | GET /api/group/meta?groupId={Family}&groupId={Family}    |                                                            | 400             |
        | that is not UTF-8, in a query | GET /api/group/meta?groupId=%ff                          |                                                            | 400             |
        | with a bad escape, in a query | GET /api/group/meta?groupId={Family}%zz                  |                                                            | 400             |
        | with a semicolon, in a query  | GET /api/group/meta?groupId={Family};x=1                 |                                                            | 400             |
        | of 10,000 letters, in a query | GET /api/group/members?groupId={10000×a}                 |                                                            | 400             |

    @reference
    Scenario: the reference refuses queries that some servers parse differently
      Then Ana is refused each of these, and nothing is written
        | what                                  | request                                      | body | answer          |
        | a bad escape next to the id           | GET /api/group/meta?groupId={Family}&x=%zz   |      | 400 bad_request |
        | text that is not UTF-8 next to the id | GET /api/group/meta?groupId={Family}&x=%ff   |      | 400 bad_request |
        | another parameter twice               | GET /api/group/meta?groupId={Family}&x=1&x=1 |      | 400 bad_request |
        | no id                                 | GET /api/group/meta                          |      | 400 bad_request |

    @reference
    Scenario: the reference refuses with message and security headers
      When Ana sends POST /api/group/rename {"groupName":"Smiths"}
      Then the answer is 400 bad_request
      And the answer has
        | message | groupId must be an id |
      And the header Retry-After of the answer is ""
      And the header Cache-Control of the answer is "no-store"
      And the header X-Content-Type-Options of the answer is "nosniff"
      When Ana sends PUT /api/ignite/meta {}
      Then the answer is 405 method_not_allowed
      And the header Allow of the answer is "GET, HEAD, POST"
      When Ana sends GET /api/group/rename
      Then the answer is 405 method_not_allowed
      And the header Allow of the answer is "POST"

    Scenario Outline: a value of the maximum length is accepted: <what>
      Given Long stands for <length> random characters
      And Family has 1 appointment
      When Ana sends <request>
      Then the answer is 200

      Examples:
        | what            | length | request                                                                                                                                                              |
        | a group's name  | 60     | POST /api/group/rename {"groupId":"{Family}","groupName":"{Long}"}                                                                                                   |
        | a person's name | 40     | PUT /api/user/profile {"displayName":"{Long}"}                                                                                                                       |
        | a time zone     | 64     | PUT /api/user/profile {"displayName":"Ana","timezone":"{Long}"}                                                                                                      |
        | a description   | 4000   | POST /api/direct {"groupId":"{Family}","action":{"type":"create_appointment","startTime":"2026-06-01T09:00:00Z","desc":"{Long}"}}                                    |
        | a role          | 40     | POST /api/direct {"groupId":"{Family}","action":{"type":"assign_participant","appointmentId":"{FamilyAppointment0}","memberKey":"{Ana.memberKey}","role":"{Long}"}}  |
        | a message       | 4000   | POST /api/chat {"groupId":"{Family}","message":"{Long}"}                                                                                                             |
        | a name of a letter | 1      | PUT /api/user/profile {"displayName":"{Long}"}                                                                                                                       |
        | the first second | 20     | POST /api/direct {"groupId":"{Family}","action":{"type":"create_appointment","startTime":"0001-01-01T01:00:00+01:00"}}                                               |
        | the last second | 20     | POST /api/direct {"groupId":"{Family}","action":{"type":"create_appointment","startTime":"9999-12-31T22:59:59-01:00"}}                                               |

    Scenario: ids of other people's groups, appointments and gatherings are refused
      Given Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"create_appointment","startTime":"2026-06-01T09:00:00Z"}}
      And "appointmentId" of the answer is called Checkup
      And Ben sends POST /api/direct {"groupId":"{Smiths}","action":{"type":"create_appointment","startTime":"2026-06-01T09:00:00Z"}}
      And "appointmentId" of the answer is called Dentist
      And where the target has ignite, Ben sends POST /api/ignite/start {"groupId":"{Smiths}"}, and "sessionId" of the answer is called Hunt
      Then Ana is refused each of these, and nothing is written
        | what                                      | request                                                                          | body                                                                                                           | answer                    |
        | another group's name                      | POST /api/group/rename                                                           | {"groupId":"{Smiths}","groupName":"Family"}                                                                    | 403 not_allowed           |
        | another group's members                   | GET /api/group/members?groupId={Smiths}                                          |                                                                                                                | 403 not_allowed           |
        | a group of 64 letters                     | GET /api/group/meta?groupId={64×a}                                               |                                                                                                                | 403 not_allowed           |
        | another group's appointments              | POST /api/direct                                                                 | {"groupId":"{Smiths}","action":{"type":"list_appointments"}}                                                   | 403 not_allowed           |
        | another group to spin off                 | POST /api/ignite/spinoff                                                         | {"sourceGroupId":"{Smiths}","groupName":"Family"}                                                              | 403 not_allowed           |
        | another group's appointment               | POST /api/direct                                                                 | {"groupId":"{Family}","action":{"type":"get_appointment_detail","appointmentId":"{Dentist}"}}                  | 404 appointment_not_found |
        | another group's appointment to delete     | POST /api/direct                                                                 | {"groupId":"{Family}","action":{"type":"delete_appointment","appointmentId":"{Dentist}"}}                      | 404 appointment_not_found |
        | another group's appointment to move       | POST /api/direct                                                                 | {"groupId":"{Family}","action":{"type":"reschedule_appointment","appointmentId":"{Dentist}","startTime":"2026-06-01T09:00:00Z"}} | 404 appointment_not_found |
        | another group's scan                      | GET /api/appointment/scan?groupId={Family}&appointmentId={Dentist}               |                                                                                                                | 404 appointment_not_found |
        | a scan for another group's appointment    | POST /api/appointment/scan                                                       | {"groupId":"{Family}","appointmentId":"{Dentist}","imageMime":"image/png","imageBase64":"{png}"}               | 404 appointment_not_found |
        | another group's gathering                 | GET /api/ignite/meta?groupId={Family}&sessionId={Hunt}                           |                                                                                                                | 404 ignite_not_found      |
        | another group's gathering to close        | POST /api/ignite/close                                                           | {"groupId":"{Family}","sessionId":"{Hunt}"}                                                                    | 404 ignite_not_found      |
        | another group's gathering to join         | POST /api/ignite/join                                                            | {"groupId":"{Family}","sessionId":"{Hunt}"}                                                                    | 404 ignite_not_found      |
        | another group's gathering to open again   | POST /api/ignite/start                                                           | {"groupId":"{Family}","sessionId":"{Hunt}"}                                                                    | 404 ignite_not_found      |
        | a photo in another group's gathering      | POST /api/ignite/photo                                                           | {"groupId":"{Family}","sessionId":"{Hunt}","imageMime":"image/png","imageBase64":"{png}"}                      | 404 ignite_not_found      |
        | another group's photo                     | GET /api/ignite/photo?groupId={Family}&sessionId={Hunt}&personId={Ben.memberKey} |                                                                                                                | 404                       |
        | another group's member                    | POST /api/group/remove-member                                                    | {"groupId":"{Family}","userKey":"{Ben.userKey}"}                                                               | 404 member_not_found      |
        | an unknown person                         | POST /api/group/remove-member                                                    | {"groupId":"{Family}","userKey":"{64×0}"}                                                                      | 404 member_not_found      |
        | another group's member for an appointment | POST /api/direct                                                                 | {"groupId":"{Family}","action":{"type":"assign_participant","appointmentId":"{Checkup}","memberKey":"{Ben.memberKey}"}} | 404 member_not_found      |

    Scenario: invalid names, e-mail addresses and keys are refused
      Then Ana is refused each of these, and nothing is written
        | what                            | request                       | body                                                                       | answer          |
        | a name of 61 letters            | POST /api/group/create        | {"groupName":"{61×a}"}                                                     | 400             |
        | a name of 10 million letters    | POST /api/group/create        | {"groupName":"{10000000×a}"}                                               | 400             |
        | a name of white space           | POST /api/group/create        | {"groupName":" \t\u00a0 "}                                                 | 400             |
        | a name with a control character | POST /api/group/create        | {"groupName":"Fam\u0007ily"}                                               | 400             |
        | a name that begins with one     | POST /api/group/create        | {"groupName":"\u0007Family"}                                               | 400             |
        | a name with NUL                 | POST /api/group/create        | {"groupName":"Fam\u0000ily"}                                               | 400             |
        | a new name of 61 letters        | POST /api/group/rename        | {"groupId":"{Family}","groupName":"{61×a}"}                                | 400             |
        | a spin-off of 61 letters        | POST /api/ignite/spinoff      | {"sourceGroupId":"{Family}","groupName":"{61×a}"}                          | 400             |
        | a name that is a list           | POST /api/group/rename        | {"groupId":"{Family}","groupName":["Smiths"]}                              | 400             |
        | no name                         | POST /api/group/rename        | {"groupId":"{Family}"}                                                     | 400             |
        | a name that is true             | POST /api/ignite/spinoff      | {"sourceGroupId":"{Family}","groupName":true}                              | 400             |
        | a person of 41 letters          | PUT /api/user/profile         | {"displayName":"{41×a}"}                                                   | 400             |
        | a person who is a number        | PUT /api/user/profile         | {"displayName":7}                                                          | 400             |
        | no person                       | PUT /api/user/profile         | {"timezone":"Europe/Berlin"}                                               | 400             |
        | a time zone that is an object   | PUT /api/user/profile         | {"displayName":"Ana","timezone":{}}                                        | 400             |
        | a time zone with blanks         | PUT /api/user/profile         | {"displayName":"Ana","timezone":"Europe/Berlin; drop"}                     | 400             |
        | a time zone without a name      | PUT /api/user/profile         | {"displayName":"Ana","timezone":""}                                        | 400             |
        | a time zone of 65 letters       | PUT /api/user/profile         | {"displayName":"Ana","timezone":"{65×a}"}                                  | 400             |
        | no @                            | POST /api/group/join-link     | {"groupId":"{Family}","email":"nobody"}                                    | 400             |
        | two @                           | POST /api/group/join-link     | {"groupId":"{Family}","email":"ana@dora@example.com"}                      | 400             |
        | nothing before the @            | POST /api/group/join-link     | {"groupId":"{Family}","email":"@example.com"}                              | 400             |
        | nothing after the @             | POST /api/group/join-link     | {"groupId":"{Family}","email":"dora@"}                                     | 400             |
        | a blank inside                  | POST /api/group/join-link     | {"groupId":"{Family}","email":"do ra@example.com"}                         | 400             |
        | letters beyond ASCII            | POST /api/group/join-link     | {"groupId":"{Family}","email":"döra@example.com"}                          | 400             |
        | a line end, for a header        | POST /api/group/join-link     | {"groupId":"{Family}","email":"dora@example.com\r\\nBcc: eve@example.com"} | 400             |
        | 255 letters                     | POST /api/group/join-link     | {"groupId":"{Family}","email":"{243×a}@example.com"}                       | 400             |
        | a list of addresses             | POST /api/group/join-link     | {"groupId":"{Family}","email":["dora@example.com"]}                        | 400             |
        | no address                      | POST /api/group/join-link     | {"groupId":"{Family}"}                                                     | 400             |
        | a user key in capitals          | POST /api/group/remove-member | {"groupId":"{Family}","userKey":"{64×A}"}                                  | 400             |
        | a user key that is an address   | POST /api/group/remove-member | {"groupId":"{Family}","userKey":"dora@example.com"}                        | 400             |
        | an empty user key               | POST /api/group/remove-member | {"groupId":"{Family}","userKey":""}                                        | 400             |
        | a user key that is false        | POST /api/group/remove-member | {"groupId":"{Family}","userKey":false}                                     | 400             |

    Scenario: invalid actions on appointments are refused
      Given Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"create_appointment","startTime":"2026-06-01T09:00:00Z"}}
      And "appointmentId" of the answer is called Checkup
      Then Ana is refused each of these, and nothing is written
        | what                                   | request          | body                                                                                                           | answer                    |
        | no action                              | POST /api/direct | {"groupId":"{Family}"}                                                                                         | 400                       |
        | an action that is a text               | POST /api/direct | {"groupId":"{Family}","action":"list_appointments"}                                                            | 400                       |
        | an action that is a list               | POST /api/direct | {"groupId":"{Family}","action":[]}                                                                             | 400                       |
        | an action that is null                 | POST /api/direct | {"groupId":"{Family}","action":null}                                                                           | 400                       |
        | no type                                | POST /api/direct | {"groupId":"{Family}","action":{}}                                                                             | 400                       |
        | an unknown type                        | POST /api/direct | {"groupId":"{Family}","action":{"type":"drop_appointments"}}                                                   | 400                       |
        | a type in other letters                | POST /api/direct | {"groupId":"{Family}","action":{"type":"List_Appointments"}}                                                   | 400                       |
        | a type that is a list                  | POST /api/direct | {"groupId":"{Family}","action":{"type":["list_appointments"]}}                                                 | 400                       |
        | no start                               | POST /api/direct | {"groupId":"{Family}","action":{"type":"create_appointment","desc":"Dentist"}}                                 | 400                       |
        | a start that is a number               | POST /api/direct | {"groupId":"{Family}","action":{"type":"create_appointment","startTime":1780000000}}                           | 400                       |
        | a start without an offset              | POST /api/direct | {"groupId":"{Family}","action":{"type":"create_appointment","startTime":"2026-06-01T09:00:00"}}                | 400                       |
        | a start in half seconds                | POST /api/direct | {"groupId":"{Family}","action":{"type":"create_appointment","startTime":"2026-06-01T09:00:00.5Z"}}             | 400                       |
        | the 30th of February                   | POST /api/direct | {"groupId":"{Family}","action":{"type":"create_appointment","startTime":"2026-02-30T09:00:00Z"}}               | 400                       |
        | the hour 24                            | POST /api/direct | {"groupId":"{Family}","action":{"type":"create_appointment","startTime":"2026-06-01T24:00:00Z"}}               | 400                       |
        | an offset of 99 hours                  | POST /api/direct | {"groupId":"{Family}","action":{"type":"create_appointment","startTime":"2026-06-01T09:00:00+99:00"}}          | 400                       |
        | the year 10000, in UTC                 | POST /api/direct | {"groupId":"{Family}","action":{"type":"create_appointment","startTime":"9999-12-31T23:59:59-01:00"}}          | 400                       |
        | before the year 1, in UTC              | POST /api/direct | {"groupId":"{Family}","action":{"type":"create_appointment","startTime":"0001-01-01T00:00:00+01:00"}}          | 400                       |
        | a description of 4,001 letters         | POST /api/direct | {"groupId":"{Family}","action":{"type":"create_appointment","startTime":"2026-06-01T09:00:00Z","desc":"{4001×a}"}} | 400                       |
        | another of 4,001 letters               | POST /api/direct | {"groupId":"{Family}","action":{"type":"set_appointment_desc","appointmentId":"{Checkup}","desc":"{4001×a}"}}  | 400                       |
        | no time to move it to                  | POST /api/direct | {"groupId":"{Family}","action":{"type":"reschedule_appointment","appointmentId":"{Checkup}"}}                  | 400                       |
        | a description that is a number         | POST /api/direct | {"groupId":"{Family}","action":{"type":"set_appointment_desc","appointmentId":"{Checkup}","desc":1}}           | 400                       |
        | no description                         | POST /api/direct | {"groupId":"{Family}","action":{"type":"set_appointment_desc","appointmentId":"{Checkup}"}}                    | 400                       |
        | an unknown status                      | POST /api/direct | {"groupId":"{Family}","action":{"type":"set_appointment_status","appointmentId":"{Checkup}","status":"deleted"}} | 400                       |
        | a status that is null                  | POST /api/direct | {"groupId":"{Family}","action":{"type":"set_appointment_status","appointmentId":"{Checkup}","status":null}}    | 400                       |
        | no appointment                         | POST /api/direct | {"groupId":"{Family}","action":{"type":"delete_appointment"}}                                                  | 400                       |
        | an appointment that is a path          | POST /api/direct | {"groupId":"{Family}","action":{"type":"get_appointment_detail","appointmentId":"../{Checkup}"}}               | 400                       |
        | an unknown appointment                 | POST /api/direct | {"groupId":"{Family}","action":{"type":"get_appointment_detail","appointmentId":"unknown"}}                    | 404 appointment_not_found |
        | an unknown appointment to restore      | POST /api/direct | {"groupId":"{Family}","action":{"type":"restore_appointment","appointmentId":"unknown"}}                       | 404 appointment_not_found |
        | a participant by e-mail                | POST /api/direct | {"groupId":"{Family}","action":{"type":"assign_participant","appointmentId":"{Checkup}","memberKey":"auth:dora@example.com"}} | 400                       |
        | a participant of no kind               | POST /api/direct | {"groupId":"{Family}","action":{"type":"assign_participant","appointmentId":"{Checkup}","memberKey":"{Ana.userKey}"}} | 400                       |
        | a participant of 257 letters           | POST /api/direct | {"groupId":"{Family}","action":{"type":"unassign_participant","appointmentId":"{Checkup}","memberKey":"auth:{252×a}"}} | 400                       |
        | a participant of 256 letters           | POST /api/direct | {"groupId":"{Family}","action":{"type":"unassign_participant","appointmentId":"{Checkup}","memberKey":"auth:{251×a}"}} | 404 member_not_found      |
        | an unknown key for an appointment      | POST /api/direct | {"groupId":"{Family}","action":{"type":"assign_participant","appointmentId":"{Checkup}","memberKey":"auth:{64×0}"}} | 404 member_not_found      |
        | a participant of no appointment        | POST /api/direct | {"groupId":"{Family}","action":{"type":"unassign_participant","appointmentId":"unknown","memberKey":"{Ana.memberKey}"}} | 404 appointment_not_found |
        | an unknown participant                 | POST /api/direct | {"groupId":"{Family}","action":{"type":"unassign_participant","appointmentId":"{Checkup}","memberKey":"auth:{64×0}"}} | 404 member_not_found      |
        | a participant with nothing after auth: | POST /api/direct | {"groupId":"{Family}","action":{"type":"assign_participant","appointmentId":"{Checkup}","memberKey":"auth:"}}  | 400                       |
        | a participant with a control character | POST /api/direct | {"groupId":"{Family}","action":{"type":"assign_participant","appointmentId":"{Checkup}","memberKey":"auth:a\u0000b"}} | 404 member_not_found      |
        | a role of 41 letters                   | POST /api/direct | {"groupId":"{Family}","action":{"type":"assign_participant","appointmentId":"{Checkup}","memberKey":"{Ana.memberKey}","role":"{41×a}"}} | 400                       |
        | a role with a control character        | POST /api/direct | {"groupId":"{Family}","action":{"type":"assign_participant","appointmentId":"{Checkup}","memberKey":"{Ana.memberKey}","role":"\u001bab"}} | 400                       |
        | an empty message                       | POST /api/chat   | {"groupId":"{Family}","message":""}                                                                            | 400                       |
        | no message                             | POST /api/chat   | {"groupId":"{Family}"}                                                                                         | 400                       |
        | a message of 4,001 letters             | POST /api/chat   | {"groupId":"{Family}","message":"{4001×a}"}                                                                    | 400                       |
        | a message that is an object            | POST /api/chat   | {"groupId":"{Family}","message":{"role":"system"}}                                                             | 400                       |

    Scenario: invalid pictures are refused on every route
      Given Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"create_appointment","startTime":"2026-06-01T09:00:00Z"}}
      And "appointmentId" of the answer is called Checkup
      And where the target has ignite, Ana sends POST /api/ignite/start {"groupId":"{Family}"}, and "sessionId" of the answer is called Picnic
      Then Ana is refused each of these, and nothing is written
        | what                                  | request                                                                                                | body                                                                                                           | answer              |
        | not base64                            | POST /api/appointment/scan                                                                             | {"groupId":"{Family}","appointmentId":"{Checkup}","imageMime":"image/png","imageBase64":"%%%%"}                | 400                 |
        | base64 that breaks off                | POST /api/appointment/scan                                                                             | {"groupId":"{Family}","appointmentId":"{Checkup}","imageMime":"image/png","imageBase64":"iVBORw0KGgo"}         | 400                 |
        | base64 in lines                       | POST /api/appointment/scan                                                                             | {"groupId":"{Family}","appointmentId":"{Checkup}","imageMime":"image/png","imageBase64":"iVBORw0KGgoA\\nAAANSUhEUgAA"} | 400                 |
        | a data URL                            | POST /api/appointment/scan                                                                             | {"groupId":"{Family}","appointmentId":"{Checkup}","imageMime":"image/png","imageBase64":"data:image/png;base64,{png}"} | 400                 |
        | a number                              | POST /api/appointment/scan                                                                             | {"groupId":"{Family}","appointmentId":"{Checkup}","imageMime":"image/png","imageBase64":64}                    | 400                 |
        | no picture                            | POST /api/appointment/scan                                                                             | {"groupId":"{Family}","appointmentId":"{Checkup}","imageMime":"image/png"}                                     | 400                 |
        | an empty picture                      | POST /api/appointment/scan                                                                             | {"groupId":"{Family}","appointmentId":"{Checkup}","imageMime":"image/png","imageBase64":""}                    | 400                 |
        | a text as a picture                   | POST /api/appointment/scan                                                                             | {"groupId":"{Family}","appointmentId":"{Checkup}","imageMime":"image/png","imageBase64":"SGVsbG8="}            | 400                 |
        | a PNG as a JPEG                       | POST /api/appointment/scan                                                                             | {"groupId":"{Family}","appointmentId":"{Checkup}","imageMime":"image/jpeg","imageBase64":"{png}"}              | 400                 |
        | a script as an SVG                    | POST /api/appointment/scan                                                                             | {"groupId":"{Family}","appointmentId":"{Checkup}","imageMime":"image/svg+xml","imageBase64":"PHN2Zy8+"}        | 400                 |
        | a type that is a list                 | POST /api/appointment/scan                                                                             | {"groupId":"{Family}","appointmentId":"{Checkup}","imageMime":["image/png"],"imageBase64":"{png}"}             | 400                 |
        | no type                               | POST /api/appointment/scan                                                                             | {"groupId":"{Family}","appointmentId":"{Checkup}","imageBase64":"{png}"}                                       | 400                 |
        | a scan of more than the body may hold | POST /api/appointment/scan                                                                             | {"groupId":"{Family}","appointmentId":"{Checkup}","imageMime":"image/png","imageBase64":"{10485760×A}"}        | 413 too_large       |
        | a scan without an appointment         | POST /api/appointment/scan                                                                             | {"groupId":"{Family}","imageMime":"image/png","imageBase64":"{png}"}                                           | 400                 |
        | a photo of more than 5 MiB            | POST /api/ignite/photo                                                                                 | {"groupId":"{Family}","sessionId":"{Picnic}","imageMime":"image/png","imageBase64":"iVBORw0KGgoA{6990496×A}"}  | 413 too_large       |
        | a photo that is a text                | POST /api/ignite/photo                                                                                 | {"groupId":"{Family}","sessionId":"{Picnic}","imageMime":"image/png","imageBase64":"SGVsbG8="}                 | 400                 |
        | a photo that is an object             | POST /api/ignite/photo                                                                                 | {"groupId":"{Family}","sessionId":"{Picnic}","imageMime":"image/png","imageBase64":{}}                         | 400                 |
        | a photo of no type                    | POST /api/ignite/photo                                                                                 | {"groupId":"{Family}","sessionId":"{Picnic}","imageMime":"","imageBase64":"{png}"}                             | 400                 |
        | a text of no type                     | POST /api/ignite/photo                                                                                 | {"groupId":"{Family}","sessionId":"{Picnic}","imageMime":"","imageBase64":"SGVsbG8="}                          | 400                 |
        | a photo that is a text, as WebP       | POST /api/ignite/photo                                                                                 | {"groupId":"{Family}","sessionId":"{Picnic}","imageMime":"image/webp","imageBase64":"SGVsbG8="}                | 400                 |
        | a sound, as WebP                      | POST /api/ignite/photo                                                                                 | {"groupId":"{Family}","sessionId":"{Picnic}","imageMime":"image/webp","imageBase64":"UklGRiQAAABXQVZFZm10IA=="} | 400                 |
        | something of WebP, as WebP            | POST /api/ignite/photo                                                                                 | {"groupId":"{Family}","sessionId":"{Picnic}","imageMime":"image/webp","imageBase64":"SlVOSyQAAABXRUJQVlA4TA=="} | 400                 |
        | a photo that breaks off               | POST /api/ignite/photo                                                                                 | {"groupId":"{Family}","sessionId":"{Picnic}","imageMime":"image/webp","imageBase64":"UklGRiQAAABXRUI="}        | 400                 |
        | a photo for no gathering              | POST /api/ignite/photo                                                                                 | {"groupId":"{Family}","imageMime":"image/png","imageBase64":"{png}"}                                           | 400                 |
        | a scan that was never made            | GET /api/appointment/scan?groupId={Family}&appointmentId={Checkup}                                     |                                                                                                                | 404 photo_not_found |
        | a scan of no appointment              | GET /api/appointment/scan?groupId={Family}                                                             |                                                                                                                | 400                 |
        | a photo that was never made           | GET /api/ignite/photo?groupId={Family}&sessionId={Picnic}                                              |                                                                                                                | 404 photo_not_found |
        | a photo of an e-mail                  | GET /api/ignite/photo?groupId={Family}&sessionId={Picnic}&personId=auth:dora@example.com               |                                                                                                                | 400                 |
        | a photo of a path                     | GET /api/ignite/photo?groupId={Family}&sessionId={Picnic}&personId=../session.json                     |                                                                                                                | 400                 |
        | photos of two                         | GET /api/ignite/photo?groupId={Family}&sessionId={Picnic}&personId={Ana.memberKey}&personId=auth:other |                                                                                                                | 400                 |

    Scenario: invalid gatherings are refused on every route
      Given where the target has ignite, Ana sends POST /api/ignite/start {"groupId":"{Family}"}, and "sessionId" of the answer is called Picnic
      Then Ana is refused each of these, and nothing is written
        | what          | request                                                                  | body                                            | answer               |
        | a number      | POST /api/ignite/start                                                   | {"groupId":"{Family}","sessionId":7}            | 400                  |
        | a path        | POST /api/ignite/start                                                   | {"groupId":"{Family}","sessionId":"../current"} | 400                  |
        | none          | POST /api/ignite/close                                                   | {"groupId":"{Family}"}                          | 400                  |
        | unknown       | POST /api/ignite/close                                                   | {"groupId":"{Family}","sessionId":"unknown"}    | 404 ignite_not_found |
        | a list        | POST /api/ignite/meta                                                    | {"groupId":"{Family}","sessionId":["{Picnic}"]} | 400                  |
        | none          | POST /api/ignite/meta                                                    | {"groupId":"{Family}"}                          | 400                  |
        | none          | GET /api/ignite/photo?groupId={Family}                                   |                                                 | 400                  |
        | none          | GET /api/ignite/meta?groupId={Family}                                    |                                                 | 400                  |
        | two           | GET /api/ignite/meta?groupId={Family}&sessionId={Picnic}&sessionId=other |                                                 | 400                  |
        | of 65 letters | POST /api/ignite/join                                                    | {"groupId":"{Family}","sessionId":"{65×a}"}     | 400                  |
        | null          | POST /api/ignite/join                                                    | {"groupId":"{Family}","sessionId":null}         | 400                  |

    Scenario: malformed requests without a session are refused
      Given where the target has ignite, Ana sends POST /api/ignite/start {"groupId":"{Family}"}, and "sessionId" of the answer is called Picnic
      Then Nobody is refused each of these, and nothing is written
        | what                                    | request                                  | body                                                                                                           | answer            |
        | no address                              | POST /api/auth/request-link              | {}                                                                                                             | 400               |
        | an invalid address                      | POST /api/auth/request-link              | {"email":"nobody"}                                                                                             | 400               |
        | an address that is an object            | POST /api/auth/request-link              | {"email":{"a":"dora@example.com"}}                                                                             | 400               |
        | an address of a million letters         | POST /api/auth/request-link              | {"email":"{1000000×a}@example.com"}                                                                            | 400               |
        | an array                                | POST /api/auth/request-link              | ["dora@example.com"]                                                                                           | 400               |
        | no token                                | POST /api/auth/consume-link              | {}                                                                                                             | 400               |
        | a token that is a number                | POST /api/auth/consume-link              | {"token":1}                                                                                                    | 400               |
        | a token without a signature             | POST /api/auth/consume-link              | {"token":"eyJ2IjoxfQ"}                                                                                         | 400 invalid_token |
        | a token with a false signature          | POST /api/auth/consume-link              | {"token":"eyJ2IjoxfQ.AAAA"}                                                                                    | 400 invalid_token |
        | a complete token with a false signature | POST /api/auth/consume-link              | {"token":"eyJ2IjoxLCJzdWIiOiJhbmFAZXhhbXBsZS5jb20iLCJqdGkiOiJmb3JnZWQiLCJwdXJwb3NlIjoibG9naW4iLCJpYXQiOjEsImV4cCI6OTk5OTk5OTk5OTl9.{43×A}"} | 400 invalid_token |
        | a token of a million letters            | POST /api/auth/consume-link              | {"token":"{1000000×a}.{1000×b}"}                                                                               | 400 invalid_token |
        | a guest without a name                  | POST /api/ignite/join                    | {"groupId":"{Family}","sessionId":"{Picnic}"}                                                                  | 403 not_allowed   |
        | a guest whose name is a number          | POST /api/ignite/join                    | {"groupId":"{Family}","sessionId":"{Picnic}","name":7}                                                         | 403 not_allowed   |
        | a guest of 41 letters                   | POST /api/ignite/join                    | {"groupId":"{Family}","sessionId":"{Picnic}","name":"{41×a}"}                                                  | 403 not_allowed   |
        | a guest with a control character        | POST /api/ignite/join                    | {"groupId":"{Family}","sessionId":"{Picnic}","name":"Gu\u0000est"}                                             | 403 not_allowed   |
        | a guest without a gathering             | POST /api/ignite/join                    | {"groupId":"{Family}","name":"Gus"}                                                                            | 403 not_allowed   |
        | a guest of a group that is a number     | POST /api/ignite/join                    | {"groupId":1,"sessionId":"{Picnic}","name":"Gus"}                                                              | 400               |
        | a guest with an invalid address         | POST /api/ignite/join                    | {"groupId":"{Family}","sessionId":"{Picnic}","name":"Gus","email":"nobody"}                                    | 400               |
        | a guest whose body is not JSON          | POST /api/ignite/join                    | name=Gus                                                                                                       | 400               |
        | another person's groups                 | GET /api/me/groups?userKey={Ana.userKey} |                                                                                                                | 401 unauthorized  |
        | another person's usage                  | GET /api/usage?email={Ana.email}         |                                                                                                                | 401 unauthorized  |
        | a profile                               | GET /api/user/profile                    |                                                                                                                | 401 unauthorized  |
        | an invalid body                         | POST /api/group/create                   | [                                                                                                              | 401 unauthorized  |

  @FS-SRV-9 @should
  Rule: A body with a repeated field is malformed
    > API contracts (minimum)
    > (contract) Parsers differ in which of the two counts, so neither should; most cannot tell.

    Passes on the stub recording: the body is refused before any storage call.

    Scenario: a body with a repeated field is refused
      Given Ana is an active member of Family
      Then Ana is refused each of these, and nothing is written
        | what                        | request                | body                                                                                     | answer |
        | a field twice               | POST /api/group/create | {"groupName":"Family","groupName":"Smiths"}                                              | 400    |
        | a field twice, once escaped | POST /api/group/create | {"groupName":"Family","group\u004eame":"Smiths"}                                         | 400    |
        | a type twice                | POST /api/direct       | {"groupId":"{Family}","action":{"type":"list_appointments","type":"delete_appointment"}} | 400    |
