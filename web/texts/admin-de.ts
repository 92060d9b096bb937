import type { BulkTexts, PermissionsTexts } from './admin-en.ts'

/** German texts of administration. */
export const permissionsDe: PermissionsTexts = {
  plus: 'plus',
  noOneElse: 'Sonst niemand',
  onlyThese: 'Nur',
  find: 'Leute oder Gruppen suchen',
  addTo: (permission) => `Zu „${permission}“ hinzufügen`,
}

/** Of what is done with several people at once. */
export const bulkDe: BulkTexts = {
  all: 'Alle auswählen',
  chosen: (count) => `${count} ausgewählt`,
  choose: (name) => `${name} auswählen`,
  role: 'Rolle ändern',
  channel: 'Zu Kanal hinzufügen',
  group: 'Zu Gruppe hinzufügen',
  targets: { role: 'Neue Rolle', channel: 'Kanal', group: 'Gruppe' },
  change: (count) => (count === 1 ? 'Eine Rolle ändern' : `${count} Rollen ändern`),
  add: (count) => (count === 1 ? 'Eine Person hinzufügen' : `${count} Personen hinzufügen`),
  changed: (count) => (count === 1 ? 'Eine Person geändert.' : `${count} Personen geändert.`),
  deactivateQuestion: (count) => (count === 1 ? 'Ein Konto deaktivieren?' : `${count} Konten deaktivieren?`),
  deactivated: (count) => (count === 1 ? 'Ein Konto deaktiviert.' : `${count} Konten deaktiviert.`),
  makeOwners: (count) =>
    count === 1 ? 'Diese Person zum Inhaber machen?' : `${count} Personen zu Inhabern machen?`,
}
