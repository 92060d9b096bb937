import type { GenericSchema } from 'valibot'
import type { LogEvent } from '../core/realm-transaction.ts'
import type { EventQueue, QueueOptions } from './queue.ts'

/** The queue and user to whom an event is delivered. */
export interface Receiver {
  readonly queue: EventQueue
  readonly userId: number
  /** False for somebody who only reads a public channel's messages along. */
  readonly isReceiver: boolean
}

/** The options of a queue that a form may depend on: queues with equal options share their forms. */
export type FormOptions = Pick<
  QueueOptions,
  'applyMarkdown' | 'clientGravatar' | 'slimPresence' | 'includeSubscribers' | 'capabilities' | 'userAgent'
>

/** Everything on which a form may depend. The receiver's own part goes through `personal`, so that a form is made and serialised once. */
export interface DeliveryContext<Personal = unknown> {
  readonly options: FormOptions
  /** The part that the type's `personal` gives; undefined where it has none. */
  readonly personal: Personal
  readonly emptyTopicDisplayName: string
}

/** An event as a client gets it, without its `id`. */
export type WireEvent = { type: string } & Record<string, unknown>

/**
 * One event type. The log keeps one stored form for everybody; `deliver` makes the form for one queue:
 * none when the queue does not want it, several where an old client wants one event split up.
 */
export interface EventType<Stored extends LogEvent = LogEvent, Personal = unknown> {
  readonly type: string
  /** Events of the daily traffic: nothing that registrations have in common (realm/calls/directory-memory.ts) follows from them. */
  readonly isTraffic?: true
  /** The delivered forms: GET /events declares them, and tests check every event against them. */
  readonly schema: GenericSchema
  /**
   * What of the form is the receiver's own, as JSON has it: those for whom it is the same share the form. Undefined when the
   * queue gets none. Left out where it is the same for all.
   */
  personal?(stored: Stored, receiver: Receiver): Personal | undefined
  /** Left out when the stored form is what every client gets. */
  deliver?(stored: Stored, context: DeliveryContext<Personal>): WireEvent[]
}

/** Keeps the stored form typed in the file that declares it, and uniform in the list. */
export function defineEventType<Stored extends LogEvent, Personal = unknown>(
  definition: EventType<Stored, Personal>,
): EventType {
  return definition
}

export function hasCapability(
  context: DeliveryContext,
  capability: EventQueue['options']['capabilities'][number],
): boolean {
  return context.options.capabilities.includes(capability)
}

/** The topic as this client shows it: `""` has a display name for those who do not know empty topics. */
export function topicFor(context: DeliveryContext, topic: string): string {
  return topic === '' && !hasCapability(context, 'empty_topic_name') ? context.emptyTopicDisplayName : topic
}
