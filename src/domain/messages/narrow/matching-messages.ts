import type { RealmView } from '../../../core/realm-transaction.ts'
import { recipientOf } from '../../../core/recipient-id.ts'
import { findMessage, type IndexedMessage } from '../message-rows.ts'
import type { Viewer } from '../read/message-access.ts'
import { type Topic, topicById } from '../topic-rows.ts'
import type { MessageRange } from './message-range.ts'
import { everySource, type MessageSource } from './message-source-rows.ts'
import type { NarrowPlan } from './narrow-plan.ts'
import { askedRanges, isBroad, sourcesOf } from './narrow-sources.ts'
import type { Universe } from './universe.ts'
import { MessageWalk, type WalkEnd, type WalkRequest } from './walk-messages.ts'
import { wantedUnread } from './wanted-unread.ts'
import type { WorkBudget } from './work-budget.ts'

type Visit = (message: IndexedMessage) => boolean

/** A walk through the messages of a narrow; see `MessageWalk`. Others are skipped. */
export interface NarrowWalk {
  readonly reached: number
  /** Makes the sources now. Otherwise the first run does, and they count as its step if they take all of its budget. */
  prepare(): void
  run(visit: Visit, budget: WorkBudget): WalkEnd
}

/**
 * Number of the organization's messages that are read before the channels and conversations of a viewer are,
 * one by one.
 */
const SCANNED_FIRST = 1_024

/** The messages of a narrow, as one viewer sees it. */
export class MatchingMessages {
  readonly #view: Pick<RealmView, 'sql'>
  readonly #viewer: Viewer
  readonly #plan: NarrowPlan
  readonly #universe: Universe
  readonly #matches: (message: IndexedMessage) => boolean
  readonly #ranges: () => readonly MessageRange[]
  /** The sources of a walk in either direction. */
  readonly #sources: () => readonly MessageSource[]
  #hasRanges = false
  /** Makes the ranges, and returns whether that has taken a turn. */
  readonly #makesManyRanges = (): boolean => {
    if (this.#hasRanges || this.#plan.ids || this.#plan.flags) return false
    this.#hasRanges = true
    return this.#ranges().length >= MANY_RANGES
  }

  constructor(view: Pick<RealmView, 'sql'>, viewer: Viewer, plan: NarrowPlan, universe: Universe) {
    this.#view = view
    this.#viewer = viewer
    this.#plan = plan
    this.#universe = universe
    this.#matches = matcherOf(view, plan, universe)
    this.#ranges = once(() => askedRanges(plan, universe))
    this.#sources = once(() => this.#sourcesOf(plan))
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
    const sources = this.#sources
    const walk = isBroad(this.#plan)
      ? new ScanFirst(
          everySource(this.#view.sql, 0, this.#plan.filter),
          sources,
          request,
          this.#makesManyRanges,
        )
      : new SourcesFirst(sources, request, this.#makesManyRanges)
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
    const walk = new SourcesFirst(() => this.#sourcesOf(plan), request, this.#makesManyRanges)
    return passing(walk, (message) => this.#matches(message) && isWanted(message))
  }

  #sourcesOf(plan: NarrowPlan): MessageSource[] {
    return sourcesOf(this.#view.sql, plan, this.#universe, this.#ranges, this.#viewer.user.id)
  }
}

function passing(walk: NarrowWalk, passes: (message: IndexedMessage) => boolean): NarrowWalk {
  return {
    get reached() {
      return walk.reached
    },
    prepare: () => walk.prepare(),
    run: (visit, budget) => walk.run((message) => !passes(message) || visit(message), budget),
  }
}

/** Number of ranges from which on they are made in one turn, and their sources in the next: some 0.5 µs each, twice that after a wake. */
export const MANY_RANGES = 10_000

/** Walks through sources, of which there may be thousands: making them takes a turn of its own then, or two. */
class SourcesFirst implements NarrowWalk {
  readonly #sources: () => readonly MessageSource[]
  readonly #request: WalkRequest
  readonly #makesManyRanges: () => boolean
  #walk: MessageWalk | undefined

  constructor(sources: () => readonly MessageSource[], request: WalkRequest, makesManyRanges: () => boolean) {
    this.#sources = sources
    this.#request = request
    this.#makesManyRanges = makesManyRanges
  }

  get reached(): number {
    return this.#walk?.reached ?? this.#request.from
  }

  prepare(): void {
    this.#walk ??= new MessageWalk(this.#sources(), this.#request)
  }

  run(visit: Visit, budget: WorkBudget): WalkEnd {
    if (!this.#walk) {
      if (this.#makesManyRanges()) return 'spent'
      const sources = this.#sources()
      this.#walk = new MessageWalk(sources, this.#request)
      budget.countRemembered(sources.length)
      if (budget.isSpent) return 'spent'
    }
    return this.#walk.run(visit, budget)
  }
}

/**
 * Walks through the organization's nearest messages first, where messages are wanted wherever they are: most
 * viewers find enough among them. Only for others are the channels and conversations read one by one, of
 * which there may be thousands.
 */
class ScanFirst implements NarrowWalk {
  readonly #request: WalkRequest
  readonly #sources: () => readonly MessageSource[]
  readonly #scan: MessageWalk
  readonly #makesManyRanges: () => boolean
  #rest: SourcesFirst | undefined
  /** The scan ends here; null: at the end of the index. */
  #scanned: number | null
  #left = SCANNED_FIRST

  constructor(
    every: MessageSource,
    sources: () => readonly MessageSource[],
    request: WalkRequest,
    makesManyRanges: () => boolean,
  ) {
    this.#request = request
    this.#sources = sources
    this.#makesManyRanges = makesManyRanges
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

  /** The scan has one source, and those after it may not be needed. */
  prepare(): void {}

  run(visit: Visit, budget: WorkBudget): WalkEnd {
    if (!this.#rest) {
      const end = this.#scan.run(visit, budget)
      if (end !== 'finished' || this.#scanned === null) return end
      const request = { ...this.#request, from: this.#scanned }
      this.#rest = new SourcesFirst(this.#sources, request, this.#makesManyRanges)
    }
    return this.#rest.run(visit, budget)
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
