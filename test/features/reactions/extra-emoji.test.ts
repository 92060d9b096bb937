import { describe, expect, it } from 'vitest'
import { ApiClient } from '../../support/api.ts'
import { expectSuccess, type TestUser } from '../../support/factories.ts'
import type { Json } from '../../support/json.ts'
import { sendTo } from '../../support/messages.ts'
import { ALL_CAPABILITIES, openQueue } from '../../support/queues.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, ann, ben, guest, channel } = useRealm(
  { ann: 'member', ben: 'member', guest: 'guest' },
  { channels: { channel: ['ann', 'ben', 'guest'] } },
)

const PUBLIC = 'zulip_extra_emoji'
const NEUTRAL = 'svc_extra_emoji'
const EMOJI = { emoji_name: 'zulip', emoji_code: 'zulip' }

/** Sends a message with the extra emoji as a reaction, and sets it as Ann's status. */
async function useEmoji(): Promise<number> {
  const id = await sendTo(ann, channel.id, 'emoji')
  expectSuccess(await ann.api.post(`/messages/${id}/reactions`, EMOJI))
  expectSuccess(await ann.api.post('/users/me/status', { ...EMOJI, status_text: `at ${id}` }))
  return id
}

/** Asks as a user, with the header that asks for the neutral names. */
function askWith(names: string, user: TestUser, path: string) {
  return user.api.request('GET', path, {}, { headers: { 'X-Names': names } })
}

const typeIn = (answer: Json): string => answer.message.reactions[0].reaction_type

describe('the type of the extra emoji', () => {
  it('is taken by both names, in reactions and statuses', async () => {
    for (const reaction_type of [NEUTRAL, PUBLIC]) {
      const id = await sendTo(ann, channel.id, 'emoji')
      const emoji = { ...EMOJI, reaction_type }
      expectSuccess(await ann.api.post(`/messages/${id}/reactions`, emoji))
      expectSuccess(await ann.api.post('/users/me/status', emoji))
      expect(typeIn(expectSuccess(await ann.api.get(`/messages/${id}`)))).toBe(PUBLIC)
      const other = reaction_type === NEUTRAL ? PUBLIC : NEUTRAL
      const removed = { ...EMOJI, reaction_type: other }
      expectSuccess(await ann.api.delete(`/messages/${id}/reactions`, removed))
      expect(expectSuccess(await ann.api.get(`/messages/${id}`)).message.reactions).toEqual([])
    }
  })

  it.each([
    'ZulipMobile/30.0',
    'Mozilla/5.0 (X11)',
    'zulip-js/2.1',
    'okhttp/4.12',
    'Dart/3.3 (dart:io)',
    'Go-http-client/1.1',
    'curl/8.0',
    '',
  ])('is the public one for a client that does not ask, whatever its name: %j', async (userAgent) => {
    const id = await useEmoji()
    const { host, apiKey, email } = ben.api
    const api = new ApiClient({ host, realmId: realm.id, email, apiKey, userAgent })
    expect(typeIn(expectSuccess(await api.get(`/messages/${id}`)))).toBe(PUBLIC)
    const page = { anchor: id, num_before: 0, num_after: 0 }
    const { messages } = expectSuccess(await api.get('/messages', page))
    expect(messages[0].reactions[0].reaction_type).toBe(PUBLIC)
    const { user_status } = expectSuccess(await api.post('/register'))
    expect(user_status[ann.id]).toMatchObject({ ...EMOJI, reaction_type: PUBLIC })
  })

  it('is the neutral one in answers to requests with the header, and in no others', async () => {
    const id = await useEmoji()
    expect(typeIn(expectSuccess(await askWith('svc', ben, `/messages/${id}`)))).toBe(NEUTRAL)
    expect(typeIn(expectSuccess(await askWith(' svc ', ben, `/messages/${id}`)))).toBe(NEUTRAL)
    for (const names of ['', 'zulip', 'true', 'svc2']) {
      expect([names, typeIn(expectSuccess(await askWith(names, ben, `/messages/${id}`)))]).toEqual([
        names,
        PUBLIC,
      ])
    }
    const statusOf = async (names: string) =>
      expectSuccess(await askWith(names, ben, `/users/${ann.id}/status`)).status.reaction_type
    expect([await statusOf('svc'), await statusOf('zulip')]).toEqual([NEUTRAL, PUBLIC])
  })

  it('is the neutral one in queues that ask at registration, and in no others', async () => {
    const asking = { client_capabilities: { ...ALL_CAPABILITIES, svc_names: true } }
    const refusing = { client_capabilities: { ...ALL_CAPABILITIES, svc_names: false } }
    await useEmoji()
    const queues = [await openQueue(ben, asking), await openQueue(ben, refusing), await openQueue(ben)]
    const kinds = [NEUTRAL, PUBLIC, PUBLIC]
    expect(queues.map(({ snapshot }) => snapshot.user_status[ann.id].reaction_type)).toEqual(kinds)
    await useEmoji()
    for (const [at, queue] of queues.entries()) {
      const events = (await queue.events()).filter(({ reaction_type }) => reaction_type !== undefined)
      expect(events.map(({ type, reaction_type }) => [type, reaction_type])).toEqual([
        ['reaction', kinds[at]],
        ['user_status', kinds[at]],
      ])
    }
  })

  it('is the neutral one in a queue whose registration has the header', async () => {
    await useEmoji()
    const headers = { 'X-Names': 'svc' }
    const registered = await guest.api.request('POST', '/register', {}, { headers })
    const { queue_id, user_status } = expectSuccess(registered)
    expect(user_status[ann.id].reaction_type).toBe(NEUTRAL)
    await useEmoji()
    const poll = { queue_id, last_event_id: -1, dont_block: true }
    const { events } = expectSuccess(await guest.api.get('/events', poll))
    expect(events.find(({ type }: Json) => type === 'reaction').reaction_type).toBe(NEUTRAL)
  })
})
