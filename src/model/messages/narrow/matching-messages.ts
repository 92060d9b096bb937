import { atOnce, type Steps } from '../../../core/reader.ts'
import type { RealmView } from '../../../core/realm-transaction.ts'
import { recipientOf } from '../../../core/recipient-id.ts'
import { findMessage, type IndexedMessage } from '../../../store/messages/message-rows.ts'
import {
  type Direction,
  everySource,
  type MessageRange,
  type MessageSource,
} from '../../../store/messages/narrow/message-source-rows.ts'
import { type Topic, topicById } from '../../../store/messages/topic-rows.ts'
import type { Viewer } from '../read/message-access.ts'
import { isUnread, notMuted } from './compile-narrow.ts'
import type { NarrowPlan } from './narrow-plan.ts'
import { askedRanges, isBroad, sourcesOf } from './narrow-sources.ts'
import type { Universe } from './universe.ts'
import { MessageWalk, type Visit, type WalkEnd, type WalkRequest } from './walk-messages.ts'

/** A walk through the messages of a narrow; see `MessageWalk`. Others are skipped. */
export interface NarrowWalk {
  readonly reached: number
  run(visit: Visit): Steps<WalkEnd>
}

/** The messages of a narrow, however they are found: with a search some steps wait for D1. */
export interface Matches<Step> {
  has(id: number): Generator<Step, boolean, unknown>
  /**
   * Walks through the messages beyond `from`, nearest first, until `visit` returns false. `wanted`: limit of
   * how many that will be.
   */
  beyond(from: number, direction: Direction, visit: Visit, wanted: number): Generator<Step, WalkEnd, unknown>
  /** Walks through unread messages that are not muted, oldest first. */
  unread(visit: Visit): Generator<Step, WalkEnd, unknown>
}

/**
 * Number of the organization's messages that are read before the channels and conversations of a viewer are,
 * one by one.
 */
const SCANNED_FIRST = 1_024
/** Channels and conversations whose ranges are made in the time that a row takes. */
const RANGES_FOR_A_ROW = 5

/** The messages of a narrow, as one viewer sees it. */
export class MatchingMessages {
  readonly #view: Pick<RealmView, 'sql'>
  readonly #viewer: Viewer
  readonly #plan: NarrowPlan
  readonly #universe: Universe
  readonly #matches: (message: IndexedMessage) => boolean
  readonly #ranges: () => readonly MessageRange[]
  /** The sources of walks in either direction, once they are made. */
  #sources: readonly MessageSource[] | undefined

  constructor(view: Pick<RealmView, 'sql'>, viewer: Viewer, plan: NarrowPlan, universe: Universe) {
    this.#view = view
    this.#viewer = viewer
    this.#plan = plan
    this.#universe = universe
    this.#matches = matcherOf(view, plan, universe)
    this.#ranges = once(() => askedRanges(plan, universe))
  }

  /** Returns the message with this id, if it belongs to the narrow. */
  at(id: number): IndexedMessage | undefined {
    const message = findMessage(this.#view.sql, id)
    return message && this.#matches(message) ? message : undefined
  }

  /** Returns those that belong to the narrow. */
  among(messages: readonly IndexedMessage[]): IndexedMessage[] {
    return messages.filter(this.#matches)
  }

  /** Walks through the messages beyond `from`, nearest first. */
  walk(request: WalkRequest): NarrowWalk {
    const sources = () => this.#ownSources()
    const walk = isBroad(this.#plan)
      ? new ScanFirst(everySource(this.#view.sql, 0, this.#plan.filter), sources, request)
      : new SourcesFirst(sources, request)
    return passing(walk, this.#matches)
  }

  /** Walks through unread messages that are not muted, oldest first. */
  walkUnread(): NarrowWalk {
    const { facts, channels, attention } = this.#plan
    const plan: NarrowPlan = {
      ...this.#plan,
      unread: facts.readSet(),
      // A channel that the narrow names is read although it is muted.
      attention: attention ?? (channels.length > 0 ? undefined : 'wanted'),
    }
    const isWanted = wantedUnread(this.#view, this.#viewer, this.#plan)
    const request = { from: 0, direction: 1, wanted: 1 } as const
    const walk = new SourcesFirst(() => this.#sourcesOf(plan), request)
    return passing(walk, (message) => this.#matches(message) && isWanted(message))
  }

  /** Makes the sources now, which a walk would begin with. */
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
    const sources = sourcesOf(this.#view.sql, plan, this.#universe, this.#ranges, this.#viewer.user.id)
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

class SourcesFirst implements NarrowWalk {
  readonly #sources: () => MadeSources
  readonly #request: WalkRequest
  #walk: MessageWalk | undefined

  constructor(sources: () => MadeSources, request: WalkRequest) {
    this.#sources = sources
    this.#request = request
  }

  get reached(): number {
    return this.#walk?.reached ?? this.#request.from
  }

  *run(visit: Visit): Steps<WalkEnd> {
    this.#walk ??= new MessageWalk(yield* this.#sources(), this.#request)
    return yield* this.#walk.run(visit)
  }
}

/**
 * Walks through the organization's nearest messages first, if the narrow names no place: most viewers find enough
 * among them. Only for the others are their channels and conversations, of which there may be thousands, read one by
 * one.
 */
class ScanFirst implements NarrowWalk {
  readonly #request: WalkRequest
  readonly #sources: () => MadeSources
  readonly #scan: MessageWalk
  #rest: SourcesFirst | undefined
  /** The scan ends here; null: at the end of the index. */
  #scanned: number | null
  #left = SCANNED_FIRST

  constructor(every: MessageSource, sources: () => MadeSources, request: WalkRequest) {
    this.#request = request
    this.#sources = sources
    this.#scanned = request.from
    const first: MessageSource = {
      read: (from, direction, limit) => {
        const size = Math.min(limit, this.#left)
        const page = every.read(from, direction, size)
        this.#left -= size
        this.#scanned = page.reached
        return this.#left > 0 ? page : { ...page, reached: null }
      },
    }
    this.#scan = new MessageWalk([first], request)
  }

  get reached(): number {
    return (this.#rest ?? this.#scan).reached
  }

  *run(visit: Visit): Steps<WalkEnd> {
    if (!this.#rest) {
      const end = yield* this.#scan.run(visit)
      if (end !== 'finished' || this.#scanned === null) return end
      this.#rest = new SourcesFirst(this.#sources, { ...this.#request, from: this.#scanned })
    }
    return yield* this.#rest.run(visit)
  }
}

/**
 * Returns a test of messages against the terms of a narrow. A result for a conversation or a topic holds for
 * all its messages, and is computed once.
 */
function matcherOf(
  { sql }: Pick<RealmView, 'sql'>,
  plan: NarrowPlan,
  universe: Universe,
): (message: IndexedMessage) => boolean {
  const recipients = new Map<number, boolean>()
  const topics = new Map<number, boolean>()
  const recipientPasses = (id: number) => {
    if (!recipients.has(id)) {
      const recipient = recipientOf(id)
      recipients.set(
        id,
        plan.recipientTests.every((passes) => passes(recipient)),
      )
    }
    return recipients.get(id)!
  }
  const topicPasses = (id: number) => {
    if (!topics.has(id)) {
      const topic: Topic | undefined = id === 0 ? undefined : topicById(sql, id)
      topics.set(
        id,
        plan.topicTests.every((passes) => passes(topic)),
      )
    }
    return topics.get(id)!
  }
  const ids = plan.ids && new Set(plan.ids)
  return (message) =>
    (ids?.has(message.id) ?? true) &&
    recipientPasses(message.recipientId) &&
    (plan.topicTests.length === 0 || topicPasses(message.topicId)) &&
    plan.messageTests.every((passes) => passes(message)) &&
    universe.holds(message)
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Unread, and not muted: a channel that the narrow names counts although it is muted. */
function wantedUnread(
  view: Pick<RealmView, 'sql'>,
  viewer: Viewer,
  { channels, facts }: NarrowPlan,
): (message: IndexedMessage) => boolean {
  const unread = isUnread(view, viewer, facts.readSet())
  const { topic } = notMuted(facts, { exceptChannels: channels.length > 0 })
  const topics = new Map<number, boolean>()
  const isWanted = (topicId: number) => {
    if (topicId === 0) return topic(undefined)
    const known = topics.get(topicId) ?? topic(topicById(view.sql, topicId))
    topics.set(topicId, known)
    return known
  }
  return (message) => unread(message) && isWanted(message.topicId)
}
