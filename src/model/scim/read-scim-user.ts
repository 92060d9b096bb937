import { ROLES, type Role } from '../../rules/roles.ts'
import { invalidValue, nameOfRole, ROLE_NAMES, ScimError } from './scim-answer.ts'
import {
  type AttributePath,
  booleanOf,
  type Fields,
  fieldsOf,
  lowerCaseOf,
  type PatchOperation,
  readOperations,
  requireWhole,
  textOf,
} from './scim-body.ts'
import { readFilter, testOf, USER_ATTRIBUTES } from './scim-filter.ts'

/** The changes of an account that an identity provider requests. Null removes an attribute; absent ones stay as they are. */
export interface ScimUserChanges {
  userName?: string
  displayName?: string | null
  formatted?: string | null
  givenName?: string | null
  familyName?: string | null
  externalId?: string | null
  active?: boolean
  role?: Role
  /** Roles that the account loses, if it has one of them. */
  withoutRoles?: readonly Role[]
}

/** Reads the whole user of a POST or PUT, without unknown attributes. @throws ScimError (400) */
export function readScimUser(body: Fields): ScimUserChanges {
  const changes: ScimUserChanges = {}
  for (const [name, value] of body) put(changes, { attribute: name }, value)
  return changes
}

/** Reads the operations of a PATCH together. @throws ScimError (400) */
export function readUserPatch(body: Fields): ScimUserChanges {
  const changes: ScimUserChanges = {}
  for (const operation of readOperations(body)) apply(changes, operation)
  return changes
}

const READ_ONLY = new Set(['id', 'meta', 'schemas', 'groups'])

/** Attributes with one plain value. */
const PLAIN = new Set(['username', 'displayname', 'externalid', 'active', 'role'])

function apply(changes: ScimUserChanges, { op, path, value, isNamed }: PatchOperation): void {
  if (isNamed && READ_ONLY.has(path.attribute)) {
    throw new ScimError(400, `${path.attribute} cannot be changed`, 'mutability')
  }
  if (PLAIN.has(path.attribute)) requireWhole(path)
  if (op === 'remove') remove(changes, path)
  else put(changes, path, value)
}

function put(changes: ScimUserChanges, path: AttributePath, value: unknown): void {
  switch (path.attribute) {
    case 'username': {
      const userName = textOf('userName', value)
      if (userName === null) throw invalidValue('userName cannot be empty')
      changes.userName = userName
      return
    }
    case 'displayname':
      changes.displayName = textOf('displayName', value)
      return
    case 'externalid':
      changes.externalId = textOf('externalId', value)
      return
    case 'active':
      changes.active = booleanOf('active', value)
      return
    case 'name':
      putName(changes, path.sub, value)
      return
    case 'emails':
      requireReadableFilter(path)
      return
    case 'role':
    case 'roles':
      putRole(changes, path, value)
  }
}

const NAMES = { formatted: 'formatted', givenname: 'givenName', familyname: 'familyName' } as const

function putName(changes: ScimUserChanges, sub: string | undefined, value: unknown): void {
  const parts = sub === undefined ? (fieldsOf(value) ?? new Map<string, unknown>()) : new Map([[sub, value]])
  for (const [part, text] of parts) {
    if (!Object.hasOwn(NAMES, part)) continue
    const name = NAMES[part as keyof typeof NAMES]
    changes[name] = textOf(`name.${name}`, text)
  }
}

/** Sets the role: the primary one of a list, else its first. An empty list takes the role away. */
function putRole(changes: ScimUserChanges, path: AttributePath, value: unknown): void {
  requireReadableFilter(path)
  if (path.sub !== undefined && path.sub !== 'value') return
  const list = (Array.isArray(value) ? value : [value]).filter((one) => one !== null && one !== '')
  if (list.length === 0) {
    takeRoles(changes, Object.values(ROLE_NAMES))
    return
  }
  const isPrimary = (one: unknown) => {
    const primary = fieldsOf(one)?.get('primary')
    return primary === true || lowerCaseOf(primary) === 'true'
  }
  const chosen: unknown = list.find(isPrimary) ?? list[0]
  const fields = fieldsOf(chosen)
  const name = textOf(path.attribute, fields ? fields.get('value') : chosen)?.toLowerCase() ?? ''
  if (!Object.hasOwn(ROLE_NAMES, name)) {
    throw invalidValue(`The roles are ${Object.keys(ROLE_NAMES).join(', ')}`)
  }
  changes.role = ROLE_NAMES[name as keyof typeof ROLE_NAMES]
  delete changes.withoutRoles
}

function remove(changes: ScimUserChanges, path: AttributePath): void {
  switch (path.attribute) {
    case 'username':
    case 'active':
      throw new ScimError(400, 'userName and active cannot be removed', 'mutability')
    case 'displayname':
      changes.displayName = null
      return
    case 'externalid':
      changes.externalId = null
      return
    case 'name':
      for (const [part, name] of Object.entries(NAMES)) {
        if (path.sub === undefined || path.sub === part) changes[name] = null
      }
      return
    case 'emails':
      requireReadableFilter(path)
      return
    case 'role':
    case 'roles':
      if (path.sub === undefined || path.sub === 'value') takeRoles(changes, rolesNamed(path))
  }
}

/** Takes roles away: from the account, or from what earlier operations of the request give it. */
function takeRoles(changes: ScimUserChanges, roles: readonly Role[]): void {
  if (changes.role === undefined)
    changes.withoutRoles = [...new Set([...(changes.withoutRoles ?? []), ...roles])]
  else if (roles.includes(changes.role)) changes.role = ROLES.member
}

/** Returns the roles that a path such as `roles[value eq "moderator"]` names. */
function rolesNamed({ filter }: AttributePath): readonly Role[] {
  const roles = Object.values(ROLE_NAMES)
  if (filter === undefined) return roles
  const matches = testOf(readFilter(filter, USER_ATTRIBUTES, 'roles.'))
  return roles.filter((role) => matches({ value: nameOfRole(role), primary: true }))
}

function requireReadableFilter({ attribute, filter }: AttributePath): void {
  if (filter !== undefined) readFilter(filter, USER_ATTRIBUTES, `${attribute}.`)
}
