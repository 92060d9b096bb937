import { describe, expect, it } from 'vitest'
import { expectSuccess } from '../support/factories.ts'
import { inRealm, insertUsers } from '../support/inside.ts'
import { BYTES_AT_ONCE, LARGE_ANSWERS } from '../support/limits.ts'
import { openQueue } from '../support/queues.ts'
import { useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

const { realm } = useRealm()

/** Fills the object with answers that do not leave it, until `release`. */
async function occupy(waiting: number): Promise<() => Promise<void>> {
  return inRealm(realm, async ({ parts }) => {
    const released = Promise.withResolvers<void>()
    const making: Promise<unknown>[] = []
    const make = () => {
      const begun = Promise.withResolvers<void>()
      const made = async () => {
        begun.resolve()
        await released.promise
        return { answer: {}, bytes: 1 }
      }
      making.push(parts.largeAnswers.make(`of a test, ${waiting} waiting`, BYTES_AT_ONCE, made))
      return begun.promise
    }
    for (let held = 0; held < LARGE_ANSWERS.bytes / BYTES_AT_ONCE; held += 1) await make()
    for (let more = 0; more < waiting; more += 1) void make()
    return async () => {
      await inRealm(realm, async () => {
        released.resolve()
        await Promise.all(making)
      })
    }
  })
}

describe('when the object holds its maximum of large answers', () => {
  it('the next is refused before any work, with Retry-After; others are served', async () => {
    world.evictable = false
    const queues = () => inRealm(realm, ({ parts }) => parts.sql.all('SELECT id FROM queue').length)
    const before = await queues()
    const release = await occupy(LARGE_ANSWERS.waiting)
    const { status, headers, body } = await realm.owner.api.request('POST', '/register', {})
    expect({ status, code: body.code }).toEqual({ status: 503, code: 'SERVICE_UNAVAILABLE' })
    expect(Number(headers.get('Retry-After'))).toBeGreaterThanOrEqual(1)
    expect(await queues()).toBe(before)
    expectSuccess(await realm.owner.api.get('/users/me'))
    await release()
    expect((await openQueue(realm.owner)).snapshot.realm_users).toHaveLength(1)
  })

  it('an answer waits for memory', async () => {
    world.evictable = false
    const release = await occupy(0)
    const asked = realm.owner.api.get('/users')
    const laterOne = realm.owner.api.get('/users/me').then(expectSuccess)
    expect(await Promise.race([asked.then(() => 'the large one'), laterOne.then(() => 'a later one')])).toBe(
      'a later one',
    )
    await release()
    expect(expectSuccess(await asked).members).toHaveLength(1)
  })
})

describe('many registrations at once', () => {
  it('each get a snapshot, or a Retry-After and the snapshot then', async () => {
    const people = await insertUsers(realm, 60)
    const register = async (user: (typeof people)[number]): Promise<number> => {
      const { status, headers, body } = await user.api.request('POST', '/register', {})
      if (status === 200) return body.realm_users.length
      expect(status).toBe(503)
      await scheduler.wait(Number(headers.get('Retry-After')) * 1_000)
      return register(user)
    }
    const sizes = await Promise.all(people.map(register))
    expect(new Set(sizes)).toEqual(new Set([61]))
  })
})

describe('an answer that is passed as bytes', () => {
  it('is the same object, with ignored parameters', async () => {
    const { body } = await realm.owner.api.request('GET', '/users', { nonsense: 1 })
    expect(body).toMatchObject({ result: 'success', msg: '', ignored_parameters_unsupported: ['nonsense'] })
    expect(body.members.length).toBeGreaterThan(0)
  })

  it('may contain every script', async () => {
    expectSuccess(await realm.owner.api.patch('/settings', { full_name: 'Ὀδυσσεύς 港 🚢' }))
    const { members } = expectSuccess(await realm.owner.api.get('/users'))
    expect(members.map(({ full_name }: { full_name: string }) => full_name)).toContain('Ὀδυσσεύς 港 🚢')
  })
})
