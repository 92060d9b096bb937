import type { RealmView } from '../../../core/realm-transaction.ts'
import { recipientOf } from '../../../core/recipient-id.ts'
import { findMessage, type IndexedMessage } from '../message-rows.ts'
import type { Viewer } from '../read/message-access.ts'
import { type Topic, topicById } from '../topic-rows.ts'
import { type Direction, everySource, type MessageSource } from './message-source-rows.ts'
import type { NarrowPlan } from './narrow-plan.ts'
import { isBroad, sourcesOf } from './narrow-sources.ts'
import type { Universe } from './universe.ts'
import { MessageWalk, type WalkEnd, type WalkRequest } from './walk-messages.ts'
import { wantedUnread } from './wanted-unread.ts'
import { WorkBudget } from './work-budget.ts'

type Visit = (message: IndexedMessage) => boolean

/** A walk through the messages of a narrow; see `MessageWalk`. Others are skipped. */
export interface NarrowWalk {
  readonly reached: number
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

  constructor(view: Pick<RealmView, 'sql'>, viewer: Viewer, plan: NarrowPlan, universe: Universe) {
    this.#view = view
    this.#viewer = viewer
    this.#plan = plan
    this.#universe = universe
    this.#matches = matcherOf(view, plan, universe)
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
    const sources = () => this.#sourcesOf(this.#plan)
    const walk = isBroad(this.#plan)
      ? new ScanFirst(everySource(this.#view.sql, 0, this.#plan.filter), sources, request)
      : new MessageWalk(sources(), request)
    return this.#passing(walk, this.#matches)
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
    const walk = new MessageWalk(this.#sourcesOf(plan), { from: 0, direction: 1, wanted: 1 })
    return this.#passing(walk, (message) => this.#matches(message) && isWanted(message))
  }

  /** Returns the messages beyond `from`, up to `limit`, however much has to be read. */
  beyond(from: number, direction: Direction, limit: number): IndexedMessage[] {
    const found: IndexedMessage[] = []
    if (limit === 0) return found
    const visit = (message: IndexedMessage) => found.push(message) < limit
    this.walk({ from, direction, wanted: limit }).run(visit, new WorkBudget(this.#view.sql, Infinity))
    return found
  }

  #sourcesOf(plan: NarrowPlan): MessageSource[] {
    return sourcesOf(this.#view.sql, plan, this.#universe, this.#viewer.user.id)
  }

  #passing(walk: NarrowWalk, passes: (message: IndexedMessage) => boolean): NarrowWalk {
    const known = new Set<number>()
    return {
      get reached() {
        return walk.reached
      },
      run: (visit, budget) =>
        walk.run((message) => {
          // A channel and the viewer's periods in it are looked up once, mostly in statements that find nothing.
          if (!known.has(message.recipientId)) budget.countStatement()
          known.add(message.recipientId)
          return !passes(message) || visit(message)
        }, budget),
    }
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
  #rest: MessageWalk | undefined
  /** The scan ends here; null: at the end of the index. */
  #scanned: number | null
  #left = SCANNED_FIRST

  constructor(every: MessageSource, sources: () => readonly MessageSource[], request: WalkRequest) {
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

  run(visit: Visit, budget: WorkBudget): WalkEnd {
    if (!this.#rest) {
      const end = this.#scan.run(visit, budget)
      if (end !== 'finished' || this.#scanned === null) return end
      this.#rest = new MessageWalk(this.#sources(), { ...this.#request, from: this.#scanned })
      if (budget.isSpent) return 'spent'
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
