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
  connect: 'Dienst verbinden',
  service: 'Dienst',
  otherService: 'Anderer Dienst, mit Vorlage',
  serviceEvents: 'Ereignisse',
  eventFilters: {
    all: 'Alle Ereignisse',
    only: 'Nur die gewählten Ereignisse',
    except: 'Alle außer den gewählten Ereignissen',
  },
  postsTo: 'Schreibt an',
  toMe: 'Direktnachricht an mich',
  topic: 'Thema',
  ownTopic: 'Von der Integration gewählt',
  options: {
    branches: 'Nur diese Branches: Namen oder Muster, durch Kommas getrennt',
    desc: 'Label oder Annotation mit der Beschreibung eines Alarms, statt alertname',
    ignore_private_repositories: 'Private Repositorys auslassen',
    name: 'Label oder Annotation mit dem Thema eines Alarms, statt instance',
    use_merge_request_title: 'Titel von Merge-Requests im Thema zeigen (normalerweise ja)',
  },
  switches: { '': 'Standard', true: 'Ja', false: 'Nein' },
  address: 'Adresse für den Dienst',
  addressHint: (service) =>
    `Trage sie bei ${service || 'deinem Dienst'} als Webhook-URL ein, mit JSON als Format. Wer sie kennt, kann schreiben.`,
  secret: 'Geheimnis',
  incomingSecretHint:
    'Trage dasselbe Geheimnis beim Dienst ein, der damit signiert. Aufrufe ohne gültige Signatur werden abgelehnt.',
  secrets: (count) =>
    count === 0
      ? 'Kein Geheimnis: Signaturen werden nicht geprüft.'
      : count === 1
        ? 'Ein Geheimnis ist gesetzt.'
        : 'Zwei Geheimnisse gelten: das neueste und das vorige.',
  setSecret: 'Geheimnis setzen',
  replaceSecret: 'Geheimnis ersetzen',
  keepSecret: 'Das vorige Geheimnis gilt weiter',
  removeSecret: 'Geheimnis entfernen',
  removeSecretQuestion: 'Das Geheimnis entfernen?',
  removeSecretHint: 'Signaturen werden nicht mehr geprüft: Wer die Adresse kennt, kann schreiben.',
  mentions: 'Erwähnungen',
  allowsMentions: 'Erwähnungen benachrichtigen',
  allowsMentionsHint: 'Wer im Dienst schreiben kann, kann dann hier Leute erwähnen.',
  template: {
    title: 'Vorlage',
    hint: 'Macht aus beliebigem JSON eine Nachricht. Ohne Textvorlage zeigt die Nachricht das JSON.',
    topic: 'Vorlage für das Thema',
    text: 'Vorlage für den Text',
    sample: 'Beispieldaten (JSON)',
    preview: 'Vorschau',
    noJson: 'Das ist kein JSON-Objekt und keine JSON-Liste.',
    save: 'Vorlage speichern',
    syntax: [
      ['{{host.name}}', 'ein Wert der Daten; Listen beginnen bei 0: {{files.0.name}}'],
      ['{{finished_at | time}}', 'eine Zeit in der Zeitzone des Lesers'],
      ['{{files | list: name}}', 'eine Zeile je Eintrag'],
      ['{{owner | default: "niemand"}}', 'Text für einen leeren Wert'],
      ['| raw, | quote, | code', 'ein Wert als Markdown, Zitat oder Code'],
    ],
  },
}
