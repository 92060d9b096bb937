import type { MailReason, MailTexts } from './mail-texts.ts'

export const GERMAN: MailTexts = {
  language: 'de',
  emptyTopic: 'Allgemeines',
  greeting: (name) => `Hallo ${name},`,
  login: {
    device: (program, system) =>
      `${program ?? 'einem unbekannten Programm'} auf ${system ?? 'einem unbekannten System'}`,
    subject: (device) => `Neue Anmeldung mit ${device}`,
    happened: (address, organization, origin) =>
      `Jemand hat sich als ${address} bei ${organization} (${origin}) angemeldet, mit einem Programm, das dafür noch nicht benutzt wurde.`,
    time: (time) => `Wann: ${time}`,
    by: (device) => `Womit: ${device}`,
    from: (network) => `Von wo: ${network}`,
    wellKnown: 'Warst du das, ist nichts zu tun.',
    unknown: (url) =>
      `Warst du es nicht, wähle gleich ein neues Passwort; damit endet auch, was mit dem alten begonnen wurde:\n${url}`,
    unsubscribe: 'Keine E-Mails über neue Anmeldungen mehr',
  },
  credentials: {
    password: {
      subject: (organization) => `Dein Passwort für ${organization} wurde geändert`,
      happened: (address, organization, time) =>
        `Das Passwort von ${address} in ${organization} wurde geändert: ${time}.`,
    },
    apiKey: {
      subject: (organization) => `Dein API-Schlüssel für ${organization} ist ein neuer`,
      happened: (address, organization, time) =>
        `Für ${address} wurde in ${organization} ein neuer API-Schlüssel gemacht: ${time}. Er tritt an die Stelle des alten; Programme, die den haben, sind dann abgemeldet.`,
    },
    unknown: (url) =>
      `Warst du das nicht, wähle gleich ein neues Passwort und schreibe jemandem aus der Verwaltung:\n${url}`,
  },
  welcome: {
    subject: (organization) => `Willkommen bei ${organization}`,
    happened: (organization, origin, address) =>
      `Du hast jetzt ein Konto bei ${organization}, hier:\n${origin}/\nDu meldest dich mit ${address} an.`,
    begin:
      'Gesprochen wird dort in Kanälen, und in jedem Kanal in Themen: ein Thema ist ein Gespräch, zu dem man zurückkommen kann. Sag zu Beginn Hallo in einem eigenen Thema, oder sieh dir die an, die es gibt.',
    password: (url) => `Hast du einmal dein Passwort vergessen, wählst du hier ein neues:\n${url}`,
  },
  pausedAddress: (address, reason) =>
    `E-Mails an deine Adresse \`${address}\` kommen nicht an: ihr Server sagt, dass sie das nie werden (\`${reason}\`). Dorthin geht nichts mehr, bis du die Adresse änderst oder E-Mails über verpasste Nachrichten aus- und wieder einschaltest.`,
  missed: {
    senderName: (organization) => `${organization} (Benachrichtigungen)`,
    subject: {
      direct: (sender) => `Direktnachrichten mit ${sender}`,
      group: (others) => `Gruppengespräch mit ${names(others)}`,
      channel: (channel, topic, isResolved) => `${isResolved ? '[gelöst] ' : ''}#${channel} > ${topic}`,
      hidden: 'Neue Nachrichten',
    },
    before: 'Davor:',
    after: 'Neu:',
    hiddenSpoiler: '(Ein Spoiler: er steht dort, wo die Nachricht steht.)',
    long: '(Diese Nachricht ist zu lang für eine E-Mail.)',
    more: (count) =>
      count === 1
        ? 'Dort steht noch eine weitere Nachricht.'
        : `Dort stehen noch ${count} weitere Nachrichten.`,
    hiddenBy: (who, organization, count) =>
      `${count === 1 ? 'Es gibt eine neue Nachricht' : `Es gibt ${count} neue Nachrichten`} für dich in ${organization}. ${
        who === 'organization'
          ? 'Die Organisation lässt keine Nachrichten in E-Mails zeigen.'
          : 'Nach deinen Einstellungen werden keine Nachrichten in E-Mails gezeigt.'
      }`,
    why,
    open: 'Zum Gespräch',
    noReply: (organization) => `Antworten auf diese E-Mail liest niemand: antworte in ${organization}.`,
    settings: 'Einstellungen der Benachrichtigungen',
    unsubscribe: 'Keine solchen E-Mails mehr',
  },
  unsubscribed: {
    title: 'E-Mails einer Organisation',
    ask: (organization, what) => `Möchtest du ${what} von ${organization} nicht mehr bekommen?`,
    button: 'Nicht mehr',
    done: (organization, what) =>
      `Du bekommst ${what} von ${organization} nicht mehr. In deinen Einstellungen dort kannst du das wieder ändern.`,
    what: {
      missed_messages: 'E-Mails über verpasste Nachrichten',
      login: 'E-Mails über neue Anmeldungen',
      digest: 'Zusammenfassungen',
    },
    unknown: 'Diese Adresse ist keine von uns, oder nicht ganz.',
  },
}

function why({ cause, group, channel, topic }: MailReason): string {
  const place = `#${channel} > ${topic}`
  switch (cause) {
    case 'mention':
      return group === null
        ? 'Du bekommst dies, weil du erwähnt wurdest.'
        : `Du bekommst dies, weil @${group} erwähnt wurde und du in dieser Gruppe bist.`
    case 'topic_wildcard_mention':
      return `Du bekommst dies, weil alle erwähnt wurden, die in ${place} mitreden.`
    case 'channel_wildcard_mention':
      return `Du bekommst dies, weil alle in #${channel} erwähnt wurden.`
    case 'followed_topic':
      return `Du bekommst dies, weil du ${place} folgst und E-Mails zu gefolgten Themen möchtest.`
    case 'channel':
      return `Du bekommst dies, weil du E-Mails zu Nachrichten in #${channel} möchtest.`
    case 'direct_message':
      return ''
  }
}

function names(others: readonly string[]): string {
  const [first = '', second, third] = others
  if (second === undefined) return first
  if (others.length === 2) return `${first} und ${second}`
  if (others.length === 3) return `${first}, ${second} und ${third}`
  return `${first}, ${second} und ${others.length - 2} weiteren`
}
