import type { LogEvent } from '../core/realm-transaction.ts'
import { type AudienceFacts, isInAudience } from './audience-facts.ts'
import type { DeliveryContext, EventType, WireEvent } from './event-type.ts'
import type { LogEntry } from './log.ts'
import type { StoredMessageEvent } from './message.ts'
import type { EventQueue } from './queue.ts'

/** An event as it stands in the answer of GET /events. */
export type DeliveredEvent = WireEvent & { id: number }

export interface DeliveryFacts extends AudienceFacts {
  readonly emptyTopicDisplayName: string
}

/**
 * What a queue gets out of log entries: those its user may see, its filters ask for, in the forms its
 * capabilities want. Where one entry becomes several events, they take the ids that were set aside for it:
 * the last has the entry's own.
 *
 * Source: DESIGN 3; events 1.
 */
export function eventsForQueue(
  entries: readonly LogEntry[],
  queue: EventQueue,
  after: number,
  facts: DeliveryFacts,
  types: ReadonlyMap<string, EventType>,
): DeliveredEvent[] {
  return entries.flatMap((entry) => {
    if (entry.event === null || entry.audience === null || entry.id <= queue.startEvent) return []
    if (!wantsType(queue, entry.event.type)) return []
    if (!mayReceive(entry, queue, facts)) return []
    const context: DeliveryContext = {
      queue,
      userId: queue.userId,
      eventId: entry.id,
      emptyTopicDisplayName: facts.emptyTopicDisplayName,
    }
    const type = types.get(entry.event.type)
    const forms = type?.deliver ? type.deliver(entry.event, context) : [entry.event as WireEvent]
    return forms
      .map((event, index) => ({ ...event, id: entry.id - forms.length + 1 + index }))
      .filter(({ id }) => id > after)
  })
}

/** `muted_topics` is left out where the newer `user_topic` was asked for by name (decisions 7). */
function wantsType({ options: { eventTypes } }: EventQueue, type: string): boolean {
  if (eventTypes === null) return true
  if (type === 'muted_topics' && eventTypes.includes('user_topic')) return false
  return eventTypes.includes(type)
}

function mayReceive(entry: LogEntry, queue: EventQueue, facts: AudienceFacts): boolean {
  const audience = entry.audience!
  if (isInAudience(audience, queue.userId, entry.id, facts)) return true
  if (!audience.publicChannel || facts.roleAt(queue.userId, entry.id) === 600) return false
  return queue.options.allPublicStreams || narrowsToChannelOf(entry.event!, queue)
}

/** A queue narrowed to a public channel gets its messages without a subscription (events 1). */
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
