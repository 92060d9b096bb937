/**
 * The table of permissions: who may do what, beyond what an operation's declaration requires (`access`). Operations of which the
 * declaration says all have no row here. A test makes the requests of every operation, as each actor and for each destination,
 * and compares the server's answers (test/http/permission-matrix.large.test.ts). `npm run permissions` makes docs/permissions.md
 * from both, so that a change of either is seen there.
 *
 * A row has these parts, in this order:
 *
 * - The operation id. A colon and a few words may follow, if an operation has several kinds of requests.
 * - `at` and a kind of destinations (`messages`, `channels`, `conversations`), if the request is about a destination. It is
 *   made for each destination of the kind.
 * - `=` and the needs after those of the declaration, in the order in which the server checks them, separated by `;`. A need is
 *   `who | refusal`: all others get the refusal. `anybody` in place of `=` means that no account is required; needs after it hold
 *   for everybody.
 * - `shows who`, in place of `=` or after the needs: everybody who meets the needs gets an answer, but only these actors find
 *   in it what is at the destination.
 * - `visitors who | refusal`: which destinations are open to people without an account, where the deployment and the
 *   organization allow public reading. Without a refusal every request is answered, but the answer contains only what is at
 *   open destinations. In rows without this part visitors get the refusal for a missing key. Rows of `anybody` ask visitors
 *   only if they have this part.
 *
 * cast.ts defines the words for actors and destinations, and refusals.ts the refusals.
 *
 * In the organization of the table messages may be edited, moved and deleted for an hour. Full members have the permissions
 * to create channels, bots, groups and emoji, to invite, to add subscribers and to move messages between channels.
 * Everything else is as in a new organization. In the section "After the time limits" the clock is two hours further, and in
 * the section "Where guests see only some people" the organization restricts whom guests see (SITUATIONS in organization.ts).
 *
 * Sources: docs/interface/README.md#the-interface; docs/interface/conventions.md#authentication; docs/interface/access.md#channels; docs/interface/access.md#messages; docs/interface/access.md#organization-permissions; docs/decisions/interface.md#messages; docs/decisions/interface.md#channels-groups-people; docs/decisions/interface.md#stricter-than-the-public-server.
 */
export const TABLE = `
## Messages

get-message             at messages  = reads message | no such message; visitors open to the web | no key
get-messages            at channels  = sees channel | no such channel in a narrow; shows reads message; visitors open to the web | no such channel in a narrow
get-messages: by name   at channels  = sees channel | no such channel in a narrow by name; shows reads message; visitors open to the web | no such channel in a narrow by name
get-messages: everything at messages shows received message; visitors open to the web
get-messages: with      at messages  = reads message | nothing to go with; visitors open to the web | nothing to go with
get-messages: by id     at messages  shows reads message; visitors open to the web
get-messages: of people at conversations  shows reads message
get-message-history     at messages  = reads message | no such message
get-read-receipts       at messages  = reads message | no such message
match-narrow            at messages  shows received message
send-message            at messages  = knows channel | nothing to send to; has access | may not post; in use | may not post
send-message: by name   at channels  = knows channel | no channel of the name; has access | may not post; in use | may not post
update-message: content at messages  = reads message | no such message; in use | no such message; author | may not edit
update-message: topic   at messages  = reads message | no such message; in use | no such message; in a channel | no direct topics
update-message: resolving at messages = reads message | no such message; in use | no such message; in a channel | no direct topics
update-message: channel at messages  = reads message | no such message; in use | no such message; in a channel | not to channels; member | no such channel; full member | may not move
update-message: into the channel at channels = member | no such message; reads channel | no such channel; in use | no such channel; full member | may not move
delete-message          at messages  = reads message | no such message; in use | no such message; author or administrator | may not delete
add-reaction            at messages  = reads message | no such message; in use | no such message
remove-reaction         at messages  = reads message | no such message; in use | no such message; author | no reaction
send-submessage         at messages  = reads message | no such message; in use | no such message
set-edit-typing         at messages  = reads message | no such message; in use | no such message; author | may not edit
report-message          at messages  = reads message | no such message
update-flags            at messages  = reads message | no such message
update-flags: read      at messages  =
update-flags-for-narrow at channels  = sees channel | no such channel in a narrow
mark-channel-read       at channels  = reads channel | no such channel
mark-topic-read         at channels  = reads channel | no such channel; received message | no such topic
create-reminder         at messages  = reads message | no such message
delete-reminder         = author | no such reminder
create-scheduled-message at messages = knows channel | nothing to send to; has access | may not post; in use | may not post
edit-scheduled-message  = author | no such scheduled message
delete-scheduled-message = author | no such scheduled message
set-typing              at channels  = reads channel | no such channel; in use | no such channel
set-typing: to people   at conversations =
summarize-messages      = nobody | no summaries

## After the time limits

update-message: content, late at messages = reads message | no such message; in use | no such message; author | may not edit; nobody | too late to edit
update-message: topic, late at messages = reads message | no such message; in use | no such message; in a channel | no direct topics; moderator | too late for another topic
update-message: resolving, late at messages = reads message | no such message; in use | no such message; in a channel | no direct topics
update-message: channel, late at messages = reads message | no such message; in use | no such message; in a channel | not to channels; member | no such channel; full member | may not move; moderator | too late for another channel
delete-message: late    at messages  = reads message | no such message; in use | no such message; author or administrator | may not delete; administrator | too late to delete

## Where guests see only some people

get-users: some         shows sees the author
get-user: some          = sees the author | no permission
get-user-by-email: some = sees the author | no such user
get-user-presence: some = sees the author | no permission
get-user-presence-by-email: some = sees the author | no such user
get-realm-presence: some shows sees the author
get-user-status: some   = sees the author | no permission
register-queue: people  shows sees the author; visitors
get-subscription-status: some = sees the author | no permission
get-user-channels: some = sees the author | no permission
send-message: to one of some = sees the author | hidden recipients
create-scheduled-message: to one of some = sees the author | hidden recipients
set-typing: to one of some = sees the author | hidden recipients
mute-user: some         =
create-drafts: to one of some =
get-messages: by one of some =
get-messages: with one of some =
match-narrow: by one of some =

## Channels

get-streams             at channels  shows sees channel
get-stream-by-id        at channels  = sees channel | no such channel
get-stream-id           at channels  = sees channel | no such channel name
get-subscribers         at channels  = sees channel | no such channel
get-stream-topics       at channels  = reads channel | no such channel; shows reads message; visitors open to the web | no such channel
get-stream-email-address at channels = reads channel | no such channel; in use | may not post
create-channel          = full member | no permission
create-channel: private = full member | no permission
create-channel: default = full member | no permission; administrator | no permission
create-channel: web-public = full member | no permission; nobody | not web-public
update-stream           at channels  = sees channel | no such channel; administers channel | not administered
update-stream: privacy  at channels  = sees channel | no such channel; administers channel | not administered; reads channel | content needed
update-stream: who may subscribe at channels = sees channel | no such channel; administers channel | not administered; reads channel | content needed
update-stream: retention at channels = sees channel | no such channel; administers channel | not administered; owner | owners only
archive-stream          at channels  = sees channel | no such channel; administers channel | not administered; in use | already archived
place-hold              at channels  = sees channel | no such channel
place-hold: on a person =
get-channel-pins        at channels  = reads channel | no such channel; shows reads message
pin-in-channel          at channels  = reads channel | no such channel; in use | no such channel; moderator or administers channel | may not pin
unpin-in-channel        at channels  = reads channel | no such channel; in use | no such channel; moderator or administers channel | may not pin
delete-topic            at channels  = reads channel | no such channel; in use | no such channel
add-default-stream      at channels  = sees channel | no such channel; in use | no such channel; in no private channel | default channels are public
remove-default-stream   at channels  = sees channel | no such channel
update-default-stream-group-channels =
update-default-stream-group-channels: others at channels = sees channel | no such channel name; in use | no such channel name; in no private channel | default channels are public

## Subscriptions and topics

get-subscriptions       at channels  shows subscribed
get-subscription-status at channels  = sees channel | no such channel
subscribe               at channels  = sees channel or full member | no permission; sees channel or there is none | name taken; reads channel or there is none | may not read it
subscribe: others       at channels  = sees channel or full member | no permission; sees channel or there is none | name taken; reads channel or there is none | may not read it; full member or administers channel | no permission
unsubscribe             at channels  = sees channel | no channel of the name
unsubscribe: others     at channels  = sees channel | no channel of the name; administers channel | no permission
unsubscribe: the author's bot at channels = sees channel | no channel of the name; administers channel or author or own bot | no permission
update-subscriptions: add at channels = member | not for guests; sees channel or full member | no permission; sees channel or there is none | name taken; reads channel or there is none | may not read it
update-subscriptions: delete at channels = sees channel | no channel of the name
update-subscription-property at channels = sees channel | no such channel; subscribed | not subscribed
update-subscription-settings at channels = sees channel | no such channel; subscribed | not subscribed
mute-topic              at channels  = reads channel | no such channel
set-topic-policy        at channels  = reads channel | no such channel
set-topic-policy: none  at channels  = there is one | no such channel

## One's own things

update-settings         =
update-settings: of others = administrator | administrators only
run-command             =
run-command: remind     at messages = reads message | no such message
mute-user               =
create-drafts           at channels  = sees channel | no such channel
edit-draft              = author | no such draft
delete-draft            = author | no such draft
edit-snippet            = author | no such snippet
delete-snippet          = author | no such snippet
update-navigation-view  = author | no such view
remove-navigation-view  = author | no such view
register-queue          = visitors
register-queue: channels at channels shows sees channel; visitors open to the web
register-queue: everything public = member | not allowed; visitors
get-events              = author | no such queue
delete-queue            = author | no such queue

## Files

get-resumable-upload    = author | no such upload
append-to-resumable-upload = author | no such upload
remove-resumable-upload = author | no such upload
get-attachments         = shows author
get-file-temporary-url  at messages  = there is one | no such file; reads message | not their file
check-thumbnail-status  at messages  = there is one | no such attachment; reads message | no such attachment
remove-attachment       = author | no such attachment

## Devices

delete-browser-session  = author | no such session
remove-login-identity   = author | no such connected account
confirm-totp            = nobody | no app to confirm
remove-totp             = nobody | no app
renew-recovery-codes    = nobody | no factor
add-passkey             = nobody | no such key
rename-passkey          = nobody | no such passkey
remove-passkey          = nobody | no such passkey
prove-identity          = nobody | wrong code
remove-client-device    = author | no such device
remove-apns-token       = author | no such token
remove-fcm-token        = author | no such token
register-push-device    = nobody | no push service
remove-web-push-subscription = nobody | no such subscription
test-notification       = nobody | no push service
test-sealed-notification = nobody | no push service

## People

get-users               =
get-user                =
get-user-by-email       =
get-user-presence       =
get-user-presence-by-email =
get-realm-presence      =
get-user-status         =
get-user-channels       =
create-user             = owner | no right to make accounts
update-user             = administrator | no permission
update-user: role       = administrator | no permission
update-user: to owner   = administrator | no permission; owner | owners only
update-user: an owner   = administrator | no permission; owner | owners only
update-user: a bot      = administrator or author | no permission
update-user-by-email    = administrator | no permission
reset-second-factors    = nobody | no two steps
reset-second-factors: of an owner = owner | owners only; nobody | no two steps
deactivate-user         = administrator | no permission
deactivate-user: an owner = administrator | no permission; owner | owners only
reactivate-user         = administrator | no permission

## Bots

create-bot              = full member | no permission
create-bot: for a channel at channels = full member | no permission; reads channel | no such channel name; in use | no such channel name
update-bot              = administrator or author | no permission
update-bot: address     = author | no permission
update-bot: new owner   = administrator or author | no permission
get-bot-api-key         = author | no permission
regenerate-bot-api-key  = author | no permission
renew-webhook-secret    = author | no such webhook
get-webhook-deliveries  = author | no such webhook
resend-webhook-delivery = author | no such webhook; nobody | no such delivery
get-event-subscriptions = author | no such webhook
update-event-subscriptions = author | no such webhook
update-event-subscriptions: in a channel at channels = author | no such webhook; sees channel | no such channel
deactivate-bot          = administrator or author | no permission
get-incoming-webhook    = author | no permission
update-incoming-webhook = author | no permission
test-incoming-webhook   = author | no permission
test-incoming-webhook: to a channel at channels = author | no permission; in use | may not post
receive-webhook         anybody
receive-webhook: to a channel at channels anybody; in use | may not post

## Groups

create-user-group       = full member | no permission
update-user-group       = author or owner | no permission
deactivate-user-group   = author or owner | no permission
update-user-group: of the system = nobody | no permission
update-user-group-members = author or owner | no permission
update-user-group-members: of the system = nobody | no permission
update-user-group-members: oneself = author or owner | no permission
update-user-group-subgroups = author or owner | no permission

## Invitations

send-invites            = full member | no permission
send-invites: as a moderator = full member | no permission; moderator | inviting administrators
send-invites: as an administrator = full member | no permission; administrator | inviting administrators
send-invites: as an owner = full member | no permission; owner | inviting owners
send-invites: to a channel at channels = full member | no permission; reads channel | no such channel to invite to; in use | no such channel to invite to
create-invite-link      = administrator | no permission
create-invite-link: to a channel at channels = administrator | no permission; reads channel | no such channel to invite to; in use | no such channel to invite to
resend-email-invite     = author or administrator | no such invitation
revoke-email-invite     = author or administrator | no such invitation
revoke-email-invite: an owner's = administrator | no such invitation; owner | owners only
revoke-invite-link      = administrator | no such invitation

## Organization

fetch-api-key           anybody; nobody | no address
jwt-fetch-api-key       anybody; nobody | no JWT
update-realm            =
update-realm: for owners = owner | owners only
update-realm: of a channel at channels = sees channel | no such channel; in use | no such channel
upload-custom-emoji     = full member | no permission
deactivate-custom-emoji = author or administrator | not their emoji
begin-import            = nobody | no such archive
give-back-part          at channels = reads channel | no such channel; nobody | no such backup
restore-backup          = nobody | no such backup
compare-backup          = nobody | no such backup
copy-backup             = nobody | no such backup
remove-copy             = nobody | no copy
get-backup-differences  = nobody | no such backup
create-import-upload    = nobody | another archive
create-zoom-call        = nobody | no Zoom
create-big-blue-button-video-call = nobody | no BigBlueButton
create-constructor-groups-video-call = nobody | no Constructor Groups
create-nextcloud-talk-video-call = nobody | no Nextcloud Talk
create-webex-video-call = nobody | no Webex

## Outside the API

GET /avatar/:user                         = visitors
GET /avatar/:user/medium                  = visitors
GET /api/v1/avatar/:user                  =
GET /api/v1/avatar/:user/medium           =
ALL /user_uploads/*             at messages = there is one | no such file; reads message | not their file; visitors open to the web | not their file
ALL /user_uploads/*: smaller form at messages = there is one | no such file; reads message | not their file; visitors open to the web | not their file
ALL /user_uploads/*: before it is sent    = author | not their file
ALL /user_uploads/*: temporary            anybody
ALL /user_avatars/*                       anybody
ALL /scim/v2/*                            anybody
ALL /external_content/*                   anybody
ALL /user_avatars/exports/*               anybody
GET /                                     anybody
GET /health                               anybody
GET /compatibility                        anybody
GET /emoji-data.json                      anybody
GET /static/generated/emoji/images/emoji/unicode/zulip.png anybody
GET /static/images/unconfirmed.png        anybody
GET /api/v1/openapi.json                  anybody
GET /accounts/login                       anybody
POST /accounts/login                      anybody
GET /accounts/login/sso                   anybody
POST /accounts/login/second-factor        anybody
POST /accounts/login/passkey/options      anybody
POST /accounts/login/passkey              anybody
GET /accounts/login/subdomain/:token      anybody
GET /accounts/owner-link/:ticket          anybody
POST /accounts/owner-link/:ticket         anybody
GET /accounts/login/social/:provider      anybody
GET /accounts/register/social/:provider   anybody
POST /accounts/login/social/:provider     anybody
GET /complete/:provider                   anybody
POST /accounts/logout/backchannel/:provider anybody
POST /accounts/logout                     anybody
GET /accounts/unsubscribe/:kind/:token    anybody
POST /accounts/unsubscribe/:kind/:token   anybody
POST /services/:team/:hook/:key           anybody
POST /api/webhooks/:id/:key               anybody
GET /accounts/reactivate                  anybody
POST /accounts/reactivate                 anybody
GET /accounts/reactivate/:secret          anybody
POST /accounts/reactivate/:secret         anybody
GET /accounts/unread                      anybody
POST /accounts/unread                     anybody
GET /find                                 anybody
POST /find                                anybody
GET /accounts/password/reset              anybody
POST /accounts/password/reset             anybody
GET /accounts/password/reset/:secret      anybody
POST /accounts/password/reset/:secret     anybody
GET /accounts/confirm-email/:secret       anybody
POST /accounts/confirm-email/:secret      anybody
GET /accounts/connect/:secret             anybody
POST /accounts/connect/:secret            anybody
GET /join/:secret                         anybody
POST /join/:secret                        anybody
GET /calls/bigbluebutton/join             anybody
GET /calls/zoom/register                  anybody
GET /calls/zoom/complete                  anybody
POST /calls/zoom/deauthorize              anybody
GET /accounts/deactivated                 anybody
GET /login                                anybody
POST /login                               anybody
GET /public                               anybody
GET /public/channel/:channel at channels   anybody; visitors open to the web | no such page
GET /public/topic/:message at messages     anybody; visitors open to the web | no such page
GET /robots.txt                           anybody
GET /sitemap.xml                          anybody
GET /favicon.ico                          anybody
GET /help                                 anybody
GET /help/*                               anybody
GET /docs                                 anybody
GET /docs/*                               anybody
GET /page/:name                           anybody
GET /parley                               anybody
GET /parley/page/:name                    anybody
GET /service-worker.js                    anybody
GET /parley/service-worker.js             anybody
GET /manifest.webmanifest                 anybody
GET /parley/manifest.webmanifest          anybody
GET /:language                            anybody
GET /setup/:ticket                        anybody
GET /setup/organizations                  anybody
GET /metrics                              anybody
POST /setup                               anybody
POST /setup/:ticket                       anybody
POST /setup/copies                        anybody
POST /setup/organizations                 anybody
POST /setup/backups                       anybody
POST /setup/test-mail                     anybody
POST /setup/moves-in                      anybody
POST /setup/moves-out                     anybody
POST /setup/verify                        anybody
`
