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
  unknownWithoutPassword: (url) =>
    `Wenn du das nicht warst, melde dich hier überall ab, sichere dein Konto beim Anmeldedienst und wende dich an einen Administrator:\n${url}`,
  login: {
    subject: (device) => `Neue Anmeldung mit ${device}`,
    happened: (address, organization, origin) =>
      `Jemand hat sich als ${address} bei ${organization} (${origin}) angemeldet, mit einem Programm, das bisher nicht verwendet wurde.`,
    wellKnown: 'Wenn du das warst, musst du nichts tun.',
    unknown: (url) =>
      `Wenn nicht, wähle jetzt ein neues Passwort. Damit enden auch alle Sitzungen, die mit dem alten begonnen haben:\n${url}`,
    unsubscribe: 'Keine E-Mails über neue Anmeldungen mehr',
  },
  credentials: {
    password: {
      subject: (organization) => `Dein Passwort für ${organization} wurde geändert`,
      happened: (address, organization) => `Das Passwort von ${address} in ${organization} wurde geändert.`,
    },
    apiKey: {
      subject: (organization) => `Neuer API-Schlüssel für ${organization}`,
      happened: (address, organization) =>
        `Für ${address} wurde in ${organization} ein neuer API-Schlüssel erstellt. Er ersetzt den alten, und Programme mit dem alten Schlüssel wurden abgemeldet.`,
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
        `Ein Administrator hat die Authenticator-App, die Passkeys und die Wiederherstellungscodes von ${address} in ${organization} entfernt. Richte die Zwei-Faktor-Anmeldung in deinen Einstellungen neu ein.`,
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
    tokensConnected: {
      subject: (organization) => `Neuer Weg, dich bei ${organization} anzumelden`,
      happened: (address, organization) =>
        `Das Konto ${address} in ${organization} kann ab jetzt auch ein anderes System der Organisation öffnen, mit seinen Tokens.`,
    },
    unknown: (url) =>
      `Wenn du das nicht warst, wähle jetzt ein neues Passwort und wende dich an einen Administrator:\n${url}`,
  },
  addressChange: {
    subject: (organization) => `Deine Adresse in ${organization} wurde geändert`,
    happened: (organization, newAddress) =>
      `Die E-Mail-Adresse deines Kontos in ${organization} ist von jetzt an ${newAddress}. Damit meldest du dich an, und dorthin gehen die E-Mails.`,
    given: (organization, newAddress) =>
      `Die E-Mail-Adresse deines Kontos in ${organization} wurde auf ${newAddress} gesetzt. Sie öffnet dein Konto erst, wenn du sie bestätigt hast. Bis dahin meldest du dich an wie bisher, und E-Mails über dein Konto kommen hierher.`,
    confirm: (url) =>
      `Wenn das jetzt deine Adresse ist, bestätige sie innerhalb eines Tages mit diesem Link, oder melde dich mit ihr und deinem Passwort an:\n${url}`,
    byAdministrator: 'Ein Administrator hat sie geändert.',
    unknown: 'Wenn du das nicht warst, wende dich jetzt an einen Administrator der Organisation.',
  },
  addressCheck: {
    subject: (organization) => `Bestätige deine neue Adresse in ${organization}`,
    happened: (organization, oldAddress) =>
      `Dies soll die neue E-Mail-Adresse deines Kontos in ${organization} werden; bisher war es ${oldAddress}.`,
    link: (url) => `Zum Bestätigen öffne diesen Link:\n${url}`,
    validity:
      'Der Link gilt einen Tag lang. Wenn du das nicht angefordert hast, musst du nichts tun: Es bleibt alles, wie es ist.',
  },
  addressProof: {
    subject: (organization) => `Bestätige deine Adresse in ${organization}`,
    happened: (name, organization) =>
      `Jemand, vermutlich du, hat das Konto von ${name} in ${organization} mit dieser E-Mail-Adresse angelegt. Bis sie bestätigt ist, wird nichts anderes dorthin geschickt.`,
    validity: 'Der Link gilt einen Tag lang. Wenn es nicht dein Konto ist, musst du nichts tun.',
  },
  signUp: {
    subject: (organization) => `Tritt ${organization} bei`,
    happened: (referrer, organization) =>
      `Jemand, vermutlich du, möchte mit dieser E-Mail-Adresse ${organization} beitreten, mit einem Einladungslink von ${referrer}.`,
    link: (url) => `Um dein Konto anzulegen, öffne diesen Link:\n${url}`,
    validity:
      'Der Link gilt einen Tag lang. Wenn du das nicht angefordert hast, musst du nichts tun: Es wird kein Konto angelegt.',
    hasAccount: (organization, url) =>
      `Du hast schon ein Konto in ${organization}. Melde dich hier an:\n${url}`,
  },
  passwordReset: {
    subject: (organization) => `Ein neues Passwort für ${organization}`,
    happened: (organization) =>
      `Jemand, vermutlich du, möchte ein neues Passwort für dein Konto in ${organization}.`,
    link: (url) => `Um eines zu wählen, öffne diesen Link:\n${url}`,
    validity:
      'Der Link gilt einen Tag lang. Wenn du das nicht angefordert hast, musst du nichts tun: Dein Passwort bleibt, wie es ist.',
  },
  connection: {
    subject: (organization) => `Einen neuen Weg erlauben, dich bei ${organization} anzumelden?`,
    happened: (address, organization, name) =>
      `Jemand, vermutlich du, wollte sich als ${address} bei ${organization} anmelden, über ${name ?? 'ein anderes System der Organisation'}. Du hast dieses Konto bisher ohne das verwendet, deshalb muss es einmal erlaubt werden.`,
    link: (url) => `Um es zu erlauben, öffne diesen Link:\n${url}`,
    validity:
      'Der Link gilt einen Tag lang. Wenn du das nicht warst, musst du nichts tun: So kann sich niemand anmelden. Sag aber einem Administrator Bescheid.',
  },
  ofAccounts: {
    address: {
      subject: (name, organization) => `Die Adresse von ${name} in ${organization} wurde geändert`,
      happened: (name, before, address, by) =>
        `${by ?? 'Der Identitätsanbieter (SCIM)'} hat die E-Mail-Adresse von ${name} von ${before} in ${address} geändert.`,
      unconfirmed: (name) =>
        `Sie öffnet das Konto erst, wenn ${name} sie bestätigt hat. Du bekommst diese E-Mail, weil dir die Organisation gehört.`,
    },
    opened: {
      subject: (name, organization) =>
        `Das Konto von ${name} in ${organization} wurde auf neuem Weg geöffnet`,
      happened: (name, address, way) =>
        `Jemand hat sich als ${name} (${address}) angemeldet, über ${way ?? 'ein Token eines anderen Systems'}, womit dieses Konto bisher nicht verbunden war.`,
    },
    allowed:
      'Der Betreiber des Servers erlaubt das (OWNER_ACCOUNT_ACCESS). Du bekommst diese E-Mail, weil dir die Organisation gehört.',
  },
  importedAccount: {
    subject: (organization) => `Dein Konto in ${organization}`,
    happened: (organization) =>
      `${organization} ist hierher umgezogen, mit allem, was dein Team bisher geschrieben hat. Es gibt ein Konto für dich.`,
    link: (url) => `Um ein Passwort zu wählen und dich anzumelden, öffne diesen Link:\n${url}`,
    validity: (url) => `Der Link gilt einen Tag lang. Danach bekommst du hier einen neuen:\n${url}`,
    logIn: (url, ways) =>
      `Um dich ${ways === '' ? '' : `mit ${ways} `}anzumelden, öffne diese Seite:\n${url}`,
    address: (address) => `Nimm dort dein Konto mit der E-Mail-Adresse ${address}.`,
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
    subject: (organization) => `Dein Konto bei ${organization} wurde deaktiviert`,
    happened: (by, address, organization) =>
      `${by} hat dein Konto (${address}) bei ${organization} deaktiviert. Du kannst dich nicht mehr anmelden.`,
    comment: (by) => `${by} schreibt dazu:`,
  },
  closedOrganization: {
    subject: (organization) => `Deine Organisation ${organization} wurde deaktiviert`,
    happened: (by, organization, origin, day) =>
      `${by} hat ${organization} (${origin}) am ${day} (UTC) deaktiviert. Niemand kann sich mehr anmelden.`,
    kept: 'Ihre Daten bleiben erhalten.',
    deleted: (day) => `Alle ihre Daten werden am ${day} (UTC) endgültig gelöscht.`,
    reopen: (url, ends) =>
      `${ends ? 'Bis dahin' : 'Jederzeit'} können ihre Inhaber sie reaktivieren. Einen Link dafür gibt es hier:\n${url}`,
  },
  reopenedOrganization: {
    subject: (organization) => `Deine Organisation ${organization} reaktivieren`,
    happened: (organization) => `Jemand, vermutlich du, möchte ${organization} reaktivieren.`,
    link: (url) => `Öffne dazu diesen Link:\n${url}`,
    validity:
      'Der Link gilt einen Tag lang und nur einmal. Wenn du das nicht angefordert hast, musst du nichts tun: Die Organisation bleibt deaktiviert.',
  },
  welcome: {
    subject: (organization) => `Willkommen bei ${organization}`,
    happened: (organization, origin, address) =>
      `Du hast jetzt ein Konto bei ${organization}. Hier findest du es:\n${origin}/\nDu meldest dich mit ${address} an.`,
    begin:
      'Unterhaltungen finden in Kanälen statt, und in jedem Kanal in Themen: Ein Thema ist eine Unterhaltung, zu der du immer zurückkommen kannst. Sag zum Start Hallo in einem eigenen Thema oder sieh dir die vorhandenen an.',
    password: (url) => `Falls du dein Passwort einmal vergisst, kannst du hier ein neues wählen:\n${url}`,
  },
  guide: {
    subject: 'Themen halten Unterhaltungen auseinander',
    said: (organization) => [
      `Seit einigen Tagen bist du bei ${organization} dabei. Eines macht es einfacher als andere Chats, sobald man sich daran gewöhnt hat: Jede Nachricht in einem Kanal hat ein Thema.`,
      'Beginne für jede neue Frage ein neues Thema, mit einem Namen aus wenigen Wörtern, der sagt, worum es geht. Antworte in dem Thema, das es schon gibt. So geraten Unterhaltungen nicht durcheinander, und Entscheidungen lassen sich wiederfinden.',
      'Wenn du Thema für Thema liest, siehst du, was bei einer Unterhaltung herauskam, und kannst auslassen, was dich nicht betrifft: Schalte solche Themen stumm und folge denen, die dich betreffen. Ist eine Frage beantwortet, markiere ihr Thema als erledigt.',
    ],
    unsubscribe: 'Keine Tipps zur Nutzung mehr',
  },
  pausedAddress: (address, reason) =>
    `E-Mails an deine Adresse \`${address}\` können nicht zugestellt werden: Ihr Server sagt, dass sie nie ankommen werden (\`${reason}\`). E-Mails über verpasste Nachrichten und Anmeldungen und Zusammenfassungen werden nicht mehr dorthin geschickt. Gib in deinen Einstellungen unter „Konto“ eine andere Adresse an, oder dieselbe noch einmal, um es erneut zu versuchen.`,
  missed: {
    senderName: (organization) => `${organization} (Benachrichtigungen)`,
    subject: {
      direct: (sender) => `Direktnachrichten mit ${sender}`,
      group: (others) => `Gruppenunterhaltung mit ${listed(others, 'und', 'weiteren')}`,
      channel: (channel, topic, isResolved) => `${isResolved ? '[erledigt] ' : ''}#${channel} > ${topic}`,
      hidden: 'Neue Nachrichten',
    },
    before: 'Davor:',
    after: 'Neu:',
    hiddenSpoiler: '(Spoiler: Öffne die Nachricht, um ihn zu sehen.)',
    long: '(Diese Nachricht ist zu lang für eine E-Mail.)',
    more: (count) =>
      count === 1 ? 'Es gibt noch eine weitere Nachricht.' : `Es gibt noch ${count} weitere Nachrichten.`,
    hiddenBy: (reason, organization, count) =>
      `${count === 1 ? 'Es gibt eine neue Nachricht' : `Es gibt ${count} neue Nachrichten`} für dich in ${organization}. ${reason}`,
    why: {
      mention: ({ group }) =>
        group === null
          ? 'Du bekommst dies, weil du erwähnt wurdest.'
          : `Du bekommst dies, weil @${group} erwähnt wurde und du in dieser Gruppe bist.`,
      topic_wildcard_mention: ({ conversation }) =>
        `Du bekommst dies, weil alle erwähnt wurden, die an ${conversation} teilnehmen.`,
      channel_wildcard_mention: ({ channel }) => `Du bekommst dies, weil alle in #${channel} erwähnt wurden.`,
      followed_topic: ({ conversation }) =>
        `Du bekommst dies, weil du ${conversation} folgst und E-Mails zu Themen bekommst, denen du folgst.`,
      channel: ({ channel }) => `Du bekommst dies, weil du E-Mails zu Nachrichten in #${channel} bekommst.`,
    },
    open: 'Unterhaltung öffnen',
    answer: 'Antworte auf diese E-Mail, um in der Unterhaltung zu schreiben.',
    noReply: (organization) =>
      `Antworten auf diese E-Mail werden nicht gelesen: Antworte in ${organization}.`,
    settings: 'Benachrichtigungseinstellungen',
    unsubscribe: 'Diese E-Mails abbestellen',
  },
  digest: {
    senderName: (organization) => `${organization} (Zusammenfassung)`,
    subject: (organization) => `Was du bei ${organization} verpasst hast`,
    happened: (organization) =>
      `Das ist bei ${organization} passiert, während du weg warst, und du hast es noch nicht gelesen.`,
    missed: 'Direktnachrichten und Erwähnungen',
    topics: 'Viel besprochene Themen',
    channels: 'Neue Kanäle',
    more: (count, isOpen, senders) =>
      `Und ${isOpen ? 'mindestens ' : ''}${counted(count, 'weitere Nachricht', 'weitere Nachrichten')}${senders.length === 0 ? '' : ` von ${listed(senders, 'und', 'weiteren')}`}.`,
    moreConversations: (count) =>
      `Und ${counted(count, 'weitere Unterhaltung', 'weitere Unterhaltungen')} mit Nachrichten für dich.`,
    moreChannels: (count) => `Und ${counted(count, 'weiterer', 'weitere')}.`,
    count: {
      conversations: (count) =>
        `${counted(count, 'Unterhaltung', 'Unterhaltungen')} mit Direktnachrichten oder Erwähnungen`,
      topics: (count) => counted(count, 'viel besprochenes Thema', 'viel besprochene Themen'),
      channels: (count) => counted(count, 'neuer Kanal', 'neue Kanäle'),
    },
    open: (organization) => `${organization} öffnen`,
    unsubscribe: 'Keine Zusammenfassungen mehr',
  },
  hiddenBy: {
    organization: 'Die Organisation erlaubt nicht, Nachrichten in E-Mails anzuzeigen.',
    reader: 'Deine Einstellungen erlauben nicht, Nachrichten in E-Mails anzuzeigen.',
  },
  unsubscribed: {
    title: (organization) => `E-Mails von ${organization}`,
    ask: (organization, what) => `Möchtest du ${what} von ${organization} nicht mehr bekommen?`,
    button: (what) => `Keine ${what} mehr`,
    done: (organization, what) =>
      `Du bekommst ${what} von ${organization} nicht mehr. Du kannst sie in deinen Einstellungen wieder einschalten.`,
    what: {
      missed_messages: 'E-Mails über verpasste Nachrichten',
      login: 'E-Mails über neue Anmeldungen',
      digest: 'Zusammenfassungen',
      marketing: 'Tipps zur Nutzung',
    },
  },
}
