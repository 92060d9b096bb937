import * as v from 'valibot'
import { type AuditNote, changeOfAccount, type MadeChange } from '../../api/audit-rules.ts'
import { defineStep } from '../../api/define-endpoint.ts'
import { integer, listUpTo, nonNegativeInteger, textUpTo } from '../../api/parameter-types.ts'
import { inAddress } from '../../api/step-types.ts'
import type { RealmView } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { insertAccount } from '../../model/accounts/create-user.ts'
import { requireAllowedFullName } from '../../model/accounts/full-name-rules.ts'
import type { Anyone } from '../../model/caller.ts'
import { MAX_MEMBERS } from '../../model/scim/read-scim-group.ts'
import { invalidValue, noResource, requireTag, type ScimUser } from '../../model/scim/scim-answer.ts'
import { MAX_FILTER_LENGTH } from '../../model/scim/scim-filter.ts'
import { ROLE_VALUES, ROLES } from '../../rules/roles.ts'
import {
  findScimPerson,
  forgetScimUser,
  isRemoved,
  keepScimUser,
  NOTHING_SAID,
  type ScimPerson,
} from '../../store/scim/scim-rows.ts'
import { findUser, findUserByEmail, type User } from '../../store/users/user-rows.ts'
import {
  changePerson,
  closePerson,
  keepFacts,
  nameOfNew,
  requireFreeAddress,
  requireMayGive,
} from './change-person.ts'
import { idsOfPeople, presentScimUser } from './find-scim-users.ts'

/** Values that the Worker has read from identity providers' requests. */

/** Code points; scim-body.ts limits what is read. */
const TEXT = 500

const text = textUpTo(TEXT)
const removable = v.optional(v.nullable(text))
const role = v.picklist(ROLE_VALUES)

export const page = {
  filter: v.optional(textUpTo(MAX_FILTER_LENGTH)),
  start_index: nonNegativeInteger,
  count: nonNegativeInteger,
}

export const ifMatch = v.optional(inAddress)

const userChanges = v.strictObject({
  userName: v.optional(text),
  displayName: removable,
  formatted: removable,
  givenName: removable,
  familyName: removable,
  externalId: removable,
  active: v.optional(v.boolean()),
  role: v.optional(role),
  withoutRoles: v.optional(listUpTo(ROLE_VALUES.length, role)),
})

const members = listUpTo(MAX_MEMBERS, integer)

export const groupChanges = v.strictObject({
  displayName: v.optional(text),
  externalId: removable,
  members: v.optional(v.strictObject({ fromNone: v.boolean(), add: members, remove: members })),
})

/** An identity provider's operations on accounts (docs/scim.md#users). */

const ACCESS = { access: 'provisioning', rateLimit: 'provisioning' } as const
const BY_PROVIDER = { scim: true }

/** Admits the provider, for requests that need nothing from the organization. */
export const admitProviderStep = defineStep({
  operation: 'scim-admit',
  ...ACCESS,
  query: () => ({}),
  audit: 'read-only',
})

/** Lists people. Source: docs/scim.md#users. */
export const listScimUsersStep = defineStep({
  operation: 'scim-list-users',
  ...ACCESS,
  params: page,
  query(tx, { source }, { filter, start_index, count }) {
    const ids = idsOfPeople(tx, filter)
    const page = ids.slice(start_index - 1, start_index - 1 + count)
    const people = page.flatMap((id) => findScimPerson(tx.sql, id) ?? [])
    return { total: ids.length, resources: people.map((person) => presentScimUser(person, source.origin)) }
  },
  audit: 'read-only',
})

export const getScimUserStep = defineStep({
  operation: 'scim-get-user',
  ...ACCESS,
  params: { user_id: integer, if_match: ifMatch },
  query: (tx, provider, { user_id }): Answered => answered(tx, provider, user_id),
  audit: 'read-only',
})

/**
 * Creates an account without a password, whose user joins at the first log-in; or reopens the one that the provider has deleted.
 * @throws ScimError, BadRequestError
 */
export const createScimUserStep = defineStep({
  operation: 'scim-create-user',
  ...ACCESS,
  growsObject: true,
  params: { changes: userChanges },
  apply(tx, provider, { changes }): Answered {
    const { userName, active } = changes
    if (userName === undefined) throw invalidValue('userName is missing')
    const known = findUserByEmail(tx.sql, userName)
    if (known && isRemovedPerson(tx.sql, known)) {
      changePerson(
        tx,
        provider.source,
        { user: known, facts: NOTHING_SAID },
        { ...changes, active: active ?? true },
      )
      keepScimUser(tx.sql, known.id)
      return answered(tx, provider, known.id)
    }
    const { role = ROLES.member } = changes
    requireMayGive(tx, role)
    const user = insertAccount(tx, provider, {
      deliveryEmail: requireFreeAddress(tx.sql, userName),
      fullName: requireAllowedFullName(tx.sql, nameOfNew(changes)),
      role,
      passwordHash: null,
      awaitsLogin: true,
    })
    keepFacts(tx, user.id, NOTHING_SAID, changes)
    if (active === false) closePerson(tx, findUser(tx.sql, user.id)!)
    return answered(tx, provider, user.id)
  },
  audit(change) {
    const user_id = Number(change.value.resource.id)
    const isNew = change.events.some((event) => event.type === 'realm_user' && event.op === 'add')
    const made: AuditNote[] = isNew ? [{ action: 'user_created', details: { user_id, ...BY_PROVIDER } }] : []
    return [...made, ...notesOf(change, user_id)]
  },
})

/** Changes an account, for PUT and PATCH: neither changes attributes that it does not name. */
export const changeScimUserStep = defineStep({
  operation: 'scim-change-user',
  ...ACCESS,
  params: { user_id: integer, if_match: ifMatch, changes: userChanges },
  apply(tx, provider, { user_id, changes, if_match }): Answered {
    const person = requirePerson(tx.sql, user_id)
    requireTag(if_match, () => presentScimUser(person, '').meta.version)
    changePerson(tx, provider.source, person, changes)
    return answered(tx, provider, user_id)
  },
  audit: (change) => notesOf(change, change.params.user_id),
})

/** Closes an account and hides it from the provider; otherwise it stays. */
export const deleteScimUserStep = defineStep({
  operation: 'scim-delete-user',
  ...ACCESS,
  params: { user_id: integer, if_match: ifMatch },
  apply(tx, _, { user_id, if_match }) {
    const person = requirePerson(tx.sql, user_id)
    requireTag(if_match, () => presentScimUser(person, '').meta.version)
    if (person.user.isActive) closePerson(tx, findUser(tx.sql, user_id)!)
    forgetScimUser(tx.sql, user_id, tx.now)
  },
  audit: (change) => notesOf(change, change.params.user_id),
})

/** Returns the entries for an account's changes, like those for an administrator's. */
function notesOf({ events }: Pick<MadeChange, 'events'>, userId: number): AuditNote[] {
  const opened = events.flatMap((event): AuditNote[] => {
    if (event.type !== 'realm_user' || event.op !== 'update') return []
    const { user_id, is_active } = event.person as { user_id: number; is_active?: boolean }
    if (user_id !== userId || is_active === undefined) return []
    return [{ action: is_active ? 'user_reactivated' : 'user_deactivated', details: { user_id } }]
  })
  return [...changeOfAccount({ events }), ...opened].map(({ details, ...note }) => ({
    ...note,
    details: { ...details, ...BY_PROVIDER },
  }))
}

interface Answered {
  readonly resource: ScimUser
}

function requirePerson(sql: Sql, id: number): ScimPerson {
  const person = findScimPerson(sql, id)
  if (!person) throw noResource(id)
  return person
}

function answered({ sql }: RealmView, { source }: Anyone, id: number): Answered {
  return { resource: presentScimUser(requirePerson(sql, id), source.origin) }
}

/** Whether the provider has deleted the user, and may reopen the account. */
function isRemovedPerson(sql: Sql, { id, botType, isActive, isDeleted }: User): boolean {
  return botType === null && !isActive && !isDeleted && isRemoved(sql, id)
}
