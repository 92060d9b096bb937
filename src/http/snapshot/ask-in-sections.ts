import { ANSWERS_IN_SECTIONS } from '../../core/budgets.ts'
import type { RealmAnswer } from '../../core/call.ts'
import { retryLater } from '../../core/errors.ts'
import { FairQueue, type FairQueueLimits } from '../../core/fair-scheduler.ts'
import { log } from '../../core/log.ts'
import { ownerOfRequest } from '../../core/request-record.ts'
import type { AnswerInSections, LongText } from '../../core/sections.ts'
import { TimeLimit } from '../../core/within-time.ts'
import { type SectionCache, sectionCache, sectionsSent } from './section-cache.ts'

/** Limit of the calls for one answer. An organization of 50,000 users needs about ten. */
const MAX_CALLS = 500
/** Milliseconds between these calls, so that other requests get a turn even when Worker and object share a thread. */
const PAUSE_MS = 3

/** Assumed length of a turn in milliseconds: equal for all, so that owners alternate. */
const COST = 1

interface FewAtOnceLimits extends FairQueueLimits {
  readonly atOnce: number
  readonly milliseconds: number
  /** Limit of requests that have a turn or are being answered after it. */
  readonly answered: number
  /**
   * Milliseconds after which a turn is freed, and an answer no longer counts: a request that the platform ended releases nothing, and a
   * slow reader must not keep others out.
   */
  readonly turn: number
  readonly answer: number
}

interface TakenSlice {
  leave(): void
  /** Ends the turn, and counts the request as being answered until the returned function is called. */
  answer(): () => void
}

/** Lets a few requests at a time wait for one organization's answers, which take memory; the others wait in a `FairQueue`. */
export class FewAtOnce {
  readonly #limits: FewAtOnceLimits
  readonly #queue: FairQueue
  /** The time left for each. */
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

  /** Waits for a turn. @throws ServiceUnavailableError (503) when too many wait, or it takes too long */
  async enter(owner: string): Promise<TakenSlice> {
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

  #take(): TakenSlice | undefined {
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

/** Requests asking or being answered, by organization: none waits for another organization's. */
const asking = new Map<number, FewAtOnce>()
/** Number of organizations above which those whose answers should long have ended are forgotten. */
const MANY = 1_000

/** An answer with all its sections. */
export interface WholeAnswer extends Pick<AnswerInSections, 'parts'> {
  /** All texts in UTF-8, concatenated. */
  readonly text: Uint8Array
  /** In the order of `AnswerInSections.versions`. */
  readonly sections: readonly Uint8Array[]
  /** To be called when everything has been sent, or the reader has gone. */
  readonly end: () => void
}

interface Asked {
  readonly answer: RealmAnswer
  readonly whole?: Omit<WholeAnswer, 'end'>
}

/**
 * Asks the realm object for an answer in sections, again while more are missing than one answer brings. Requests that come while many are
 * being answered wait, without holding memory.
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
  /** Sections of earlier answers, held so that later arrivals cannot evict them. */
  const own = new Map<number, Uint8Array>()
  for (let call = 1; call <= MAX_CALLS; call += 1) {
    if (call > 1) await scheduler.wait(PAUSE_MS)
    const held = cache.held(realmId)
    const answer = await ask(own.size === 0 ? held : Float64Array.from(new Set([...held, ...own.keys()])))
    const { inSections } = answer
    if (!inSections) return { answer }
    for (const { key, version, bytes } of sectionsSent(inSections.sent)) {
      cache.put(realmId, key, version, bytes)
      own.set(version, bytes)
    }
    const whole = inSections.isIncomplete
      ? undefined
      : await wholeOf(inSections, (version) => own.get(version) ?? cache.find(realmId, version))
    if (!whole) continue
    cache.noteUse(realmId, new Set(inSections.versions))
    return { answer, whole }
  }
  throw retryLater()
}

/** Returns the answer with all its sections; undefined if another answer has evicted one that the request held. */
export async function wholeOf(
  { text, parts, versions }: AnswerInSections,
  find: (version: number) => Uint8Array | undefined,
): Promise<Asked['whole']> {
  const sections: Uint8Array[] = []
  for (const version of versions) {
    const bytes = find(version)
    if (!bytes) {
      // The object holds unread bytes until it gives up.
      if ('stream' in text) await text.stream.cancel()
      return undefined
    }
    sections.push(bytes)
  }
  return { text: 'stream' in text ? await readLongText(text) : text, parts, sections }
}

/** @throws ServiceUnavailableError (503) when the object has ended meanwhile: the queue ends by itself */
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
  if (read < length) throw retryLater()
  return text
}

/** Returns the answer to a call that holds no sections: all its parts came with it. */
export async function allAtOnce(
  answer: RealmAnswer,
): Promise<{ answer: RealmAnswer; whole?: WholeAnswer | undefined }> {
  if (!answer.inSections) return { answer }
  const sent = new Map(
    Array.from(sectionsSent(answer.inSections.sent), ({ version, bytes }) => [version, bytes]),
  )
  const whole = await wholeOf(answer.inSections, (version) => sent.get(version))
  return { answer, whole: whole && { ...whole, end: () => {} } }
}
