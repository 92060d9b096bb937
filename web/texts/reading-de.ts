import { grouped } from './locale.ts'
import type { ReadingTexts } from './reading-en.ts'

export const readingDe: ReadingTexts = {
  viewer: {
    zoom: 'Vergrößern',
    previous: 'Vorheriges',
    next: 'Nächstes',
    failed: 'Das Bild konnte nicht geladen werden',
  },
  pdf: {
    file: 'PDF',
    previous: 'Vorherige Seite',
    next: 'Nächste Seite',
    page: (page, of) => `Seite ${page} von ${of}`,
    onlyFirst: (count) =>
      `Nur die ersten ${count} Seiten werden angezeigt. Lade die Datei herunter, um den Rest zu sehen.`,
    tooLarge: (megabytes) =>
      `Für Dateien über ${megabytes} MB gibt es keine Vorschau. Lade die Datei herunter, um sie zu lesen.`,
    unreadable: 'Die Datei konnte nicht angezeigt werden. Lade sie herunter, um sie zu lesen.',
  },
  widget: {
    newTask: 'Neue Aufgabe',
    add: 'Hinzufügen',
    votes: (option, count) => `${option}: ${grouped(count)} ${count === 1 ? 'Stimme' : 'Stimmen'}`,
  },
  search: {
    title: 'Suche',
    filters: 'Filter',
    results: (count, isAll) =>
      !isAll ? `${grouped(count)}+ Treffer` : count === 1 ? '1 Treffer' : `${grouped(count)} Treffer`,
    from: 'Von',
    in: 'In',
    date: 'Datum',
    has: 'Enthält',
    removeFilter: (name) => `Filter entfernen: ${name}`,
    findPerson: 'Person suchen',
    findChannel: 'Kanal suchen',
    days: { 0: 'Heute', 7: 'Letzte 7 Tage', 30: 'Letzte 30 Tage', 365: 'Letzte 12 Monate' },
    after: 'Ab',
    before: 'Vor',
    apply: 'Anwenden',
    anyTime: 'Beliebige Zeit',
    since: (day) => `Seit ${day}`,
    until: (day) => `Vor ${day}`,
    between: (from, to) => `${from} – ${to}`,
    kinds: { link: 'Links', image: 'Bilder', attachment: 'Dateien', reaction: 'Reaktionen' },
    newest: 'Neueste zuerst',
    oldest: 'Älteste zuerst',
    inContext: 'Im Kontext',
    more: 'Weitere Treffer zeigen',
    save: 'Suche speichern',
    saved: (name) => `„${name}“ steht jetzt in der Seitenleiste`,
    name: 'Name',
    none: 'Keine Treffer',
    noneHint: 'Prüfe die Schreibweise, nimm weniger Wörter oder entferne einen Filter.',
    noneHere: 'Nichts entspricht allen diesen Filtern.',
    clear: 'Alle Filter entfernen',
    rename: 'Umbenennen',
    remove: 'Aus der Seitenleiste entfernen',
    removed: (name) => `„${name}“ entfernt`,
  },
}
