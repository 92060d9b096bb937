import type { LogEvent } from '../core/realm-transaction.ts'
import { type AudienceFacts, isInAudience } from './audience-facts.ts'
import type { EventType, WireEvent } from './event-type.ts'
import type { DeliveredForm, Forms } from './forms.ts'
import type { LoggedEvent } from './log.ts'
import type { StoredMessageEvent } from './message.ts'
import type { EventQueue } from './queue.ts'

export interface DeliveryFacts extends AudienceFacts {
  readonly emptyTopicDisplayName: string
}

/**
 * The forms that a queue gets of an event in the log, if its user may see it and its filters ask for it, as its capabilities
 * want them. Where one logged event becomes several, they take the ids that were set aside for it: the last has the logged
 * one's own.
 *
 * Source: docs/decisions/design.md#the-log-is-the-only-stream; docs/interface/events.md#what-a-queue-filters-and-changes.
 */
export function formsForQueue(
  entry: LoggedEvent,
  queue: EventQueue,
  after: number,
  facts: DeliveryFacts,
  types: ReadonlyMap<string, EventType>,
  forms: Forms,
): readonly DeliveredForm[] {
  if (entry.id <= queue.startEvent || !wantsType(queue, entry.event.type)) return []
  const isReceiver = isInAudience(entry.audience, queue.userId, entry.id, facts)
  if (!isReceiver && !readsAlong(entry, queue, facts)) return []
  const type = types.get(entry.event.type)
  const personal = type?.personal
    ? type.personal(entry.event, { queue, userId: queue.userId, isReceiver })
    : null
  if (personal === undefined) return []
  const { options } = queue
  const { emptyTopicDisplayName } = facts
  const all = forms.of(entry, type?.deliver && { options, personal }, () =>
    type?.deliver
      ? type.deliver(entry.event, { options, personal, emptyTopicDisplayName })
      : [entry.event as WireEvent],
  )
  return all.length === 0 || all[0]!.id > after ? all : all.filter(({ id }) => id > after)
}

/** `muted_topics` is left out where the newer `user_topic` was asked for by name (docs/decisions/interface.md#queues-and-events). */
function wantsType({ options: { eventTypes } }: EventQueue, type: string): boolean {
  if (eventTypes === null) return true
  if (type === 'muted_topics' && eventTypes.includes('user_topic')) return false
  return eventTypes.includes(type)
}

/** Messages of public channels may be asked for without a subscription. */
function readsAlong({ id, event, audience }: LoggedEvent, queue: EventQueue, facts: AudienceFacts): boolean {
  if (!audience.publicChannel || facts.roleAt(queue.userId, id) === 600) return false
  return queue.options.allPublicStreams || narrowsToChannelOf(event, queue)
}

/** A queue narrowed to a public channel gets its messages without a subscription (docs/interface/events.md#what-a-queue-filters-and-changes). */
function narrowsToChannelOf(event: LogEvent, queue: EventQueue): boolean {
  const channel = (event as StoredMessageEvent).message?.display_recipient
  return (
    typeof channel === 'string' &&
    queue.options.narrow.some(
      ([operator, operand]) =>
        (operator === 'channel' || operator === 'stream') && operand.toLowerCase() === channel.toLowerCase(),
    )
  )
}
