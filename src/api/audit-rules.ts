import type { RealmView, StoredEvent } from '../core/realm-transaction.ts'
import type { AuditAction, AuditDetail, AuditDetails } from '../store/audit-log/audit-entry-rows.ts'

/** A change that is made but not committed yet. `Value`: the result of the operation's command. */
export interface MadeChange<Params = unknown, Value = unknown> {
  readonly view: RealmView
  /** The caller's id; null where the caller has no account. */
  readonly actorId: number | null
  readonly params: Params
  readonly value: Value
  readonly events: readonly StoredEvent[]
}

/** The entry of the log for one change. */
export interface AuditNote {
  readonly action: AuditAction
  readonly details: AuditDetails
  /** The person who logged in or joined through the change, if not the caller. */
  readonly actorId?: number | null
}

/** Entries for a change; undefined when nothing of the kind was changed. */
export type AuditNotes = AuditNote | readonly AuditNote[] | undefined

type NotesOf<Params, Value> = (change: MadeChange<Params, Value>) => AuditNotes

/** How an operation gets its entries in the audit log. */
export type AuditRule<Params = unknown, Value = unknown> =
  | NotesOf<Params, Value>
  /** For an operation that may change nothing: without an event there is no entry. */
  | { readonly whenChanged: NotesOf<Params, Value> }
  /** Writes an entry for each commit of a long change. Other rules run for the first commit alone, before there is a value. */
  | { readonly ofEachCommit: NotesOf<Params, Value> }
  /** Looks at what the change will remove, before it does; returns a function that makes the entry afterwards. */
  | { readonly before: (view: RealmView, params: Params) => NotesOf<Params, Value> }

/**
 * Why an operation has no entry:
 *
 * - `own`: it changes only what belongs to one account;
 * - `speech`: it is what people say to one another;
 * - `read-only`: it changes nothing;
 * - `shown`: everyone sees its effect, and it grants no rights;
 * - `step`: it is one step of work that another operation completes;
 * - any other, in a sentence.
 */
export type NoAudit = 'own' | 'speech' | 'read-only' | 'shown' | 'step' | { readonly because: string }

/** Entries that several operations share. */

interface Person {
  readonly user_id: number
  readonly role?: number
  readonly bot_owner_id?: number
  readonly delivery_email?: string | null
  readonly new_email?: string
}

/** Returns entries for changes of an account's rights, and of the address that receives password resets. */
export function changeOfAccount({ events }: Pick<MadeChange, 'events'>): AuditNote[] {
  const people = events.flatMap((event): Person[] =>
    event.type === 'realm_user' && event.op === 'update' ? [event.person] : [],
  )
  const roles = people.flatMap(({ user_id, role }): AuditNote[] =>
    role === undefined ? [] : [{ action: 'role_changed', details: { user_id, role } }],
  )
  const owners = people.flatMap(({ user_id, bot_owner_id: owner_id }): AuditNote[] =>
    owner_id === undefined ? [] : [{ action: 'bot_owner_changed', details: { user_id, owner_id } }],
  )
  const moved = people.find((person) => 'delivery_email' in person || 'new_email' in person)
  const addresses: AuditNote[] = moved
    ? [{ action: 'email_changed', details: { user_id: moved.user_id } }]
    : []
  return [...roles, ...owners, ...addresses]
}

interface Terms {
  readonly invite_as: number
  readonly stream_ids: readonly number[]
  readonly group_ids?: readonly number[] | null
}

/** Returns the role, channels and groups that an invitation grants. */
export function termsOf({ invite_as, stream_ids, group_ids }: Terms): AuditDetails {
  return { invite_as, stream_ids, group_ids: group_ids ?? [] }
}

export function groupChange({ user_group_id }: { user_group_id: number }, changes: AuditDetails): AuditNote {
  return { action: 'group_changed', details: { user_group_id, ...changes } }
}

/** Returns the entry for a deleted topic, for each commit, without the topic's name: owners cannot read every channel. */
export function topicDeleted({
  params,
  events,
}: Pick<MadeChange<{ readonly stream_id: number }>, 'params' | 'events'>): AuditNote | undefined {
  const gone = events.flatMap((event) => (event.type === 'delete_message' ? event.message_ids : []))
  if (gone.length === 0) return undefined
  return { action: 'topic_deleted', details: { stream_id: params.stream_id, messages: gone.length } }
}

/** Path parameters, which identify what is changed. */
const PATH = new Set(['stream_id', 'user_group_id'])
/** Maximum length of a value, in UTF-16 units. */
const MAX_VALUE_LENGTH = 100

/** Returns the requested changes without anything that a user wrote: for a text, only that it changed. */
export function changesIn(params: object): AuditDetails {
  const changes = Object.entries(params).filter(([name, value]) => value !== undefined && !PATH.has(name))
  return Object.fromEntries(changes.map(([name, value]) => [name, detailOf(value)]))
}

function detailOf(value: unknown): AuditDetail {
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return value
  if (typeof value === 'string') return 'changed'
  // A changed permission: the new holders.
  if ('new' in (value as object)) return detailOf((value as { new: unknown }).new)
  const text = JSON.stringify(value)
  return text.length > MAX_VALUE_LENGTH ? 'changed' : text
}
