import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { presences, message as shownMessage } from '../clients/terminal-forms.ts'
import { ApiClient, type ParameterValue } from '../support/api.ts'
import { expectSuccess } from '../support/factories.ts'
import { openQueue } from '../support/queues.ts'
import { fetchPath, postBody } from '../support/uploads.ts'
import { useRealm } from '../support/use-realm.ts'

const USER_AGENT = 'ZulipTerminal/0.7.0 Linux-6.1 (Linux; 6.1)'

const { realm, ann, bob, cid, channel } = useRealm(
  { ann: { userAgent: USER_AGENT }, bob: 'member', cid: 'member' },
  { channels: { channel: { subscribers: ['ann', 'bob', 'cid'], name: 'the harbour/ä' } } },
)

const integer = v.number()
const integers = v.array(integer)
const text = v.string()
const flag = v.boolean()
const page = v.looseObject({ anchor: integer, found_newest: flag, messages: v.array(shownMessage) })

/** The newest message of the channel. */
let sent = 0

interface LibraryCall {
  /** Makes a call as the Python library of the terminal client does. */
  readonly name: string
  /** `None` is left out, text is sent as it is, everything else as JSON; numbers of the path are in the body too. */
  readonly call: () => readonly [method: string, path: string, params?: Record<string, ParameterValue>]
  readonly reads?: v.GenericSchema
}

const history = (narrow: unknown, more: Record<string, ParameterValue> = {}) => ({
  anchor: 0,
  num_before: 30,
  num_after: 10,
  apply_markdown: true,
  use_first_unread_anchor: true,
  client_gravatar: true,
  narrow: JSON.stringify(narrow),
  ...more,
})
const reaction = () => ({
  emoji_name: 'zulip',
  emoji_code: 'zulip',
  reaction_type: 'zulip_extra_emoji',
  message_id: String(sent),
})

const CALLS: readonly LibraryCall[] = [
  {
    name: 'send_message to a channel',
    call: () => [
      'POST',
      '/messages',
      { type: 'stream', to: channel.name, subject: 'boats', content: 'hello @**Bob**' },
    ],
    reads: v.looseObject({ id: integer }),
  },
  {
    name: 'send_message to people',
    call: () => ['POST', '/messages', { type: 'private', to: [bob.id, cid.id], content: 'hello' }],
    reads: v.looseObject({ id: integer }),
  },
  ...[
    ['of everything', () => []],
    ['of a channel', () => [['stream', channel.name]]],
    [
      'of a topic',
      () => [
        ['stream', channel.name],
        ['topic', 'boats'],
      ],
    ],
    ['of all conversations', () => [['is', 'private']]],
    ['of a conversation', () => [['pm-with', `${bob.email}, ${cid.email}`]]],
    ['of a conversation, by its old name', () => [['pm_with', `${bob.email}, ${cid.email}`]]],
    ['of stars', () => [['is', 'starred']]],
    ['of mentions', () => [['is', 'mentioned']]],
    [
      'of a search',
      () => [
        ['stream', channel.name],
        ['search', 'hello'],
      ],
    ],
  ].map(
    ([name, narrow]): LibraryCall => ({
      name: `get_messages ${name}`,
      call: () => ['GET', '/messages', history((narrow as () => unknown)())],
      reads: page,
    }),
  ),
  {
    name: 'get_messages around one',
    call: () => ['GET', '/messages', history([], { anchor: sent, use_first_unread_anchor: false })],
    reads: page,
  },
  {
    name: 'get_messages beyond the last',
    call: () => ['GET', '/messages', history([], { anchor: 10_000_000_000, use_first_unread_anchor: false })],
    reads: page,
  },
  {
    name: 'get_raw_message',
    call: () => ['GET', `/messages/${sent}`],
    reads: v.looseObject({ raw_content: text }),
  },
  { name: 'add_reaction', call: () => ['POST', `/messages/${sent}/reactions`, reaction()] },
  { name: 'remove_reaction', call: () => ['DELETE', `/messages/${sent}/reactions`, reaction()] },
  {
    name: 'update_message_flags',
    call: () => ['POST', '/messages/flags', { flag: 'starred', messages: [sent], op: 'add' }],
  },
  {
    name: 'update_message, its content',
    call: () => ['PATCH', `/messages/${sent}`, { message_id: sent, content: 'hello again' }],
  },
  {
    name: 'update_message, its topic',
    call: () => [
      'PATCH',
      `/messages/${sent}`,
      { message_id: sent, propagate_mode: 'change_all', topic: 'ships', content: 'ships' },
    ],
  },
  {
    name: 'get_message_history',
    call: () => ['GET', `/messages/${sent}/history`],
    reads: v.looseObject({
      message_history: v.pipe(
        v.array(
          v.looseObject({
            content: text,
            rendered_content: text,
            topic: text,
            timestamp: integer,
            user_id: v.nullish(integer),
          }),
        ),
        v.minLength(3),
      ),
    }),
  },
  {
    name: 'get_stream_topics',
    call: () => ['GET', `/users/me/${channel.id}/topics`],
    reads: v.looseObject({ topics: v.pipe(v.array(v.looseObject({ name: text })), v.minLength(1)) }),
  },
  { name: 'set_typing_status', call: () => ['POST', '/typing', { to: [bob.id], op: 'start' }] },
  {
    name: 'update_presence',
    call: () => ['POST', '/users/me/presence', { status: 'active', new_user_input: true }],
    reads: v.looseObject({ presences }),
  },
  ...(['is_muted', 'pin_to_top', 'desktop_notifications'] as const).map(
    (property): LibraryCall => ({
      name: `update_subscription_settings, ${property}`,
      call: () => [
        'POST',
        '/users/me/subscriptions/properties',
        { subscription_data: [{ stream_id: channel.id, property, value: true }] },
      ],
    }),
  ),
  {
    name: 'get_stream_id',
    call: () => ['GET', '/get_stream_id', { stream: channel.name }],
    reads: v.looseObject({ stream_id: integer }),
  },
  {
    name: 'get_subscribers',
    call: () => ['GET', `/streams/${channel.id}/members`, { stream: channel.name }],
    reads: v.looseObject({ subscribers: integers }),
  },
  {
    name: 'mute_topic',
    call: () => [
      'PATCH',
      '/users/me/subscriptions/muted_topics',
      { stream: channel.name, topic: 'ships', op: 'add' },
    ],
  },
  { name: 'get_profile', call: () => ['GET', '/users/me'], reads: v.looseObject({ user_id: integer }) },
  {
    name: 'get_user_presence',
    call: () => ['GET', `/users/${ann.email}/presence`],
    reads: v.looseObject({
      presence: v.looseObject({ aggregated: v.looseObject({ status: text, timestamp: integer }) }),
    }),
  },
  {
    name: 'mark_topic_as_read',
    call: () => ['POST', '/mark_topic_as_read', { stream_id: channel.id, topic_name: 'ships' }],
  },
  { name: 'mark_stream_as_read', call: () => ['POST', '/mark_stream_as_read', { stream_id: channel.id }] },
  { name: 'mark_all_as_read', call: () => ['POST', '/mark_all_as_read'] },
  {
    name: 'add_subscriptions',
    call: () => ['POST', '/users/me/subscriptions', { subscriptions: [{ name: channel.name }] }],
    reads: v.looseObject({ subscribed: v.looseObject({}), already_subscribed: v.looseObject({}) }),
  },
  // After a failure the client repeats every call, with a parameter for polls.
  {
    name: 'any call, repeated',
    call: () => [
      'POST',
      '/messages/flags',
      { flag: 'starred', messages: [sent], op: 'remove', dont_block: true },
    ],
  },
]

describe('the terminal client and its library', () => {
  it('reads the ways to log in, and logs in', async () => {
    const visitor = new ApiClient({ host: realm.host, realmId: realm.id, userAgent: 'python-requests/2.31' })
    expect(expectSuccess(await visitor.get('/server_settings'))).toMatchObject({
      require_email_format_usernames: expect.any(Boolean),
      email_auth_enabled: true,
    })
    const login = { username: bob.email, password: 'a fine password' }
    expect(expectSuccess(await visitor.post('/fetch_api_key', login)).api_key).toBe(bob.apiKey)
    expect((await visitor.post('/fetch_api_key', { ...login, password: 'wrong' })).status).not.toBe(200)
  })

  it('sends to a channel by its name, under a subject', async () => {
    const subject = { type: 'stream', to: channel.name, subject: 'boats', content: 'boats' }
    sent = expectSuccess(await ann.api.post('/messages', subject)).id
    expect(sent).toEqual(expect.any(Number))
  })

  it.each(CALLS)('$name', async ({ call, reads }) => {
    const [method, path, params] = call()
    const answer = expectSuccess(await ann.api.request(method, path, params))
    if (reads) expect(v.safeParse(reads, answer).issues).toBeUndefined()
  })

  it('finds the messages it narrows to', async () => {
    const group = expectSuccess(
      await ann.api.post('/messages', { type: 'private', to: [bob.id, cid.id], content: 'we three' }),
    )
    for (const operator of ['pm-with', 'pm_with']) {
      const narrow = [[operator, `${bob.email}, ${cid.email}`]]
      const { messages } = expectSuccess(
        await ann.api.get(
          '/messages',
          history(narrow, { anchor: 10_000_000_000, use_first_unread_anchor: false }),
        ),
      )
      expect(messages.at(-1).id, operator).toBe(group.id)
    }
  })

  it('shows status messages with /me', async () => {
    const { id } = expectSuccess(
      await ann.api.post('/messages', { type: 'private', to: [bob.id], content: '/me waves' }),
    )
    const { message } = expectSuccess(await ann.api.get(`/messages/${id}`))
    // The client shows the sender's name instead of the command.
    expect([message.is_me_message, message.content]).toEqual([true, '<p>/me waves</p>'])
  })

  it.each([
    ['name="/home/ann/notes.txt"; filename="notes.txt"', 'notes.txt'],
    // Older libraries write names beyond ASCII in this form, and a path may contain one.
    ["name*=utf-8''%2Fhome%2Fj%C3%BCrgen%2Fnotes.txt; filename*=utf-8''n%C3%B6te.txt", 'nöte.txt'],
  ])('uploads a file as a part that is named after its path: %s', async (names, fileName) => {
    const boundary = '1f0e3dad99908345f7439f8ffabdffc4'
    const head = `--${boundary}\r\nContent-Disposition: form-data; ${names}`
    const body = `${head}\r\n\r\nsome notes\r\n--${boundary}--\r\n`
    const headers = { 'User-Agent': USER_AGENT, 'Content-Type': `multipart/form-data; boundary=${boundary}` }
    const { uri, filename } = expectSuccess(await postBody(ann, '/user_uploads', body, headers))
    expect(filename).toBe(fileName)
    expect(await (await fetchPath(realm, uri, ann)).text()).toBe('some notes')
  })

  it('registers again when its queue is gone', async () => {
    const queue = await openQueue(ann)
    expectSuccess(await ann.api.delete('/events', { queue_id: queue.id }))
    const { body } = await ann.api.get('/events', { queue_id: queue.id, last_event_id: -1 })
    expect(body).toMatchObject({
      result: 'error',
      code: 'BAD_EVENT_QUEUE_ID',
      msg: expect.stringMatching(/^Bad event queue id:/i),
    })
  })
})
