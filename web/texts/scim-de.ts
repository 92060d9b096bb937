import type { scimEn } from './scim-en.ts'

/** German texts of provisioning. */
export const scimDe: typeof scimEn = {
  hint: 'Ein Identitätsdienst wie Okta oder Microsoft Entra ID legt hier mit SCIM 2.0 Konten und Gruppen an, ändert und deaktiviert sie.',
  address: 'Adresse für den Identitätsdienst',
  token: 'Token',
  none: 'Es gibt kein Token, also legt niemand Konten an.',
  shownOnce: 'Kopiere das Token jetzt: Es wird nur hier und nur jetzt gezeigt.',
  make: 'Token erzeugen',
  replace: 'Neues Token erzeugen',
  replaceQuestion: 'Ein neues Token erzeugen?',
  replaceHint:
    'Das jetzige gilt noch sieben Tage, damit nichts stehen bleibt, bevor der Identitätsdienst das neue hat.',
  replaceUnusedHint: 'Das jetzige wurde noch nicht benutzt und gilt ab sofort nicht mehr.',
  madeBy: (name, ago) => `Erzeugt von ${name} ${ago}`,
  used: (ago) => `zuletzt benutzt ${ago}`,
  unused: 'noch nicht benutzt',
  former: (day) => `Das vorherige Token gilt bis ${day}.`,
  formerUsed: (ago) => `Es wurde zuletzt ${ago} benutzt.`,
  endFormer: 'Vorheriges Token jetzt beenden',
  endFormerHint: 'Ein Identitätsdienst, der es noch hat, ändert dann nichts mehr.',
  remove: 'Token entfernen',
  removeQuestion: 'Token entfernen?',
  removeHint: 'Der Identitätsdienst ändert nichts mehr. Konten und Gruppen bleiben, wie sie sind.',
  owners: 'Darf Inhaber verwalten',
  ownersHint:
    'Inhaber ernennen und reaktivieren und ihre Rollen und Adressen ändern. Den letzten kann es nie deaktivieren.',
}
