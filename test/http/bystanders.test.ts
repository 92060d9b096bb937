import { beforeAll, expect, it } from 'vitest'
import type { ParameterValue } from '../support/api.ts'
import { buildChannel, expectSuccess, type TestUser } from '../support/factories.ts'
import { sendDirect, sendTo } from '../support/messages.ts'
import { openQueue, type TestEvent, type TestQueue } from '../support/queues.ts'
import { upload } from '../support/uploads.ts'
import { useRealm } from '../support/use-realm.ts'

/** A word that every secret contains, and nothing else. */
const MARK = 'zqx'

const { realm, ann, ben, member, guest, gone, grown, channel } = useRealm(
  {
    ann: { email: `${MARK}-ann@example.com` },
    ben: 'member',
    member: 'member',
    guest: 'guest',
    gone: 'member',
    grown: 'member',
  },
  {
    channels: {
      channel: {
        subscribers: ['ann', 'ben', 'gone', 'grown'],
        name: `${MARK} channel`,
        invite_only: true,
        history_public_to_subscribers: true,
      },
    },
  },
)
let queues: TestQueue[]
let bensQueue: TestQueue

beforeAll(async () => {
  expectSuccess(await ann.api.patch('/settings', { email_address_visibility: 4 }))
  // Two users have left: one has kept a message, the other one has become a guest.
  const kept = await sendTo(ann, channel.id, 'greetings')
  for (const flag of ['starred', 'read']) {
    expectSuccess(await gone.api.post('/messages/flags', { messages: [kept], op: 'add', flag }))
  }
  expectSuccess(
    await realm.owner.api.delete('/users/me/subscriptions', {
      subscriptions: [channel.name],
      principals: [gone.id, grown.id],
    }),
  )
  expectSuccess(await realm.owner.api.patch(`/users/${grown.id}`, { role: 600 }))
  bensQueue = await openQueue(ben)
  queues = [
    await openQueue(member),
    await openQueue(member, { all_public_streams: true, apply_markdown: false }),
    await openQueue(member, { narrow: [['channel', channel.name]] }),
    await openQueue(guest, { client_capabilities: { notification_settings_null: false } }),
    await openQueue(gone),
    await openQueue(grown),
  ]
  expectSuccess(await ann.api.patch(`/messages/${kept}`, { topic: `${MARK} topic` }))
})

type Fields = Record<string, ParameterValue>

/** Makes the requests one after the other; each must succeed. */
async function act(user: TestUser, requests: readonly [string, string, Fields?][]): Promise<void> {
  for (const [method, path, fields] of requests) expectSuccess(await user.api.request(method, path, fields))
}

/** Does everything that is possible with a message, wherever it is allowed. */
async function doMuchWith(id: number): Promise<void> {
  await act(ann, [
    ['POST', `/messages/${id}/typing`, { op: 'start' }],
    ['PATCH', `/messages/${id}`, { content: `${MARK} edited` }],
    ['POST', '/messages/flags', { messages: [id], op: 'add', flag: 'starred' }],
    ['POST', '/messages/flags', { messages: [id], op: 'remove', flag: 'read' }],
  ])
  await act(ben, [
    ['POST', `/messages/${id}/reactions`, { emoji_name: 'tada' }],
    ['DELETE', `/messages/${id}/reactions`, { emoji_name: 'tada' }],
  ])
}

async function doMuchInChannel(): Promise<void> {
  const other = await buildChannel([ann, ben], { name: `${MARK} other`, invite_only: true })
  const file = await upload(ann, { name: `${MARK}.txt` })
  const id = await sendTo(ann, channel.id, `${MARK} topic`, `@**all** [${MARK}](${file})`)
  const poll = await sendTo(ann, channel.id, `${MARK} topic`, `/poll ${MARK}?`)
  const vote = JSON.stringify({ type: 'new_option', idx: 1, option: MARK })
  await doMuchWith(id)
  await act(ben, [['POST', '/submessage', { message_id: poll, msg_type: 'widget', content: vote }]])
  await act(ann, [
    ['POST', '/typing', { type: 'channel', op: 'start', stream_id: channel.id, topic: MARK }],
    ['POST', '/user_topics', { stream_id: channel.id, topic: `${MARK} topic`, visibility_policy: 1 }],
    ['PATCH', `/messages/${id}`, { topic: `✔ ${MARK} topic`, propagate_mode: 'change_all' }],
    ['PATCH', `/messages/${poll}`, { stream_id: other.id }],
    ['PATCH', `/messages/${id}`, { topic: `${MARK} again`, send_notification_to_old_thread: true }],
    ['DELETE', `/messages/${poll}`],
  ])
}

async function changeChannel(): Promise<void> {
  const path = `/streams/${channel.id}`
  await act(ann, [
    ['PATCH', path, { description: `${MARK} description` }],
    ['PATCH', path, { new_name: `${MARK} renamed` }],
    ['PATCH', path, { can_send_message_group: { new: 6 } }],
    ['PATCH', path, { is_private: true, history_public_to_subscribers: false }],
    ['POST', '/users/me/subscriptions', { subscriptions: [{ name: `${MARK} new` }], invite_only: true }],
    ['DELETE', '/users/me/subscriptions', { subscriptions: [`${MARK} new`] }],
    ['DELETE', path],
    ['PATCH', path, { is_archived: false }],
  ])
}

it('users get nothing of what happens in conversations they are not in', async () => {
  await doMuchInChannel()
  await doMuchWith(await sendDirect(ann, [ben], `${MARK} direct`))
  await changeChannel()
  await act(ann, [
    ['POST', '/bots', { full_name: 'Robot', short_name: 'robot', default_sending_stream: `${MARK} renamed` }],
    ['POST', '/users/me/alert_words', { alert_words: [MARK] }],
    ['PATCH', '/settings', { timezone: 'Asia/Tokyo' }],
  ])
  const eventsOf = async (queue: TestQueue): Promise<TestEvent[]> =>
    (await queue.events()).filter((event) => new RegExp(MARK, 'i').test(JSON.stringify(event)))
  for (const queue of queues) expect(await eventsOf(queue)).toEqual([])
  expect((await eventsOf(bensQueue)).length).toBeGreaterThan(20)
})
