/** Audit-log entries that several operations share. */

import type { AuditNote, MadeChange } from '../model/audit-log/audit-rule.ts'
import type { AuditDetail, AuditDetails } from '../store/audit-log/audit-entry-rows.ts'

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

/** Returns the entry for a change of a user group. */
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
