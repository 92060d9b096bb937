import { beforeAll, describe, expect, it } from 'vitest'
import type { ApiResponse, ParameterValue } from '../support/api.ts'
import { exampleOf } from '../support/example-values.ts'
import { buildChannel, expectSuccess, type TestUser } from '../support/factories.ts'
import { archiveIdOf, beginArchive } from '../support/import-uploads.ts'
import { addChannels, changeRealm } from '../support/inside.ts'
import { ENDPOINTS, type Endpoint } from '../support/inside-declarations.ts'
import { insertBrowserSession, insertPasskey } from '../support/inside-rows.ts'
import { addLoginProvider, connectTo } from '../support/login-identities.ts'
import { sendDirect, sendTo } from '../support/messages.ts'
import { neverEvict } from '../support/never-evict.ts'
import { openQueue } from '../support/queues.ts'
import { upload } from '../support/uploads.ts'
import { useRealm } from '../support/use-realm.ts'

type Fields = Record<string, ParameterValue>
type Name = number | string

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
const SHOWN: ReadonlySet<string> = new Set<ShownKind>([
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

type Names = Readonly<Record<Kind, Name>>

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
const WAYS: Readonly<Record<string, readonly Way[]>> = {
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
const isGroupSetting = (name: string) => /_group$/.test(name)
const settingWays = (setting: string): readonly Way[] => [
  way('group', (id) => ({ [setting]: { new: id } })),
  way('group', (id) => ({ [setting]: id })),
  way('user', (id) => ({ [setting]: { new: { direct_members: [id], direct_subgroups: [] } } })),
]

/** Parameters that look like names of things but are not, or are names that the owner's client makes up. */
const NO_THINGS: ReadonlySet<string> = new Set([
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
const LOOKS_LIKE_A_NAME =
  /(^|_)ids?$|^(to|streams?|channels?|users?|principals|members|subscribers|messages|drafts?|narrow|email|subgroups|subscriptions|fragment|filename|emoji_name)$|_(stream|channel|user|group)$/

const ways = (name: string) => WAYS[name] ?? (isGroupSetting(name) ? settingWays(name) : [])

/** Names are unique: a user who may name a channel learns that a name is taken, and nothing more (docs/decisions/interface.md#stricter-than-the-public-server). */
const TAKEN: Readonly<Record<string, readonly string[]>> = {
  'update-stream': ['new_name'],
  subscribe: ['subscriptions'],
  'update-subscriptions': ['add'],
  // The same holds for addresses, which only administrators can try.
  'create-user': ['email'],
}

/** The address of a file reveals that the file exists, but nobody can guess it (reference: 404 and 403). */
const UNGUESSABLE = 'filename'

const LATER = Math.floor(Date.now() / 1_000) + 86_400
const ABSENT: Names = {
  channel: 777_001,
  channelName: 'zqx absent',
  message: 777_101,
  direct: 777_102,
  attachment: 777_201,
  file: `2/ab/${'A'.repeat(24)}/zqx.txt`,
  draft: 777_202,
  snippet: 777_203,
  scheduled: 777_204,
  reminder: 777_205,
  view: 'narrow/zqx-absent',
  queue: '9-00000000000000000000000000000000',
  device: 777_206,
  session: 777_211,
  passkey: 777_215,
  loginProvider: 777_213,
  loginIdentity: 777_214,
  invitation: 777_207,
  link: 777_208,
  export: 777_209,
  import: 777_216,
  archive: '0'.repeat(32),
  deadLetter: 777_210,
  delivery: 777_212,
  user: 777_301,
  email: 'zqx-absent@example.com',
  group: 777_302,
  folder: 777_303,
  field: 777_304,
  linkifier: 777_305,
  playground: 777_306,
  defaults: 777_307,
  emoji: 'zqxabsent',
}

const { realm, ann, ben, member, guest, ofMember, ofGuest } = useRealm(
  { ann: { email: 'zqx-hidden@example.com' }, ben: 'member', member: 'member', guest: 'guest' },
  { channels: { ofMember: ['owner', 'member'], ofGuest: ['owner', 'guest'] } },
)
let hidden: Names

const { realm: elsewhere, ofOwner } = useRealm({}, { channels: { ofOwner: ['owner'] } })

// A file of thousands of requests: an eviction before each would take minutes.
neverEvict()
beforeAll(async () => {
  // Ids of the other organization must not equal ids of this one by chance.
  await addChannels(
    realm,
    Array.from({ length: 8 }, (_, at) => `noise ${at}`),
  )
  for (let n = 0; n < 60; n += 1) await sendTo(ann, 'general', 'noise')
  hidden = await hide()
})

/** Creates one thing of each kind, which belongs to Ann or the organization. */
async function hide(): Promise<Names> {
  const many = async (count: number, make: () => Promise<number>): Promise<number> => {
    let last = 0
    for (let n = 0; n < count; n += 1) last = await make()
    return last
  }
  const channelName = 'zqx hidden'
  const shared = { invite_only: true, history_public_to_subscribers: true }
  const { id: channel } = await buildChannel([ann, ben], { name: channelName, ...shared })
  const file = (await upload(ann, { name: 'zqx.txt' })).replace('/user_uploads/', '')
  const message = await sendTo(ann, channel, 'topic', `[zqx](/user_uploads/${file})`)
  const direct = await sendDirect(ann, [ben], 'zqx')
  const post = async (user: TestUser, path: string, fields: Fields = {}) =>
    expectSuccess(await user.api.post(path, fields))
  const scheduled = { to: channel, topic: 'x', content: 'zqx', scheduled_delivery_timestamp: LATER }
  const reminder = { message_id: message, scheduled_delivery_timestamp: LATER }
  const draft = { type: 'stream', to: [channel], topic: 'x', content: 'zqx' }
  const snippet = { title: 'zqx', content: 'zqx' }
  await post(ann, '/navigation_views', { fragment: 'narrow/zqx-hidden', name: 'zqx', is_pinned: true })
  const { owner } = realm
  await post(owner, '/invites', {
    invitee_emails: `zqx-invited@${realm.host}`,
    stream_ids: [],
    invite_as: 400,
  })
  await post(owner, '/invites/multiuse', { stream_ids: [] })
  const { invites } = expectSuccess(await owner.api.get('/invites'))
  const invite = (isLink: boolean) =>
    invites.find((one: { is_multiuse: boolean }) => one.is_multiuse === isLink).id
  await post(owner, '/default_stream_groups/create', {
    group_name: 'zqx',
    description: 'x',
    stream_names: [],
  })
  const defaults = (await openQueue(owner)).snapshot.realm_default_stream_groups.at(-1).id
  const linkifier = { pattern: 'ZQX-(?P<id>[0-9]+)', url_template: 'https://example.com/{id}' }
  const playground = { name: 'zqx', pygments_language: 'Python', url_template: 'https://example.com/{code}' }
  const { attachments } = expectSuccess(await ann.api.get('/attachments'))
  const loginProvider = await addLoginProvider(realm, 'work')
  return {
    channel,
    channelName,
    message,
    direct,
    loginProvider,
    loginIdentity: await connectTo(realm, loginProvider, ann),
    attachment: attachments[0].id,
    file,
    import: (await post(owner, '/imports', { path_id: (await upload(owner)).replace('/user_uploads/', '') }))
      .id,
    archive: archiveIdOf(await beginArchive(owner, 10)),
    draft: (await post(ann, '/drafts', { drafts: Array(12).fill(draft) })).ids.at(-1),
    snippet: await many(40, async () => (await post(ann, '/saved_snippets', snippet)).saved_snippet_id),
    scheduled: await many(
      12,
      async () =>
        (await post(ann, '/scheduled_messages', { type: 'channel', ...scheduled })).scheduled_message_id,
    ),
    reminder: await many(12, async () => (await post(ann, '/reminders', reminder)).reminder_id),
    view: 'narrow/zqx-hidden',
    queue: (await openQueue(ann)).id,
    device: 1,
    session: await changeRealm(realm, (tx) =>
      insertBrowserSession(
        tx.sql,
        { userId: ann.id, digest: 'cd'.repeat(32), userAgent: '', proof: { method: 'password' } },
        tx.now,
      ),
    ),
    passkey: await changeRealm(realm, (tx) =>
      insertPasskey(
        tx.sql,
        {
          userId: ann.id,
          credentialId: 'hidden',
          publicKey: '',
          counter: 0,
          transports: [],
          isBackedUp: false,
          isVerified: true,
          name: 'Laptop',
        },
        tx.now,
      ),
    ),
    invitation: invite(false),
    link: invite(true),
    export: (await post(owner, '/export/realm')).id,
    deadLetter: 1,
    delivery: 1,
    user: ann.id,
    email: ann.email,
    group: await many(
      6,
      async () =>
        (
          await post(owner, '/user_groups/create', {
            name: crypto.randomUUID(),
            description: 'x',
            members: [ann.id],
          })
        ).group_id,
    ),
    folder: await many(
      4,
      async () =>
        (await post(owner, '/channel_folders/create', { name: crypto.randomUUID(), description: '' }))
          .channel_folder_id,
    ),
    field: (await post(owner, '/realm/profile_fields', { name: 'zqx', field_type: 1 })).id,
    linkifier: (await post(owner, '/realm/filters', linkifier)).id,
    playground: (await post(owner, '/realm/playgrounds', playground)).id,
    defaults,
    emoji: 'zqxhidden',
  }
}

/** Values for the parameters besides the one that names a thing: things of the caller or of everybody. */
interface Own {
  readonly channel: number
  readonly message: number
}

function ownFields({ channel, message }: Own): Fields {
  return {
    stream_id: channel,
    message_id: message,
    messages: [message],
    msg_ids: [message],
    topic: 'x',
    topic_name: 'x',
    content: 'x',
    type: 'channel',
    to: channel,
    op: 'add',
    flag: 'starred',
    anchor: 'oldest',
    num_before: 0,
    num_after: 50,
    narrow: [],
    emoji_name: 'tada',
    visibility_policy: 1,
    property: 'is_muted',
    value: true,
    scheduled_delivery_timestamp: LATER,
    invite_as: 400,
    stream_ids: [],
    invitee_emails: 'somebody@example.com',
    full_name: `A ${crypto.randomUUID().slice(0, 8)}`,
    short_name: crypto.randomUUID().slice(0, 8),
    name: crypto.randomUUID(),
    description: '',
    members: [],
    subscribers: [],
    report_type: 'spam',
    subscriptions: [],
  }
}

interface Ask {
  readonly path: string
  readonly fields: Fields
}

const isRequired = (schema: { readonly type?: string }) =>
  schema.type !== 'optional' && schema.type !== 'nullish'

/** Slashes are kept where the path ends in a parameter that takes the rest of an address (`+`). */
const encodeForPath = (text: string, rest: string) =>
  rest === '' ? encodeURIComponent(text) : encodeURIComponent(text).replaceAll('%2F', '/')

/** Returns two requests: one with the required parameters alone, and one with all for which a value is known. */
function asksFor({ params, path }: Endpoint, own: Fields, given: Fields): Ask[] {
  const inPath = new Set([...path.matchAll(/:(\w+)/g)].map(([, name]) => name!))
  return [false, true].map((isFull) => {
    const names = Object.keys(params).filter(
      (name) => name in given || inPath.has(name) || isRequired(params[name]!) || (isFull && name in own),
    )
    const fields = Object.fromEntries(
      names.map((name) => [name, given[name] ?? own[name] ?? exampleOf(params[name]!)]),
    ) as Fields
    return {
      path: path.replaceAll(/:(\w+)(\+?)/g, (_whole, name, rest) =>
        encodeForPath(String(fields[name]), rest),
      ),
      fields: Object.fromEntries(Object.entries(fields).filter(([name]) => !inPath.has(name))),
    }
  })
}

/** Many answers repeat a parameter, and successes contain new ids and times. */
function shown({ status, body }: ApiResponse, name: Name): string {
  const text = JSON.stringify(body)
    // A second may pass between the two answers.
    .replaceAll(/in \d+ seconds/g, 'in # seconds')
    .replaceAll(encodeURIComponent(String(name)), '…')
    .replaceAll(typeof name === 'number' ? new RegExp(`\\b${name}\\b`, 'g') : String(name), '…')
  return `${status} ${status === 200 ? text.replaceAll(/(?:…|\d)+/g, '#') : text}`
}

const NAMING = ENDPOINTS.filter(({ params }) => Object.keys(params).some((name) => ways(name).length > 0))

it('every parameter that looks like an id or a name is in the table', () => {
  const names = new Set(ENDPOINTS.flatMap(({ params }) => Object.keys(params)))
  const unknown = [...names].filter(
    (name) => LOOKS_LIKE_A_NAME.test(name) && ways(name).length === 0 && !NO_THINGS.has(name),
  )
  expect(unknown).toEqual([])
  expect(Object.keys(WAYS).filter((name) => !names.has(name))).toEqual([])
  expect(NAMING.length).toBeGreaterThan(90)
})

describe.each([
  ['a member who is not in it', () => member, ofMember, false],
  ['a guest', () => guest, ofGuest, false],
  ['the owner of another organization', () => elsewhere.owner, ofOwner, true],
] as const)('absent and hidden are the same bytes for %s', (_who, asker, ownChannel, isElsewhere) => {
  let own: Fields
  beforeAll(async () => {
    const channel = ownChannel.id
    own = ownFields({ channel, message: await sendTo(asker(), channel, 'x', 'my own') })
  })

  it('in every endpoint and parameter that addresses something', async () => {
    const differing: string[] = []
    let compared = 0
    for (const endpoint of NAMING) {
      for (const parameter of Object.keys(endpoint.params)) {
        if (TAKEN[endpoint.operation]?.includes(parameter)) continue
        for (const { kind, give } of ways(parameter)) {
          if ((SHOWN.has(kind) || parameter === UNGUESSABLE) && !isElsewhere) continue
          const [there, nowhere] = [hidden, ABSENT].map((names) =>
            asksFor(endpoint, own, give(names[kind])),
          ) as [Ask[], Ask[]]
          // There are many settings, and all are read in one way: each is tried alone.
          const asks = isGroupSetting(parameter) ? there.slice(0, 1) : there
          for (const [index, ask] of asks.entries()) {
            const { method, operation } = endpoint
            const seen = await asker().api.request(method, ask.path, ask.fields)
            const other = nowhere[index]!
            const unseen = await asker().api.request(method, other.path, other.fields)
            compared += 1
            const [a, b] = [shown(seen, hidden[kind]), shown(unseen, ABSENT[kind])]
            if (a !== b)
              differing.push(
                `${operation} ${parameter} (${kind}):\n  ${a.slice(0, 300)}\n  ${b.slice(0, 300)}`,
              )
          }
        }
      }
    }
    expect(differing).toEqual([])
    expect(compared).toBeGreaterThan(isElsewhere ? 400 : 200)
  }, 120_000)
})

it('a user who may not create channels cannot detect hidden ones by name', async () => {
  const nobody = { new: 3 }
  const closed = { can_create_public_channel_group: nobody, can_create_private_channel_group: nobody }
  expectSuccess(await realm.owner.api.patch('/realm', closed))
  const asks: ((name: Name) => [string, string, Fields])[] = [
    (name) => ['POST', '/channels/create', { name, subscribers: [] }],
    (name) => ['POST', '/users/me/subscriptions', { subscriptions: [{ name }] }],
    (name) => ['POST', '/users/me/subscriptions', { subscriptions: [{ name }], invite_only: true }],
    (name) => [
      'POST',
      '/users/me/subscriptions',
      { subscriptions: [{ name }], authorization_errors_fatal: false },
    ],
    (name) => ['PATCH', '/users/me/subscriptions', { add: [{ name }] }],
  ]
  for (const user of [member, guest]) {
    for (const ask of asks) {
      const [a, b] = [hidden.channelName, ABSENT.channelName].map(async (name) =>
        shown(await user.api.request(...ask(name)), name),
      )
      expect(await a).toBe(await b)
      expect(await a).toMatch(/^400 /)
    }
  }
})
