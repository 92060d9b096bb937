/** Texts of the pages for readers without an account. */
export interface PublicTexts {
  readonly language: string
  readonly skip: string
  readonly channels: string
  /** Introduces the list of channels. */
  readonly about: string
  readonly topics: string
  readonly archived: string
  readonly noTopic: string
  readonly noTopics: string
  readonly older: string
  readonly newer: string
  readonly first: string
  readonly edited: string
  readonly moreTopics: string
  readonly moreChannels: string
  /** Text of the link to the web app. */
  readonly enter: string
  readonly nothing: string
  readonly nothingAbout: string
  readonly tooMuch: string
  readonly tooMuchAbout: string
  readonly link: string
  readonly path: string
  readonly pages: string
}

export const ENGLISH: PublicTexts = {
  language: 'en',
  skip: 'To the content',
  channels: 'Channels',
  about: 'Open to everybody, without an account.',
  topics: 'Topics',
  archived: 'archived',
  noTopic: 'general chat',
  noTopics: 'Nothing has been said here lately.',
  older: 'Older messages',
  newer: 'Newer messages',
  first: 'From the beginning',
  edited: 'edited',
  moreTopics: 'Older topics',
  moreChannels: 'More channels',
  enter: 'Open in the app',
  nothing: 'There is nothing here',
  nothingAbout: 'What was here may have been moved, or is not open to everybody any more.',
  tooMuch: 'Too many questions',
  tooMuchAbout: 'Try again in a moment.',
  link: 'Link to this message',
  path: 'Where you are',
  pages: 'Pages',
}

const GERMAN: PublicTexts = {
  language: 'de',
  skip: 'Zum Inhalt',
  channels: 'Kanäle',
  about: 'Offen für alle, ohne Konto.',
  topics: 'Themen',
  archived: 'archiviert',
  noTopic: 'allgemeiner Chat',
  noTopics: 'Hier wurde zuletzt nichts gesagt.',
  older: 'Ältere Nachrichten',
  newer: 'Neuere Nachrichten',
  first: 'Von Anfang an',
  edited: 'bearbeitet',
  moreTopics: 'Ältere Themen',
  moreChannels: 'Mehr Kanäle',
  enter: 'In der App öffnen',
  nothing: 'Hier ist nichts',
  nothingAbout: 'Was hier war, wurde vielleicht verschoben oder ist nicht mehr für alle offen.',
  tooMuch: 'Zu viele Anfragen',
  tooMuchAbout: 'Versuche es gleich noch einmal.',
  link: 'Link zu dieser Nachricht',
  path: 'Wo du bist',
  pages: 'Seiten',
}

/**
 * Returns the texts in the organization's language: a page is the same for all its readers, so that it can be
 * kept.
 */
export function publicTexts(language: string): PublicTexts {
  return language.toLowerCase().split('-')[0] === 'de' ? GERMAN : ENGLISH
}
