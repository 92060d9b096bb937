import type { RealmView } from '../../../core/realm-transaction.ts'
import { recipientOf } from '../../../core/recipient-id.ts'
import type { Viewer } from '../message-access.ts'
import { findMessage, type IndexedMessage } from '../message-rows.ts'
import { type Topic, topicById } from '../topic-rows.ts'
import { type Direction, listedSource, type MessageSource, sourcesOf } from './message-sources.ts'
import type { NarrowPlan } from './narrow-plan.ts'
import type { Universe } from './universe.ts'
import { walkMessages } from './walk-messages.ts'

/** The messages of a narrow, as one viewer sees it. */
export class MatchingMessages {
  readonly #view: Pick<RealmView, 'sql'>
  readonly #findSources: () => readonly MessageSource[]
  #foundSources: readonly MessageSource[] | undefined
  readonly #matches: (message: IndexedMessage) => boolean

  constructor(view: Pick<RealmView, 'sql'>, { user }: Viewer, plan: NarrowPlan, universe: Universe) {
    this.#view = view
    this.#findSources = () => sourcesOf(view.sql, plan, universe, user.id)
    this.#matches = matcherOf(view, plan, universe)
  }

  /** Looked for when they are walked first: whoever asks about single messages needs none. */
  get #sources(): readonly MessageSource[] {
    this.#foundSources ??= this.#findSources()
    return this.#foundSources
  }

  /** The message with this id, if it belongs to the narrow. */
  at(id: number): IndexedMessage | undefined {
    const message = findMessage(this.#view.sql, id)
    return message && this.#matches(message) ? message : undefined
  }

  /** Those beyond `from`, nearest first. */
  beyond(from: number, direction: Direction, limit: number): IndexedMessage[] {
    const found: IndexedMessage[] = []
    if (limit === 0) return found
    for (const message of walkMessages(this.#sources, from, direction)) {
      if (!this.#matches(message)) continue
      found.push(message)
      if (found.length === limit) break
    }
    return found
  }

  /** The first of these ids (ascending) that belongs to the narrow and passes a further test. */
  firstAmong(
    ids: readonly number[],
    passes: (message: IndexedMessage) => boolean,
  ): IndexedMessage | undefined {
    for (const message of walkMessages([listedSource(this.#view.sql, ids)], 0, 1)) {
      if (this.#matches(message) && passes(message)) return message
    }
    return undefined
  }

  /** The first above `from` that passes a further test. */
  first(from: number, passes: (message: IndexedMessage) => boolean): IndexedMessage | undefined {
    for (const message of walkMessages(this.#sources, from, 1)) {
      if (this.#matches(message) && passes(message)) return message
    }
    return undefined
  }

  /** Keeps those that belong to the narrow. */
  among(messages: readonly IndexedMessage[]): IndexedMessage[] {
    return messages.filter(this.#matches)
  }
}

/** What was answered once for a conversation or a topic holds for all its messages. */
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
    topicPasses(message.topicId) &&
    plan.messageTests.every((passes) => passes(message)) &&
    universe.holds(message)
}
