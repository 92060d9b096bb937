import * as v from 'valibot'
import type { LogEvent } from '../core/realm-transaction.ts'
import type { EventQueue, QueueOptions } from './queue.ts'

/** The queue and user to whom an event is delivered. */
export interface Receiver {
  readonly queue: EventQueue
  readonly userId: number
  /** False for a user who gets a public channel's messages without a subscription. */
  readonly isReceiver: boolean
  /** The channels that the user sees of an event about many (`Audience.parts`). */
  readonly channels: readonly number[] | undefined
}

/** Options of a queue on which a form may depend; queues with equal options share their forms. */
export type RepresentationOptions = Pick<
  QueueOptions,
  | 'applyMarkdown'
  | 'clientGravatar'
  | 'slimPresence'
  | 'includeSubscribers'
  | 'capabilities'
  | 'userAgent'
  | 'level'
  | 'isBrowser'
>

/** Everything on which a form may depend. The receiver's own part goes through `personal`, so that a form is made and serialised once. */
export interface DeliveryContext<Personal = unknown> {
  readonly options: RepresentationOptions
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
export interface EventType<
  Stored extends LogEvent = LogEvent,
  Personal = unknown,
  Type extends string = string,
> {
  readonly type: Type
  /** The delivered forms: GET /events declares them, and tests check every event against them. */
  readonly schema: v.GenericSchema
  /**
   * Returns the receiver's own part of the form, as a JSON value: receivers with equal parts share the form.
   * Undefined when the queue gets none. Absent where all are equal.
   */
  personal?(stored: Stored, receiver: Receiver): Personal | undefined
  /** Absent when every client gets the stored form. */
  deliver?(stored: Stored, context: DeliveryContext<Personal>): WireEvent[]
}

/** The values of a schema, or the objects with these fields, as values that nothing changes. */
export type OutputOf<Source extends v.GenericSchema | v.ObjectEntries> = Unchanged<
  Source extends v.GenericSchema
    ? v.InferOutput<Source>
    : Source extends v.ObjectEntries
      ? v.InferOutput<v.StrictObjectSchema<Source, undefined>>
      : never
>

type Unchanged<Value> = Value extends object
  ? { readonly [Key in keyof Value]: Unchanged<Value[Key]> }
  : Value

/** The stored form of an event type. */
export type StoredOf<Type extends { deliver?(stored: never, context: never): unknown }> = Parameters<
  NonNullable<Type['deliver']>
>[0]

export type ChangeIn<Event extends LogEvent> = Event extends unknown ? Omit<Event, 'type'> : never

/** The forms of an event: the fields of each without `id` and `type`, or a schema made by `formSchema`. */
type EventRepresentations = readonly (v.ObjectEntries | v.GenericSchema)[]

type StoredAs<Type extends string, Fields> = Fields extends v.ObjectEntries
  ? Unchanged<{ type: Type } & v.InferOutput<v.StrictObjectSchema<Fields, undefined>>>
  : never

/** Declares an event type whose stored form has the fields that clients get, perhaps with other values. */
export function defineEventType<const Type extends string, const Fields extends readonly v.ObjectEntries[]>(
  type: Type,
  forms: Fields,
  deliver?: EventType<StoredAs<Type, Fields[number]>>['deliver'],
): EventType<StoredAs<Type, Fields[number]>, unknown, Type> {
  return { type, schema: schemaOf(type, forms), ...(deliver && { deliver }) }
}

/** Declares an event type whose stored form has other fields than clients get. */
export function defineShapedEventType<Stored extends LogEvent, Personal = unknown>(
  type: Stored['type'],
  forms: EventRepresentations,
  shaping: Pick<EventType<Stored, Personal>, 'personal' | 'deliver'>,
): EventType<Stored, Personal, Stored['type']> {
  return { type, schema: schemaOf(type, forms), ...shaping }
}

function schemaOf(type: string, forms: EventRepresentations): v.GenericSchema {
  const schemas = forms.map((form) =>
    '~run' in form ? (form as v.GenericSchema) : formSchema(type, form as v.ObjectEntries),
  )
  return schemas.length === 1 ? schemas[0]! : v.union(schemas)
}

/** Returns the schema of an event's form with these fields. */
export function formSchema<const Fields extends v.ObjectEntries>(type: string, fields: Fields) {
  return v.strictObject({ id: v.number(), type: v.literal(type), ...fields })
}

export function hasCapability(
  context: DeliveryContext,
  capability: EventQueue['options']['capabilities'][number],
): boolean {
  return context.options.capabilities.includes(capability)
}

/**
 * Whether a queue gets events of a type that the announced level does not have: a client that names the type knows it, unless it declares a
 * level that has other events instead.
 */
export function namesOldType({ level, eventTypes }: QueueOptions, type: string): boolean {
  return level === undefined && eventTypes?.includes(type) === true
}

/** Returns the topic as this client shows it: `""` has a display name for clients that do not know empty topics. */
export function topicFor(context: DeliveryContext, topic: string): string {
  return topic === '' && !hasCapability(context, 'empty_topic_name') ? context.emptyTopicDisplayName : topic
}
