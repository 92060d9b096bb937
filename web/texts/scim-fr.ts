import type { scimEn } from './scim-en.ts'

/** French texts of provisioning. */
export const scimFr: typeof scimEn = {
  hint: 'Gérez les comptes et les groupes depuis un fournisseur d’identité, comme Okta ou Microsoft Entra ID, avec SCIM 2.0.',
  address: 'URL de base SCIM',
  token: 'Jeton',
  none: 'Aucun jeton. Le provisionnement est désactivé.',
  shownOnce: 'Copiez ce jeton maintenant. Il ne sera plus affiché.',
  make: 'Créer un jeton',
  replace: 'Remplacer le jeton',
  replaceQuestion: 'Remplacer le jeton ?',
  replaceHint:
    'Le jeton actuel reste valable sept jours, le temps de mettre à jour le fournisseur d’identité.',
  replaceUnusedHint: 'Il n’a pas encore servi et cessera de fonctionner immédiatement.',
  madeBy: (name, ago) => `Créé par ${name} ${ago}`,
  used: (ago) => `dernière utilisation ${ago}`,
  unused: 'jamais utilisé',
  former: (day) => `Le jeton précédent reste valable jusqu’au ${day}.`,
  formerUsed: (ago) => `Dernière utilisation : ${ago}.`,
  endFormer: 'Révoquer maintenant le jeton précédent',
  endFormerQuestion: 'Révoquer le jeton précédent ?',
  endFormerHint: 'Un fournisseur d’identité qui l’utilise encore perdra l’accès.',
  remove: 'Désactiver le provisionnement',
  removeQuestion: 'Désactiver le provisionnement ?',
  removeHint: 'Le jeton cesse de fonctionner. Les comptes et les groupes restent tels quels.',
  owners: 'Peut gérer les propriétaires',
  ownersHint:
    'Le fournisseur d’identité peut ajouter et réactiver des propriétaires, et modifier leur rôle et leur adresse e-mail. Il ne peut jamais désactiver le dernier.',
}
