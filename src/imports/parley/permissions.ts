/** Permissions of an organization here: who may do what, without the numbers that groups and people have there. */
import type { Payload } from '../../integrations/payload.ts'
import { SYSTEM_GROUPS } from '../../rules/system-groups.ts'
import type { Permission } from '../neutral.ts'

const NAME_OF_SYSTEM_GROUP: ReadonlyMap<string, string> = new Map(
  SYSTEM_GROUPS.map(({ id, name }) => [String(id), name]),
)

/** Returns the permissions that a row has under these names. */
export function permissionsIn(
  row: Payload,
  settings: readonly { readonly name: string }[],
): Record<string, Permission> {
  return Object.fromEntries(
    settings.filter(({ name }) => row.has(name)).map(({ name }) => [name, permissionOf(row.at(name))]),
  )
}

/** Returns who has a permission: a number is that of a group, and nobody is in a list without anybody. */
export function permissionOf(value: Payload): Permission {
  if (value.number() !== undefined) return { groups: [groupOf(value)] }
  const groups = value.list('direct_subgroups').map(groupOf)
  const users = value.list('direct_members').map((id) => id.text())
  return groups.length + users.length === 0
    ? { groups: ['role:nobody'] }
    : { ...(groups.length > 0 && { groups }), ...(users.length > 0 && { users }) }
}

function groupOf(id: Payload): string {
  return NAME_OF_SYSTEM_GROUP.get(id.text()) ?? id.text()
}
