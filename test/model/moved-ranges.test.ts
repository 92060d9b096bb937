import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { MoveIntoChannel } from '../../src/store/messages/move/message-move-rows.ts'
import { heldAfter, type IdRange, withMoves } from '../../src/store/subscriptions/moved-ranges.ts'

const CHANNELS = [1, 2, 3] as const
const PROTECTED = 3

type Step =
  | { readonly kind: 'toggle'; readonly channel: number }
  | { readonly kind: 'send'; readonly channel: number }
  | { readonly kind: 'move'; readonly from: number; readonly to: number; readonly pick: readonly boolean[] }

const channel = fc.constantFrom(...CHANNELS)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('toggle' as const), channel }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('send' as const), channel }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('move' as const),
      from: channel,
      to: channel,
      pick: fc.array(fc.boolean(), { minLength: 1, maxLength: 8 }),
    }),
  },
)

/**
 * One user's history in three channels, modelled twice: with a record for each message, as
 * docs/interface/messages.md#what-moves describes it, and with periods and moves alone, as the object stores it.
 */
class World {
  readonly messages = new Map<number, { channel: number; lastMove: number | null }>()
  readonly records = new Set<number>()
  readonly periods: { channel: number; since: number; until: number; fromEvent: number; toEvent: number }[] =
    []
  readonly moves: MoveIntoChannel[] = []
  #event = 0

  run(one: Step): void {
    this.#event += 1
    if (one.kind === 'toggle') this.#toggle(one.channel)
    else if (one.kind === 'send') this.#send(one.channel)
    else if (one.from !== one.to) this.#move(one.from, one.to, one.pick)
  }

  /** Whether the stored periods and moves say that the user received a message. */
  isReceived(id: number): boolean {
    const current = this.messages.get(id)!.channel
    const ranges = withMoves(
      this.#periodsIn(current),
      this.moves.filter((move) => move.channelId === current),
      (move) =>
        heldAfter(this.#chain(move), {
          periods: (of) => this.#periodsIn(of),
          subscribedAt: (of, event) =>
            this.periods.some((one) => one.channel === of && one.fromEvent < event && event <= one.toEvent),
        }),
    )
    return ranges.some(({ since, until }) => id > since && id <= until)
  }

  #toggle(of: number): void {
    const open = this.#openPeriod(of)
    const position = this.messages.size
    if (open) Object.assign(open, { until: position, toEvent: this.#event - 1 })
    else
      this.periods.push({
        channel: of,
        since: position,
        until: Number.MAX_SAFE_INTEGER,
        fromEvent: this.#event - 1,
        toEvent: Number.MAX_SAFE_INTEGER,
      })
  }

  #send(to: number): void {
    const id = this.messages.size + 1
    this.messages.set(id, { channel: to, lastMove: null })
    if (this.#openPeriod(to)) this.records.add(id)
  }

  #move(from: number, to: number, pick: readonly boolean[]): void {
    const ids = [...this.messages]
      .filter(([, message]) => message.channel === from)
      .map(([id]) => id)
      .filter((_, index) => pick[index % pick.length])
    if (ids.length === 0) return
    const ranges = this.#ranges(ids, to)
    const groups = Map.groupBy(ids, (id) => this.messages.get(id)!.lastMove)
    for (const [previousId, group] of groups) {
      this.moves.push({
        id: this.moves.length + 1,
        previousId,
        userId: 1,
        at: 0,
        seq: this.#event,
        prevTopic: null,
        topic: null,
        prevChannelId: from,
        channelId: to,
        subscribersReceived: to === PROTECTED,
        ranges: groups.size === 1 ? ranges : group.map((id) => [id, id] as const),
      })
      for (const id of group) this.messages.set(id, { channel: to, lastMove: this.moves.length })
    }
    for (const id of ids) {
      const keeps = this.#openPeriod(to) && (this.records.has(id) || to === PROTECTED)
      if (keeps) this.records.add(id)
      else this.records.delete(id)
    }
  }

  /** Ranges in which the target has no message of its own. */
  #ranges(ids: readonly number[], to: number): [number, number][] {
    const ranges: [number, number][] = []
    for (const id of ids) {
      const last = ranges.at(-1)
      const parted = [...this.messages].some(
        ([other, message]) => message.channel === to && last && other > last[1] && other < id,
      )
      if (last && !parted) last[1] = id
      else ranges.push([id, id])
    }
    return ranges
  }

  #chain(move: MoveIntoChannel): MoveIntoChannel[] {
    const previous = this.moves.find(({ id }) => id === move.previousId)
    return [move, ...(previous ? this.#chain(previous) : [])]
  }

  #openPeriod(of: number) {
    return this.periods.find((one) => one.channel === of && one.toEvent === Number.MAX_SAFE_INTEGER)
  }

  #periodsIn(of: number): IdRange[] {
    return this.periods.filter((one) => one.channel === of).map(({ since, until }) => ({ since, until }))
  }
}

describe('who received messages that were moved into a channel', () => {
  it('ranges give the same answer as one record for each message', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 5, maxLength: 60, size: 'max' }), (steps) => {
        const world = new World()
        for (const one of steps) world.run(one)
        for (const id of world.messages.keys()) {
          expect([id, world.isReceived(id)]).toEqual([id, world.records.has(id)])
        }
      }),
      { numRuns: 1_000 },
    )
  })
})
