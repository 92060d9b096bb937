import { afterEach, describe, expect, it, vi } from 'vitest'
import { FairScheduler } from '../../src/core/fair-scheduler.ts'
import { wait } from '../../src/core/within-time.ts'

afterEach(() => vi.restoreAllMocks())

/** A timer that has been cleared. */
const noTimer = setTimeout(() => {}, 0)
clearTimeout(noTimer)

const LIMITS = { waiting: 20, ofOne: 8 }

/** Asks for turns, each with an owner, a name and its milliseconds, in one moment, and returns the names in the order in which they began. */
async function orderOf(
  asked: readonly (readonly [owner: string, name: string, ms: number])[],
): Promise<string[]> {
  const gate = new FairScheduler(LIMITS)
  const begun: string[] = []
  await Promise.all(
    asked.map(async ([owner, name, ms]) => {
      await gate.turn({ owner, ms })
      begun.push(name)
    }),
  )
  return begun
}

describe('long work', () => {
  it('begins from a timer, also where nobody else waits', async () => {
    const gate = new FairScheduler(LIMITS)
    const order: string[] = []
    const earlier = wait(0).then(() => order.push('a timer that was set before'))
    const work = gate.turn({ owner: 'ann' }).then(() => order.push('the work'))
    for (let times = 0; times < 50; times += 1) await Promise.resolve()
    expect(order).toEqual([])
    await Promise.all([earlier, work])
    expect(order).toEqual(['a timer that was set before', 'the work'])
  })

  it('begins one piece at a time, each from a timer of its own', async () => {
    const gate = new FairScheduler(LIMITS)
    const set = vi.spyOn(globalThis, 'setTimeout')
    const timers: number[] = []
    const piece = async (owner: string) => {
      for (let times = 0; times < 4; times += 1) {
        await gate.turn({ owner })
        timers.push(set.mock.calls.filter(([, ms]) => ms === 0).length)
      }
    }
    await Promise.all(['ann', 'ben', 'cal'].map(piece))
    expect(timers).toEqual(Array.from({ length: 12 }, (_, index) => index + 1))
  })

  it('of one account is done in the order in which it came', async () => {
    const asked = Array.from({ length: 6 }, (_, index) => ['ann', `ann ${index}`, 10] as const)
    expect(await orderOf(asked)).toEqual(asked.map(([, name]) => name))
  })

  it('of a busy account lets that of another begin before its third piece', async () => {
    const busy = Array.from({ length: 6 }, (_, index) => ['ann', `ann ${index}`, 10] as const)
    const order = await orderOf([...busy, ['ben', 'ben', 10]])
    expect(order.indexOf('ben')).toBeLessThanOrEqual(2)
  })

  it('that is short does not wait for several long ones of others', async () => {
    const long = ['ann', 'ben', 'cal'].map((owner) => [owner, owner, 130] as const)
    const short = Array.from({ length: 5 }, (_, index) => ['dan', `dan ${index}`, 10] as const)
    const order = await orderOf([...long, ...short])
    expect(order.slice(1, 6)).toEqual(short.map(([, name]) => name))
  })

  it('of everybody gets its turn, however much short work comes meanwhile', async () => {
    const gate = new FairScheduler(LIMITS)
    let isDone = false
    const long = gate.turn({ owner: 'ann', ms: 130 }).then(() => {
      isDone = true
    })
    let others = 0
    while (!isDone) {
      await gate.turn({ owner: 'ben', ms: 10 })
      others += 1
    }
    await long
    expect(others).toBeLessThanOrEqual(15)
  })
})

describe('too much long work', () => {
  it('of one account is refused with Retry-After, and not that of others', async () => {
    const gate = new FairScheduler(LIMITS)
    const waiting = Array.from({ length: LIMITS.ofOne }, () => gate.turn({ owner: 'ann' }))
    await expect(gate.turn({ owner: 'ann' })).rejects.toMatchObject({
      status: 503,
      extra: { 'retry-after': expect.any(Number) },
    })
    await gate.turn({ owner: 'ben' })
    await Promise.all(waiting)
    await gate.turn({ owner: 'ann' })
  })

  it('of all is refused with Retry-After', async () => {
    const gate = new FairScheduler(LIMITS)
    const waiting = Array.from({ length: LIMITS.waiting }, (_, index) =>
      gate.turn({ owner: `user ${index}` }),
    )
    await expect(gate.turn({ owner: 'ann' })).rejects.toMatchObject({ status: 503 })
    await Promise.all(waiting)
  })

  it('is not refused once it has begun', async () => {
    const gate = new FairScheduler(LIMITS)
    const place = gate.reserve('ann')
    const waiting = Array.from({ length: LIMITS.ofOne - 1 }, () => gate.turn({ owner: 'ann' }))
    expect(() => gate.reserve('ann')).toThrow()
    await Promise.all([place.turn(), gate.nextSlice({ owner: 'ann' }), ...waiting])
    place.leave()
    place.leave()
    gate.reserve('ann').leave()
  })
})

describe('the gate', () => {
  it('opens for the next piece of work when one fails', async () => {
    const gate = new FairScheduler(LIMITS)
    const failing = gate.turn({ owner: 'ann' }).then(() => {
      throw new Error('broken')
    })
    const next = gate.turn({ owner: 'ann' }).then(() => 'done')
    await expect(failing).rejects.toThrow('broken')
    expect(await next).toBe('done')
    expect(gate.waiting).toBe(0)
  })

  /** Work of a request whose client has gone: the timer that it has set never fires. */
  async function workOfNobody(gate: FairScheduler): Promise<void> {
    vi.spyOn(globalThis, 'setTimeout').mockImplementationOnce(() => noTimer)
    void gate.turn({ owner: 'gone' })
    for (let times = 0; times < 10; times += 1) await Promise.resolve()
    vi.mocked(setTimeout).mockRestore()
  }

  it('opens for others when a user whose turn it is has gone', async () => {
    const gate = new FairScheduler(LIMITS)
    await workOfNobody(gate)
    await gate.turn({ owner: 'ann' })
  })

  it('passes over those that have gone while they waited, and forgets their places', async () => {
    const gate = new FairScheduler(LIMITS)
    const first = gate.turn({ owner: 'ann' })
    for (let times = 0; times < LIMITS.ofOne; times += 1) await workOfNobody(gate)
    expect(() => gate.reserve('gone')).toThrow()
    await Promise.all([first, gate.turn({ owner: 'ann' }), gate.turn({ owner: 'ben' })])
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 11_000 })
    for (let times = 0; times < LIMITS.ofOne; times += 1) gate.reserve('gone')
    expect(gate.waiting).toBe(0)
    vi.useRealTimers()
  })
})
