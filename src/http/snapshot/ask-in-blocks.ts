import type { AnswerInBlocks, HeldBlocks, LongText } from '../../core/blocks.ts'
import type { RealmAnswer } from '../../core/call.ts'
import { comeAgain } from '../../core/errors.ts'
import { log } from '../../core/log.ts'
import { ownerOfRequest } from '../../core/request-record.ts'
import { TimeLimit } from '../../core/time-limit.ts'
import { ANSWERS_IN_BLOCKS } from '../../core/worker-budgets.ts'
import { FewAtOnce } from '../few-at-once.ts'
import { type BlockCache, type BlockKey, blockCache, type KeptBlock, sentBlocks } from './block-cache.ts'

/** Limit of calls for one answer. An organization of 50,000 users needs some fifty. */
const MAX_CALLS = 500
/**
 * Milliseconds since its last answer for which a filling request is waited for: a request that the platform
 * has ended does not report its end.
 */
const FILLING_MS = 10_000
const WAITING_MS = 60_000
const LOOK_MS = 25
/**
 * Milliseconds between two calls of a filling request, so that other requests get in between, also where
 * Worker and object share a thread.
 */
const FILLING_PAUSE_MS = 3

/** A request that fetches an organization's missing blocks. */
interface Filling {
  /** What is left of the time for its next answer. */
  time: TimeLimit
}

/** The filling requests, one at a time for an organization, by its id. */
const filling = new Map<number, Filling>()

/** Requests that ask or are answered, by organization: none waits for another organization's. */
const asking = new Map<number, FewAtOnce>()
/** Organizations from which on those are forgotten whose last answer's end was never heard. */
const MANY = 1_000

/** An answer with all its blocks: no more of `AnswerInBlocks` than what sending it takes. */
export interface WholeAnswer extends Pick<AnswerInBlocks, 'steps'> {
  /** All texts, one after the other; long ones as UTF-8 (`LongText`). */
  readonly text: string | Uint8Array
  /** The blocks, in the order of `AnswerInBlocks.blocks`. */
  readonly blocks: readonly KeptBlock[]
  /** To be called when all has been sent, or the reader has gone. */
  readonly end: () => void
}

interface Asked {
  readonly answer: RealmAnswer
  readonly whole?: Omit<WholeAnswer, 'end'>
}

/**
 * Asks the realm object for an answer in blocks, in one call if the blocks are known. If many are not, one
 * request after the other asks for them, in several short calls, and later ones find them in the cache. Those that
 * come while many are being answered wait, and hold nothing yet.
 */
export async function askInBlocks(
  realmId: number,
  ask: (held: HeldBlocks) => Promise<RealmAnswer>,
  cache: BlockCache = blockCache,
): Promise<{ readonly answer: RealmAnswer; readonly whole?: WholeAnswer }> {
  if (asking.size >= MANY) {
    for (const [id, { isEmpty }] of asking) if (isEmpty) asking.delete(id)
  }
  const others = asking.get(realmId) ?? new FewAtOnce(ANSWERS_IN_BLOCKS)
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
  ask: (held: HeldBlocks) => Promise<RealmAnswer>,
  cache: BlockCache,
): Promise<Asked> {
  const waiting = new TimeLimit(WAITING_MS)
  /** Blocks that this request itself has received, which stay however many others arrive. */
  const own = new OwnBlocks(realmId, cache)
  let turn: Filling | undefined
  try {
    for (let call = 1; call <= MAX_CALLS; call += 1) {
      if (turn) turn.time = new TimeLimit(FILLING_MS)
      else if (call > 1 || !cache.has(realmId)) turn = await waitForTurn(realmId, waiting)
      if (turn && call > 1) await scheduler.wait(FILLING_PAUSE_MS)
      const answer = await ask({
        fill: turn !== undefined,
        families: own.held(),
      })
      if (!answer.inBlocks) return { answer }
      const blocks = own.take(answer.inBlocks, turn !== undefined)
      const { text, longText, steps } = answer.inBlocks
      if (blocks) {
        return { answer, whole: { text: longText ? await readLongText(longText) : text, steps, blocks } }
      }
      // The object holds what is not read until it gives up.
      await longText?.stream.cancel()
    }
    throw comeAgain()
  } finally {
    if (turn && filling.get(realmId) === turn) filling.delete(realmId)
  }
}

/** @throws ServiceUnavailableError (503) when the object has ended meanwhile: the queue ends by itself. */
async function readLongText({ bytes, stream }: LongText): Promise<Uint8Array> {
  const text = new Uint8Array(bytes)
  let read = 0
  try {
    for await (const piece of stream) {
      text.set(piece, read)
      read += piece.length
    }
  } catch (error) {
    log('warn', 'A long answer was cut off', { error })
  }
  if (read < bytes) throw comeAgain()
  return text
}

/**
 * Waits for the turn to fill; undefined when another request has filled meanwhile. It polls by the clock, as
 * in memory-share.ts.
 */
async function waitForTurn(realmId: number, waiting: TimeLimit): Promise<Filling | undefined> {
  let hasWaited = false
  for (;;) {
    const other = filling.get(realmId)
    if (!other || other.time.isOver) {
      if (hasWaited && !other) return undefined
      const turn = { time: new TimeLimit(FILLING_MS) }
      filling.set(realmId, turn)
      return turn
    }
    if (waiting.isOver) throw comeAgain()
    hasWaited = true
    await scheduler.wait(LOOK_MS)
  }
}

/** The blocks of one request: those of the cache, and while it fills also those that came for it. */
class OwnBlocks {
  readonly #realmId: number
  readonly #cache: BlockCache
  readonly #own = new Map<string, KeptBlock>()

  constructor(realmId: number, cache: BlockCache) {
    this.#realmId = realmId
    this.#cache = cache
  }

  held(): HeldBlocks['families'] {
    const held = this.#cache.held(this.#realmId)
    if (this.#own.size === 0) return held
    const more: Record<string, number[]> = {}
    for (const [key, { version }] of this.#own) {
      const at = key.indexOf(' ')
      const family = key.slice(at + 1)
      more[family] ??= [...(held[family] ?? [])]
      // The later version counts.
      more[family].push(Number(key.slice(0, at)), version)
    }
    const all: Record<string, Float64Array> = { ...held }
    for (const [family, pairs] of Object.entries(more)) all[family] = Float64Array.from(pairs)
    return all
  }

  /** Stores the received blocks and returns all blocks of the answer, or undefined if one is missing. */
  take(answer: AnswerInBlocks, isFilling: boolean): KeptBlock[] | undefined {
    const { blocks, families, isIncomplete } = answer
    const sent = new Map(sentBlocks(answer))
    const finders = families.map((family) => this.#cache.finder(this.#realmId, family))
    const taken: KeptBlock[] = []
    let isWhole = !isIncomplete
    for (let position = 0; 3 * position < blocks.length; position += 1) {
      const [family, number, version] = [
        blocks[3 * position]!,
        blocks[3 * position + 1]!,
        blocks[3 * position + 2]!,
      ]
      const came = sent.get(position)
      const where = { realmId: this.#realmId, family: families[family]!, number }
      const block = came
        ? this.#cache.put(where, came)
        : (finders[family]!(number, version) ?? this.#ownBlock(families[family]!, number, version))
      if (!block) {
        isWhole = false
        continue
      }
      if (isFilling && isIncomplete) this.#own.set(keyOf(where), block)
      taken.push(block)
    }
    return isWhole ? taken : undefined
  }

  #ownBlock(family: string, number: number, version: number): KeptBlock | undefined {
    const own = this.#own.size === 0 ? undefined : this.#own.get(keyOf({ family, number }))
    return own?.version === version ? own : undefined
  }
}

function keyOf({ family, number }: Omit<BlockKey, 'realmId'>): string {
  return `${number} ${family}`
}
