/** The groups that every organization has, in the order of their ids (docs/interface/access.md#system-groups). */
const SYSTEM_GROUPS = [
  'role:nobody',
  'role:owners',
  'role:administrators',
  'role:moderators',
  'role:fullmembers',
  'role:members',
  'role:everyone',
  'role:internet',
] as const

/** Returns the id of a system group, which is the same in every organization. */
export function systemGroupId(name: (typeof SYSTEM_GROUPS)[number]): number {
  return SYSTEM_GROUPS.indexOf(name) + 1
}
