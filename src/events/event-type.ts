import type { GenericSchema } from 'valibot'
import type { LogEvent } from '../core/realm-transaction.ts'
import type { EventQueue, QueueOptions } from './queue.ts'

/** The queue and user to whom an event is delivered. */
interface Receiver {
  readonly queue: EventQueue
  readonly userId: number
  /** False for a user who gets a public channel's messages without a subscription. */
  readonly isReceiver: boolean
  /** The channels that the user sees of an event about many (`Audience.parts`). */
  readonly channels: readonly number[] | undefined
}

/** Options of a queue on which a form may depend; queues with equal options share their forms. */
export type FormOptions = Pick<
  QueueOptions,
  | 'applyMarkdown'
  | 'clientGravatar'
  | 'slimPresence'
  | 'includeSubscribers'
  | 'capabilities'
  | 'userAgent'
  | 'level'
>

/**
 * Everything on which a form may depend. The receiver's own part goes through `personal`, so that a form is
 * made and serialised once.
 */
export interface DeliveryContext<Personal = unknown> {
  readonly options: FormOptions
  /** The result of the type's `personal`; undefined where it has none. */
  readonly personal: Personal
  readonly emptyTopicDisplayName: string
}

/** An event as a client gets it, without its `id`. */
export type WireEvent = { type: string } & Record<string, unknown>

/**
 * One event type. The log keeps one stored form for everybody; `deliver` makes the forms for one queue: none
 * when the queue does not want the event, several where an old client wants one event split up.
 */
export interface EventType<Stored extends LogEvent = LogEvent, Personal = unknown> {
  readonly type: string
  /** The delivered forms: GET /events declares them, and tests check every event against them. */
  readonly schema: GenericSchema
  /**
   * Returns the receiver's own part of the form, as a JSON value: receivers with equal parts share the form.
   * Undefined when the queue gets none. Absent where all are equal.
   */
  personal?(stored: Stored, receiver: Receiver): Personal | undefined
  /** Absent when every client gets the stored form. */
  deliver?(stored: Stored, context: DeliveryContext<Personal>): WireEvent[]
}

/** Declares an event type. Keeps the stored form typed in its file, and uniform in the list. */
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

/**
 * Returns the topic as this client shows it: `""` has a display name for clients that do not know empty
 * topics.
 */
export function topicFor(context: DeliveryContext, topic: string): string {
  return topic === '' && !hasCapability(context, 'empty_topic_name') ? context.emptyTopicDisplayName : topic
}
