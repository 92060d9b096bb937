import { counted, listed } from '../../../core/written-languages.ts'
import type { MailTexts } from './english.ts'

export const GERMAN: MailTexts = {
  language: 'de',
  emptyTopic: 'Allgemeines',
  greeting: (name) => (name === undefined ? 'Hallo,' : `Hallo ${name},`),
  occasion: {
    device: (program, system) =>
      `${program ?? 'einem unbekannten Programm'} auf ${system ?? 'einem unbekannten System'}`,
    time: (time) => `Wann: ${time}`,
    by: (device) => `Womit: ${device}`,
    from: (network) => `Von wo: ${network}`,
  },
  login: {
    subject: (device) => `Neue Anmeldung mit ${device}`,
    happened: (address, organization, origin) =>
      `Jemand hat sich als ${address} bei ${organization} (${origin}) angemeldet, mit einem Programm, das dafür noch nicht benutzt wurde.`,
    wellKnown: 'Warst du das, ist nichts zu tun.',
    unknown: (url) =>
      `Warst du es nicht, wähle gleich ein neues Passwort; damit endet auch, was mit dem alten begonnen wurde:\n${url}`,
    unsubscribe: 'Keine E-Mails über neue Anmeldungen mehr',
  },
  credentials: {
    password: {
      subject: (organization) => `Dein Passwort für ${organization} wurde geändert`,
      happened: (address, organization) => `Das Passwort von ${address} in ${organization} wurde geändert.`,
    },
    apiKey: {
      subject: (organization) => `Dein API-Schlüssel für ${organization} ist ein neuer`,
      happened: (address, organization) =>
        `Für ${address} wurde in ${organization} ein neuer API-Schlüssel gemacht. Er tritt an die Stelle des alten; Programme, die den haben, sind dann abgemeldet.`,
    },
    factorAdded: {
      subject: (organization) => `Zwei-Faktor-Anmeldung für ${organization}: neue Methode`,
      happened: (address, organization) =>
        `Zum Konto ${address} in ${organization} wurde eine Authenticator-App oder ein Passkey hinzugefügt. Ab jetzt reicht das Passwort allein nicht mehr für die Anmeldung.`,
    },
    factorRemoved: {
      subject: (organization) => `Zwei-Faktor-Anmeldung für ${organization}: Methode entfernt`,
      happened: (address, organization) =>
        `Vom Konto ${address} in ${organization} wurde eine Authenticator-App oder ein Passkey entfernt.`,
    },
    factorsReset: {
      subject: (organization) => `Zwei-Faktor-Anmeldung für ${organization} zurückgesetzt`,
      happened: (address, organization) =>
        `Jemand aus der Verwaltung hat die Authenticator-App, die Passkeys und die Wiederherstellungscodes von ${address} in ${organization} entfernt. Richte die Zwei-Faktor-Anmeldung in deinen Einstellungen neu ein.`,
    },
    recoveryCodes: {
      subject: (organization) => `Neue Wiederherstellungscodes für ${organization}`,
      happened: (address, organization) =>
        `Für ${address} in ${organization} wurden neue Wiederherstellungscodes erstellt. Die alten gelten nicht mehr.`,
    },
    loginConnected: {
      subject: (organization) => `Neuer Weg, dich bei ${organization} anzumelden`,
      happened: (address, organization) =>
        `Das Konto ${address} in ${organization} wurde mit einem Konto bei einem Anmeldedienst verbunden. Ab jetzt kann man sich auch damit anmelden.`,
    },
    unknown: (url) =>
      `Warst du das nicht, wähle gleich ein neues Passwort und schreibe jemandem aus der Verwaltung:\n${url}`,
  },
  addressChange: {
    subject: (organization) => `Deine Adresse in ${organization} wurde geändert`,
    happened: (organization, newAddress) =>
      `Die E-Mail-Adresse deines Kontos in ${organization} ist von jetzt an ${newAddress}. Damit meldest du dich an, und dorthin gehen die E-Mails.`,
    byAdministrator: 'Geändert hat sie jemand aus der Verwaltung.',
    unknown: 'Warst du das nicht, schreibe gleich jemandem aus der Verwaltung der Organisation.',
  },
  addressCheck: {
    subject: (organization) => `Bestätige deine neue Adresse in ${organization}`,
    happened: (organization, oldAddress) =>
      `Dies soll die neue E-Mail-Adresse deines Kontos in ${organization} werden; bisher war es ${oldAddress}.`,
    link: (url) => `Zum Bestätigen öffne diesen Link:\n${url}`,
    validity:
      'Er gilt einen Tag lang. Hast du nicht darum gebeten, ist nichts zu tun: dann bleibt alles, wie es ist.',
  },
  addressProof: {
    subject: (organization) => `Bestätige deine Adresse in ${organization}`,
    happened: (name, organization) =>
      `Jemand, wohl du, hat das Konto von ${name} in ${organization} mit dieser E-Mail-Adresse angelegt. Bis sie bestätigt ist, kommt von dort keine andere E-Mail.`,
    validity: 'Er gilt einen Tag lang. Ist es nicht dein Konto, ist nichts zu tun.',
  },
  signUp: {
    subject: (organization) => `Tritt ${organization} bei`,
    happened: (referrer, organization) =>
      `Jemand, wohl du, möchte mit dieser E-Mail-Adresse ${organization} beitreten, mit einem Einladungslink von ${referrer}.`,
    link: (url) => `Um dein Konto anzulegen, öffne diesen Link:\n${url}`,
    validity:
      'Er gilt einen Tag lang. Hast du nicht darum gebeten, ist nichts zu tun: dann wird kein Konto angelegt.',
    hasAccount: (organization, url) =>
      `Du hast schon ein Konto in ${organization}. Melde dich hier an:\n${url}`,
  },
  passwordReset: {
    subject: (organization) => `Ein neues Passwort für ${organization}`,
    happened: (organization) =>
      `Jemand, wohl du, möchte ein neues Passwort für dein Konto in ${organization}.`,
    link: (url) => `Um eines zu wählen, öffne diesen Link:\n${url}`,
    validity:
      'Er gilt einen Tag lang. Hast du nicht darum gebeten, ist nichts zu tun: dein Passwort bleibt, wie es ist.',
  },
  importedAccount: {
    subject: (organization) => `Dein Konto in ${organization}`,
    happened: (organization) =>
      `${organization} ist hierher umgezogen, mit allem, was dein Team bisher geschrieben hat. Es gibt ein Konto für dich.`,
    link: (url) => `Um ein Passwort zu wählen und hereinzukommen, öffne diesen Link:\n${url}`,
    validity: (url) => `Er gilt einen Tag lang. Später bekommst du einen neuen hier:\n${url}`,
  },
  invitation: {
    subject: (referrer, organization) => `${referrer} lädt dich zu ${organization} ein`,
    reminder: (organization) => `Erinnerung: deine Einladung zu ${organization}`,
    happened: (referrer, address, organization) =>
      `${referrer} (${address}) möchte dich bei ${organization} dabeihaben, wo das Team miteinander spricht.`,
    until: (time) => `Der Link gilt bis ${time}.`,
    forEver: 'Der Link läuft nicht ab.',
  },
  closedAccount: {
    subject: (organization) => `Dein Konto bei ${organization} wurde geschlossen`,
    happened: (by, address, organization) =>
      `${by} hat dein Konto (${address}) bei ${organization} geschlossen. Du kannst dich nicht mehr anmelden.`,
    comment: (by) => `${by} schreibt dazu:`,
  },
  closedOrganization: {
    subject: (organization) => `Deine Organisation ${organization} wurde geschlossen`,
    happened: (by, organization, origin, day) =>
      `${by} hat ${organization} (${origin}) am ${day} (UTC) geschlossen. Niemand kann sich mehr anmelden.`,
    kept: 'Ihre Daten bleiben erhalten.',
    deleted: (day) => `Alle ihre Daten werden am ${day} (UTC) gelöscht, für immer.`,
    reopen: (url) => `Bis dahin kann sie öffnen, wem sie gehört: einen Link dafür gibt es hier:\n${url}`,
  },
  reopenedOrganization: {
    subject: (organization) => `Deine Organisation ${organization} wieder öffnen`,
    happened: (organization) => `Jemand, wohl du, möchte ${organization} wieder öffnen.`,
    link: (url) => `Öffne dazu diesen Link:\n${url}`,
    validity:
      'Er gilt einen Tag lang, und einmal. Hast du nicht darum gebeten, ist nichts zu tun: die Organisation bleibt geschlossen.',
  },
  welcome: {
    subject: (organization) => `Willkommen bei ${organization}`,
    happened: (organization, origin, address) =>
      `Du hast jetzt ein Konto bei ${organization}, hier:\n${origin}/\nDu meldest dich mit ${address} an.`,
    begin:
      'Gesprochen wird dort in Kanälen, und in jedem Kanal in Themen: ein Thema ist ein Gespräch, zu dem man zurückkommen kann. Sag zu Beginn Hallo in einem eigenen Thema, oder sieh dir die an, die es gibt.',
    password: (url) => `Hast du einmal dein Passwort vergessen, wählst du hier ein neues:\n${url}`,
  },
  guide: {
    subject: 'Themen halten Gespräche auseinander',
    said: (organization) => [
      `Seit einigen Tagen bist du bei ${organization} dabei. Eines macht es einfacher als andere Chats, sobald man sich daran gewöhnt hat: jede Nachricht in einem Kanal hat ein Thema.`,
      'Beginne für jede neue Frage ein neues Thema, mit einem Namen aus wenigen Wörtern, der sagt, worum es geht. Antworte in dem Thema, das es schon gibt. So geraten zwei Gespräche nicht durcheinander, und was ausgemacht war, findet sich wieder.',
      'Thema für Thema gelesen siehst du, was bei einem Gespräch herauskam, und kannst auslassen, was dich nicht angeht: schalte es stumm, und folge dem, was dich angeht. Ist eine Frage beantwortet, wird ihr Thema als gelöst markiert.',
    ],
    unsubscribe: 'Keine solchen Hinweise mehr',
  },
  pausedAddress: (address, reason) =>
    `E-Mails an deine Adresse \`${address}\` kommen nicht an: ihr Server sagt, dass sie das nie werden (\`${reason}\`). Über verpasste Nachrichten und neue Anmeldungen geht nichts mehr dorthin, und keine Zusammenfassungen. In deinen Einstellungen, unter „Konto“, kannst du eine andere Adresse angeben, oder dieselbe noch einmal, damit sie wieder versucht wird.`,
  missed: {
    senderName: (organization) => `${organization} (Benachrichtigungen)`,
    subject: {
      direct: (sender) => `Direktnachrichten mit ${sender}`,
      group: (others) => `Gruppengespräch mit ${listed(others, 'und', 'weiteren')}`,
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
    hiddenBy: (reason, organization, count) =>
      `${count === 1 ? 'Es gibt eine neue Nachricht' : `Es gibt ${count} neue Nachrichten`} für dich in ${organization}. ${reason}`,
    why: {
      mention: ({ group }) =>
        group === null
          ? 'Du bekommst dies, weil du erwähnt wurdest.'
          : `Du bekommst dies, weil @${group} erwähnt wurde und du in dieser Gruppe bist.`,
      topic_wildcard_mention: ({ conversation }) =>
        `Du bekommst dies, weil alle erwähnt wurden, die in ${conversation} mitreden.`,
      channel_wildcard_mention: ({ channel }) => `Du bekommst dies, weil alle in #${channel} erwähnt wurden.`,
      followed_topic: ({ conversation }) =>
        `Du bekommst dies, weil du ${conversation} folgst und E-Mails zu gefolgten Themen möchtest.`,
      channel: ({ channel }) => `Du bekommst dies, weil du E-Mails zu Nachrichten in #${channel} möchtest.`,
    },
    open: 'Zum Gespräch',
    answer: 'Antworte auf diese E-Mail, um in der Unterhaltung zu schreiben.',
    noReply: (organization) => `Antworten auf diese E-Mail liest niemand: antworte in ${organization}.`,
    settings: 'Einstellungen der Benachrichtigungen',
    unsubscribe: 'Keine solchen E-Mails mehr',
  },
  digest: {
    senderName: (organization) => `${organization} (Zusammenfassung)`,
    subject: (organization) => `Was du bei ${organization} verpasst hast`,
    happened: (organization) =>
      `Das ist bei ${organization} gekommen, während du weg warst, und du hast es noch nicht gelesen.`,
    missed: 'Direktnachrichten und Erwähnungen',
    topics: 'Viel besprochene Themen',
    channels: 'Neue Kanäle',
    more: (count, isOpen, senders) =>
      `Und ${isOpen ? 'mindestens ' : ''}${counted(count, 'weitere Nachricht', 'weitere Nachrichten')}${senders.length === 0 ? '' : ` von ${listed(senders, 'und', 'weiteren')}`}.`,
    moreConversations: (count) =>
      `Und ${counted(count, 'weiteres Gespräch', 'weitere Gespräche')} mit Nachrichten für dich.`,
    moreChannels: (count) => `Und ${counted(count, 'weiterer', 'weitere')}.`,
    count: {
      conversations: (count) =>
        `${counted(count, 'Gespräch', 'Gespräche')} mit Direktnachrichten oder Erwähnungen`,
      topics: (count) => counted(count, 'viel besprochenes Thema', 'viel besprochene Themen'),
      channels: (count) => counted(count, 'neuer Kanal', 'neue Kanäle'),
    },
    open: (organization) => `${organization} öffnen`,
    unsubscribe: 'Keine Zusammenfassungen mehr',
  },
  hiddenBy: {
    organization: 'Die Organisation lässt keine Nachrichten in E-Mails zeigen.',
    reader: 'Nach deinen Einstellungen werden keine Nachrichten in E-Mails gezeigt.',
  },
  unsubscribed: {
    title: (organization) => `E-Mails von ${organization}`,
    ask: (organization, what) => `Möchtest du ${what} von ${organization} nicht mehr bekommen?`,
    button: (what) => `Keine ${what} mehr`,
    done: (organization, what) =>
      `Du bekommst ${what} von ${organization} nicht mehr. In deinen Einstellungen dort kannst du das wieder ändern.`,
    what: {
      missed_messages: 'E-Mails über verpasste Nachrichten',
      login: 'E-Mails über neue Anmeldungen',
      digest: 'Zusammenfassungen',
      marketing: 'Hinweise zum Gebrauch',
    },
  },
}
