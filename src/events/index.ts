import * as v from 'valibot'
import * as declarations from './declarations.ts'
import type { EventType, StoredOf } from './event-type.ts'

type Exported = (typeof declarations)[keyof typeof declarations]
type Declared = Extract<Exported, { readonly type: string; readonly schema: v.GenericSchema }>

const LIST = Object.values(declarations).filter(isDeclared)

function isDeclared(exported: Exported): exported is Declared {
  return typeof exported === 'object' && 'schema' in exported
}

type StoredByType = { readonly [Type in Declared as Type['type']]: StoredOf<Type> }

declare module '../core/realm-transaction.ts' {
  interface StoredEvents extends StoredByType {}
}

/** Every event type, by name. */
export const EVENT_TYPES: ReadonlyMap<string, EventType> = new Map(
  LIST.map((type) => [type.type, type as EventType]),
)

/** The only event without a type of its own: it has no content. Source: docs/interface/events.md#events-about-the-server. */
const heartbeat = v.strictObject({ id: v.number(), type: v.literal('heartbeat') })

/** Any event as a client gets it. */
export const deliveredEvent: v.GenericSchema = v.variant('type', [
  heartbeat,
  ...LIST.flatMap(({ schema }) => formsOf(schema)),
])

/** EventRepresentations of an event by the field that distinguishes them; a form may have further forms, by another field. */
type EventForm = v.VariantOptions<'type' | 'op'>[number]

/** Returns the forms of an event by `op` where there is one, so that an error is reported for the form that was meant. */
function formsOf(schema: v.GenericSchema): EventForm[] {
  if (schema.type !== 'union') return [schema as EventForm]
  const forms = (schema as v.UnionSchema<v.GenericSchema[], undefined>).options.flatMap(formsOf)
  return forms.every(hasOp) ? [v.variant('op', forms)] : forms
}

function hasOp(form: EventForm): boolean {
  return 'entries' in form ? 'op' in form.entries : form.options.every(hasOp)
}
