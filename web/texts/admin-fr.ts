import type { BulkTexts, PermissionsTexts } from './admin-en.ts'
import { grouped } from './locale.ts'
import { counter } from './plural.ts'

const counted = counter('fr')

/** French texts of administration. */
export const permissionsFr: PermissionsTexts = {
  plus: 'et',
  noOneElse: 'Personne d’autre',
  onlyThese: 'Seulement',
  find: 'Rechercher des personnes ou des groupes',
  addTo: (permission) => `Ajouter à « ${permission} »`,
}

export const bulkFr: BulkTexts = {
  all: 'Tout sélectionner',
  chosen: (count) => counted(count, { one: '# sélectionné', other: '# sélectionnés' }),
  choose: (name) => `Sélectionner ${name}`,
  role: 'Changer le rôle',
  channel: 'Ajouter à un canal',
  group: 'Ajouter à un groupe',
  targets: { role: 'Nouveau rôle', channel: 'Canal', group: 'Groupe' },
  change: (count) => counted(count, { one: 'Changer # rôle', other: 'Changer # rôles' }),
  add: (count) => counted(count, { one: 'Ajouter # personne', other: 'Ajouter # personnes' }),
  changed: (count) => `Modifications enregistrées pour ${grouped(count)} personnes.`,
  deactivateQuestion: (count) => `Désactiver ${grouped(count)} comptes ?`,
  deactivated: (count) => `${grouped(count)} comptes désactivés.`,
  makeOwners: (count) => `Nommer ${grouped(count)} personnes propriétaires ?`,
}
