import type { GenericSchema } from 'valibot'
import type { LogEvent } from '../core/realm-transaction.ts'
import type { EventQueue } from './queue.ts'

/** What shaping may know: the queue's wishes and the receiver. */
export interface DeliveryContext {
  readonly queue: EventQueue
  readonly userId: number
  /** False for somebody who only reads a public channel's messages along. */
  readonly isReceiver: boolean
  readonly eventId: number
  readonly emptyTopicDisplayName: string
}

/** An event as a client gets it, without its `id`. */
export type WireEvent = { type: string } & Record<string, unknown>

/**
 * One event type. The log keeps one stored form for everybody; `deliver` makes the form for one queue:
 * none when the queue does not want it, several where an old client wants one event split up.
 */
export interface EventType<Stored extends LogEvent = LogEvent> {
  readonly type: string
  /** The delivered forms: GET /events declares them, and tests check every event against them. */
  readonly schema: GenericSchema
  /** Left out when the stored form is what every client gets. */
  deliver?(stored: Stored, context: DeliveryContext): WireEvent[]
}

/** Keeps the stored form typed in the file that declares it, and uniform in the list. */
export function defineEventType<Stored extends LogEvent>(definition: EventType<Stored>): EventType {
  return definition as EventType
}

export function hasCapability(
  context: DeliveryContext,
  capability: EventQueue['options']['capabilities'][number],
): boolean {
  return context.queue.options.capabilities.includes(capability)
}

/** The topic as this client shows it: `""` has a display name for those who do not know empty topics. */
export function topicFor(context: DeliveryContext, topic: string): string {
  return topic === '' && !hasCapability(context, 'empty_topic_name') ? context.emptyTopicDisplayName : topic
}
