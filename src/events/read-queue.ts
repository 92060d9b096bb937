import type { Audience } from '../core/audience.ts'
import { nameKey } from '../core/names.ts'
import type { LogEvent } from '../core/realm-transaction.ts'
import type { EventType, WireEvent } from './event-type.ts'
import type { LoggedEvent } from './log.ts'
import type { StoredMessageEvent } from './message.ts'
import type { EventQueue } from './queue.ts'
import type { EventRepresentation, EventRepresentations } from './representations.ts'

export interface DeliveryFacts extends AudienceFacts {
  readonly emptyTopicDisplayName: string
}

/**
 * Returns the forms of a logged event for a queue, if its user may see the event and its filters ask for it,
 * in the form of its capabilities. If one logged event becomes several, they take the ids that were reserved
 * for it: the last has the logged one's own.
 *
 * Source: docs/decisions/design.md#the-log-is-the-only-stream;
 * docs/interface/events.md#what-a-queue-filters-and-changes.
 */
export function representationsForQueue(
  entry: LoggedEvent,
  queue: EventQueue,
  after: number,
  facts: DeliveryFacts,
  types: ReadonlyMap<string, EventType>,
  forms: EventRepresentations,
): readonly EventRepresentation[] {
  if (entry.id <= queue.startEvent || !wantsType(queue, entry.event.type)) return []
  const channels = channelsSeen(entry.audience, queue.userId, entry.id, facts)
  const isReceiver = channels
    ? channels.length > 0
    : isInAudience(entry.audience, queue.userId, entry.id, facts)
  if (!isReceiver && !readsAlong(entry, queue, facts)) return []
  const type = types.get(entry.event.type)
  const personal = type?.personal
    ? type.personal(entry.event, { queue, userId: queue.userId, isReceiver, channels })
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

/** A queue that named the newer `user_topic` gets no `muted_topics` (docs/decisions/interface.md#queues-and-events). */
function wantsType({ options: { eventTypes } }: EventQueue, type: string): boolean {
  if (eventTypes === null) return true
  if (type === 'muted_topics' && eventTypes.includes('user_topic')) return false
  return eventTypes.includes(type)
}

/** Whether the queue gets messages of public channels without a subscription. */
function readsAlong({ id, event, audience }: LoggedEvent, queue: EventQueue, facts: AudienceFacts): boolean {
  if (!audience.publicChannel || facts.roleAt(queue.userId, id) === 600) return false
  return queue.options.allPublicStreams || narrowsToChannelOf(event, queue)
}

/**
 * Whether the queue is narrowed to a public channel, whose messages it then gets without a subscription
 * (docs/interface/events.md#what-a-queue-filters-and-changes).
 */
function narrowsToChannelOf(event: LogEvent, queue: EventQueue): boolean {
  const channel = (event as StoredMessageEvent).message?.display_recipient
  return (
    typeof channel === 'string' &&
    queue.options.narrow.some(
      ([operator, operand]) =>
        (operator === 'channel' || operator === 'stream') && nameKey(operand) === nameKey(channel),
    )
  )
}

/** Facts of the past for resolving an audience; the domain reads them from its periods. */
interface AudienceFacts {
  /** Whether the user was subscribed to the channel at the event `eventId`. */
  subscribedAt(channelId: number, userId: number, eventId: number): boolean
  /** Returns those of the channels to which the user was subscribed at the event. */
  channelsAt(channelIds: readonly number[], userId: number, eventId: number): readonly number[]
  /** Returns the role that the user had at the event. */
  roleAt(userId: number, eventId: number): number
}

/** Whether this user may see an event with this audience, which happened at `eventId`. */
export function isInAudience(
  audience: Audience,
  userId: number,
  eventId: number,
  facts: AudienceFacts,
): boolean {
  if (audience.except?.includes(userId)) return false
  if (audience.users?.includes(userId)) return true
  if (audience.roles?.includes(facts.roleAt(userId, eventId))) return true
  return audience.channel !== undefined && facts.subscribedAt(audience.channel, userId, eventId)
}

/** Returns those channels of an event with this audience in which this user may see it; undefined if the audience is not in parts. */
export function channelsSeen(
  { parts, except }: Audience,
  userId: number,
  eventId: number,
  facts: AudienceFacts,
): readonly number[] | undefined {
  if (parts === undefined) return undefined
  if (except?.includes(userId)) return []
  return parts.flatMap(({ channels, ...who }) =>
    isInAudience(who, userId, eventId, facts) ? channels : facts.channelsAt(channels, userId, eventId),
  )
}
