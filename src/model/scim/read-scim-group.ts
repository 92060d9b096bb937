import { invalidValue, ScimError } from './scim-answer.ts'
import {
  type AttributePath,
  type Fields,
  fieldsOf,
  lowerCaseOf,
  memberOf,
  type PatchOperation,
  readOperations,
  requireWhole,
  textOf,
  tooMany,
} from './scim-body.ts'
import { type Filter, GROUP_ATTRIBUTES, readFilter } from './scim-filter.ts'

/** Limit of the members that one request names. */
export const MAX_MEMBERS = 10_000

/** The changes of a group that an identity provider requests. Absent fields stay as they are. */
export interface ScimGroupChanges {
  displayName?: string
  externalId?: string | null
  members?: MemberChanges
}

/** Members that are added and removed, starting from the group's members or from none. */
export interface MemberChanges {
  readonly fromNone: boolean
  readonly add: readonly number[]
  readonly remove: readonly number[]
}

/** The same while operations are read. */
interface OpenMemberChanges {
  fromNone: boolean
  readonly add: Set<number>
  readonly remove: Set<number>
}

/** Reads the whole group of a POST or PUT, without unknown attributes. @throws ScimError (400) */
export function readScimGroup(body: Fields): ScimGroupChanges {
  const operations = [...body].map(([name, value]): PatchOperation => {
    return { op: 'replace', path: { attribute: name }, value, isNamed: false }
  })
  return changesOf(operations)
}

/** Reads the operations of a PATCH together. @throws ScimError (400) */
export function readGroupPatch(body: Fields): ScimGroupChanges {
  return changesOf(readOperations(body))
}

const READ_ONLY = new Set(['id', 'meta', 'schemas'])

function changesOf(operations: readonly PatchOperation[]): ScimGroupChanges {
  const changes: ScimGroupChanges = {}
  const open: OpenMemberChanges = { fromNone: false, add: new Set(), remove: new Set() }
  let named = 0
  let areNamed = false
  for (const operation of operations) {
    const { op, path, value, isNamed } = operation
    if (isNamed && READ_ONLY.has(path.attribute)) {
      throw new ScimError(400, `${path.attribute} cannot be changed`, 'mutability')
    }
    if (path.attribute === 'members') {
      named += changeMembers(open, operation)
      if (named > MAX_MEMBERS) throw tooMany(`At most ${MAX_MEMBERS} members`)
      areNamed = true
    } else if (path.attribute === 'displayname') {
      requireWhole(path)
      changes.displayName = displayNameOf(op, value)
    } else if (path.attribute === 'externalid') {
      requireWhole(path)
      changes.externalId = op === 'remove' ? null : textOf('externalId', value)
    }
  }
  if (areNamed) changes.members = { ...open, add: [...open.add], remove: [...open.remove] }
  return changes
}

function displayNameOf(op: PatchOperation['op'], value: unknown): string {
  if (op === 'remove') throw new ScimError(400, 'displayName cannot be removed', 'mutability')
  const name = textOf('displayName', value)
  if (name === null) throw invalidValue('displayName cannot be empty')
  return name
}

/** Returns the number of members that the operation names. */
function changeMembers(members: OpenMemberChanges, { op, path, value }: PatchOperation): number {
  // A part of a member is not the member: members[value eq "2"].display removes nobody.
  if (path.sub !== undefined || (path.filter !== undefined && op !== 'remove')) {
    throw new ScimError(400, 'Members have no attributes that can be changed', 'mutability')
  }
  if (op === 'remove') return removeMembers(members, path, value)
  const ids = idsOf(value)
  if (op === 'replace') startFromNone(members)
  for (const id of ids) {
    members.add.add(id)
    members.remove.delete(id)
  }
  return ids.length
}

/** Removes members by the path's filter, or by a list of values, as Entra does; all of them without either. */
function removeMembers(members: OpenMemberChanges, { filter }: AttributePath, value: unknown): number {
  if (filter === undefined && (value === undefined || value === null)) {
    startFromNone(members)
    return 0
  }
  const ids = filter === undefined ? idsOf(value) : idsNamed(filter)
  for (const id of ids) {
    members.remove.add(id)
    members.add.delete(id)
  }
  return ids.length
}

function startFromNone(members: OpenMemberChanges): void {
  members.fromNone = true
  members.add.clear()
  members.remove.clear()
}

/** Returns the ids of a list of members, or of one. */
function idsOf(value: unknown): number[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (list.length > MAX_MEMBERS) throw tooMany(`At most ${MAX_MEMBERS} members`)
  return list.filter((one) => one !== null).map(idOf)
}

function idOf(given: unknown): number {
  const fields = fieldsOf(given)
  if (lowerCaseOf(fields?.get('type')) === 'group') {
    throw invalidValue('Groups cannot be members of groups')
  }
  const id = fields ? fields.get('value') : given
  if (!/^\d{1,15}$/.test(typeof id === 'number' ? String(id) : typeof id === 'string' ? id : '')) {
    throw invalidValue('The value of a member must be the id of a user')
  }
  return Number(id)
}

/** Returns the ids that a filter such as `value eq "2" or value eq "3"` names. */
function idsNamed(filter: string): number[] {
  const one = memberOf(filter)
  return one === undefined ? idsIn(readFilter(filter, GROUP_ATTRIBUTES, 'members.')) : [Number(one)]
}

function idsIn(filter: Filter): number[] {
  if (filter.op === 'or') return filter.filters.flatMap(idsIn)
  if (filter.op === 'eq' && filter.attrPath === 'value' && typeof filter.compValue === 'string') {
    return [idOf(filter.compValue)]
  }
  throw new ScimError(400, 'Members are removed by their value', 'invalidFilter')
}
