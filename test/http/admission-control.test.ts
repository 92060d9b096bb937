import { afterEach, describe, expect, it, vi } from 'vitest'
import { ISOLATE, WAITING_FOR_SHARES } from '../../src/core/budgets.ts'
import type { ServiceUnavailableError, WireError } from '../../src/core/errors.ts'
import { MIB } from '../../src/core/files.ts'
import { type MemoryOwner, newRecord, recorded } from '../../src/core/request-record.ts'
import { holdUntilSent, SharedMemory, workerMemory } from '../../src/http/request/admission-control.ts'

afterEach(() => vi.restoreAllMocks())

const ownedBy = (owner: Partial<MemoryOwner>) => async () => ({
  organization: 'some.test',
  account: '',
  isAccepted: true,
  ...owner,
})

describe('the memory for files of requests', () => {
  it('is reserved while it suffices, and again after a release', async () => {
    const release = await workerMemory.take(ISOLATE.shares / 2)
    const other = await workerMemory.take(ISOLATE.shares / 2)
    expect(await workerMemory.take(1)).toBeUndefined()
    release!()
    const again = await workerMemory.take(ISOLATE.shares / 2)
    expect(again).toBeDefined()
    other!()
    again!()
  })

  it('is freed after a while when a request never ends', async () => {
    const now = Date.now()
    const clock = vi.spyOn(Date, 'now').mockReturnValue(now)
    expect(await workerMemory.take(ISOLATE.shares)).toBeDefined()
    clock.mockReturnValue(now + 59_000)
    expect(await workerMemory.take(1)).toBeUndefined()
    clock.mockReturnValue(now + 60_000)
    const release = await workerMemory.take(ISOLATE.shares)
    release!()
  })

  it('fits into an isolate, with all that is kept, a decoded picture and the program', () => {
    const program = 24 * MIB
    expect(ISOLATE.shares + ISOLATE.sections + ISOLATE.texts + ISOLATE.picture + program).toBeLessThanOrEqual(
      128 * MIB,
    )
  })

  it('is granted in the order of requests, small or large', async () => {
    const memory = new SharedMemory(100)
    const all = await memory.wait(100)
    const order: string[] = []
    const large = memory.wait(90).then((release) => {
      order.push('large')
      release()
    })
    const small = memory.wait(1).then((release) => {
      order.push('small')
      release()
    })
    // Each of the waiting requests has checked twice whether it may go on.
    const looks = vi.spyOn(scheduler, 'wait')
    await expect.poll(() => looks.mock.calls.length, { interval: 5 }).toBeGreaterThanOrEqual(4)
    expect(order).toEqual([])
    all()
    await Promise.all([large, small])
    expect(order).toEqual(['large', 'small'])
  })

  it('is given alone to a request larger than all of it', async () => {
    const memory = new SharedMemory(100)
    const release = await memory.wait(1_000)
    expect(await memory.take(1)).toBeUndefined()
    release()
    expect(await memory.take(100)).toBeDefined()
  })

  it('has a limited queue, beyond which requests get a Retry-After', async () => {
    const memory = new SharedMemory(WAITING_FOR_SHARES.requests)
    const all = await memory.wait(WAITING_FOR_SHARES.requests)
    const waiting = Array.from({ length: WAITING_FOR_SHARES.requests }, () => memory.wait(1))
    const refusal = await memory.wait(1).catch((error: ServiceUnavailableError) => error.toWire())
    expect(refusal).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE' })
    const { 'retry-after': seconds } = (refusal as WireError).extra
    expect(seconds).toBeGreaterThanOrEqual(1)
    all()
    await Promise.all(waiting)
  })

  it('is held by an answer until it is sent or cancelled', async () => {
    const memory = new SharedMemory(10)
    const sent = holdUntilSent(new Response('whole'), await memory.wait(10))
    expect(await memory.take(1)).toBeUndefined()
    expect(await sent.text()).toBe('whole')
    const broken = holdUntilSent(new Response('never read'), await memory.wait(10))
    expect(await memory.take(1)).toBeUndefined()
    await broken.body!.cancel()
    expect(await memory.take(1)).toBeDefined()
  })
})

describe('requests of many organizations', () => {
  /** Runs a function as part of a request to this host. */
  const at = <R>(host: string, ask: () => R): R =>
    recorded(newRecord('test', ownedBy({ organization: host })), ask)

  it('leave a part for others: no organization gets all of it', async () => {
    const memory = new SharedMemory(100)
    const first = await at('busy.test', () => memory.wait(1_000))
    const more = at('busy.test', () => memory.wait(10))
    // A request of another organization goes on at once, although one of the busy organization waits.
    const quiet = await at('quiet.test', () => memory.take(25))
    expect(quiet).toBeDefined()
    expect(await at('quiet.test', () => memory.take(1))).toBeUndefined()
    quiet!()
    ;(await at('quiet.test', () => memory.wait(25)))()
    first()
    ;(await more)()
  })

  it('go before those of an organization that holds more already', async () => {
    const memory = new SharedMemory(100)
    const held = await Promise.all([50, 20, 5].map((bytes) => at('busy.test', () => memory.wait(bytes))))
    const other = await at('other.test', () => memory.wait(25))
    const order: string[] = []
    const ask = (host: string) =>
      at(host, () => memory.wait(20)).then((release) => {
        order.push(host)
        return release
      })
    const [busy, quiet] = [ask('busy.test'), ask('quiet.test')]
    await scheduler.wait(0)
    held[1]!()
    const given = [await quiet]
    held[0]!()
    given.push(await busy)
    expect(order).toEqual(['quiet.test', 'busy.test'])
    for (const release of [...given, held[2]!, other]) release()
  })

  it('can always wait, however many of one organization wait', async () => {
    const memory = new SharedMemory(1_000)
    const all = await memory.wait(1_000)
    const busy = Array.from({ length: WAITING_FOR_SHARES.ofOne }, () => at('busy.test', () => memory.wait(1)))
    await expect(at('busy.test', () => memory.wait(1))).rejects.toMatchObject({ status: 503 })
    const quiet = at('quiet.test', () => memory.wait(1))
    all()
    for (const release of await Promise.all([...busy, quiet])) release()
  })
})

describe('bodies that still arrive', () => {
  const parts = { account: 0.25, arriving: 0.5, strangers: 0.125 }
  const bodyOf = (memory: SharedMemory, owner: Partial<MemoryOwner>) => {
    const body = memory.arriving()
    return {
      ...body,
      hold: (bytes: number) => recorded(newRecord('test', ownedBy(owner)), () => body.hold(bytes)),
      holdAtOnce: (bytes: number) =>
        recorded(newRecord('test', ownedBy(owner)), () => body.holdAtOnce(bytes)),
    }
  }

  it('have at most half of it, one account a quarter, callers not known an eighth', async () => {
    const memory = new SharedMemory(800, parts)
    const [ann, other] = [1, 2].map(() => bodyOf(memory, { account: 'ann' }))
    await ann!.hold(150)
    expect(await other!.holdAtOnce(51)).toBe(false)
    expect(await other!.holdAtOnce(50)).toBe(true)
    const [stranger, second] = [1, 2].map((n) => bodyOf(memory, { account: `${n}`, isAccepted: false }))
    await stranger!.hold(60)
    expect(await second!.holdAtOnce(41)).toBe(false)
    expect(await second!.holdAtOnce(40)).toBe(true)
    const ben = bodyOf(memory, { account: 'ben' })
    expect(await ben.holdAtOnce(101)).toBe(false)
    expect(await ben.holdAtOnce(100)).toBe(true)
    // Answers have the other half.
    const carl = recorded(newRecord('test', ownedBy({ account: 'carl' })), () => memory.take(200))
    expect(await carl).toBeDefined()
  })

  it('never wait for one another: the first may always grow', async () => {
    const memory = new SharedMemory(800, parts)
    const bodies = Array.from({ length: 8 }, (_, at) => bodyOf(memory, { account: `${at}` }))
    for (const body of bodies) await body.hold(50)
    const done: number[] = []
    await Promise.all(
      bodies.map(async (body, at) => {
        await body.hold(150)
        done.push(at)
        body.release()
      }),
    )
    expect(done).toHaveLength(8)
    expect(done[0]).toBe(0)
  })

  it('of one account that wait for each other keep no other account waiting', async () => {
    const memory = new SharedMemory(800, parts)
    const bodies = Array.from({ length: 4 }, () => bodyOf(memory, { account: 'ann' }))
    for (const body of bodies) await body.hold(50)
    const waiting = bodies.slice(1).map((body) => body.hold(100).then(body.release))
    const ben = bodyOf(memory, { account: 'ben' })
    await ben.hold(150)
    bodies[0]!.release()
    await Promise.all(waiting)
  })
})
