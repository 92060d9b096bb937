import { html } from '../../../core/written-languages.ts'
import type { DoorTexts } from './english.ts'

export const GERMAN: DoorTexts = {
  language: 'de',
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  newPassword: 'Ein Passwort mit mindestens sechs Zeichen',
  yourName: 'Dein Name',
  sendLink: 'Link schicken',
  toLogIn: 'Zur Anmeldung',
  // After “in” the duration would need the dative.
  tooMany: (wait) => `Zu viele Versuche. Warte ${wait} und versuch es dann noch einmal.`,
  refusals: {
    'Your username or password is incorrect':
      'Adresse und Passwort passen zu keinem Konto. Prüfe beide und versuch es noch einmal, oder setze dein Passwort zurück.',
    'Enter a valid email address.': 'Gib eine gültige E-Mail-Adresse an, etwa name@example.com.',
    'Password authentication is disabled in this organization':
      'In dieser Organisation meldet man sich nicht mit einem Passwort an. Wähle einen anderen Weg oder frage einen Administrator.',
    'Account is deactivated':
      'Dein Konto ist deaktiviert. Bitte einen Administrator dieser Organisation, es zu reaktivieren.',
    'This organization has been deactivated':
      'Diese Organisation wurde geschlossen. Bitte einen ihrer Inhaber, sie wieder zu öffnen.',
    'This organization is open.': 'Diese Organisation ist offen: Melde dich an.',
    'That code is wrong, or was used already. Enter the newest one.':
      'Der Code stimmt nicht oder wurde schon benutzt. Gib den neuesten ein.',
    'That took too long, or was tried too often. Log in again.':
      'Das hat zu lange gedauert oder wurde zu oft versucht. Melde dich noch einmal an.',
    'That took too long, or was already done. Try again.':
      'Das hat zu lange gedauert oder ist schon geschehen. Versuch es noch einmal.',
    'This passkey does not fit. Try again, or use another way.':
      'Dieser Passkey passt nicht. Versuch es noch einmal oder melde dich auf einem anderen Weg an.',
    'Your passkey has not checked that it is you. Log in with your password, and use it as the second step.':
      'Dein Passkey hat nicht geprüft, ob du es bist. Melde dich mit deinem Passwort an und benutze ihn als zweiten Schritt.',
    'This link opens the account of an owner, and none has this address.':
      'Dieser Link öffnet das Konto eines Inhabers, und keiner hat diese Adresse. Wer den Server betreibt, kann einen neuen machen.',
    'This invitation is not valid any more.':
      'Diese Einladung ist abgelaufen oder wurde zurückgezogen. Bitte um eine neue, wer dich eingeladen hat.',
    'This link is not valid any more.':
      'Dieser Link ist abgelaufen oder wurde schon benutzt. Fordere einen neuen an.',
    'Email is already in use.': 'Diese Adresse hat schon ein Konto. Melde dich damit an.',
    'Email addresses containing + are not allowed.':
      'Adressen mit einem + sind in dieser Organisation nicht erlaubt. Gib sie ohne diesen Teil an.',
    'Disposable email addresses are not allowed in this organization':
      'Wegwerfadressen sind in dieser Organisation nicht erlaubt. Gib eine andere an.',
    'Email not allowed in this organization':
      'Diese Organisation lässt keine Adressen dieser Domain zu. Gib eine andere an oder frage einen Administrator.',
    'Email address changes are disabled in this organization.':
      'In dieser Organisation kann man die eigene Adresse nicht ändern. Frage einen Administrator.',
    'This address needs to be confirmed by mail first.':
      'Diese Adresse muss erst bestätigt werden. Öffne den Link in der E-Mail, die dorthin ging.',
    'This organization admits addresses of certain domains, and this server can send no mail to confirm one.':
      'Diese Organisation lässt nur Adressen bestimmter Domains zu, und dieser Server kann keine E-Mail schicken, um eine zu bestätigen. Bitte einen Administrator um eine Einladung an deine Adresse.',
    'The password is too weak.': 'Das Passwort ist zu schwach. Wähle ein längeres.',
    'Bad name or username': 'Gib eine gültige E-Mail-Adresse an, etwa name@example.com.',
    'Enter a name of 1 to 40 characters': 'Gib einen Namen mit 1 bis 40 Zeichen ein.',
    'Enter a name of 2 to 100 characters': 'Gib einen Namen mit 2 bis 100 Zeichen ein.',
    'Enter a valid e-mail address': 'Gib eine gültige E-Mail-Adresse an, etwa name@example.com.',
    'Invalid characters in name!': 'In dem Namen sind Zeichen, die nicht sein dürfen. Wähle einen anderen.',
    'Invalid format!': 'Ein Name darf nicht mit | und einer Zahl enden. Wähle einen anderen.',
    'Name too short!': 'Der Name ist zu kurz. Gib mindestens zwei Zeichen ein.',
    'Name too long!': 'Der Name ist zu lang. Gib höchstens 100 Zeichen ein.',
    'Unique names required in this organization.':
      'Diesen Namen hat hier schon jemand. Ergänze etwas, zum Beispiel deinen zweiten Vornamen.',
    'The storage of this organization is full. Only reading and deleting are possible.':
      'Der Speicher dieser Organisation ist voll. Bitte einen Administrator, Platz zu schaffen.',
    'The server cannot answer just now. Please try again in a moment.':
      'Der Server kann gerade nicht antworten. Versuch es gleich noch einmal.',
    'This request comes from a page of another site.':
      'Dein Browser sagt, das komme von einer anderen Website. Öffne die Seite neu und versuch es noch einmal.',
    'BigBlueButton is not configured on this server.':
      'BigBlueButton ist auf diesem Server nicht eingerichtet. Frage, wer ihn betreibt.',
    'Invalid signature.':
      'Dieser Link führt in keinen Anruf dieser Organisation. Öffne den Anruf noch einmal aus seiner Nachricht.',
    'Error connecting to the BigBlueButton server.':
      'Der Server von BigBlueButton antwortet nicht. Versuch es gleich noch einmal.',
    'Error authenticating to the BigBlueButton server.':
      'Der Server von BigBlueButton erkennt diesen nicht an. Frage, wer diesen Server betreibt.',
    'BigBlueButton server returned an unexpected error.':
      'Der Server von BigBlueButton meldet einen Fehler. Versuch es noch einmal oder frage, wer ihn betreibt.',
    'Zoom is not configured on this server.':
      'Zoom ist auf diesem Server nicht eingerichtet. Frage, wer ihn betreibt.',
    'Invalid Zoom session identifier':
      'Diese Anmeldung bei Zoom begann in einem anderen Browser oder Konto oder vor zu langer Zeit. Klicke noch einmal auf den Anruf.',
    'There is no such organization here.':
      'Diese Organisation ist nicht auf diesem Server und kann deine ungelesenen Nachrichten nicht anzeigen. Gehe zurück zur vorigen Seite.',
    'Zoom access was declined.':
      'Zoom sagt, dass du das nicht erlaubt hast. Klicke noch einmal auf den Anruf, um das zu ändern.',
    'Invalid Zoom credentials':
      'Zoom lehnt diese Anmeldung ab. Klicke noch einmal auf den Anruf. Hilft das nicht, frage, wer diesen Server betreibt.',
    'Failed to create Zoom call': 'Zoom antwortet gerade nicht. Klicke gleich noch einmal auf den Anruf.',
  },
  logIn: {
    title: 'Anmelden',
    button: 'Anmelden',
    with: (name) => `Mit ${name} anmelden`,
    forgotten: 'Passwort vergessen?',
    readPublic: 'Ohne Konto lesen',
    incomplete: 'Dieser Link ist nicht vollständig. Beginne noch einmal in der App.',
  },
  secondFactor: {
    title: 'Zwei-Faktor-Anmeldung',
    code: 'Code aus deiner Authenticator-App oder ein Wiederherstellungscode',
    passkey: 'Passkey benutzen',
    passkeyFailed: 'Das hat nicht geklappt. Versuch es noch einmal oder melde dich anders an.',
    again: 'Noch einmal anmelden',
    setUpTitle: 'Zwei-Faktor-Anmeldung einrichten',
    setUpAbout:
      'Deine Organisation verlangt bei der Anmeldung einen zweiten Schritt: einen Code aus einer App auf deinem Telefon.',
    scan: 'Scanne das hier mit einer Authenticator-App:',
    orType: 'Oder tippe diesen Schlüssel dort ein:',
    firstCode: 'Der Code, den die App zeigt',
    setUpButton: 'Einschalten und anmelden',
    codesTitle: 'Deine Wiederherstellungscodes',
    codesAbout:
      'Bewahre diese Codes sicher auf. Wenn du dein Telefon verlierst, kannst du dich mit jedem einmal anmelden. Sie werden nicht noch einmal gezeigt.',
    onward: 'Ich habe sie gesichert',
  },
  desktop: {
    title: 'In der Desktop-App anmelden',
    elsewhere: 'Melde dich in deinem Browser an, und komm dann zur App zurück.',
    open: 'Browser öffnen',
    paste: 'Was dein Browser danach zeigt',
    unreadable: 'Das ist nicht, was der Browser zeigt, oder er wurde aus einem anderen Fenster geöffnet.',
    copyIt: 'Kopiere das, und geh zurück in die Desktop-App. Niemand sonst kann es lesen.',
    token: 'Für die Desktop-App',
    copy: 'Kopieren',
    copied: 'Kopiert. Geh zurück in die Desktop-App.',
    used: 'Dieser Link ist schon benutzt oder zu alt. Beginne noch einmal in der App.',
  },
  ownerLink: {
    about: (email: string) => `Dieser Link meldet dich einmal als ${email} an.`,
    used: 'Dieser Link wurde schon benutzt oder ist zu alt. Wer den Server betreibt, kann einen neuen machen.',
  },
  provider: {
    again: 'Zur Anmeldung',
    troubles: {
      unknown: () => 'So kann man sich hier nicht anmelden. Geh zurück und wähle einen anderen Weg.',
      expired: () =>
        'Diese Anmeldung ist abgelaufen oder wurde in einem anderen Browser begonnen. Beginne noch einmal.',
      declined: (name) =>
        `${name} hat dich nicht angemeldet. Beginne noch einmal oder wähle einen anderen Weg.`,
      unreachable: (name) =>
        `${name} antwortet nicht. Versuche es in ein paar Minuten wieder oder wähle einen anderen Weg.`,
      invalid: (name) =>
        `Die Antwort von ${name} kann nicht angenommen werden. Frage einen Administrator dieser Organisation: Im Protokoll steht, warum.`,
      no_address: (name) =>
        `${name} nennt keine E-Mail-Adresse von dir. Trage dort eine ein, oder lass sie weitergeben, und beginne noch einmal.`,
      unverified_address: (name) =>
        `${name} hat deine E-Mail-Adresse nicht geprüft. Lass sie dort bestätigen und beginne noch einmal.`,
      no_account: (name, email) =>
        `Für ${email} gibt es hier kein Konto. Bitte einen Administrator um eine Einladung oder wähle ein anderes Konto bei ${name}.`,
      address_not_allowed: (name, email) =>
        `Diese Organisation lässt ${email} nicht zu. Frage einen Administrator oder wähle ein anderes Konto bei ${name}.`,
      other_identity: (name) =>
        `Dieses Konto ist schon mit einem anderen bei ${name} verbunden. Nimm jenes oder frage einen Administrator.`,
      unconfirmed_account: (_name, email) =>
        `Für ${email} gibt es ein Konto, aber niemand hat bestätigt, dass das seine Adresse ist. Melde dich mit seinem Passwort an und bestätige sie oder frage einen Administrator.`,
      no_name: (name) =>
        `Den Namen, den ${name} für dich nennt, kann man hier nicht haben. Ändere ihn dort und beginne noch einmal.`,
      account_deactivated: () =>
        'Dein Konto ist deaktiviert. Bitte einen Administrator dieser Organisation, es zu reaktivieren.',
      organization_deactivated: () =>
        'Diese Organisation wurde geschlossen. Bitte einen ihrer Inhaber, sie wieder zu öffnen.',
      other_person: (name) =>
        `Bei ${name} bist du nicht, wer hier angemeldet ist. Wähle dort das andere Konto und beginne noch einmal.`,
    },
  },
  access: {
    absent: 'Mit Cloudflare Access meldet sich hier niemand an. Melde dich auf andere Weise an.',
    notThrough:
      'Cloudflare Access hat dich nicht durchgelassen, oder für einen anderen Server. Öffne diese Seite noch einmal; wenn das nicht hilft, frag, wer diesen Server betreibt, ob Access ihn schützt.',
    nobody: 'Cloudflare Access hat einen Dienst durchgelassen, und keine Person mit einer Adresse.',
    noAccount: (email) =>
      `Hier gibt es kein Konto mit der Adresse ${email}. Bitte jemanden aus der Organisation, dich einzuladen.`,
    unreachable: 'Cloudflare Access antwortet nicht. Versuche es gleich noch einmal.',
  },
  call: { title: 'Anruf' },
  zoom: {
    title: 'Zoom',
    done: 'Du bist bei Zoom angemeldet. Du kannst dieses Fenster schließen: Der Anruf entsteht im anderen.',
  },
  unread: {
    title: 'Ungelesene Nachrichten',
    ask: (here, page) =>
      `Soll die Seite unter ${page} zeigen, wie viele ungelesene Nachrichten du in ${here} hast? Mehr erfährt sie nicht. Es endet, wenn du dich hier abmeldest.`,
    allow: 'Anzahl zeigen',
    back: 'Zurück ohne Anzahl',
  },
  mail: {
    title: 'E-Mail',
    broken: 'Dieser Link ist nicht vollständig. Öffne ihn noch einmal aus der E-Mail.',
  },
  help: {
    title: 'Hilfe',
    elsewhere: (host) =>
      `Hilfe für Clients, die zu Zulip passen, gibt es auf einer anderen Website, ${host}:`,
  },
  logOut: { title: 'Abmelden' },
  reset: {
    title: 'Ein neues Passwort',
    question:
      'Welche Adresse hat dein Konto? Dorthin kommt ein Link, mit dem du ein neues Passwort wählen kannst.',
    sent: (email) =>
      `Wenn es ein Konto mit der Adresse ${email} gibt, ist eine E-Mail mit einem Link dorthin unterwegs.`,
    account: (email, organization) => html`Für das Konto ${email} in <strong>${organization}</strong>.`,
    button: 'Passwort setzen',
    done: (email, organization) =>
      html`Das Konto ${email} in <strong>${organization}</strong> hat sein neues Passwort. Melde dich damit an, hier und in deinen Apps.`,
  },
  newAddress: {
    title: 'Deine neue Adresse',
    before: (name, organization, email) =>
      html`Das Konto von ${name} in <strong>${organization}</strong> hat die Adresse ${email}. Von jetzt an soll es diese sein:`,
    button: 'Bestätigen',
    done: (email) =>
      `Deine Adresse ist jetzt ${email}. Melde dich von nun an damit an: Apps, die die alte kennen, fragen danach.`,
  },
  ownAddress: {
    title: 'Deine Adresse',
    question: (name, organization) =>
      html`Gehört diese Adresse zum Konto von ${name} in <strong>${organization}</strong>?`,
    button: 'Bestätigen',
    done: (email) => `Die Adresse ${email} ist bestätigt.`,
  },
  join: {
    title: 'Beitreten',
    invited: (referrer, organization) => html`${referrer} lädt dich zu <strong>${organization}</strong> ein.`,
    question: 'Welche Adresse soll dein Konto haben? Dorthin kommt ein Link, mit dem du es anlegst.',
    sent: (email) =>
      `Eine E-Mail mit einem Link ist zu ${email} unterwegs. Öffne den Link, um dein Konto anzulegen.`,
    with: (name) => `Mit ${name} beitreten`,
    button: 'Beitreten',
    welcome: (organization) => html`Willkommen bei <strong>${organization}</strong>.`,
    how: 'Melde dich hier oder in deiner App an: gib ihr die Adresse dieses Servers und deine E-Mail-Adresse.',
  },
  setUp: {
    title: 'Eine neue Organisation',
    about:
      'Hier spricht noch niemand. Die Organisation wird dir gehören, und du kannst die anderen einladen.',
    organization: 'Name der Organisation',
    location: 'Wo die meisten ihrer Leute sind',
    locations: {
      '': 'Wo ich bin',
      wnam: 'Nordamerika, Westen',
      enam: 'Nordamerika, Osten',
      sam: 'Südamerika',
      weur: 'Europa, Westen',
      eeur: 'Europa, Osten',
      apac: 'Asien und Pazifik',
      oc: 'Ozeanien',
      afr: 'Afrika',
      me: 'Naher Osten',
    },
    kept: (jurisdiction) => `Was hier geschrieben wird, wird im Rechtsraum ${jurisdiction} aufbewahrt.`,
    button: 'Beginnen',
    used: 'Dieser Link ist schon benutzt oder zu alt. Wer diesen Server betreibt, bekommt einen neuen, wenn er ihn noch einmal startet oder einrichtet.',
  },
  reactivation: {
    title: 'Diese Organisation wieder öffnen',
    question:
      'Wurde diese Organisation geschlossen, können ihre Inhaber sie wieder öffnen, bis ihre Daten gelöscht werden. Welche Adresse hat dein Konto? Dorthin kommt ein Link.',
    sent: (email) =>
      `Wenn einem Inhaber dieser Organisation die Adresse ${email} gehört, ist eine E-Mail mit einem Link dorthin unterwegs.`,
    isClosed: (organization) =>
      html`<strong>${organization}</strong> ist geschlossen. Alle, die ein Konto hatten, können sich wieder anmelden, wenn sie offen ist, und nichts davon wird gelöscht.`,
    button: 'Wieder öffnen',
    done: (organization) => html`<strong>${organization}</strong> ist wieder offen.`,
  },
  deactivated: {
    title: 'Diese Organisation wurde geschlossen',
    about: 'Wurde sie geschlossen, kann sich niemand anmelden, bis einer ihrer Inhaber sie wieder öffnet.',
  },
}
