import type { BotsTexts } from './bots-en.ts'

/** German texts of bots. */
export const botsDe: BotsTexts = {
  nothing: 'Du hast keine Bots.',
  create: 'Neuer Bot',
  type: 'Art',
  types: {
    1: 'Allgemein: liest und schreibt',
    2: 'Eingehender Webhook: schreibt',
    3: 'Ausgehender Webhook: wird aufgerufen',
  },
  short: 'Kurzer Name, für die Adresse',
  url: 'Adresse, die aufgerufen wird',
  showKey: 'Schlüssel zeigen',
  deactivateQuestion: (name) => `${name} deaktivieren?`,
  deactivateHint: 'Sein Schlüssel gilt dann nicht mehr. Was er schrieb, bleibt.',
  signature: 'Signatur',
  secretHint:
    'Aufrufe werden mit einem Geheimnis signiert, nach Standard Webhooks. Es steht nur hier und nur jetzt.',
  newSecret: 'Neues Geheimnis',
  newSecretQuestion: 'Ein neues Geheimnis machen?',
  newSecretHint:
    'Einen Tag lang signieren beide, damit du inzwischen den Empfänger ändern kannst. Danach gilt nur das neue.',
  events: 'Wird auch aufgerufen bei',
  eventsHint: 'Von dem, was er sehen darf: von privaten Kanälen nur die, in denen er ist.',
  inChannels: (count) => `Nur in ${count} ${count === 1 ? 'Kanal' : 'Kanälen'}.`,
  deliveries: 'Letzte Aufrufe',
  noDeliveries: 'Er wurde noch nicht aufgerufen.',
  noAnswer: 'keine Antwort',
  triggers: {
    direct_message: 'Direktnachricht',
    mention: 'Erwähnung',
    message: 'Nachricht in einem Kanal',
    reaction: 'Reaktion',
    subscription: 'Jemand tritt einem Kanal bei',
    new_person: 'Neue Person',
  },
  attempt: (number) => `Versuch ${number}`,
  took: (ms) => `${ms} ms`,
  answer: 'Antwort',
  sendAgain: 'Noch einmal senden',
  reload: 'Neu laden',
}
