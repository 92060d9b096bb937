import type { ParameterValue } from '../../support/api.ts'

export type Fields = Record<string, ParameterValue>
export type Name = number | string

/**
 * Kinds of things that exist but are not visible to the caller; the answer is the same for things that do not exist. The
 * first group is visible to its owners alone, and no kind is visible to other organizations.
 */
type Kind =
  | 'channel'
  | 'channelName'
  | 'message'
  | 'direct'
  | 'attachment'
  | 'file'
  | 'draft'
  | 'snippet'
  | 'scheduled'
  | 'reminder'
  | 'view'
  | 'queue'
  | 'device'
  | 'session'
  | 'passkey'
  | 'loginProvider'
  | 'loginIdentity'
  | 'invitation'
  | 'link'
  | 'export'
  | 'import'
  | 'archive'
  | 'hold'
  | 'backup'
  | 'deadLetter'
  | 'delivery'
  | ShownKind
/** Kinds of things that everybody in the organization may know. */
type ShownKind =
  | 'user'
  | 'email'
  | 'group'
  | 'folder'
  | 'field'
  | 'linkifier'
  | 'playground'
  | 'defaults'
  | 'emoji'
export const SHOWN: ReadonlySet<string> = new Set<ShownKind>([
  'user',
  'email',
  'group',
  'folder',
  'field',
  'linkifier',
  'playground',
  'defaults',
  'emoji',
])

export type Names = Readonly<Record<Kind, Name>>

interface Way {
  readonly kind: Kind
  readonly give: (name: Name) => Fields
}

const way = (kind: Kind, give: (name: Name) => Fields): Way => ({ kind, give })
const plainly = (parameter: string, kind: Kind): readonly Way[] => [
  way(kind, (name) => ({ [parameter]: name })),
]
const listed = (parameter: string, ...kinds: Kind[]): readonly Way[] =>
  kinds.map((kind) => way(kind, (name) => ({ [parameter]: [name] })))
const narrowed = (kind: Kind, operator: string, more: readonly object[] = []) =>
  way(kind, (operand) => ({ narrow: [{ operator, operand }, ...more] }))
const CHANNEL_AND_TOPIC = [
  { operator: 'channel', operand: 1 },
  { operator: 'topic', operand: 'x' },
]

/** The way in which each parameter that may name a thing names it. */
export const WAYS: Readonly<Record<string, readonly Way[]>> = {
  stream_id: plainly('stream_id', 'channel'),
  stream: plainly('stream', 'channelName'),
  stream_ids: listed('stream_ids', 'channel'),
  stream_names: listed('stream_names', 'channelName'),
  new_name: plainly('new_name', 'channelName'),
  default_sending_stream: plainly('default_sending_stream', 'channelName'),
  default_events_register_stream: plainly('default_events_register_stream', 'channelName'),
  moderation_request_channel_id: plainly('moderation_request_channel_id', 'channel'),
  new_stream_announcements_stream_id: plainly('new_stream_announcements_stream_id', 'channel'),
  signup_announcements_stream_id: plainly('signup_announcements_stream_id', 'channel'),
  zulip_update_announcements_stream_id: plainly('zulip_update_announcements_stream_id', 'channel'),
  subscriptions: [
    way('channelName', (name) => ({ subscriptions: [{ name }] })),
    way('channelName', (name) => ({ subscriptions: [{ name }], authorization_errors_fatal: false })),
    way('channelName', (name) => ({ subscriptions: [name] })),
  ],
  subscription_data: [
    way('channel', (stream_id) => ({
      subscription_data: [{ stream_id, property: 'is_muted', value: true }],
    })),
  ],
  add: [way('channelName', (name) => ({ add: [{ name }] })), ...listed('add', 'user', 'group')],
  delete: listed('delete', 'channelName', 'user', 'group'),
  to: [
    way('channel', (to) => ({ to, type: 'channel', topic: 'x' })),
    way('channel', (to) => ({ to: [to], type: 'stream', topic: 'x' })),
    way('channelName', (to) => ({ to, type: 'channel', topic: 'x' })),
    way('user', (to) => ({ to: [to], type: 'direct' })),
    way('email', (to) => ({ to: [to], type: 'direct' })),
  ],
  draft: [way('channel', (id) => ({ draft: { type: 'stream', to: [id], topic: 'x', content: 'x' } }))],
  drafts: [
    way('channel', (id) => ({ drafts: [{ type: 'stream', to: [id], topic: 'x', content: 'x' }] })),
    way('user', (id) => ({ drafts: [{ type: 'private', to: [id], topic: '', content: 'x' }] })),
  ],
  content: [
    way('channelName', (name) => ({ content: `#**${name}** and #**${name}>topic**` })),
    way('message', (id) => ({ content: `#**general>topic@${id}**` })),
    way('user', (id) => ({ content: `@_**|${id}**` })),
    way('file', (path) => ({ content: `[it](/user_uploads/${path})` })),
  ],
  message_id: [...plainly('message_id', 'message'), ...plainly('message_id', 'direct')],
  message_ids: [
    ...listed('message_ids', 'message', 'direct'),
    way('direct', (id) => ({ message_ids: [id], apply_markdown: false })),
  ],
  messages: ['starred', 'read'].flatMap((flag) =>
    ['add', 'remove'].map((op) => way('message', (id) => ({ messages: [id], op, flag }))),
  ),
  msg_ids: listed('msg_ids', 'message', 'direct'),
  narrow: [
    narrowed('channel', 'channel'),
    narrowed('channel', 'channel', [{ operator: 'is', operand: 'unread' }]),
    way('channel', (operand) => ({ narrow: [{ operator: 'channel', operand, negated: true }] })),
    narrowed('channelName', 'channel'),
    narrowed('message', 'id'),
    narrowed('direct', 'id'),
    narrowed('message', 'near'),
    narrowed('message', 'with'),
    narrowed('direct', 'with', CHANNEL_AND_TOPIC),
    ...['sender', 'dm-including', 'dm'].map((operator) =>
      way('user', (id) => ({ narrow: [{ operator, operand: operator === 'dm' ? [id] : id }] })),
    ),
    narrowed('email', 'sender'),
  ],
  attachment_id: plainly('attachment_id', 'attachment'),
  // An address of an upload: /user_uploads/{realm}/{directory}/{token}/{name}.
  filename: [
    way('file', (path) => {
      const [realm, ...rest] = String(path).split('/')
      return { realm_id_str: realm!, filename: rest.join('/') }
    }),
  ],
  event_subscriptions: [
    way('channel', (id) => ({ event_subscriptions: [{ event: 'message', channel_ids: [id] }] })),
  ],
  draft_id: plainly('draft_id', 'draft'),
  saved_snippet_id: plainly('saved_snippet_id', 'snippet'),
  scheduled_message_id: plainly('scheduled_message_id', 'scheduled'),
  reminder_id: plainly('reminder_id', 'reminder'),
  fragment: plainly('fragment', 'view'),
  queue_id: [way('queue', (queue_id) => ({ queue_id, dont_block: true, last_event_id: -1 }))],
  device_id: plainly('device_id', 'device'),
  session_id: plainly('session_id', 'session'),
  passkey_id: plainly('passkey_id', 'passkey'),
  provider_id: plainly('provider_id', 'loginProvider'),
  identity_id: plainly('identity_id', 'loginIdentity'),
  invite_id: [...plainly('invite_id', 'invitation'), ...plainly('invite_id', 'link')],
  export_id: plainly('export_id', 'export'),
  import_id: plainly('import_id', 'import'),
  hold_id: plainly('hold_id', 'hold'),
  backup_id: plainly('backup_id', 'backup'),
  upload_id: plainly('upload_id', 'archive'),
  path_id: plainly('path_id', 'file'),
  mapping: [way('user', (id) => ({ mapping: { users: { u1: id } } }))],
  dead_letter_id: plainly('dead_letter_id', 'deadLetter'),
  delivery_id: plainly('delivery_id', 'delivery'),
  ids: listed('ids', 'deadLetter'),
  user_id: plainly('user_id', 'user'),
  muted_user_id: plainly('muted_user_id', 'user'),
  bot_id: plainly('bot_id', 'user'),
  bot_owner_id: plainly('bot_owner_id', 'user'),
  sender_id: plainly('sender_id', 'user'),
  actor_id: plainly('actor_id', 'user'),
  user_ids: listed('user_ids', 'user'),
  principals: listed('principals', 'user', 'email'),
  members: listed('members', 'user'),
  subscribers: listed('subscribers', 'user'),
  email: plainly('email', 'email'),
  user_group_id: plainly('user_group_id', 'group'),
  group_ids: listed('group_ids', 'group'),
  subgroups: listed('subgroups', 'group'),
  add_subgroups: listed('add_subgroups', 'group'),
  delete_subgroups: listed('delete_subgroups', 'group'),
  folder_id: plainly('folder_id', 'folder'),
  channel_folder_id: plainly('channel_folder_id', 'folder'),
  order: [...listed('order', 'folder'), ...listed('order', 'field')],
  field_id: plainly('field_id', 'field'),
  filter_id: plainly('filter_id', 'linkifier'),
  ordered_linkifier_ids: listed('ordered_linkifier_ids', 'linkifier'),
  playground_id: plainly('playground_id', 'playground'),
  group_id: plainly('group_id', 'defaults'),
  emoji_name: plainly('emoji_name', 'emoji'),
}

/** Values of settings that name groups and people. */
export const isGroupSetting = (name: string) => /_group$/.test(name)
const settingWays = (setting: string): readonly Way[] => [
  way('group', (id) => ({ [setting]: { new: id } })),
  way('group', (id) => ({ [setting]: id })),
  way('user', (id) => ({ [setting]: { new: { direct_members: [id], direct_subgroups: [] } } })),
]

/** Parameters that look like names of things but are not, or are names that the owner's client makes up. */
export const NO_THINGS: ReadonlySet<string> = new Set([
  'last_event_id',
  'last_update_id',
  'local_id',
  'push_account_id',
  'push_key_id',
  'token_id',
  'is_default_stream',
  'editable_by_user',
  'appid',
  'client_id',
  'to_default_channel',
])
export const LOOKS_LIKE_A_NAME =
  /(^|_)ids?$|^(to|streams?|channels?|users?|principals|members|subscribers|messages|drafts?|narrow|email|subgroups|subscriptions|fragment|filename|emoji_name)$|_(stream|channel|user|group)$/

export const ways = (name: string) => WAYS[name] ?? (isGroupSetting(name) ? settingWays(name) : [])
