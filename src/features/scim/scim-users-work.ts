import type { RequestSource } from '../../core/call.ts'
import type { Command, ReadCommand } from '../../core/command.ts'
import type { RealmView } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { requireTag } from '../../model/scim/entity-tag.ts'
import type { ScimUserChanges } from '../../model/scim/read-scim-user.ts'
import { invalidValue, noResource } from '../../model/scim/scim-error.ts'
import type { ScimUser } from '../../model/scim/scim-schemas.ts'
import { enterAccount } from '../../model/users/accounts/enter-account.ts'
import { requireAllowedFullName } from '../../model/users/profile/full-name-rules.ts'
import { ROLES } from '../../rules/roles.ts'
import {
  findScimPerson,
  forgetScimUser,
  isRemoved,
  NOTHING_SAID,
  type ScimPerson,
} from '../../store/scim/scim-user-rows.ts'
import { findUser, findUserByEmail, type User } from '../../store/users/user-rows.ts'
import {
  changePerson,
  closePerson,
  keepFacts,
  nameOfNew,
  requireFreeAddress,
  requireMayGive,
} from './change-person.ts'
import { idsOfPeople } from './find-scim-users.ts'
import { presentScimUser } from './present-scim-user.ts'

/** An identity provider that has shown its token. */
interface Provider {
  readonly source: RequestSource
}

/** A part of a list: `start_index` counts from 1. */
export interface ScimPage {
  readonly filter?: string
  readonly start_index: number
  readonly count: number
}

interface UserId {
  readonly user_id: number
  /** Entity tags, one of which the user must have. */
  readonly if_match?: string
}

interface Answered {
  readonly resource: ScimUser
}

/** Lists people. Source: docs/scim.md#users. */
export const listScimUsers: ReadCommand<
  Provider,
  ScimPage,
  void,
  { readonly total: number; readonly resources: readonly ScimUser[] }
> = {
  reads: true,
  apply(tx, { source }, { filter, start_index, count }) {
    const ids = idsOfPeople(tx, filter)
    const page = ids.slice(start_index - 1, start_index - 1 + count)
    const people = page.flatMap((id) => findScimPerson(tx.sql, id) ?? [])
    return { total: ids.length, resources: people.map((person) => presentScimUser(person, source.origin)) }
  },
}

export const getScimUser: ReadCommand<Provider, UserId, void, Answered> = {
  reads: true,
  apply: (tx, provider, { user_id }) => answered(tx, provider, user_id),
}

/**
 * Makes an account without a password, whose person joins at the first log-in; or opens the one again that the provider has deleted.
 * @throws ScimError, BadRequestError
 */
export const createScimUser: Command<Provider, { readonly changes: ScimUserChanges }, void, Answered> = {
  apply(tx, provider, { changes }) {
    const { userName, active } = changes
    if (userName === undefined) throw invalidValue('userName is missing')
    const known = findUserByEmail(tx.sql, userName)
    if (known && isRemovedPerson(tx.sql, known)) {
      changePerson(tx, { user: known, facts: NOTHING_SAID }, { ...changes, active: active ?? true })
      return answered(tx, provider, known.id)
    }
    const { role = ROLES.member } = changes
    requireMayGive(tx, role)
    const user = enterAccount(tx, provider, {
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
}

/** Changes an account, for PUT and PATCH: both say what is to be, and leave alone what they do not name. */
export const changeScimUser: Command<
  Provider,
  UserId & { readonly changes: ScimUserChanges },
  void,
  Answered
> = {
  apply(tx, provider, { user_id, changes, if_match }) {
    const person = requirePerson(tx.sql, user_id)
    requireTag(if_match, () => presentScimUser(person, '').meta.version)
    changePerson(tx, person, changes)
    return answered(tx, provider, user_id)
  },
}

/** Closes an account. The provider does not find it any more; everything else of it stays. */
export const deleteScimUser: Command<Provider, UserId, void, object> = {
  apply(tx, _, { user_id, if_match }) {
    const person = requirePerson(tx.sql, user_id)
    requireTag(if_match, () => presentScimUser(person, '').meta.version)
    if (person.user.isActive) closePerson(tx, findUser(tx.sql, user_id)!)
    forgetScimUser(tx.sql, user_id, tx.now)
    return {}
  },
}

/** Admits the provider, for what needs nothing of the organization. */
export const admitProvider: ReadCommand<Provider, object, void, object> = {
  reads: true,
  apply: () => ({}),
}

function requirePerson(sql: Sql, id: number): ScimPerson {
  const person = findScimPerson(sql, id)
  if (!person) throw noResource(id)
  return person
}

function answered({ sql }: RealmView, { source }: Provider, id: number): Answered {
  return { resource: presentScimUser(requirePerson(sql, id), source.origin) }
}

/** Whether it is a person whom the provider has deleted, and may have again. */
function isRemovedPerson(sql: Sql, { id, botType, isActive, isDeleted }: User): boolean {
  return botType === null && !isActive && !isDeleted && isRemoved(sql, id)
}
