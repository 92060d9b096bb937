import { BETWEEN_ROUNDS, DELIVERY_OF_ONE_TURN, ENTRIES_AT_ONCE, HELD_CALLS } from '../../core/budgets.ts'
import { log } from '../../core/log.ts'
import { formOf } from '../../events/forms.ts'
import { type EventQueue, findQueue } from '../../events/queue.ts'
import type { DeliveryFacts } from '../../events/read-queue.ts'
import { deliveryFactsAmong } from '../../model/events/delivery-facts.ts'
import type { Runtime } from '../runtime.ts'
import { DeliveryTurn, lookForEvents } from './look-for-events.ts'
import type { WaitingPoll } from './poll-sockets.ts'

/**
 * Polls that come while a round answers others wait for its end: so long at most, in ms. They are let in some at a time, each of which takes
 * some 0.2 ms.
 */
const WAITING_FOR_ROUND = { ms: 1_000, inOneTurn: 50 } as const

/**
 * Looks at every waiting poll, and answers those whose queue has events. Thousands take several turns,
 * between which the object serves others: a poll gets everything that is there when its turn comes, so the
 * order stays.
 */
class PollRounds {
  /** Polls still to be looked at in this round. */
  #left: WaitingPoll[] = []
  /** Something has happened since this round began: polls that were looked at before are looked at again. */
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
  /** Continues those who wait for its end. */
  #waiting: (() => void)[] = []
  /** Whether some of them are continuing, a part in each turn. */
  #isEnding = false
  /** Goes off when they have waited long enough: streams that join a round can make it long. */
  #longest: ReturnType<typeof setTimeout> | undefined

  /**
   * Begins one round, however many commits: a poll gets everything that is there
   * (docs/interface/events.md#poll).
   */
  wake(runtime: Runtime): void {
    this.#again = true
    this.#schedule(runtime)
  }

  /** Begins a round. A wake is a hint, the cursor is the truth: calling it too often does no harm. */
  begin(runtime: Runtime): void {
    this.#again = true
    this.#turn(runtime)
  }

  /** Adds one poll, which has come just now or can get more. */
  add(runtime: Runtime, poll: WaitingPoll): void {
    this.#left.push(poll)
    // A single poll does not wait for the next round.
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#schedule(runtime)
  }

  /**
   * Resolves when no poll of this round waits any more. Answered polls come back, and would take the time of those
   * that still wait. Undefined without a round, or when too many wait.
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

  /** Continues some of those who wait for the end of a round, and the others in later turns. */
  #letContinue(): void {
    for (const go of this.#waiting.splice(0, WAITING_FOR_ROUND.inOneTurn)) go()
    this.#isEnding = this.#waiting.length > 0
    if (this.#isEnding) setTimeout(() => this.#letContinue(), 0)
  }

  /** Milliseconds until the next round may begin. A clock that was set back ends the pause. */
  get pause(): number {
    const passed = Date.now() - this.#began
    return passed < 0 ? 0 : Math.max(this.#pause - passed, 0)
  }

  /** Continues the round, or begins the next when its time has come: the timer decides that, whatever the clock says then. */
  #schedule(runtime: Runtime): void {
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

  /** Returns how many of those that are left one turn answers. */
  #answeredInOneTurn(): number {
    const { polls, streams } = DELIVERY_OF_ONE_TURN
    // In parts of the turn that are whole numbers.
    let spent = 0
    const count = this.#left.findIndex(({ flow }) => {
      if (spent >= polls * streams) return true
      spent += flow ? polls : streams
      return false
    })
    return count < 0 ? this.#left.length : count
  }

  #turn(runtime: Runtime): void {
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

type Delivered = Runtime['polls']['delivered']

function pauseAfter(before: Delivered, { polls, frames }: Delivered): number {
  const { min, forEachPoll, forEachStream, max } = BETWEEN_ROUNDS
  const whole = (polls - before.polls) * forEachPoll + (frames - before.frames) * forEachStream
  return whole === 0 ? 0 : Math.min(Math.max(whole, min), max)
}

const rounds = new WeakMap<Runtime, PollRounds>()

function roundsOf(runtime: Runtime): PollRounds {
  const known = rounds.get(runtime) ?? new PollRounds()
  rounds.set(runtime, known)
  return known
}

/** Answers the polls whose queue has events now, after the present turn. */
export function wakePolls(runtime: Runtime): void {
  roundsOf(runtime).wake(runtime)
}

/** Answers this one, if its queue has events, after the present turn. */
export function wakePoll(runtime: Runtime, poll: WaitingPoll): void {
  roundsOf(runtime).add(runtime, poll)
}

/** Resolves when the present round is over, or takes too long; undefined if there is nothing to wait for. */
export function endOfRound(runtime: Runtime): Promise<void> | undefined {
  return roundsOf(runtime).end
}

/** Whether a round has just answered so many polls that the next one waits for them to come back. */
export function isBetweenRounds(runtime: Runtime): boolean {
  return roundsOf(runtime).pause > 0
}

/** Answers them in the present turn, or the first of them if there are many. */
export function answerWaitingPolls(runtime: Runtime): void {
  roundsOf(runtime).begin(runtime)
}

/**
 * Answers some of the polls, and returns those for whom there was no time. `waiting`: number of polls of the
 * whole round, which becomes no smaller while they are answered, so that all turns share what is kept.
 */
function answerSome(runtime: Runtime, polls: readonly WaitingPoll[], waiting: number): WaitingPoll[] {
  const found = polls.flatMap((poll) => {
    if (!runtime.polls.isHeld(poll)) return []
    const queue = findQueue(runtime.sql, poll.queueId)
    // A queue that is gone ends the wait; the next poll gets that answer.
    if (!queue) runtime.polls.answer(poll, [])
    return queue ? [{ poll, queue }] : []
  })
  const userIds = found.map(({ queue }) => queue.userId)
  const facts = deliveryFactsAmong(runtime.sql, userIds, waiting)
  const turn = new DeliveryTurn()
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

/**
 * Sends a heartbeat to a stream that has been sent nothing up to this id, if the id is far from its cursor,
 * or it is time.
 */
function beat(runtime: Runtime, poll: WaitingPoll, upTo: number): void {
  const isTime = poll.needsHeartbeat
  if (!isTime && upTo - poll.cursor < ENTRIES_AT_ONCE) return
  poll.needsHeartbeat = false
  // A heartbeat by the clock shows by its id alone whether anything has happened.
  const id = isTime ? runtime.ids.nextEphemeral(runtime.sql) : upTo
  runtime.polls.answer(poll, [formOf({ type: 'heartbeat', id })])
}

/** Answers a poll; false when more must be read before it is known whether it gets anything. */
function answerPoll(
  runtime: Runtime,
  poll: WaitingPoll,
  queue: EventQueue,
  facts: DeliveryFacts,
  turn: DeliveryTurn,
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
