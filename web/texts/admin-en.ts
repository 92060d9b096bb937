/** English texts of administration. */
export const permissionsEn = {
  plus: 'plus',
  noOneElse: 'No one else',
  onlyThese: 'Only',
  find: 'Find people or groups',
  addTo: (permission: string): string => `Add to “${permission}”`,
}

export type PermissionsTexts = typeof permissionsEn
