import { expect, it } from 'vitest'
import { expectSuccess, type TestUser } from '../../support/factories.ts'
import { addChannels } from '../../support/inside.ts'
import { neverEvict } from '../../support/never-evict.ts'
import { useRealm } from '../../support/use-realm.ts'

// The object that is asked is the one whose turns are watched.
neverEvict()

/** More than one turn presents. */
const COUNT = 1_100
const NAMES = Array.from({ length: COUNT }, (_, at) => `many ${String(at).padStart(4, '0')}`)

const { realm, ann, ben, cat, guest, secret } = useRealm(
  { ann: 'member', ben: 'member', cat: 'member', guest: 'guest' },
  { channels: { secret: { subscribers: ['owner'], invite_only: true } } },
)

interface Listed {
  readonly stream_id: number
  readonly name: string
  readonly subscriber_count: number
  readonly subscribers?: readonly number[]
}

async function channels(user: TestUser): Promise<Listed[]> {
  return expectSuccess(await user.api.get('/streams')).streams
}

async function subscriptions(user: TestUser): Promise<Listed[]> {
  const params = { include_subscribers: true }
  return expectSuccess(await user.api.get('/users/me/subscriptions', params)).subscriptions
}

function join(user: TestUser, names: readonly string[]) {
  const subscriptions = names.map((name) => ({ name }))
  return user.api.post('/users/me/subscriptions', { subscriptions, authorization_errors_fatal: false })
}

it('channels beyond one turn are listed once, to those who may see them', async () => {
  await addChannels(realm, NAMES)
  for (let at = 0; at < COUNT; at += 100) expectSuccess(await join(ann, NAMES.slice(at, at + 100)))
  expectSuccess(await join(ben, NAMES.slice(0, 3)))
  const seen = await channels(ben)
  expect(seen.map(({ name }) => name).filter((name) => name.startsWith('many'))).toEqual(NAMES)
  expect(seen.some(({ stream_id }) => stream_id === secret.id)).toBe(false)
  expect((await channels(realm.owner)).some(({ stream_id }) => stream_id === secret.id)).toBe(true)
  expect((await channels(guest)).filter(({ name }) => NAMES.includes(name))).toEqual([])
  const counts = new Map(seen.map(({ name, subscriber_count }) => [name, subscriber_count]))
  expect([counts.get(NAMES[0]!), counts.get(NAMES[3]!), counts.get(NAMES.at(-1)!)]).toEqual([2, 1, 1])
})

it('a request with thousands of names joins and leaves what is there then', async () => {
  const [first, hidden] = [NAMES[10]!, NAMES[11]!]
  const of = new Map((await channels(ben)).map(({ name, stream_id }) => [name, stream_id]))
  const before = (await subscriptions(cat)).length
  const answers = await Promise.all([
    join(cat, NAMES),
    realm.owner.api.patch(`/streams/${of.get(first)}`, { new_name: 'one that was many' }),
    realm.owner.api.patch(`/streams/${of.get(hidden)}`, { is_private: true }),
  ])
  const joined = expectSuccess(answers[0]!).subscribed[String(cat.id)] as string[]
  for (const answer of answers.slice(1)) expectSuccess(answer)
  const own = (await subscriptions(cat)).map(({ stream_id }) => stream_id)
  // What was not there any more by its name was made anew, and what was hidden was not joined.
  expect(joined).toHaveLength(own.length - before)
  const left = { delete: NAMES.filter((name) => joined.includes(name)) }
  expectSuccess(await cat.api.patch('/users/me/subscriptions', left))
  expect((await subscriptions(cat)).length).toBe(own.length - left.delete.length)
})
