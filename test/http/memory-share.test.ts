import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ServiceUnavailableError, WireError } from '../../src/core/errors.ts'
import { MIB } from '../../src/core/files.ts'
import { newRecord, recorded } from '../../src/core/request-record.ts'
import {
  BLOCKS_KEPT,
  DECODED_PICTURE,
  TEXTS_KEPT,
  WAITING_FOR_SHARES,
  WORKER_SHARES,
} from '../../src/core/worker-budgets.ts'
import { holdUntilSent, SharedMemory, workerMemory } from '../../src/http/memory-share.ts'

afterEach(() => vi.restoreAllMocks())

describe('the memory for files of requests', () => {
  it('is reserved while it suffices, and again after a release', () => {
    const giveBack = workerMemory.take(WORKER_SHARES / 2)
    const other = workerMemory.take(WORKER_SHARES / 2)
    expect(workerMemory.take(1)).toBeUndefined()
    giveBack!()
    const again = workerMemory.take(WORKER_SHARES / 2)
    expect(again).toBeDefined()
    other!()
    again!()
  })

  it('is freed after a while when a request never ends', () => {
    const now = Date.now()
    const clock = vi.spyOn(Date, 'now').mockReturnValue(now)
    expect(workerMemory.take(WORKER_SHARES)).toBeDefined()
    clock.mockReturnValue(now + 59_000)
    expect(workerMemory.take(1)).toBeUndefined()
    clock.mockReturnValue(now + 60_000)
    workerMemory.take(WORKER_SHARES)!()
  })

  it('fits into an isolate, with all that is kept, a decoded picture and the program', () => {
    const program = 24 * MIB
    expect(WORKER_SHARES + BLOCKS_KEPT + TEXTS_KEPT.bytes + DECODED_PICTURE + program).toBeLessThanOrEqual(
      128 * MIB,
    )
  })

  it('is granted in the order of requests, small or large', async () => {
    const memory = new SharedMemory(100)
    const all = await memory.wait(100)
    const order: string[] = []
    const large = memory.wait(90).then((giveBack) => {
      order.push('large')
      giveBack()
    })
    const small = memory.wait(1).then((giveBack) => {
      order.push('small')
      giveBack()
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
    const giveBack = await memory.wait(1_000)
    expect(memory.take(1)).toBeUndefined()
    giveBack()
    expect(memory.take(100)).toBeDefined()
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
    expect(memory.take(1)).toBeUndefined()
    expect(await sent.text()).toBe('whole')
    const broken = holdUntilSent(new Response('never read'), await memory.wait(10))
    expect(memory.take(1)).toBeUndefined()
    await broken.body!.cancel()
    expect(memory.take(1)).toBeDefined()
  })
})

describe('requests of many organizations', () => {
  /** Runs a function as part of a request to this host. */
  const at = <R>(host: string, ask: () => R): R => recorded(newRecord('test', host), ask)

  it('leave a part for others: no organization gets all of it', async () => {
    const memory = new SharedMemory(100)
    const first = await at('busy.test', () => memory.wait(1_000))
    const more = at('busy.test', () => memory.wait(10))
    // A request of another organization goes on at once, although one of the busy organization waits.
    const quiet = at('quiet.test', () => memory.take(25))
    expect(quiet).toBeDefined()
    expect(at('quiet.test', () => memory.take(1))).toBeUndefined()
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
      at(host, () => memory.wait(20)).then((giveBack) => {
        order.push(host)
        return giveBack
      })
    const [busy, quiet] = [ask('busy.test'), ask('quiet.test')]
    held[1]!()
    const given = [await quiet]
    held[0]!()
    given.push(await busy)
    expect(order).toEqual(['quiet.test', 'busy.test'])
    for (const giveBack of [...given, held[2]!, other]) giveBack()
  })

  it('can always wait, however many of one organization wait', async () => {
    const memory = new SharedMemory(1_000)
    const all = await memory.wait(1_000)
    const busy = Array.from({ length: WAITING_FOR_SHARES.ofOne }, () => at('busy.test', () => memory.wait(1)))
    await expect(at('busy.test', () => memory.wait(1))).rejects.toMatchObject({ status: 503 })
    const quiet = at('quiet.test', () => memory.wait(1))
    all()
    for (const giveBack of await Promise.all([...busy, quiet])) giveBack()
  })
})
