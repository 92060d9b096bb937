import { type InEachLanguage, writtenLanguage } from '../../core/written-languages.ts'

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
  skip: 'Skip to content',
  channels: 'Channels',
  about: 'Open to everyone, without an account.',
  topics: 'Topics',
  archived: 'archived',
  noTopic: 'general chat',
  noTopics: 'No recent messages here.',
  older: 'Older messages',
  newer: 'Newer messages',
  first: 'From the beginning',
  edited: 'edited',
  moreTopics: 'Older topics',
  moreChannels: 'More channels',
  enter: 'Open in the app',
  nothing: 'There is nothing here',
  nothingAbout: 'It may have been moved, or is no longer public.',
  tooMuch: 'Too many requests',
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

const FRENCH: PublicTexts = {
  language: 'fr',
  skip: 'Aller au contenu',
  channels: 'Canaux',
  about: 'Ouvert à tout le monde, sans compte.',
  topics: 'Sujets',
  archived: 'archivé',
  noTopic: 'discussion générale',
  noTopics: 'Rien n’a été dit ici récemment.',
  older: 'Messages plus anciens',
  newer: 'Messages plus récents',
  first: 'Depuis le début',
  edited: 'modifié',
  moreTopics: 'Sujets plus anciens',
  moreChannels: 'Plus de canaux',
  enter: 'Ouvrir dans l’application',
  nothing: 'Il n’y a rien ici',
  nothingAbout: 'Ce qui était ici a peut-être été déplacé, ou n’est plus ouvert à tout le monde.',
  tooMuch: 'Trop de demandes',
  tooMuchAbout: 'Réessayez dans un instant.',
  link: 'Lien vers ce message',
  path: 'Où vous êtes',
  pages: 'Pages',
}

const SPANISH: PublicTexts = {
  language: 'es',
  skip: 'Ir al contenido',
  channels: 'Canales',
  about: 'Abierto para todos, sin cuenta.',
  topics: 'Temas',
  archived: 'archivado',
  noTopic: 'chat general',
  noTopics: 'Aquí no se ha dicho nada últimamente.',
  older: 'Mensajes anteriores',
  newer: 'Mensajes más recientes',
  first: 'Desde el principio',
  edited: 'editado',
  moreTopics: 'Temas anteriores',
  moreChannels: 'Más canales',
  enter: 'Abrir en la aplicación',
  nothing: 'Aquí no hay nada',
  nothingAbout: 'Lo que había aquí quizá se haya movido, o ya no está abierto para todos.',
  tooMuch: 'Demasiadas solicitudes',
  tooMuchAbout: 'Inténtalo de nuevo en un momento.',
  link: 'Enlace a este mensaje',
  path: 'Dónde estás',
  pages: 'Páginas',
}

const JAPANESE: PublicTexts = {
  language: 'ja',
  skip: '本文へ移動',
  channels: 'チャンネル',
  about: 'アカウントなしで誰でも読めます。',
  topics: 'トピック',
  archived: 'アーカイブ済み',
  noTopic: '一般の会話',
  noTopics: '最近の発言はありません。',
  older: '前のメッセージ',
  newer: '次のメッセージ',
  first: '最初から読む',
  edited: '編集済み',
  moreTopics: '前のトピック',
  moreChannels: 'ほかのチャンネル',
  enter: 'アプリで開く',
  nothing: '何もありません',
  nothingAbout: 'ここにあったものは移動されたか、公開されなくなりました。',
  tooMuch: 'リクエストが多すぎます',
  tooMuchAbout: 'しばらくしてからもう一度お試しください。',
  link: 'このメッセージへのリンク',
  path: '現在の場所',
  pages: 'ページ',
}

const ARABIC: PublicTexts = {
  language: 'ar',
  skip: 'الانتقال إلى المحتوى',
  channels: 'القنوات',
  about: 'مفتوح للجميع، بدون حساب.',
  topics: 'المواضيع',
  archived: 'مؤرشفة',
  noTopic: 'دردشة عامة',
  noTopics: 'لم يُقل هنا شيء مؤخرًا.',
  older: 'رسائل أقدم',
  newer: 'رسائل أحدث',
  first: 'من البداية',
  edited: 'معدَّلة',
  moreTopics: 'مواضيع أقدم',
  moreChannels: 'مزيد من القنوات',
  enter: 'الفتح في التطبيق',
  nothing: 'لا شيء هنا',
  nothingAbout: 'ربما نُقل ما كان هنا، أو لم يعد مفتوحًا للجميع.',
  tooMuch: 'طلبات كثيرة جدًا',
  tooMuchAbout: 'أعد المحاولة بعد قليل.',
  link: 'رابط إلى هذه الرسالة',
  path: 'أين أنت',
  pages: 'الصفحات',
}

const PUBLIC_TEXTS: InEachLanguage<PublicTexts> = {
  ar: ARABIC,
  de: GERMAN,
  en: ENGLISH,
  es: SPANISH,
  fr: FRENCH,
  ja: JAPANESE,
}

/** Returns the texts in the organization's language: a page is the same for all its readers, so it can be cached. */
export function publicTexts(language: string): PublicTexts {
  return PUBLIC_TEXTS[writtenLanguage(language) ?? 'en']
}
