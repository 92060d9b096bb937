import type { PermissionsTexts } from './admin-en.ts'

/** German texts of administration. */
export const permissionsDe: PermissionsTexts = {
  plus: 'und',
  noOneElse: 'Sonst niemand',
  onlyThese: 'Nur',
  find: 'Leute oder Gruppen finden',
  addTo: (permission) => `Zu „${permission}“ hinzufügen`,
}
