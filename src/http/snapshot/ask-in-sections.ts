import { ANSWERS_IN_SECTIONS } from '../../core/budgets.ts'
import type { RealmAnswer } from '../../core/call.ts'
import { comeAgain } from '../../core/errors.ts'
import { log } from '../../core/log.ts'
import { ownerOfRequest } from '../../core/request-record.ts'
import type { AnswerInPieces, LongText } from '../../core/sections.ts'
import { TimeLimit } from '../../core/within-time.ts'
import { FairQueue, type FairQueueLimits } from '../../core/work-gate.ts'
import { type SectionCache, sectionCache, sectionsSent } from './section-cache.ts'

/** Limit of calls for one answer. An organization of 50,000 users needs some ten. */
const MAX_CALLS = 500
/** Milliseconds between two of them, so that other requests get in between, also where Worker and object share a thread. */
const PAUSE_MS = 3

/** Milliseconds that a turn is taken to last: all alike, so that owners take turns. */
const COST = 1

interface FewAtOnceLimits extends FairQueueLimits {
  readonly atOnce: number
  readonly milliseconds: number
  /** Requests that have a turn, or are being answered after it. */
  readonly answered: number
  /**
   * Milliseconds after which a turn is free again, and after which an answer no longer counts: a request that the platform has ended
   * gives nothing back, and a slow reader must not keep others out.
   */
  readonly turn: number
  readonly answer: number
}

/** A turn that has been taken. */
interface TakenTurn {
  /** Ends the turn. */
  leave(): void
  /** Ends the turn, and counts the request as being answered until what this returns is called. */
  answer(): () => void
}

/**
 * Lets a few requests of an isolate at a time wait for one organization's answers, which take memory; the others wait in a `FairQueue`.
 * Work that holds the thread goes through the gate instead (core/work-gate.ts).
 */
export class FewAtOnce {
  readonly #limits: FewAtOnceLimits
  readonly #queue: FairQueue
  /** The time that is left to each. */
  readonly #turns = new Set<TimeLimit>()
  readonly #answers = new Set<TimeLimit>()

  constructor(limits: FewAtOnceLimits) {
    this.#limits = limits
    this.#queue = new FairQueue(limits)
  }

  /** Whether no work runs or waits. */
  get isEmpty(): boolean {
    this.#endOverdue()
    return this.#turns.size === 0 && this.#answers.size === 0 && this.#queue.isEmpty
  }

  /**
   * Waits for a turn.
   * @throws ServiceUnavailableError (503) when too many wait, or it takes too long.
   */
  async enter(owner: string): Promise<TakenTurn> {
    const place = this.#queue.enter(owner)
    try {
      const take = () => {
        const turn = this.#take()
        if (turn) place.leave()
        return turn
      }
      return await place.wait(COST, take, new TimeLimit(this.#limits.milliseconds))
    } finally {
      place.leave()
    }
  }

  #take(): TakenTurn | undefined {
    this.#endOverdue()
    const [taken, answered] = [this.#turns.size, this.#answers.size]
    if (taken >= this.#limits.atOnce || taken + answered >= this.#limits.answered) return undefined
    const turn = new TimeLimit(this.#limits.turn)
    this.#turns.add(turn)
    const leave = () => {
      this.#turns.delete(turn)
    }
    const answer = () => {
      leave()
      const begun = new TimeLimit(this.#limits.answer)
      this.#answers.add(begun)
      return () => this.#answers.delete(begun)
    }
    return { leave, answer }
  }

  #endOverdue(): void {
    for (const begun of [this.#turns, this.#answers]) {
      for (const one of begun) if (one.isOver) begun.delete(one)
    }
  }
}

/** Requests that ask or are answered, by organization: none waits for another organization's. */
const asking = new Map<number, FewAtOnce>()
/** Organizations from which on those are forgotten whose last answer's end was never heard. */
const MANY = 1_000

/** An answer with all its sections. */
export interface WholeAnswer extends Pick<AnswerInPieces, 'pieces'> {
  /** All texts, one after the other, in UTF-8. */
  readonly text: Uint8Array
  /** In the order of `AnswerInPieces.versions`. */
  readonly sections: readonly Uint8Array[]
  /** To be called when all has been sent, or the reader has gone. */
  readonly end: () => void
}

interface Asked {
  readonly answer: RealmAnswer
  readonly whole?: Omit<WholeAnswer, 'end'>
}

/**
 * Asks the realm object for an answer in sections, again where more are missing than come with one. Requests that come while many are being
 * answered wait, and hold nothing yet.
 */
export async function askInSections(
  realmId: number,
  ask: (held: Float64Array) => Promise<RealmAnswer>,
  cache: SectionCache = sectionCache,
): Promise<{ readonly answer: RealmAnswer; readonly whole?: WholeAnswer }> {
  if (asking.size >= MANY) {
    for (const [id, { isEmpty }] of asking) if (isEmpty) asking.delete(id)
  }
  const others = asking.get(realmId) ?? new FewAtOnce(ANSWERS_IN_SECTIONS)
  asking.set(realmId, others)
  const forget = () => {
    if (others.isEmpty && asking.get(realmId) === others) asking.delete(realmId)
  }
  try {
    const turn = await others.enter(ownerOfRequest())
    const asked = await askUntilWhole(realmId, ask, cache).catch((error: unknown) => {
      turn.leave()
      throw error
    })
    const { answer, whole } = asked
    if (!whole) {
      turn.leave()
      return { answer }
    }
    const sent = turn.answer()
    const end = () => {
      sent()
      forget()
    }
    return { answer, whole: { ...whole, end } }
  } finally {
    forget()
  }
}

async function askUntilWhole(
  realmId: number,
  ask: (held: Float64Array) => Promise<RealmAnswer>,
  cache: SectionCache,
): Promise<Asked> {
  /** Sections of earlier answers, which stay however many others arrive. */
  const own = new Map<number, Uint8Array>()
  for (let call = 1; call <= MAX_CALLS; call += 1) {
    if (call > 1) await scheduler.wait(PAUSE_MS)
    const held = cache.held(realmId)
    const answer = await ask(own.size === 0 ? held : Float64Array.from(new Set([...held, ...own.keys()])))
    const { inPieces } = answer
    if (!inPieces) return { answer }
    for (const { key, version, bytes } of sectionsSent(inPieces.sent)) {
      cache.put(realmId, key, version, bytes)
      own.set(version, bytes)
    }
    const whole = inPieces.isIncomplete
      ? undefined
      : await wholeOf(inPieces, (version) => own.get(version) ?? cache.find(realmId, version))
    if (!whole) continue
    cache.noteUse(realmId, new Set(inPieces.versions))
    return { answer, whole }
  }
  throw comeAgain()
}

/** Returns the answer to a request that holds no sections, or one with all that it holds; undefined where another answer has pushed one out. */
export async function wholeOf(
  { text, pieces, versions }: AnswerInPieces,
  find: (version: number) => Uint8Array | undefined,
): Promise<Asked['whole']> {
  const sections: Uint8Array[] = []
  for (const version of versions) {
    const bytes = find(version)
    if (!bytes) {
      // The object holds what is not read until it gives up.
      if ('stream' in text) await text.stream.cancel()
      return undefined
    }
    sections.push(bytes)
  }
  return { text: 'stream' in text ? await readLongText(text) : text, pieces, sections }
}

/** @throws ServiceUnavailableError (503) when the object has ended meanwhile: the queue ends by itself. */
async function readLongText({ length, stream }: LongText): Promise<Uint8Array> {
  const text = new Uint8Array(length)
  let read = 0
  try {
    for await (const piece of stream) {
      text.set(piece, read)
      read += piece.length
    }
  } catch (error) {
    log('warn', 'A long answer was cut off', { error })
  }
  if (read < length) throw comeAgain()
  return text
}
