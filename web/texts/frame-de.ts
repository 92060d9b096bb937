import type { FrameTexts } from './frame-en.ts'

export const frameDe: FrameTexts = {
  status: {
    set: 'Status festlegen',
    edit: 'Status bearbeiten',
    clear: 'Status löschen',
    title: 'Status',
    text: 'Was machst du gerade?',
    emoji: 'Emoji auswählen',
    noEmoji: 'Emoji entfernen',
    presets: 'Vorschläge',
    names: {
      meeting: 'In einer Besprechung',
      commuting: 'Unterwegs',
      sick: 'Krank',
      away: 'Im Urlaub',
      remote: 'Im Homeoffice',
    },
    clearAfter: 'Löschen nach',
    expiries: {
      never: 'Nicht löschen',
      half: '30 Minuten',
      hour: '1 Stunde',
      four: '4 Stunden',
      today: 'Heute',
      week: 'Diese Woche',
    },
    expiryHint:
      'Dieser Browser löscht ihn. Ist Parley dann hier nicht geöffnet, wird er beim nächsten Öffnen gelöscht.',
    until: (time) => `Bis ${time}`,
  },
  goInvisible: 'Als abwesend anzeigen',
  goVisible: 'Anzeigen, wenn ich aktiv bin',
  quiet: {
    title: 'Benachrichtigungen pausieren',
    pauses: { half: '30 Minuten', hour: '1 Stunde', tomorrow: 'Bis morgen' },
    schedule: 'Ruhezeiten',
    scheduleHint:
      'Benachrichtigungen und Töne dieser Seite pausieren täglich zwischen diesen Zeiten. Push-Nachrichten kommen weiter an, wenn sie geschlossen ist.',
    daily: 'Täglich pausieren',
    from: 'Von',
    to: 'Bis',
    isOn: (time) => `Pausiert bis ${time}`,
    isScheduled: 'Ruhezeit',
    resume: 'Benachrichtigungen fortsetzen',
  },
}
