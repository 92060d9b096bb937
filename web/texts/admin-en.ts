import { grouped } from './locale.ts'

/** English texts of administration. */
export const permissionsEn = {
  plus: 'plus',
  noOneElse: 'No one else',
  onlyThese: 'Only',
  find: 'Find people or groups',
  addTo: (permission: string): string => `Add to “${permission}”`,
}

/** Of what is done with several people at once; a sentence about one names them instead. */
export const bulkEn = {
  all: 'Select all',
  chosen: (count: number): string => `${grouped(count)} selected`,
  choose: (name: string): string => `Select ${name}`,
  role: 'Change role',
  channel: 'Add to channel',
  group: 'Add to group',
  targets: { role: 'New role', channel: 'Channel', group: 'Group' },
  change: (count: number): string => `Change ${count === 1 ? 'one role' : `${grouped(count)} roles`}`,
  add: (count: number): string => `Add ${count === 1 ? 'one person' : `${grouped(count)} people`}`,
  changed: (count: number): string => `Changes saved for ${grouped(count)} people.`,
  deactivateQuestion: (count: number): string => `Deactivate ${grouped(count)} accounts?`,
  deactivated: (count: number): string => `Deactivated ${grouped(count)} accounts.`,
  makeOwners: (count: number): string => `Make ${grouped(count)} people owners?`,
}

export type BulkTexts = typeof bulkEn
export type PermissionsTexts = typeof permissionsEn
