import type { BulkTexts, PermissionsTexts } from './admin-en.ts'
import { grouped } from './locale.ts'

/** German texts of administration. */
export const permissionsDe: PermissionsTexts = {
  plus: 'plus',
  noOneElse: 'Sonst niemand',
  onlyThese: 'Nur',
  find: 'Personen oder Gruppen suchen',
  addTo: (permission) => `Zu „${permission}“ hinzufügen`,
}

/** Of what is done with several people at once. */
export const bulkDe: BulkTexts = {
  all: 'Alle auswählen',
  chosen: (count) => `${grouped(count)} ausgewählt`,
  choose: (name) => `${name} auswählen`,
  role: 'Rolle ändern',
  channel: 'Zu Kanal hinzufügen',
  group: 'Zu Gruppe hinzufügen',
  targets: { role: 'Neue Rolle', channel: 'Kanal', group: 'Gruppe' },
  change: (count) => (count === 1 ? 'Eine Rolle ändern' : `${grouped(count)} Rollen ändern`),
  add: (count) => (count === 1 ? 'Eine Person hinzufügen' : `${grouped(count)} Personen hinzufügen`),
  changed: (count) => `Änderungen für ${grouped(count)} Personen gespeichert.`,
  deactivateQuestion: (count) => `${grouped(count)} Konten deaktivieren?`,
  deactivated: (count) => `${grouped(count)} Konten deaktiviert.`,
  makeOwners: (count) => `${grouped(count)} Personen zu Inhabern machen?`,
}
