import { env } from 'cloudflare:workers'
import { beforeEach, expect, it, vi } from 'vitest'
import { accountsInD1, expectSameAccounts } from '../support/accounts-in-d1.ts'
import { runAlarms } from '../support/alarms.ts'
import { expectSuccess, type TestUser } from '../support/factories.ts'
import { archiveOf, beginImport, headOf, importWithId, runImport, runUntil } from '../support/imports.ts'
import { inRealm } from '../support/inside.ts'
import type { CrashPoint } from '../support/inside-types.ts'
import { mailedLink, postForm } from '../support/pages.ts'
import { useReliableD1 } from '../support/reliable-d1.ts'
import { connectProvider, type ScimClient } from '../support/scim.ts'
import { shakyD1 } from '../support/shaky-d1.ts'
import { useRealmPerTest } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

const CRASH_POINTS: readonly CrashPoint[] = ['decided', 'committed', 'projecting', 'projected']
const STEPS = 60

const { realm } = useRealmPerTest({ ann: 'member', ben: 'administrator' })
useReliableD1()
beforeEach(() => {
  world.d1RestMs = 0
  vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})

/** Returns a number from 0 up to a limit, by the run's seed (mulberry32). */
function drawOf(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }
}

interface Walk {
  readonly owner: TestUser
  readonly provider: ScimClient
  /** Any account but the owner's, whatever became of it. */
  anybody(): Promise<number>
  pick<Item>(items: readonly Item[]): Item
  word(): string
}

/** The statuses of all answers of a walk. */
const answers: number[] = []

/** Repeats a request until it is answered: a crash breaks it off. A refusal counts as an answer. */
async function untilAnswered(ask: () => Promise<{ readonly status: number }>): Promise<void> {
  for (let attempt = 1; attempt <= 20; attempt += 1) {
    const { status } = await ask().catch(() => ({ status: 500 }))
    answers.push(status)
    if (status < 500) return
    // An object that crashes during a commit keeps its lock for as long as anything of it lives.
    await scheduler.wait(50)
  }
  throw new Error('No answer after twenty attempts')
}

/** Repeats an act inside the object while that is still dying of a crash. */
async function onceAlive<Value>(act: () => Promise<Value>): Promise<Value> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await act()
    } catch (error) {
      if (attempt === 10) throw error
      await scheduler.wait(50)
    }
  }
}

async function patched(walk: Walk, params: Record<string, string | number>): Promise<void> {
  const id = await walk.anybody()
  await untilAnswered(() => walk.owner.api.patch(`/users/${id}`, params))
}

const ACTS: Readonly<Record<string, (walk: Walk) => Promise<void>>> = {
  async 'an administrator makes an account'({ owner, word }) {
    const account = { email: `${word()}@example.com`, full_name: word(), password: 'a fine password' }
    await untilAnswered(() => owner.api.post('/users', account))
  },
  async 'somebody is invited, and comes'({ owner, word }) {
    const email = `${word()}@example.com`
    const sent = { invitee_emails: email, invite_as: 400, stream_ids: [] }
    await untilAnswered(() => owner.api.post('/invites', sent))
    const link = await mailedLink(owner.api.host, email).catch(() => undefined)
    const account = { full_name: word(), password: 'a fine password' }
    if (link !== undefined) await untilAnswered(() => postForm(link, account))
  },
  async 'a provider makes an account'({ provider, word }) {
    const schemas = ['urn:ietf:params:scim:schemas:core:2.0:User']
    const user = { schemas, userName: `${word()}@example.com`, displayName: word() }
    await untilAnswered(() => provider.request('POST', '/Users', user))
  },
  async 'a provider changes an account'({ provider, anybody, word, pick }) {
    const id = await anybody()
    const change = pick([
      { op: 'replace', path: 'displayName', value: word() },
      { op: 'replace', path: 'active', value: false },
      { op: 'replace', path: 'active', value: true },
      { op: 'replace', path: 'userName', value: `${word()}@example.com` },
    ])
    await untilAnswered(() => provider.patch(`/Users/${id}`, change))
  },
  async 'a bot is made'({ owner, word, pick }) {
    const bot = { full_name: word(), short_name: word(), bot_type: pick([1, 2]) }
    await untilAnswered(() => owner.api.post('/bots', bot))
  },
  async 'a bot gets a key'({ owner, anybody }) {
    const id = await anybody()
    await untilAnswered(() => owner.api.post(`/bots/${id}/api_key/regenerate`))
  },
  'a name changes': (walk) => patched(walk, { full_name: walk.word() }),
  'a role changes': (walk) => patched(walk, { role: walk.pick([100, 200, 300, 400, 600]) }),
  'an address changes': (walk) => patched(walk, { new_email: `${walk.word()}@example.com` }),
  async 'an account is closed'({ owner, anybody }) {
    const id = await anybody()
    await untilAnswered(() => owner.api.delete(`/users/${id}`))
  },
  async 'an account is opened'({ owner, anybody }) {
    const id = await anybody()
    await untilAnswered(() => owner.api.post(`/users/${id}/reactivate`))
  },
  async 'an account is erased'({ owner, anybody }) {
    const id = await anybody()
    const actions = JSON.stringify({ delete_profile: true })
    await untilAnswered(() => owner.api.delete(`/users/${id}`, { actions }))
  },
  async 'the organization gets a name'({ owner, word }) {
    await untilAnswered(() => owner.api.patch('/realm', { name: word() }))
  },
  async 'a message is sent'({ owner, word }) {
    const message = { type: 'direct', to: [owner.id], content: word() }
    await untilAnswered(() => owner.api.post('/messages', message))
  },
}

/** Takes the walk, with a crash in each step or none. Returns what was done. */
async function take(seed: number, crashes: boolean): Promise<string[]> {
  const draw = drawOf(seed)
  const walk: Walk = {
    owner: realm.owner,
    provider: await connectProvider(realm),
    async anybody() {
      const query = 'SELECT id FROM user WHERE is_system_bot = 0 AND id <> ? ORDER BY id'
      const ids = await onceAlive(() =>
        inRealm(realm, ({ parts }) => parts.sql.values(query, realm.owner.id)),
      )
      return ids[draw(ids.length)]!
    },
    pick: (items) => items[draw(items.length)]!,
    word: () => `w${draw(1_000_000_000).toString(36)}${draw(1_000_000_000).toString(36)}`,
  }
  const done: string[] = []
  answers.length = 0
  for (let step = 0; step < STEPS; step += 1) {
    const name = walk.pick(Object.keys(ACTS))
    const point = walk.pick(CRASH_POINTS)
    if (crashes) world.crashAt = point
    done.push(crashes ? `${name}, with a crash at "${point}"` : name)
    await ACTS[name]!(walk)
    world.crashAt = undefined
  }
  // Most changes are made, and a crash has broken some off.
  expect(answers.filter((status) => status < 300).length).toBeGreaterThan(STEPS / 2)
  if (crashes) expect(answers.some((status) => status >= 500)).toBe(true)
  return done
}

it.each([1, 2, 3])(
  'after random changes with a crash in each, D1 has the same accounts (%i)',
  async (run) => {
    const seed = Number(env.SEED || Math.floor(Math.random() * 2 ** 31)) + run
    const done = await take(seed, true)
    await onceAlive(() => runAlarms(realm, 5))
    const context = `SEED=${seed - run}\n${done.join('\n')}`
    await expectSameAccounts(realm).catch((error: Error) => {
      throw new Error(`${error.message}\n${context}`)
    })
    expect((await accountsInD1(realm)).length, context).toBeGreaterThan(5)
  },
  120_000,
)

it('after random changes over a shaky D1, it has the same accounts', async () => {
  const seed = Number(env.SEED || Math.floor(Math.random() * 2 ** 31))
  world.d1 = shakyD1
  const done = await take(seed, false)
  world.d1 = (call) => call()
  world.clockOffset += 120
  await onceAlive(() => runAlarms(realm, 5))
  await expectSameAccounts(realm).catch((error: Error) => {
    throw new Error(`${error.message}\nSEED=${seed}\n${done.join('\n')}`)
  })
}, 120_000)

it('an import whose commits crash, and its undoing, leave D1 the same accounts', async () => {
  const people = Array.from({ length: 700 }, (_, at) => ({
    type: 'user',
    id: `u${at}`,
    full_name: `Imported ${at}`,
    email: `imported-${at}@example.org`,
    deactivated: at % 7 === 0,
  }))
  const id = await beginImport(realm.owner, archiveOf([headOf('test'), ...people]))
  const runTo = async (state: string) => {
    let crashes = 0
    world.stopsAt = (point) => {
      if (point !== 'committed' || crashes >= 6) return false
      crashes += 1
      return true
    }
    for (let run = 0; run < 200; run += 1) {
      world.clockOffset += 20
      await runAlarms(realm, 1).catch(() => {})
      if ((await importWithId(realm, id)).state === state) break
    }
    expect((await importWithId(realm, id)).state).toBe(state)
    return crashes
  }
  await runUntil(realm, id, 'waiting')
  await runImport(realm, id)
  expect(await runTo('finished')).toBeGreaterThan(0)
  world.stopsAt = () => false
  await expectSameAccounts(realm)
  expect(await accountsInD1(realm)).toHaveLength(3 + people.length)
  expectSuccess(await realm.owner.api.patch(`/imports/${id}`, { action: 'undo' }))
  expect(await runTo('undone')).toBeGreaterThan(0)
  world.stopsAt = () => false
  await expectSameAccounts(realm)
  expect(await accountsInD1(realm)).toHaveLength(3)
}, 120_000)
