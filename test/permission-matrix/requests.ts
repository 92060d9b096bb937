import type { ParameterValue } from '../support/api.ts'
import type { Actor, Destination } from './cast.ts'
import type { DestinationThings, Organization, Things } from './organization.ts'
import type { Row } from './read-table.ts'

/** Values by name, for the path and for the parameters. */
export type Values = Readonly<Record<string, ParameterValue>>

type Asking = (
  at: DestinationThings,
  of: Things & Pick<Organization, 'ids'>,
  who: Actor,
  destination: Destination,
) => Values

/** Visitors may ask for web-public content only: every narrow contains that term (docs/interface/visitors.md#messages). */
const narrowOf = (who: Actor, ...terms: object[]) =>
  who === 'visitor' ? [{ operator: 'channels', operand: 'web-public' }, ...terms] : terms
const NOTHING: Asking = () => ({})
const message: Asking = ({ messageId }) => ({ message_id: messageId })
const channel: Asking = ({ channelId }) => ({ stream_id: channelId })
const narrowTo = (id: number) => [{ operator: 'channel', operand: id }]

const isDirect = ({ people }: DestinationThings) => people.length > 0
const sending = (at: DestinationThings): Values =>
  isDirect(at)
    ? { type: 'direct', to: at.people, content: 'hello' }
    : { type: 'channel', to: at.channelId, topic: at.topic, content: 'hello' }
const around = { anchor: 'oldest', num_before: 0, num_after: 100 }
const addressOf: Asking = ({ file }) => {
  const [realm, ...rest] = file.split('/').slice(2)
  return { realm_id_str: realm!, filename: rest.join('/') }
}
const inviting = { invitee_emails: 'somebody@example.com', stream_ids: [] }
/** A passkey that answers nothing. */
const passkey = {
  id: 'AA',
  rawId: 'AA',
  type: 'public-key',
  response: { clientDataJSON: 'e30', attestationObject: 'AA' },
}
const picture = { emoji_name: 'smile' }

/**
 * A valid request for a row of the table, which only a missing permission can have refused. Rows without an entry send the id of
 * the message or channel that they are about, and nothing else (requestOf).
 */
export const REQUESTS: Readonly<Record<string, Asking>> = {
  'get-messages': ({ channelId }, _of, who) => ({
    ...around,
    narrow: narrowOf(who, { operator: 'channel', operand: channelId }),
  }),
  'get-messages: by name': ({ channel: name }, _of, who) => ({
    ...around,
    narrow: narrowOf(who, { operator: 'channel', operand: name }),
  }),
  'get-messages: everything': (_, { ids }, who) => ({
    ...around,
    narrow: narrowOf(who, { operator: 'sender', operand: ids.author }),
  }),
  'get-messages: with': ({ messageId }, _of, who) => ({
    ...around,
    narrow: narrowOf(who, { operator: 'with', operand: messageId }),
  }),
  'get-messages: by id': ({ messageId }, _of, who) => ({
    message_ids: [messageId],
    narrow: narrowOf(who),
  }),
  'get-messages: of people': ({ people }) => ({ ...around, narrow: [{ operator: 'dm', operand: people }] }),
  'get-unread-elsewhere': () => ({ organizations: [{ url: 'https://elsewhere.example', key: 'x' }] }),
  'match-narrow': ({ messageId, mark }) => ({
    msg_ids: [messageId],
    narrow: [{ operator: 'search', operand: mark }],
  }),
  'send-message': sending,
  'send-message: by name': ({ channel: name, topic }) => ({
    type: 'channel',
    to: name,
    topic,
    content: 'hello',
  }),
  'update-message: content': (at) => ({ message_id: at.messageId, content: 'other words' }),
  'update-message: topic': (at) => ({ message_id: at.messageId, topic: 'another topic' }),
  'update-message: resolving': ({ messageId, topic }) => ({
    message_id: messageId,
    topic: `✔ ${topic}`,
    propagate_mode: 'change_all',
  }),
  'update-message: into the channel': ({ channelId }, { hallMessage }) => ({
    message_id: hallMessage,
    stream_id: channelId,
  }),
  'update-message: channel': (at, { hall }) => ({ message_id: at.messageId, stream_id: hall }),
  'add-reaction': ({ messageId }) => ({ message_id: messageId, ...picture }),
  'remove-reaction': ({ messageId }) => ({ message_id: messageId, emoji_name: 'tada' }),
  'send-submessage': ({ pollId }) => ({
    message_id: pollId,
    msg_type: 'widget',
    content: JSON.stringify({ type: 'new_option', idx: 1, option: 'yes' }),
  }),
  'set-edit-typing': ({ messageId }) => ({ message_id: messageId, op: 'start' }),
  'report-message': ({ messageId }) => ({ message_id: messageId, report_type: 'spam' }),
  'update-flags': ({ messageId }) => ({ messages: [messageId], op: 'add', flag: 'starred' }),
  'update-flags: read': ({ messageId }) => ({ messages: [messageId], op: 'add', flag: 'read' }),
  'update-flags-for-narrow': ({ channelId }) => ({
    ...around,
    narrow: narrowTo(channelId),
    op: 'add',
    flag: 'starred',
  }),
  'mark-topic-read': ({ channelId, topic }) => ({ stream_id: channelId, topic_name: topic }),
  'create-reminder': ({ messageId }, { later }) => ({
    message_id: messageId,
    scheduled_delivery_timestamp: later,
  }),
  'delete-reminder': (_, { reminder }) => ({ reminder_id: reminder }),
  'create-scheduled-message': (at, { later }) => ({ ...sending(at), scheduled_delivery_timestamp: later }),
  'edit-scheduled-message': (_, { scheduled }) => ({ scheduled_message_id: scheduled, content: 'changed' }),
  'delete-scheduled-message': (_, { scheduled }) => ({ scheduled_message_id: scheduled }),
  'set-typing': ({ channelId, topic }) => ({ type: 'channel', op: 'start', stream_id: channelId, topic }),
  'set-typing: to people': ({ people }) => ({ type: 'direct', op: 'start', to: people }),
  'render-message': () => ({ content: '**hello**' }),
  'summarize-messages': ({ channelId }) => ({ narrow: narrowTo(channelId) }),

  'update-message: content, late': (at) => ({ message_id: at.messageId, content: 'other words' }),
  'update-message: topic, late': (at) => ({ message_id: at.messageId, topic: 'another topic' }),
  'update-message: resolving, late': ({ messageId, topic }) => ({
    message_id: messageId,
    topic: `✔ ${topic}`,
    propagate_mode: 'change_all',
  }),
  'update-message: channel, late': (at, { hall }) => ({ message_id: at.messageId, stream_id: hall }),

  'get-user: some': (_, { ids }) => ({ user_id: ids.author }),
  'get-user-by-email: some': (_, { authorEmail }) => ({ email: authorEmail }),
  'get-user-presence: some': (_, { ids }) => ({ user_id: ids.author }),
  'get-user-presence-by-email: some': (_, { authorEmail }) => ({ email: authorEmail }),
  'get-user-status: some': (_, { ids }) => ({ user_id: ids.author }),
  'register-queue: people': () => ({ fetch_event_types: ['realm_user'] }),
  'get-subscription-status: some': ({ channelId }, { ids }) => ({
    user_id: ids.author,
    stream_id: channelId,
  }),
  'get-user-channels: some': (_, { ids }) => ({ user_id: ids.author }),
  'mute-user: some': (_, { secondOwner }) => ({ muted_user_id: secondOwner.id }),
  'send-message: to one of some': (_, { ids }) => ({ type: 'direct', to: [ids.author], content: 'hello' }),
  'create-scheduled-message: to one of some': (_, { ids, later }) => ({
    type: 'direct',
    to: [ids.author],
    content: 'hello',
    scheduled_delivery_timestamp: later,
  }),
  'set-typing: to one of some': (_, { ids }) => ({ type: 'direct', op: 'start', to: [ids.author] }),
  'create-drafts: to one of some': (_, { ids }) => ({
    drafts: [{ type: 'private', to: [ids.author], topic: '', content: 'draft' }],
  }),
  'get-messages: by one of some': (_, { ids }) => ({
    ...around,
    narrow: [{ operator: 'sender', operand: ids.author }],
  }),
  'get-messages: with one of some': (_, { ids }) => ({
    ...around,
    narrow: [{ operator: 'dm', operand: [ids.author] }],
  }),
  'match-narrow: by one of some': ({ messageId }, { ids }) => ({
    msg_ids: [messageId],
    narrow: [{ operator: 'sender', operand: ids.author }],
  }),

  'get-streams': () => ({ include_all: true, exclude_archived: false }),
  'get-stream-id': ({ channel: name }) => ({ stream: name }),
  'create-channel': (_, { ids }, who) => ({
    name: 'new',
    subscribers: [ids[who as keyof typeof ids] ?? ids.author],
  }),
  'create-channel: private': (_, { ids }) => ({ name: 'new', subscribers: [ids.author], invite_only: true }),
  'create-channel: default': (_, { ids }) => ({
    name: 'new',
    subscribers: [ids.author],
    is_default_stream: true,
  }),
  'create-channel: web-public': (_, { ids }) => ({
    name: 'new',
    subscribers: [ids.author],
    is_web_public: true,
  }),
  'update-stream': ({ channelId }) => ({ stream_id: channelId, description: 'changed' }),
  'update-stream: privacy': ({ channelId }, _of, _who, destination) => ({
    stream_id: channelId,
    is_private: destination === 'public',
    ...(destination === 'public' ? { history_public_to_subscribers: true } : {}),
  }),
  'update-stream: who may subscribe': ({ channelId }) => ({
    stream_id: channelId,
    can_subscribe_group: { new: 2 },
  }),
  'update-stream: retention': ({ channelId }) => ({ stream_id: channelId, message_retention_days: 10 }),
  'pin-in-channel': ({ channelId, messageId }) => ({ stream_id: channelId, message_id: messageId }),
  'unpin-in-channel': ({ channelId, pinId }) => ({ stream_id: channelId, pin_id: pinId }),
  'delete-topic': ({ channelId, topic }) => ({ stream_id: channelId, topic_name: topic }),
  'create-channel-folder': () => ({ name: 'new', description: '' }),
  'update-channel-folder': (_, { folder }) => ({ channel_folder_id: folder, name: 'changed' }),
  'reorder-channel-folders': (_, { folder }) => ({ order: [folder] }),
  'create-default-stream-group': () => ({ group_name: 'new', description: '', stream_names: ['annex'] }),
  'update-default-stream-group': (_, { defaultGroup }) => ({
    group_id: defaultGroup,
    new_group_name: 'changed',
  }),
  'update-default-stream-group-channels': (_, { defaultGroup }) => ({
    group_id: defaultGroup,
    op: 'remove',
    stream_names: ['annex'],
  }),
  'update-default-stream-group-channels: others': ({ channel: name }, { defaultGroup }) => ({
    group_id: defaultGroup,
    op: 'add',
    stream_names: [name],
  }),
  'delete-default-stream-group': (_, { defaultGroup }) => ({ group_id: defaultGroup }),

  'get-subscriptions': () => ({ include_archived_channels: true }),
  'get-subscription-status': ({ channelId }, { ids }) => ({ user_id: ids.author, stream_id: channelId }),
  subscribe: ({ channel: name }) => ({ subscriptions: [{ name }] }),
  'subscribe: others': ({ channel: name }, { quiet }) => ({
    subscriptions: [{ name }],
    principals: [quiet.id],
  }),
  unsubscribe: ({ channel: name }) => ({ subscriptions: [name] }),
  'unsubscribe: others': ({ channel: name }, { quiet }) => ({
    subscriptions: [name],
    principals: [quiet.id],
  }),
  "unsubscribe: the author's bot": ({ channel: name }, { ids }) => ({
    subscriptions: [name],
    principals: [ids['own bot']],
  }),
  'update-subscriptions: add': ({ channel: name }) => ({ add: [{ name }] }),
  'update-subscriptions: delete': ({ channel: name }) => ({ delete: [name] }),
  'update-subscription-property': ({ channelId }) => ({
    stream_id: channelId,
    property: 'is_muted',
    value: true,
  }),
  'update-subscription-settings': ({ channelId }) => ({
    subscription_data: [{ stream_id: channelId, property: 'is_muted', value: true }],
  }),
  'mute-topic': ({ channelId, topic }) => ({ stream_id: channelId, topic, op: 'add' }),
  'set-topic-policy': ({ channelId, topic }) => ({ stream_id: channelId, topic, visibility_policy: 3 }),
  'set-topic-policy: none': ({ channelId, topic }) => ({
    stream_id: channelId,
    topic,
    visibility_policy: 0,
  }),

  'update-settings': () => ({ twenty_four_hour_time: true }),
  'update-settings: of others': (_, { ids }) => ({
    twenty_four_hour_time: true,
    target_users: { user_ids: [ids.author], skip_if_already_edited: false },
  }),
  'update-display-settings': () => ({ twenty_four_hour_time: true }),
  'update-notification-settings': () => ({ enable_sounds: false }),
  'update-own-profile-data': (_, { field }) => ({ data: [{ id: field, value: 'mine' }] }),
  'remove-own-profile-data': (_, { field }) => ({ data: [field] }),
  'update-own-status': () => ({ status_text: 'here' }),
  'update-presence': () => ({ status: 'active' }),
  'mark-onboarding-step': () => ({ onboarding_step: 'visibility_policy_banner' }),
  'run-command': () => ({ command: '/ping' }),
  'run-command: remind': ({ messageId }) => ({ command: '/remind 2h', message_id: messageId }),
  'add-alert-words': () => ({ alert_words: ['fire'] }),
  'remove-alert-words': () => ({ alert_words: ['fire'] }),
  'mute-user': (_, { secondOwner }) => ({ muted_user_id: secondOwner.id }),
  'unmute-user': (_, { quiet }) => ({ muted_user_id: quiet.id }),
  'create-drafts': ({ channelId }) => ({
    drafts: [{ type: 'stream', to: [channelId], topic: 'x', content: 'draft' }],
  }),
  'edit-draft': (_, { draft }) => ({
    draft_id: draft,
    draft: { type: '', to: [], topic: '', content: 'changed' },
  }),
  'delete-draft': (_, { draft }) => ({ draft_id: draft }),
  'create-snippet': () => ({ title: 'new', content: 'words' }),
  'edit-snippet': (_, { snippet }) => ({ saved_snippet_id: snippet, title: 'changed' }),
  'delete-snippet': (_, { snippet }) => ({ saved_snippet_id: snippet }),
  'add-navigation-view': () => ({ fragment: 'mine', is_pinned: true, name: 'Mine' }),
  'update-navigation-view': (_, { view }) => ({ fragment: view, is_pinned: false }),
  'remove-navigation-view': (_, { view }) => ({ fragment: view }),
  'register-queue: channels': () => ({
    fetch_event_types: ['stream', 'subscription'],
    client_capabilities: { notification_settings_null: true, archived_channels: true },
  }),
  'register-queue: everything public': () => ({ all_public_streams: true }),
  'get-events': (_, { queue }) => ({ queue_id: queue, last_event_id: -1, dont_block: true }),
  'delete-queue': (_, { queue }) => ({ queue_id: queue }),

  'get-resumable-upload': (_, { upload }) => ({ upload: upload.split('/').at(-1)! }),
  'append-to-resumable-upload': (_, { upload }) => ({ upload: upload.split('/').at(-1)! }),
  'remove-resumable-upload': (_, { upload }) => ({ upload: upload.split('/').at(-1)! }),
  'get-file-temporary-url': addressOf,
  'check-thumbnail-status': addressOf,
  'remove-attachment': (_, { attachment }) => ({ attachment_id: attachment }),

  'delete-browser-session': (_, { session }) => ({ session_id: session }),
  'remove-login-identity': (_, { loginIdentity }) => ({ identity_id: loginIdentity }),
  'confirm-totp': () => ({ code: '123456' }),
  'add-passkey': () => ({ name: 'Laptop', credential: passkey }),
  'rename-passkey': () => ({ passkey_id: 1, name: 'Laptop' }),
  'remove-passkey': () => ({ passkey_id: 1 }),
  'prove-identity': () => ({ code: 'abcd-efgh-ijkm' }),
  'remove-client-device': (_, { device }) => ({ device_id: device }),
  'add-apns-token': () => ({ token: 'cd'.repeat(32), appid: 'org.example' }),
  'add-fcm-token': () => ({ token: 'another' }),
  'remove-apns-token': () => ({ token: 'ab'.repeat(32) }),
  'remove-fcm-token': () => ({ token: 'fcm-token' }),
  'register-push-device': () => ({
    token_kind: 'fcm',
    push_account_id: 1,
    push_public_key: btoa('k'.repeat(32)),
    bouncer_public_key: btoa('b'.repeat(32)),
    encrypted_push_registration: btoa('e'.repeat(64)),
  }),
  'add-web-push-subscription': () => ({
    endpoint: `https://push-service.example.com/${crypto.randomUUID()}`,
    p256dh: 'B'.repeat(87),
    auth: 'A'.repeat(22),
  }),
  'remove-web-push-subscription': () => ({ endpoint: 'https://push-service.example.com/none' }),

  'get-user': (_, { ids }) => ({ user_id: ids.author }),
  'get-user-by-email': (_, { secondOwner }) => ({ email: secondOwner.email }),
  'get-user-presence': (_, { ids }) => ({ user_id: ids.author }),
  'get-user-presence-by-email': (_, { ids: _ids, authorEmail }) => ({ email: authorEmail }),
  'get-user-status': (_, { ids }) => ({ user_id: ids.author }),
  'get-user-channels': (_, { ids }) => ({ user_id: ids.author }),
  'set-user-status': (_, { ids }) => ({ user_id: ids.author, status_text: 'away' }),
  'create-user': () => ({ email: 'new@example.com', password: 'a fine password', full_name: 'New' }),
  'update-user': (_, { quiet }) => ({ user_id: quiet.id, full_name: 'Changed' }),
  'update-user: role': (_, { quiet }) => ({ user_id: quiet.id, role: 300 }),
  'update-user: to owner': (_, { quiet }) => ({ user_id: quiet.id, role: 100 }),
  'update-user: an owner': (_, { secondOwner }) => ({ user_id: secondOwner.id, role: 400 }),
  'update-user: a bot': (_, { ids }) => ({ user_id: ids['own bot'], full_name: 'Changed' }),
  'update-user-by-email': (_, { quiet }) => ({ email: quiet.email, full_name: 'Changed' }),
  'reset-second-factors': (_, { quiet }) => ({ user_id: quiet.id }),
  'reset-second-factors: of an owner': (_, { secondOwner }) => ({ user_id: secondOwner.id }),
  'deactivate-user': (_, { quiet }) => ({ user_id: quiet.id }),
  'deactivate-user: an owner': (_, { secondOwner }) => ({ user_id: secondOwner.id }),
  'reactivate-user': (_, { ids }) => ({ user_id: ids.deactivated }),

  'create-bot': () => ({ full_name: 'New bot', short_name: 'new' }),
  'create-bot: for a channel': ({ channel: name }) => ({
    full_name: 'New bot',
    short_name: 'new',
    default_sending_stream: name,
  }),
  'update-bot': (_, { ids }) => ({ bot_id: ids['own bot'], full_name: 'Changed' }),
  'update-bot: address': (_, { ids }) => ({
    bot_id: ids['own bot'],
    service_payload_url: 'https://hooks.example.com/other',
  }),
  'update-bot: new owner': (_, { ids }) => ({ bot_id: ids['own bot'], bot_owner_id: ids.administrator }),
  'get-bot-api-key': (_, { ids }) => ({ bot_id: ids['own bot'] }),
  'regenerate-bot-api-key': (_, { ids }) => ({ bot_id: ids['own bot'] }),
  'renew-webhook-secret': (_, { ids }) => ({ bot_id: ids['own bot'] }),
  'get-webhook-deliveries': (_, { ids }) => ({ bot_id: ids['own bot'] }),
  'resend-webhook-delivery': (_, { ids }) => ({ bot_id: ids['own bot'], delivery_id: 1 }),
  'get-event-subscriptions': (_, { ids }) => ({ bot_id: ids['own bot'] }),
  'update-event-subscriptions': (_, { ids }) => ({ bot_id: ids['own bot'], event_subscriptions: [] }),
  'update-event-subscriptions: in a channel': ({ channelId }, { ids }) => ({
    bot_id: ids['own bot'],
    event_subscriptions: [{ event: 'message', channel_ids: [channelId] }],
  }),
  'deactivate-bot': (_, { ids }) => ({ bot_id: ids['own bot'] }),
  'get-incoming-webhook': (_, { ids }) => ({ bot_id: ids['own bot'] }),
  'update-incoming-webhook': (_, { ids }) => ({ bot_id: ids['own bot'], allows_mentions: true }),
  'test-incoming-webhook': (_, { ids }) => ({ bot_id: ids['own bot'], integration: 'json' }),
  'test-incoming-webhook: to a channel': ({ channelId }, { ids }) => ({
    bot_id: ids['own bot'],
    integration: 'json',
    stream: channelId,
  }),
  'preview-webhook-template': () => ({ payload: '{}' }),
  'receive-webhook': (_, { botKey }) => ({ integration: 'json', api_key: botKey, payload: '{}' }),
  'receive-webhook: to a channel': ({ channelId }, { botKey }) => ({
    integration: 'json',
    api_key: botKey,
    stream: channelId,
    payload: '{}',
  }),
  'update-bot-storage': () => ({ storage: { key: 'value' } }),

  'get-user-group-members': (_, { group }) => ({ user_group_id: group }),
  'get-user-group-subgroups': (_, { group }) => ({ user_group_id: group }),
  'get-is-user-group-member': (_, { group, ids }) => ({ user_group_id: group, user_id: ids.author }),
  'create-user-group': () => ({ name: 'new', description: '', members: [] }),
  'update-user-group': (_, { group }) => ({ user_group_id: group, name: 'changed' }),
  'update-user-group: of the system': () => ({ user_group_id: 3, name: 'changed' }),
  'deactivate-user-group': (_, { group }) => ({ user_group_id: group }),
  'update-user-group-members': (_, { group, quiet }) => ({ user_group_id: group, add: [quiet.id] }),
  'update-user-group-members: of the system': (_, { quiet }) => ({ user_group_id: 3, add: [quiet.id] }),
  'update-user-group-members: oneself': (_, { group, ids, quiet }, who) => ({
    user_group_id: group,
    // The author takes part in it.
    add: [who === 'author' ? quiet.id : (ids[who as keyof typeof ids] ?? quiet.id)],
  }),
  'update-user-group-subgroups': (_, { group }) => ({ user_group_id: group, add: [2] }),

  'send-invites': () => inviting,
  'send-invites: as a moderator': () => ({ ...inviting, invite_as: 300 }),
  'send-invites: as an administrator': () => ({ ...inviting, invite_as: 200 }),
  'send-invites: as an owner': () => ({ ...inviting, invite_as: 100 }),
  'send-invites: to a channel': ({ channelId }) => ({ ...inviting, stream_ids: [channelId] }),
  'create-invite-link: to a channel': ({ channelId }) => ({ stream_ids: [channelId] }),
  'resend-email-invite': (_, { invitation }) => ({ invite_id: invitation }),
  'revoke-email-invite': (_, { invitation }) => ({ invite_id: invitation }),
  "revoke-email-invite: an owner's": (_, { ownersInvitation }) => ({ invite_id: ownersInvitation }),
  'revoke-invite-link': (_, { link }) => ({ invite_id: link }),

  'check-subdomain': () => ({ subdomain: 'free' }),
  'fetch-api-key': () => ({ username: 'no address', password: 'wrong' }),
  'fetch-own-api-key': () => ({ password: 'a fine password' }),
  'jwt-fetch-api-key': () => ({ token: 'x' }),
  'update-realm': () => ({ description: 'changed' }),
  'update-realm: of a channel': ({ channelId }) => ({ signup_announcements_stream_id: channelId }),
  'update-realm: for owners': () => ({ waiting_period_threshold: 4 }),
  'update-user-settings-defaults': () => ({ twenty_four_hour_time: true }),
  'update-cost-cap': () => ({ cap_dollars: 1_000 }),
  'set-jwt-secret': () => ({ secret: 'a secret of forty characters, all of them' }),
  'test-welcome-message': () => ({ welcome_message_custom_text: 'hello' }),
  'get-realm-logo': () => ({ night: false }),
  'upload-realm-logo': () => ({ night: false }),
  'delete-realm-logo': () => ({ night: false }),
  'upload-custom-emoji': () => ({ emoji_name: 'new' }),
  'deactivate-custom-emoji': () => ({ emoji_name: 'theirs' }),
  'add-linkifier': () => ({ pattern: 'P(?P<id>[0-9]+)', url_template: 'https://x.example/{id}' }),
  'update-linkifier': (_, { linkifier }) => ({
    filter_id: linkifier,
    pattern: 'Q(?P<id>[0-9]+)',
    url_template: 'https://x.example/{id}',
  }),
  'remove-linkifier': (_, { linkifier }) => ({ filter_id: linkifier }),
  'reorder-linkifiers': (_, { linkifier }) => ({ ordered_linkifier_ids: [linkifier] }),
  'add-code-playground': () => ({
    name: 'New',
    pygments_language: 'Rust',
    url_template: 'https://x.example/{code}',
  }),
  'remove-code-playground': (_, { playground }) => ({ playground_id: playground }),
  'add-realm-domain': () => ({ domain: 'example.org', allow_subdomains: false }),
  'update-realm-domain': (_, { domain }) => ({ domain, allow_subdomains: true }),
  'remove-realm-domain': (_, { domain }) => ({ domain }),
  'create-custom-profile-field': () => ({ name: 'New', field_type: 1, field_data: {} }),
  'update-custom-profile-field': (_, { field }) => ({ field_id: field, name: 'Changed' }),
  'delete-custom-profile-field': (_, { field }) => ({ field_id: field }),
  'reorder-custom-profile-fields': (_, { field }) => ({ order: [field] }),
  'delete-realm-export': (_, { export: id }) => ({ export_id: id }),
  'erase-user': (_, { ids }) => ({ user_id: ids.deactivated, messages: 'keep' }),
  'place-hold': ({ channelId }) => ({ stream_id: channelId, reason: 'x' }),
  'place-hold: on a person': (_, { ids }) => ({ user_id: ids.deactivated, reason: 'x' }),
  'release-hold': (_, { hold }) => ({ hold_id: hold }),
  'begin-import': () => ({ path_id: 'none' }),
  'restore-backup': () => ({ backup_id: 777 }),
  'copy-backup': () => ({ backup_id: 777 }),
  'compare-backup': () => ({ backup_id: 777 }),
  'get-backup-differences': () => ({ backup_id: 777 }),
  'give-back-part': ({ channelId }) => ({ backup_id: 777, stream_id: channelId }),
  'get-given-back-parts': () => ({ backup_id: 777 }),
  'get-import-choices': (_, { import: id }) => ({ import_id: id, type: 'user' }),
  'get-import-problems': (_, { import: id }) => ({ import_id: id }),
  'update-import': (_, { import: id }) => ({ import_id: id, action: 'pause' }),
  'get-import-upload': (_, { archive }) => ({ upload: archive.split('/').at(-1)! }),
  'append-to-import-upload': (_, { archive }) => ({ upload: archive.split('/').at(-1)! }),
  'remove-import-upload': (_, { archive }) => ({ upload: archive.split('/').at(-1)! }),
  'create-login-provider': () => ({ slug: 'new', issuer: 'https://login.example.com', client_id: 'parley' }),
  'update-login-provider': (_, { loginProvider }) => ({ provider_id: loginProvider, display_name: 'Acme' }),
  'remove-login-provider': (_, { loginProvider }) => ({ provider_id: loginProvider }),
  'test-login-provider': (_, { loginProvider }) => ({ provider_id: loginProvider }),
  'update-scim-token': () => ({ manages_owners: true }),
  'delete-dead-letter': (_, { deadLetter }) => ({ dead_letter_id: deadLetter }),
  'create-nextcloud-talk-video-call': () => ({ room_name: 'talk' }),
  'create-big-blue-button-video-call': () => ({ meeting_name: 'talk' }),
}

export function requestOf({ name, destinations }: Pick<Row, 'name' | 'destinations'>): Asking {
  const named = destinations === 'messages' ? message : destinations === 'channels' ? channel : NOTHING
  return REQUESTS[name] ?? named
}

/** Texts by which an answer shows a row's subject, where the mark of a destination does not. */
export const MARKS: Readonly<Record<string, (of: Things & Pick<Organization, 'ids'>) => string>> = {
  'get-users: some': () => '"full_name":"author"',
  'get-realm-presence: some': ({ authorEmail }) => `"${authorEmail}":{`,
  'register-queue: people': () => '"full_name":"author"',
}

type Visiting = (at: DestinationThings, of: Things & Pick<Organization, 'ids'>) => string

const SECRET = 'ab'.repeat(16)

/** Paths outside the API. EventRepresentations are sent empty, since nobody checks who sends them. */
export const VISITS: Readonly<Record<string, Visiting>> = {
  'GET /avatar/:user': (_, { ids }) => `/avatar/${ids.author}`,
  'GET /avatar/:user/medium': (_, { ids }) => `/avatar/${ids.author}/medium`,
  'GET /api/v1/avatar/:user': (_, { ids }) => `/api/v1/avatar/${ids.author}`,
  'GET /api/v1/avatar/:user/medium': (_, { ids }) => `/api/v1/avatar/${ids.author}/medium`,
  'ALL /user_uploads/*': ({ file }) => file,
  'ALL /user_uploads/*: smaller form': ({ file }) =>
    `${file.replace('/user_uploads/', '/user_uploads/thumbnail/')}/840x560.webp`,
  'ALL /user_uploads/*: before it is sent': (_, { unclaimed }) => unclaimed,
  'ALL /user_uploads/*: temporary': (_, { temporary }) => temporary,
  'ALL /user_avatars/*': (_, { emojiPath }) => emojiPath,
  'ALL /scim/v2/*': () => '/scim/v2/Users',
  'ALL /external_content/*': () => `/external_content/${'ab'.repeat(20)}/68747470`,
  'ALL /user_avatars/exports/*': () => `/user_avatars/exports/1/${'ab'.repeat(24)}/export.tar.gz`,
  'GET /': () => '/',
  'GET /health': () => '/health',
  'GET /compatibility': () => '/compatibility',
  'GET /emoji-data.json': () => '/emoji-data.json',
  'GET /static/generated/emoji/images/emoji/unicode/zulip.png': () =>
    '/static/generated/emoji/images/emoji/unicode/zulip.png',
  'GET /static/images/unconfirmed.png': () => '/static/images/unconfirmed.png',
  'GET /api/v1/openapi.json': () => '/api/v1/openapi.json',
  'GET /accounts/login': () => '/accounts/login/',
  'POST /accounts/login': () => '/accounts/login/',
  'GET /accounts/login/sso': () => '/accounts/login/sso/',
  'POST /accounts/login/second-factor': () => '/accounts/login/second-factor/',
  'POST /accounts/login/passkey/options': () => '/accounts/login/passkey/options/',
  'POST /accounts/login/passkey': () => '/accounts/login/passkey/',
  'GET /accounts/login/subdomain/:token': () => `/accounts/login/subdomain/${SECRET}`,
  'GET /accounts/owner-link/:ticket': () => `/accounts/owner-link/${SECRET}`,
  'POST /accounts/owner-link/:ticket': () => `/accounts/owner-link/${SECRET}`,
  'GET /accounts/login/social/:provider': () => '/accounts/login/social/none',
  'GET /accounts/register/social/:provider': () => '/accounts/register/social/none',
  'POST /accounts/login/social/:provider': () => '/accounts/login/social/none',
  'GET /complete/:provider': () => '/complete/none/',
  'POST /accounts/logout/backchannel/:provider': () => '/accounts/logout/backchannel/none',
  'POST /accounts/logout': () => '/accounts/logout/',
  'GET /accounts/reactivate': () => '/accounts/reactivate',
  'POST /accounts/reactivate': () => '/accounts/reactivate',
  'GET /accounts/reactivate/:secret': () => `/accounts/reactivate/${SECRET}`,
  'POST /accounts/reactivate/:secret': () => `/accounts/reactivate/${SECRET}`,
  'GET /accounts/unread': () => '/accounts/unread/?for=https://elsewhere.example&state=x',
  'POST /accounts/unread': () => '/accounts/unread/?for=https://elsewhere.example&state=x',
  'GET /find': () => '/find',
  'POST /find': () => '/find',
  'GET /accounts/password/reset': () => '/accounts/password/reset',
  'POST /accounts/password/reset': () => '/accounts/password/reset',
  'GET /accounts/password/reset/:secret': () => `/accounts/password/reset/${SECRET}`,
  'POST /accounts/password/reset/:secret': () => `/accounts/password/reset/${SECRET}`,
  'GET /accounts/unsubscribe/:kind/:token': () => `/accounts/unsubscribe/digest/${SECRET}`,
  'POST /accounts/unsubscribe/:kind/:token': () => `/accounts/unsubscribe/digest/${SECRET}`,
  'POST /services/:team/:hook/:key': () => `/services/T0/B0/${SECRET}`,
  'POST /api/webhooks/:id/:key': () => `/api/webhooks/1/${SECRET}`,
  'GET /accounts/confirm-email/:secret': () => `/accounts/confirm-email/${SECRET}`,
  'POST /accounts/confirm-email/:secret': () => `/accounts/confirm-email/${SECRET}`,
  'GET /accounts/connect/:secret': () => `/accounts/connect/${SECRET}`,
  'POST /accounts/connect/:secret': () => `/accounts/connect/${SECRET}`,
  'GET /join/:secret': (_, { joinPath }) => joinPath,
  'POST /join/:secret': (_, { joinPath }) => joinPath,
  'GET /accounts/deactivated': () => '/accounts/deactivated',
  'GET /login': () => '/login',
  'POST /login': () => '/login',
  'GET /public': () => '/public',
  'GET /public/channel/:channel': ({ channelId }) => `/public/channel/${channelId}`,
  'GET /public/topic/:message': ({ messageId }) => `/public/topic/${messageId}`,
  'GET /calls/bigbluebutton/join': () => '/calls/bigbluebutton/join?meeting_id=1',
  'GET /calls/zoom/register': () => '/calls/zoom/register',
  'GET /calls/zoom/complete': () => '/calls/zoom/complete?code=1&state=1',
  'POST /calls/zoom/deauthorize': () => '/calls/zoom/deauthorize',
  'GET /robots.txt': () => '/robots.txt',
  'GET /sitemap.xml': () => '/sitemap.xml',
  'GET /favicon.ico': () => '/favicon.ico',
  'GET /help': () => '/help',
  'GET /help/*': () => '/help/anything',
  'GET /docs': () => '/docs',
  'GET /docs/*': () => '/docs/',
  'GET /page/:name': () => '/page/index.js',
  'GET /parley': () => '/parley',
  'GET /parley/page/:name': () => '/parley/page/index.js',
  'GET /service-worker.js': () => '/service-worker.js',
  'GET /parley/service-worker.js': () => '/parley/service-worker.js',
  'GET /manifest.webmanifest': () => '/manifest.webmanifest',
  'GET /parley/manifest.webmanifest': () => '/parley/manifest.webmanifest',
  'GET /:language': () => '/de',
  'GET /setup/:ticket': () => `/setup/${SECRET}`,
  'POST /setup/:ticket': () => `/setup/${SECRET}`,
  'GET /metrics': () => '/metrics',
  'POST /setup': () => '/setup',
  'GET /setup/organizations': () => '/setup/organizations',
  'POST /setup/copies': () => '/setup/copies',
  'POST /setup/organizations': () => '/setup/organizations',
  'POST /setup/test-mail': () => '/setup/test-mail',
  'POST /setup/backups': () => '/setup/backups',
  'POST /setup/moves-in': () => '/setup/moves-in',
  'POST /setup/moves-out': () => '/setup/moves-out',
  'POST /setup/verify': () => '/setup/verify',
}
