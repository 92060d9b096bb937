/** The cost of an operation in rows: the maximum of rows read, and the exact number of rows written. */
export interface OperationRows {
  readonly read: number
  readonly written: number
  readonly d1: number
}

/**
 * By row of the permission table: rows that the object reads, rows that it writes, rows that D1 reads.
 * test/realm/rows-of-operations.long.test.ts describes the counted requests, and prints these lines anew with `ROWS=show`.
 */
const TABLE = `
get-message                                   35 0 2
get-messages                                  53 0 6
get-messages: by name                         54 0 6
get-messages: everything                      155 0 8
get-messages: with                            51 0 4
get-messages: by id                           38 0 2
get-messages: of people                       44 0 4
get-message-history                           5 0 7
get-read-receipts                             51 0 0
match-narrow                                  16 0 7
send-message                                  34 3 0
send-message: by name                         34 3 0
update-message: content                       47 4 7
update-message: topic                         64 11 0
update-message: resolving                     106 15 0
update-message: channel                       101 13 0
update-message: into the channel              126 19 0
delete-message                                80 5 0
add-reaction                                  32 1 0
remove-reaction                               28 2 0
send-submessage                               39 3 0
set-edit-typing                               47 0 0
report-message                                43 7 7
update-flags                                  10 2 0
update-flags: read                            7 1 0
update-flags-for-narrow                       16 6 0
mark-all-read                                 6 2 0
mark-channel-read                             19 1 0
mark-topic-read                               27 1 0
create-reminder                               43 8 0
get-reminders                                 2 0 0
delete-reminder                               5 4 0
create-scheduled-message                      29 7 0
list-scheduled-messages                       2 0 0
edit-scheduled-message                        28 9 0
delete-scheduled-message                      5 4 0
set-typing                                    45 0 0
set-typing: to people                         17 0 0
render-message                                4 0 0
summarize-messages                            2 0 0
get-streams                                   262 0 0
get-stream-by-id                              16 0 0
get-stream-id                                 3 0 0
get-subscribers                               15 0 0
get-stream-topics                             12 0 0
get-stream-email-address                      4 0 0
create-channel                                75 15 0
create-channel: private                       81 14 0
create-channel: default                       92 14 0
create-channel: web-public                    15 0 0
update-stream                                 44 12 0
update-stream: privacy                        89 8 0
update-stream: who may subscribe              33 4 0
update-stream: retention                      48 8 0
archive-stream                                27 7 0
delete-topic                                  111 15 0
add-default-stream                            26 1 0
remove-default-stream                         16 1 0
get-channel-folders                           3 0 0
create-channel-folder                         28 5 0
update-channel-folder                         8 6 0
reorder-channel-folders                       8 0 0
create-default-stream-group                   31 4 0
update-default-stream-group                   8 4 0
update-default-stream-group-channels          10 4 0
update-default-stream-group-channels: others  10 4 0
delete-default-stream-group                   5 2 0
get-subscriptions                             260 0 0
get-subscription-status                       18 0 0
subscribe                                     44 2 0
subscribe: others                             65 12 0
unsubscribe                                   42 4 0
unsubscribe: others                           41 3 0
unsubscribe: the author's bot                 39 3 0
update-subscriptions: add                     46 2 0
update-subscriptions: delete                  42 4 0
update-subscription-property                  5 1 0
update-subscription-settings                  5 1 0
mute-topic                                    9 4 0
set-topic-policy                              9 4 0
set-topic-policy: none                        11 3 0
get-own-user                                  42 0 0
update-settings                               4 1 0
update-settings: of others                   14 4 0
update-display-settings                       4 1 0
update-notification-settings                  4 1 0
update-own-profile-data                       26 5 0
remove-own-profile-data                       25 5 0
update-own-status                             19 1 0
update-presence                               37 1 0
upload-avatar                                 2 1 0
delete-avatar                                 20 1 0
regenerate-own-api-key                        39 10 0
deactivate-own-user                           126 12 0
mark-onboarding-step                          3 1 0
run-command                                   2 0 0
list-alert-words                              1 0 0
add-alert-words                               9 3 0
remove-alert-words                            6 3 0
mute-user                                     107 4 0
unmute-user                                   9 7 0
list-drafts                                   2 0 0
create-drafts                                 22 5 0
edit-draft                                    8 5 0
delete-draft                                  4 3 0
list-snippets                                 1 0 0
create-snippet                                21 5 0
edit-snippet                                  8 5 0
delete-snippet                                4 3 0
get-navigation-views                          1 0 0
add-navigation-view                           5 3 0
update-navigation-view                        7 1 0
remove-navigation-view                        4 3 0
register-queue                                142 1 0
register-queue: channels                      162 10 0
register-queue: everything public             133 1 0
get-events                                    12 0 0
delete-queue                                  4 1 0
upload-file                                   2 1 0
create-resumable-upload                       5 6 0
get-resumable-upload                          2 0 0
append-to-resumable-upload                    3 1 0
remove-resumable-upload                       8 4 0
get-attachments                               94 0 0
get-file-temporary-url                        8 0 0
check-thumbnail-status                        7 0 0
remove-attachment                             14 10 0
get-browser-sessions                          1 0 0
delete-browser-session                        7 1 0
register-client-device                        21 3 0
remove-client-device                          13 1 0
add-apns-token                                14 4 0
add-fcm-token                                 14 4 0
remove-apns-token                             10 3 0
remove-fcm-token                              10 3 0
register-push-device                          2 0 0
get-web-push-key                              1 1 0
add-web-push-subscription                     35 4 0
remove-web-push-subscription                  2 0 0
test-notification                             2 0 0
test-sealed-notification                      2 0 0
get-users                                     33 0 0
get-user                                      15 0 0
get-user-by-email                             15 0 0
get-user-presence                             15 0 0
get-user-presence-by-email                    15 0 0
get-realm-presence                            15 0 0
get-user-status                               16 0 0
get-user-channels                            35 0 0
set-user-status                               20 1 0
create-user                                   151 42 0
update-user                                   20 2 0
update-user: role                             66 6 0
update-user: to owner                         66 6 0
update-user: an owner                         75 8 0
update-user: a bot                            7 2 0
update-user-by-email                          34 2 0
deactivate-user                               106 14 0
deactivate-user: an owner                     104 15 0
reactivate-user                               166 18 0
get-bots                                      4 0 0
create-bot                                    42 11 0
create-bot: for a channel                     51 12 0
update-bot                                    11 2 0
get-bot-api-key                              8 3 0
regenerate-bot-api-key                        14 4 0
deactivate-bot                                52 5 0
get-bot-storage                               2 0 0
update-bot-storage                            6 3 0
remove-bot-storage                            3 0 0
get-user-groups                               60 2 0
get-user-group-members                        9 0 0
get-user-group-subgroups                      5 0 0
get-is-user-group-member                      8 0 0
create-user-group                             37 8 0
update-user-group                             36 6 0
deactivate-user-group                         52 5 0
update-user-group: of the system              16 0 0
update-user-group-members                     87 13 0
update-user-group-members: of the system      16 0 0
update-user-group-members: oneself            87 13 0
update-user-group-subgroups                   57 8 0
get-invites                                   7 0 0
send-invites                                  60 16 0
send-invites: as a moderator                  58 16 0
send-invites: as an administrator             58 16 0
send-invites: as an owner                     59 16 0
send-invites: to a channel                    62 16 0
create-invite-link                            37 8 0
create-invite-link: to a channel              38 8 0
resend-email-invite                           35 8 0
revoke-email-invite                           10 4 0
revoke-email-invite: an owner's               10 4 0
revoke-invite-link                            10 4 0
get-server-settings                           1 0 0
check-subdomain                               0 0 0
fetch-api-key                                 1 0 0
jwt-fetch-api-key                             1 0 0
update-realm                                  60 6 0
update-realm: for owners                      117 8 0
update-realm: of a channel                    61 6 0
update-user-settings-defaults                 8 5 0
deactivate-realm                              58 12 0
verify-realm                                  664 0 0
test-welcome-message                          10 2 0
get-realm-icon                                1 0 0
upload-realm-icon                             2 1 0
delete-realm-icon                             3 2 0
get-realm-logo                                1 0 0
upload-realm-logo                             2 1 0
delete-realm-logo                             3 2 0
get-custom-emoji                              2 0 0
upload-custom-emoji                           17 1 0
deactivate-custom-emoji                       5 1 0
get-linkifiers                                3 0 0
add-linkifier                                 34 3 0
update-linkifier                              9 1 0
remove-linkifier                              7 2 0
reorder-linkifiers                            7 0 0
add-code-playground                           30 3 0
remove-code-playground                        5 2 0
get-realm-domains                             2 0 0
add-realm-domain                              11 5 0
update-realm-domain                           9 4 0
remove-realm-domain                           11 5 0
get-custom-profile-fields                     3 0 0
create-custom-profile-field                   36 3 0
update-custom-profile-field                   11 3 0
delete-custom-profile-field                   28 2 0
reorder-custom-profile-fields                 7 0 0
export-realm                                  22 6 0
get-realm-exports                             3 0 0
get-realm-export-consents                     20 0 0
delete-realm-export                           11 6 0
get-audit-log                                 18 0 0
get-dead-letters                              2 0 0
retry-dead-letters                            19 5 0
delete-dead-letter                            4 1 0
create-zoom-call                              2 0 0
create-constructor-groups-video-call          2 0 0
create-nextcloud-talk-video-call              2 0 0
create-webex-video-call                       2 0 0
create-big-blue-button-video-call             2 0 0
get-message, visitors                         37 0 2
get-messages, visitors                        59 0 8
get-messages: by name, visitors               60 0 8
get-messages: everything, visitors            65 0 4
get-messages: with, visitors                  58 0 4
get-messages: by id, visitors                 40 0 2
get-stream-topics, visitors                   12 0 0
register-queue, visitors                      85 0 0
register-queue: channels, visitors            39 2 0
register-queue: everything public, visitors   74 0 0
`

export const ROWS: ReadonlyMap<string, OperationRows> = new Map(
  TABLE.trim()
    .split('\n')
    .map((line) => {
      const [, name, read, written, d1] = /^(.*\S)\s+(\d+) (\d+) (\d+)$/.exec(line)!
      return [name!, { read: Number(read), written: Number(written), d1: Number(d1) }]
    }),
)
