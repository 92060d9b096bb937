import { expect, it } from 'vitest'
import { ApiClient } from '../../support/api.ts'
import { buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { openQueue } from '../../support/queues.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm } = useRealm({}, { name: 'Harbour Books' })

const messagesOf = async (user: TestUser) =>
  expectSuccess(await user.api.get('/messages', { anchor: 'newest', num_before: 10, num_after: 0 })).messages

it('the welcome bot greets a new user, then adds the organization’s text', async () => {
  const queue = await openQueue(realm.owner)
  const first = await buildUser(realm)
  const [welcome, ...others] = await messagesOf(first)
  expect(others).toEqual([])
  expect(welcome).toMatchObject({
    type: 'private',
    sender_full_name: 'Welcome Bot',
    flags: [],
    content: expect.stringContaining('welcome to Harbour Books!'),
  })
  // What nobody has starred does not stand there.
  expect((await openQueue(first)).snapshot.starred_messages).toEqual([])
  expectSuccess(await realm.owner.api.patch('/realm', { welcome_message_custom_text: 'Mind the **gap**.' }))
  const second = await buildUser(realm)
  expect(await messagesOf(second)).toMatchObject([
    { sender_full_name: 'Welcome Bot', flags: [] },
    { sender_full_name: 'Welcome Bot', flags: [], content: '<p>Mind the <strong>gap</strong>.</p>' },
  ])
  expect(await queue.eventsOf('message')).toEqual([])
})

it.each([
  ['ar', 'أهلًا بك في Harbour Books!'],
  ['de', 'Hallo und willkommen bei Harbour Books!'],
  ['es', 'Te damos la bienvenida a Harbour Books.'],
  ['fr', 'Bonjour et bienvenue dans Harbour Books\u00a0!'],
  ['ja', 'Harbour Books へようこそ！'],
  ['en', 'Hello, and welcome to Harbour Books!'],
])('the welcome bot greets in the language of the new user: %s', async (default_language, words) => {
  expectSuccess(await realm.owner.api.patch('/realm', { default_language }))
  const [welcome] = await messagesOf(await buildUser(realm))
  expect(welcome.content).toContain(words)
})

it('the welcome bot does not greet bots', async () => {
  const account = { full_name: 'Quiet Bot', short_name: 'quiet' }
  const { api_key, user_id } = expectSuccess(await realm.owner.api.post('/bots', account))
  const email = `quiet-bot@${realm.host}`
  const api = new ApiClient({ host: realm.host, realmId: realm.id, email, apiKey: api_key })
  expect(await messagesOf({ id: user_id, email, fullName: 'Quiet Bot', apiKey: api_key, api })).toEqual([])
})
