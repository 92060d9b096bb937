import type { scimEn } from './scim-en.ts'

/** German texts of provisioning. */
export const scimDe: typeof scimEn = {
  hint: 'Verwalte Konten und Gruppen mit SCIM 2.0 über einen Identitätsanbieter wie Okta oder Microsoft Entra ID.',
  address: 'SCIM-Basis-URL',
  token: 'Token',
  none: 'Kein Token. Die Provisionierung ist ausgeschaltet.',
  shownOnce: 'Kopiere dieses Token jetzt. Es wird nicht noch einmal angezeigt.',
  make: 'Token erstellen',
  replace: 'Token ersetzen',
  replaceQuestion: 'Token ersetzen?',
  replaceHint:
    'Das jetzige Token gilt noch sieben Tage, damit du Zeit hast, den Identitätsanbieter umzustellen.',
  replaceUnusedHint: 'Das jetzige Token wurde noch nicht benutzt und gilt dann sofort nicht mehr.',
  madeBy: (name, ago) => `Erstellt von ${name} ${ago}`,
  used: (ago) => `zuletzt benutzt ${ago}`,
  unused: 'noch nicht benutzt',
  former: (day) => `Das vorherige Token gilt bis ${day}.`,
  formerUsed: (ago) => `Es wurde zuletzt ${ago} benutzt.`,
  endFormer: 'Vorheriges Token jetzt widerrufen',
  endFormerHint: 'Ein Identitätsanbieter, der es noch verwendet, verliert den Zugang.',
  remove: 'Provisionierung ausschalten',
  removeQuestion: 'Provisionierung ausschalten?',
  removeHint: 'Das Token gilt dann nicht mehr. Konten und Gruppen bleiben, wie sie sind.',
  endFormerQuestion: 'Vorheriges Token widerrufen?',
  owners: 'Darf Inhaber verwalten',
  ownersHint:
    'Der Identitätsanbieter kann Inhaber hinzufügen und reaktivieren und ihre Rollen und E-Mail-Adressen ändern. Den letzten kann er nie deaktivieren.',
}
