import { atOnce, type Steps } from '../../core/reader.ts'
import type { RealmView } from '../../core/realm-transaction.ts'
import { recipientOf } from '../../core/recipient-id.ts'
import { once, remember } from '../../core/remember.ts'
import type { Sql } from '../../core/sql.ts'
import { findMessage, type IndexedMessage } from '../../store/messages/message-rows.ts'
import {
  type Direction,
  everySource,
  type MessageRange,
  type MessageSource,
} from '../../store/messages/narrow/message-source-rows.ts'
import { type Topic, topicById } from '../../store/messages/topic-rows.ts'
import type { Viewer } from '../messages/read/message-access.ts'
import type { CandidateSet } from './candidate-set.ts'
import { isUnread, notMuted } from './compile-narrow.ts'
import type { NarrowPlan } from './narrow-plan.ts'
import { askedRanges, isBroad, sourcesOf } from './narrow-sources.ts'
import { MessageWalk, type Visit, type WalkEnd, type WalkRequest } from './walk-messages.ts'

/** A walk through the messages of a narrow; see `MessageWalk`. */
export interface NarrowWalk {
  readonly reached: number
  run(visit: Visit): Steps<WalkEnd>
}

/** The messages of a narrow, however they are found: with a search some steps wait for D1. */
export interface Matches<Step> {
  has(id: number): Generator<Step, boolean, unknown>
  /** Walks through the messages beyond `from`, nearest first, until `visit` returns false; `wanted` is how many that takes at most. */
  beyond(from: number, direction: Direction, visit: Visit, wanted: number): Generator<Step, WalkEnd, unknown>
  /** Walks through unread messages that are not muted, oldest first. */
  unread(visit: Visit): Generator<Step, WalkEnd, unknown>
}

/** Number of the organization's messages that are read before the viewer's channels and conversations, one by one. */
const SCANNED_FIRST = 1_024
/** Channels and conversations whose ranges are made in the time of reading a row. */
const RANGES_FOR_A_ROW = 5

/** The messages of a narrow, as one viewer sees it. */
export class MatchingMessages {
  readonly #view: Pick<RealmView, 'sql'>
  readonly #viewer: Viewer
  readonly #plan: NarrowPlan
  readonly #candidates: CandidateSet
  readonly #matches: (message: IndexedMessage) => boolean
  readonly #ranges: () => readonly MessageRange[]
  /** The sources of walks, once they are made. */
  #sources: readonly MessageSource[] | undefined

  constructor(view: Pick<RealmView, 'sql'>, viewer: Viewer, plan: NarrowPlan, candidates: CandidateSet) {
    this.#view = view
    this.#viewer = viewer
    this.#plan = plan
    this.#candidates = candidates
    this.#matches = matcherOf(view, plan, candidates)
    this.#ranges = once(() => askedRanges(plan, candidates))
  }

  /** Returns the message with this id, if it belongs to the narrow. */
  at(id: number): IndexedMessage | undefined {
    const message = findMessage(this.#view.sql, id)
    return message && this.#matches(message) ? message : undefined
  }

  /** Returns the messages that belong to the narrow. */
  among(messages: readonly IndexedMessage[]): IndexedMessage[] {
    return messages.filter(this.#matches)
  }

  /** Walks through the messages beyond `from`, nearest first. */
  walk(request: WalkRequest): NarrowWalk {
    const sources = () => this.#ownSources()
    const walk = isBroad(this.#plan)
      ? scanFirst(everySource(this.#view.sql, 0, this.#plan.filter), sources, request)
      : sourcesFirst(sources, request)
    return passing(walk, this.#matches)
  }

  /** Walks through unread messages that are not muted, oldest first. */
  walkUnread(): NarrowWalk {
    const { facts, channels, attention } = this.#plan
    const plan: NarrowPlan = {
      ...this.#plan,
      unread: facts.readSet(),
      // A channel that the narrow names counts although it is muted.
      attention: attention ?? (channels.length > 0 ? undefined : 'wanted'),
    }
    const isWanted = wantedUnread(this.#view, this.#viewer, this.#plan)
    const request = { from: 0, direction: 1, wanted: 1 } as const
    const walk = sourcesFirst(() => this.#sourcesOf(plan), request)
    return passing(walk, (message) => this.#matches(message) && isWanted(message))
  }

  /** Makes the sources now, in place of the next walk. */
  prepare(): void {
    atOnce(this.#ownSources())
  }

  *#ownSources(): MadeSources {
    this.#sources ??= yield* this.#sourcesOf(this.#plan)
    return this.#sources
  }

  /** There may be tens of thousands, and as many ranges. */
  *#sourcesOf(plan: NarrowPlan): MadeSources {
    if (!plan.ids && !plan.flags) yield this.#ranges().length / RANGES_FOR_A_ROW
    const sources = sourcesOf(this.#view.sql, plan, this.#candidates, this.#ranges, this.#viewer.user.id)
    yield sources.length
    return sources
  }
}

type MadeSources = Steps<readonly MessageSource[]>

function passing(walk: NarrowWalk, passes: (message: IndexedMessage) => boolean): NarrowWalk {
  return {
    get reached() {
      return walk.reached
    },
    run: (visit) => walk.run((message) => !passes(message) || visit(message)),
  }
}

function sourcesFirst(sources: () => MadeSources, request: WalkRequest): NarrowWalk {
  let walk: MessageWalk | undefined
  return {
    get reached() {
      return walk?.reached ?? request.from
    },
    *run(visit) {
      walk ??= new MessageWalk(yield* sources(), request)
      return yield* walk.run(visit)
    },
  }
}

/**
 * Walks through the organization's nearest messages first, for a narrow that names no place: most viewers find enough
 * among them. For the others, their channels and conversations, perhaps thousands, are then read one by one.
 */
function scanFirst(every: MessageSource, sources: () => MadeSources, request: WalkRequest): NarrowWalk {
  let left = SCANNED_FIRST
  /** Where the scan has ended; null: at the end of the index. */
  let scanned: number | null = request.from
  const first: MessageSource = {
    read(from, direction, limit) {
      const size = Math.min(limit, left)
      const page = every.read(from, direction, size)
      left -= size
      scanned = page.reached
      return left > 0 ? page : { ...page, reached: null }
    },
  }
  const scan = new MessageWalk([first], request)
  let rest: NarrowWalk | undefined
  return {
    get reached() {
      return (rest ?? scan).reached
    },
    *run(visit) {
      if (!rest) {
        const end = yield* scan.run(visit)
        if (end !== 'finished' || scanned === null) return end
        rest = sourcesFirst(sources, { ...request, from: scanned })
      }
      return yield* rest.run(visit)
    },
  }
}

/** Returns a test of messages, which computes a term's result once for a channel, a conversation or a topic. */
function matcherOf(
  { sql }: Pick<RealmView, 'sql'>,
  plan: NarrowPlan,
  candidates: CandidateSet,
): (message: IndexedMessage) => boolean {
  const recipientPasses = remember((id: number) => {
    const recipient = recipientOf(id)
    return plan.recipientTests.every((passes) => passes(recipient))
  })
  const topicPasses = remember((id: number) => {
    const topic = topicWithId(sql, id)
    return plan.topicTests.every((passes) => passes(topic))
  })
  const ids = plan.ids && new Set(plan.ids)
  return (message) =>
    (ids?.has(message.id) ?? true) &&
    recipientPasses(message.recipientId) &&
    (plan.topicTests.length === 0 || topicPasses(message.topicId)) &&
    plan.messageTests.every((passes) => passes(message)) &&
    candidates.holds(message)
}

/** Returns a test for messages that are unread and not muted. */
function wantedUnread(
  view: Pick<RealmView, 'sql'>,
  viewer: Viewer,
  { channels, facts }: NarrowPlan,
): (message: IndexedMessage) => boolean {
  const unread = isUnread(view, viewer, facts.readSet())
  const { topic } = notMuted(facts, { exceptChannels: channels.length > 0 })
  const isWanted = remember((topicId: number) => topic(topicWithId(view.sql, topicId)))
  return (message) => unread(message) && isWanted(message.topicId)
}

/** Returns a topic; undefined for 0, which direct messages have. */
function topicWithId(sql: Sql, id: number): Topic | undefined {
  return id === 0 ? undefined : topicById(sql, id)
}
