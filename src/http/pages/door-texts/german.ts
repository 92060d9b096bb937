import { html } from '../../../core/written-languages.ts'
import type { DoorTexts } from './english.ts'

export const GERMAN: DoorTexts = {
  language: 'de',
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  newPassword: 'Passwort (mindestens sechs Zeichen)',
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
      'Die Anmeldung mit Passwort ist in dieser Organisation ausgeschaltet. Melde dich auf einem anderen Weg an oder wende dich an einen Administrator.',
    'Account is deactivated':
      'Dein Konto ist deaktiviert. Bitte einen Administrator dieser Organisation, es zu reaktivieren.',
    'This organization has been deactivated':
      'Diese Organisation wurde deaktiviert. Bitte einen ihrer Inhaber, sie zu reaktivieren.',
    'This organization is open.': 'Diese Organisation ist aktiv: Melde dich an.',
    'That code is wrong, or was used already. Enter the newest one.':
      'Der Code stimmt nicht oder wurde schon benutzt. Gib den neuesten ein.',
    'That took too long, or was tried too often. Log in again.':
      'Das hat zu lange gedauert oder wurde zu oft versucht. Melde dich noch einmal an.',
    'That took too long, or was already done. Try again.':
      'Das hat zu lange gedauert oder ist schon geschehen. Versuch es noch einmal.',
    'This passkey does not fit. Try again, or use another way.':
      'Dieser Passkey passt nicht. Versuch es noch einmal oder melde dich auf einem anderen Weg an.',
    'Your passkey has not checked that it is you. Log in with your password, and use it as the second step.':
      'Dein Passkey hat nicht geprüft, ob du es bist. Melde dich mit deinem Passwort an und benutze den Passkey als zweiten Schritt.',
    'This link opens the account of an owner, and none has this address.':
      'Dieser Link ist für das Konto eines Inhabers, und kein Inhaber hat diese Adresse. Der Betreiber des Servers kann einen neuen erstellen.',
    'This invitation is not valid any more.':
      'Diese Einladung ist abgelaufen oder wurde zurückgezogen. Bitte die Person, die dich eingeladen hat, um eine neue.',
    'This link is not valid any more.':
      'Dieser Link ist abgelaufen oder wurde schon benutzt. Fordere einen neuen an.',
    'Email is already in use.': 'Mit dieser Adresse gibt es schon ein Konto. Melde dich damit an.',
    'Email addresses containing + are not allowed.':
      'Adressen mit einem + sind in dieser Organisation nicht erlaubt. Gib sie ohne diesen Teil an.',
    'Disposable email addresses are not allowed in this organization':
      'Wegwerfadressen sind in dieser Organisation nicht erlaubt. Gib eine andere an.',
    'Email not allowed in this organization':
      'Diese Organisation lässt keine Adressen dieser Domain zu. Gib eine andere an oder wende dich an einen Administrator.',
    'Email address changes are disabled in this organization.':
      'In dieser Organisation kannst du deine Adresse nicht selbst ändern. Wende dich an einen Administrator.',
    'This address needs to be confirmed by mail first.':
      'Diese Adresse muss erst bestätigt werden. Öffne den Link in der E-Mail, die wir dorthin geschickt haben.',
    'This organization admits addresses of certain domains, and this server can send no mail to confirm one.':
      'Diese Organisation lässt nur Adressen bestimmter Domains zu, und dieser Server kann keine E-Mail schicken, um eine zu bestätigen. Bitte einen Administrator, deine Adresse einzuladen.',
    'The password is too weak.': 'Das Passwort ist zu schwach. Wähle ein längeres.',
    'Bad name or username': 'Gib eine gültige E-Mail-Adresse an, etwa name@example.com.',
    'Enter a name of 1 to 40 characters': 'Gib einen Namen mit 1 bis 40 Zeichen ein.',
    'Enter a name of 2 to 100 characters': 'Gib einen Namen mit 2 bis 100 Zeichen ein.',
    'Enter a valid e-mail address': 'Gib eine gültige E-Mail-Adresse an, etwa name@example.com.',
    'Invalid characters in name!': 'Der Name enthält Zeichen, die nicht erlaubt sind. Wähle einen anderen.',
    'Invalid format!': 'Ein Name darf nicht mit | und einer Zahl enden. Wähle einen anderen.',
    'Name too short!': 'Der Name ist zu kurz. Gib mindestens zwei Zeichen ein.',
    'Name too long!': 'Der Name ist zu lang. Gib höchstens 100 Zeichen ein.',
    'Unique names required in this organization.':
      'Diesen Namen hat hier schon jemand. Ergänze etwas, zum Beispiel deinen zweiten Vornamen.',
    'The storage of this organization is full. Only reading and deleting are possible.':
      'Der Speicherplatz dieser Organisation ist voll. Bitte einen Administrator, Platz zu schaffen.',
    'The server cannot answer just now. Please try again in a moment.':
      'Der Server kann gerade nicht antworten. Versuch es gleich noch einmal.',
    'This request comes from a page of another site.':
      'Dein Browser meldet, dass diese Anfrage von einer anderen Website kam. Öffne die Seite neu und versuch es noch einmal.',
    'BigBlueButton is not configured on this server.':
      'BigBlueButton ist auf diesem Server nicht eingerichtet. Wende dich an den Betreiber des Servers.',
    'Invalid signature.':
      'Dieser Link gehört zu keinem Anruf in dieser Organisation. Öffne den Anruf noch einmal aus seiner Nachricht.',
    'Error connecting to the BigBlueButton server.':
      'Der BigBlueButton-Server antwortet nicht. Versuch es gleich noch einmal.',
    'Error authenticating to the BigBlueButton server.':
      'Der BigBlueButton-Server hat den geheimen Schlüssel dieses Servers abgelehnt. Wende dich an den Betreiber des Servers.',
    'BigBlueButton server returned an unexpected error.':
      'Der BigBlueButton-Server meldet einen Fehler. Versuch es noch einmal oder wende dich an den Betreiber des Servers.',
    'Zoom is not configured on this server.':
      'Zoom ist auf diesem Server nicht eingerichtet. Wende dich an den Betreiber des Servers.',
    'Invalid Zoom session identifier':
      'Diese Anmeldung bei Zoom wurde in einem anderen Browser oder Konto begonnen oder ist zu lange her. Klicke noch einmal auf das Anrufsymbol.',
    'Invalid subdomain':
      'Unter dieser Adresse gibt es keine Organisation. Prüfe die Adresse oder frage die Person, von der du sie hast.',
    'There is no such organization here.':
      'Diese Organisation gibt es auf diesem Server nicht, deshalb kann sie deine ungelesenen Nachrichten nicht anzeigen. Geh zurück zu der Seite, von der du kommst.',
    'Zoom access was declined.':
      'Zoom meldet, dass du den Zugriff nicht erlaubt hast. Klicke noch einmal auf das Anrufsymbol, um ihn zu erlauben.',
    'Invalid Zoom credentials':
      'Zoom hat diese Anmeldung abgelehnt. Klicke noch einmal auf das Anrufsymbol. Wenn das nicht hilft, wende dich an den Betreiber des Servers.',
    'Failed to create Zoom call': 'Zoom antwortet nicht. Klicke gleich noch einmal auf das Anrufsymbol.',
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
    passkey: 'Passkey verwenden',
    passkeyFailed: 'Das hat nicht geklappt. Versuch es noch einmal oder melde dich auf einem anderen Weg an.',
    again: 'Noch einmal anmelden',
    setUpTitle: 'Zwei-Faktor-Anmeldung einrichten',
    setUpAbout:
      'Deine Organisation verlangt bei der Anmeldung einen zweiten Schritt: einen Code aus einer App auf deinem Handy.',
    scan: 'Scanne das hier mit einer Authenticator-App:',
    orType: 'Oder tippe diesen Schlüssel dort ein:',
    firstCode: 'Code aus der App',
    setUpButton: 'Einschalten und anmelden',
    codesTitle: 'Deine Wiederherstellungscodes',
    codesAbout:
      'Bewahre diese Codes sicher auf. Wenn du dein Handy verlierst, kannst du dich mit jedem einmal anmelden. Sie werden nicht noch einmal angezeigt.',
    onward: 'Ich habe sie gespeichert',
  },
  desktop: {
    title: 'In der Desktop-App anmelden',
    elsewhere: 'Melde dich in deinem Browser an und komm dann zur App zurück.',
    open: 'Browser öffnen',
    paste: 'Code aus deinem Browser',
    unreadable:
      'Das ist nicht der Code aus deinem Browser, oder der Browser wurde aus einem anderen Fenster geöffnet.',
    copyIt: 'Kopiere diesen Code und geh zurück in die Desktop-App. Niemand sonst kann ihn lesen.',
    token: 'Für die Desktop-App',
    copy: 'Kopieren',
    copied: 'Kopiert. Geh zurück in die Desktop-App.',
    used: 'Dieser Link ist abgelaufen oder wurde schon benutzt. Beginne noch einmal in der App.',
  },
  ownerLink: {
    about: (email: string) => `Dieser Link meldet dich einmal als ${email} an.`,
    used: 'Dieser Link ist abgelaufen oder wurde schon benutzt. Der Betreiber des Servers kann einen neuen erstellen.',
  },
  provider: {
    again: 'Zur Anmeldung',
    troubles: {
      unknown: () => 'Dieser Anmeldeweg ist hier nicht verfügbar. Geh zurück und wähle einen anderen.',
      expired: () =>
        'Diese Anmeldung ist abgelaufen oder wurde in einem anderen Browser begonnen. Beginne noch einmal.',
      declined: (name) =>
        `${name} hat dich nicht hereingelassen. Beginne noch einmal oder wähle einen anderen Anmeldeweg.`,
      unreachable: (name) =>
        `${name} antwortet nicht. Versuch es in ein paar Minuten noch einmal oder wähle einen anderen Anmeldeweg.`,
      invalid: (name) =>
        `Die Antwort von ${name} kann nicht angenommen werden. Wende dich an einen Administrator dieser Organisation: Im Audit-Protokoll steht, warum.`,
      no_address: (name) =>
        `${name} hat deine E-Mail-Adresse nicht weitergegeben. Trage dort eine ein oder erlaube die Weitergabe und beginne noch einmal.`,
      unverified_address: (name) =>
        `${name} hat deine E-Mail-Adresse nicht geprüft. Bestätige sie dort und beginne noch einmal.`,
      no_account: (name, email) =>
        `Für ${email} gibt es hier kein Konto. Bitte einen Administrator um eine Einladung oder wähle ein anderes Konto bei ${name}.`,
      address_not_allowed: (name, email) =>
        `Diese Organisation lässt ${email} nicht zu. Wende dich an einen Administrator oder wähle ein anderes Konto bei ${name}.`,
      other_identity: (name) =>
        `Dieses Konto ist schon mit einem anderen bei ${name} verbunden. Verwende jenes oder wende dich an einen Administrator.`,
      unconfirmed_account: (_name, email) =>
        `Für ${email} gibt es ein Konto, aber die Adresse wurde noch nicht bestätigt. Melde dich mit dem Passwort an und bestätige sie oder wende dich an einen Administrator.`,
      not_connected: (name, email) =>
        `Es gibt ein Konto für ${email}, aber es ist noch nicht mit ${name} verbunden. Melde dich einmal an wie bisher, oder öffne den Link, der an die Adresse des Kontos geschickt wurde.`,
      no_name: (name) =>
        `Der Name, den ${name} für dich hat, kann hier nicht benutzt werden. Ändere ihn dort und beginne noch einmal.`,
      account_deactivated: () =>
        'Dein Konto ist deaktiviert. Bitte einen Administrator dieser Organisation, es zu reaktivieren.',
      organization_deactivated: () =>
        'Diese Organisation wurde deaktiviert. Bitte einen ihrer Inhaber, sie zu reaktivieren.',
      other_person: (name) =>
        `Dein Konto bei ${name} gehört nicht zu dem Konto, das hier angemeldet ist. Wähle dort das andere und beginne noch einmal.`,
    },
  },
  connection: {
    title: 'Dein Konto verbinden',
    question: (email, organization, name) =>
      `Das Konto ${email} in ${organization} lässt sich von jetzt an ${name === null ? 'mit den Tokens eines anderen Systems der Organisation' : `mit ${name}`} öffnen.`,
    button: 'Erlauben',
    done: (name) =>
      name === null
        ? 'Das andere System kann sich jetzt in deinem Konto anmelden.'
        : `Du kannst dich jetzt mit ${name} anmelden.`,
  },
  access: {
    absent: 'Cloudflare Access ist hier nicht eingerichtet. Melde dich auf einem anderen Weg an.',
    notThrough:
      'Cloudflare Access hat dich nicht zu diesem Server durchgelassen. Öffne diese Seite noch einmal. Wenn das nicht hilft, frage den Betreiber des Servers, ob Access ihn schützt.',
    nobody: 'Cloudflare Access hat einen Dienst durchgelassen, keine Person mit einer E-Mail-Adresse.',
    noAccount: (email) =>
      `Für ${email} gibt es hier kein Konto. Bitte jemanden aus der Organisation, dich einzuladen.`,
    unreachable: 'Cloudflare Access antwortet nicht. Versuch es gleich noch einmal.',
  },
  call: { title: 'Anruf' },
  zoom: {
    title: 'Zoom',
    done: 'Du bist bei Zoom angemeldet. Du kannst dieses Fenster schließen: Dein Anruf wird im anderen erstellt.',
  },
  unread: {
    title: 'Ungelesene Nachrichten',
    ask: (here, page) =>
      `Soll die Seite unter ${page} zeigen, wie viele ungelesene Nachrichten du in ${here} hast? Sonst wird nichts weitergegeben. Das endet, wenn du dich hier abmeldest.`,
    allow: 'Anzahl zeigen',
    back: 'Zurück ohne Anzahl',
  },
  missing: {
    title: 'Seite nicht gefunden',
    about: 'Unter dieser Adresse gibt es nichts. Prüfe sie, oder fang von vorn an.',
  },
  mail: {
    title: 'E-Mail',
    broken: 'Dieser Link ist ungültig oder nicht vollständig. Öffne ihn noch einmal aus der E-Mail.',
  },
  help: {
    title: 'Hilfe',
    elsewhere: (host) => `Hilfe für Zulip-kompatible Clients gibt es auf einer anderen Website, ${host}:`,
  },
  logOut: { title: 'Abmelden' },
  reset: {
    title: 'Passwort zurücksetzen',
    question:
      'Gib deine E-Mail-Adresse ein. Wir schicken dir einen Link, mit dem du ein neues Passwort wählen kannst.',
    sent: (email) => `Wenn es ein Konto für ${email} gibt, bekommst du eine E-Mail mit einem Link.`,
    account: (email, organization) => html`Für das Konto ${email} in <strong>${organization}</strong>.`,
    button: 'Passwort setzen',
    done: (email, organization) =>
      html`Dein Passwort für ${email} in <strong>${organization}</strong> wurde geändert. Melde dich damit hier und in deinen Apps an.`,
  },
  newAddress: {
    title: 'Bestätige deine neue E-Mail-Adresse',
    before: (name, organization, email) =>
      html`Das Konto von ${name} in <strong>${organization}</strong> benutzt ${email}. Die neue Adresse ist dann:`,
    button: 'Bestätigen',
    done: (email) =>
      `Deine E-Mail-Adresse ist jetzt ${email}. Melde dich damit an. Apps, die die alte kennen, werden dich bitten, dich neu anzumelden.`,
  },
  ownAddress: {
    title: 'Bestätige deine E-Mail-Adresse',
    question: (name, organization) =>
      html`Gehört diese Adresse zum Konto von ${name} in <strong>${organization}</strong>?`,
    button: 'Bestätigen',
    done: (email) => `Die Adresse ${email} ist bestätigt.`,
  },
  join: {
    title: 'Beitreten',
    invited: (referrer, organization) =>
      html`${referrer} hat dich zu <strong>${organization}</strong> eingeladen.`,
    question: 'Gib deine E-Mail-Adresse ein. Wir schicken dir einen Link, mit dem du dein Konto erstellst.',
    sent: (email) =>
      `Wir haben eine E-Mail an ${email} geschickt. Öffne den Link darin, um dein Konto zu erstellen.`,
    with: (name) => `Mit ${name} beitreten`,
    button: 'Beitreten',
    welcome: (organization) => html`Willkommen bei <strong>${organization}</strong>.`,
    how: 'Melde dich hier oder in deiner App an, mit der Adresse dieses Servers und deiner E-Mail-Adresse.',
  },
  setUp: {
    title: 'Erstelle deine Organisation',
    about: 'Du wirst ihr Inhaber und kannst alle anderen einladen.',
    organization: 'Name der Organisation',
    location: 'Standort des Teams',
    locationHint: 'Wo ihre Daten liegen. Das lässt sich später nicht ändern.',
    locations: {
      '': 'In meiner Nähe',
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
    kept: (jurisdiction) => `Ihre Daten werden im Rechtsraum ${jurisdiction} gespeichert.`,
    button: 'Organisation erstellen',
    used: 'Dieser Link ist abgelaufen oder wurde schon benutzt. Der Betreiber des Servers bekommt einen neuen, wenn er den Server neu startet oder erneut bereitstellt.',
  },
  reactivation: {
    title: 'Diese Organisation reaktivieren',
    question:
      'Wenn diese Organisation deaktiviert wurde, können ihre Inhaber sie reaktivieren, bis ihre Daten gelöscht werden. Gib deine E-Mail-Adresse ein. Wir schicken dir einen Link.',
    sent: (email) =>
      `Wenn ${email} einem Inhaber dieser Organisation gehört, bekommst du eine E-Mail mit einem Link.`,
    isClosed: (organization) =>
      html`<strong>${organization}</strong> ist deaktiviert. Sobald sie reaktiviert ist, können sich alle mit einem Konto wieder anmelden. Es wurde nichts gelöscht.`,
    button: 'Reaktivieren',
    done: (organization) => html`<strong>${organization}</strong> ist wieder aktiv.`,
  },
  deactivated: {
    title: 'Diese Organisation wurde deaktiviert',
    about: 'Niemand kann sich anmelden, bis einer ihrer Inhaber sie reaktiviert.',
  },
}
