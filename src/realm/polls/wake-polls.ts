import { BETWEEN_ROUNDS, DELIVERY_OF_ONE_SLICE, ENTRIES_AT_ONCE, HELD_CALLS } from '../../core/budgets.ts'
import { log } from '../../core/log.ts'
import { type EventQueue, findQueue } from '../../events/queue.ts'
import type { DeliveryFacts } from '../../events/read-queue.ts'
import { representationOf } from '../../events/representations.ts'
import { DeliverySlice, deliveryFactsAmong, lookForEvents } from './look-for-events.ts'
import type { PollRuntime } from './poll-runtime.ts'
import type { WaitingPoll } from './poll-sockets.ts'

/** Polls that arrive during a round wait for its end, for so long at most, and are then let in a few at a time: each takes some 0.2 ms. */
const WAITING_FOR_ROUND = { ms: 1_000, inOneTurn: 50 } as const

/**
 * Looks at every waiting poll, and answers those whose queue has events. Thousands take several turns, between which the object serves
 * others: a poll gets everything that is there when its turn comes, so the order stays.
 */
class PollRounds {
  /** Polls still to be looked at in this round. */
  #left: WaitingPoll[] = []
  /** Something has happened since this round began: another one follows. */
  #again = false
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Time at which this round began, in ms of the clock, like the next. */
  #began = 0
  /** Number of polls that waited then. */
  #waited = 0
  /** Milliseconds from then until the next may begin. */
  #pause = 0
  /** The polls and frames that were answered before it. */
  #before = { polls: 0, frames: 0 }
  /** Resolve the promises of polls that wait for the end of the round. */
  #waiting: (() => void)[] = []
  /** Whether they are being let in, a few in each turn. */
  #isEnding = false
  /** Goes off when they have waited long enough: streams that join a round can prolong it. */
  #longest: ReturnType<typeof setTimeout> | undefined

  /** Begins a round after the present turn, one for all its commits: a poll gets everything that is there. */
  wake(runtime: PollRuntime): void {
    this.#again = true
    this.#schedule(runtime)
  }

  /** Begins a round in the present turn, which answers all polls, or the first of them if there are many. */
  begin(runtime: PollRuntime): void {
    this.#again = true
    this.#turn(runtime)
  }

  /** Adds a poll that has just come, or can get more; it is looked at after the present turn. */
  add(runtime: PollRuntime, poll: WaitingPoll): void {
    this.#left.push(poll)
    // A single poll does not wait for the next round.
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#schedule(runtime)
  }

  /**
   * Resolves when this round is over, or takes too long: polls that were answered come back, and would take the time of those that still
   * wait. Undefined without a round, or when too many wait for it.
   */
  get end(): Promise<void> | undefined {
    if (this.#left.length === 0 || this.#waiting.length >= HELD_CALLS.count) return undefined
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.push(resolve)
    this.#longest ??= setTimeout(() => this.#end(), WAITING_FOR_ROUND.ms)
    return promise
  }

  #end(): void {
    clearTimeout(this.#longest)
    this.#longest = undefined
    if (!this.#isEnding) this.#letContinue()
  }

  /** Lets in some of the polls that wait for the end of a round, and the others in later turns. */
  #letContinue(): void {
    for (const go of this.#waiting.splice(0, WAITING_FOR_ROUND.inOneTurn)) go()
    this.#isEnding = this.#waiting.length > 0
    if (this.#isEnding) setTimeout(() => this.#letContinue(), 0)
  }

  /** Milliseconds until the next round may begin, in which answered polls come back. A clock that was set back ends it. */
  get pause(): number {
    const passed = Date.now() - this.#began
    return passed < 0 ? 0 : Math.max(this.#pause - passed, 0)
  }

  /** Continues the round, or begins the next when its time has come: the timer decides that, whatever the clock says then. */
  #schedule(runtime: PollRuntime): void {
    const isNext = this.#left.length === 0
    this.#timer ??= setTimeout(
      () => {
        this.#timer = undefined
        if (isNext) this.#pause = 0
        this.#turn(runtime)
      },
      isNext ? this.pause : 0,
    )
  }

  /** Returns how many of the polls that are left one turn answers. */
  #answeredInOneTurn(): number {
    const { polls, streams } = DELIVERY_OF_ONE_SLICE
    // A turn has `polls * streams` parts: a poll takes `streams` of them, and a stream `polls`.
    let spent = 0
    const count = this.#left.findIndex(({ flow }) => {
      if (spent >= polls * streams) return true
      spent += flow ? polls : streams
      return false
    })
    return count < 0 ? this.#left.length : count
  }

  #turn(runtime: PollRuntime): void {
    if (this.#left.length === 0 && this.#again && this.pause === 0) {
      this.#left = runtime.polls.waiting()
      this.#waited = this.#left.length
      this.#again = false
      this.#began = Date.now()
      this.#before = { ...runtime.polls.delivered }
    }
    const some = this.#left.splice(0, this.#answeredInOneTurn())
    const unfinished = answerSome(runtime, some, Math.max(this.#waited, some.length))
    this.#pause = pauseAfter(this.#before, runtime.polls.delivered)
    this.#left.push(...unfinished)
    if (this.#left.length === 0) this.#end()
    if (this.#left.length > 0 || this.#again) this.#schedule(runtime)
  }
}

const rounds = new WeakMap<PollRuntime, PollRounds>()

export function roundsOf(runtime: PollRuntime): PollRounds {
  const known = rounds.get(runtime) ?? new PollRounds()
  rounds.set(runtime, known)
  return known
}

type Delivered = Pick<PollRuntime['polls']['delivered'], 'polls' | 'frames'>

function pauseAfter(before: Delivered, { polls, frames }: Delivered): number {
  const { min, forEachPoll, forEachStream, max } = BETWEEN_ROUNDS
  const whole = (polls - before.polls) * forEachPoll + (frames - before.frames) * forEachStream
  return whole === 0 ? 0 : Math.min(Math.max(whole, min), max)
}

/** Answers polls while there is time, and returns the others. `waiting`: polls of the whole round, which share what is kept. */
function answerSome(runtime: PollRuntime, polls: readonly WaitingPoll[], waiting: number): WaitingPoll[] {
  const found = polls.flatMap((poll) => {
    if (!runtime.polls.isHeld(poll)) return []
    const queue = findQueue(runtime.sql, poll.queueId)
    // A queue that is gone ends the wait; the next poll gets that answer.
    if (!queue) runtime.polls.answer(poll, [])
    return queue ? [{ poll, queue }] : []
  })
  const userIds = found.map(({ queue }) => queue.userId)
  const facts = deliveryFactsAmong(runtime.sql, userIds, waiting)
  const turn = new DeliverySlice()
  return found
    .filter(({ poll, queue }) => {
      try {
        return turn.isSpent || !answerPoll(runtime, poll, queue, facts, turn)
      } catch (error) {
        // One queue that cannot be read must not keep the others waiting.
        log('error', 'A queue cannot be read', { organization: runtime.realm.host, error })
        return false
      }
    })
    .map(({ poll }) => poll)
}

/** Sends a heartbeat to a stream without events up to this id, if the id is far from its cursor, or one is due. */
function beat(runtime: PollRuntime, poll: WaitingPoll, upTo: number): void {
  const isTime = poll.needsHeartbeat
  if (!isTime && upTo - poll.cursor < ENTRIES_AT_ONCE) return
  poll.needsHeartbeat = false
  // A heartbeat by the clock shows by its id alone whether anything has happened.
  const id = isTime ? runtime.ids.nextEphemeral(runtime.sql) : upTo
  runtime.polls.answer(poll, [representationOf({ type: 'heartbeat', id })])
}

/** Answers a poll; false when more must be read before it is known whether it gets anything. */
function answerPoll(
  runtime: PollRuntime,
  poll: WaitingPoll,
  queue: EventQueue,
  facts: DeliveryFacts,
  turn: DeliverySlice,
): boolean {
  const { cursor, flow } = poll
  // The stream continues when its client acknowledges.
  if (flow?.isPaused) return true
  const look = lookForEvents(runtime, queue, poll, facts, turn)
  if (look.isOver) flow?.caughtUp()
  if (look.events.length === 0) {
    poll.scanned = look.upTo
    if (flow && look.isOver) beat(runtime, poll, look.upTo)
    return look.isOver
  }
  runtime.progress.note(runtime.sql, queue, flow?.acked ?? cursor, runtime.now())
  runtime.progress.noteDelivery(queue.id, Date.now())
  runtime.reached('delivering')
  runtime.polls.answer(poll, look.events)
  runtime.reached('delivered')
  return flow === undefined || look.isOver
}
