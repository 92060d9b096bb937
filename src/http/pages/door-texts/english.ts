import { html } from '../../../core/written-languages.ts'

/** Texts of the pages before login. Catalogues in other languages have the same keys. */
export const ENGLISH = {
  language: 'en',
  email: 'Email address',
  password: 'Password',
  newPassword: 'Password (at least six characters)',
  yourName: 'Your name',
  sendLink: 'Send link',
  toLogIn: 'Go to login',
  /** `wait`: a duration in words. */
  tooMany: (wait: string) => `Too many attempts. Try again in ${wait}.`,
  /** The keys are the API's words for programs; the sentences say what to do. */
  refusals: {
    'Your username or password is incorrect':
      'That email address and password don’t match an account here. Check both and try again, or reset your password.',
    'Enter a valid email address.': 'Enter a valid email address, such as name@example.com.',
    'Password authentication is disabled in this organization':
      'Password login is turned off in this organization. Log in another way, or ask an administrator.',
    'Account is deactivated':
      'Your account is deactivated. Ask an administrator of this organization to reactivate it.',
    'This organization has been deactivated':
      'This organization has been deactivated. Ask one of its owners to reactivate it.',
    'This organization is open.': 'This organization is active: log in to it.',
    'That code is wrong, or was used already. Enter the newest one.':
      'That code is wrong or was already used. Enter the newest one.',
    'That took too long, or was tried too often. Log in again.':
      'That took too long, or took too many attempts. Log in again.',
    'That took too long, or was already done. Try again.':
      'That took too long, or was already done. Try again.',
    'This passkey does not fit. Try again, or use another way.':
      'This passkey doesn’t match. Try again, or log in another way.',
    'Your passkey has not checked that it is you. Log in with your password, and use it as the second step.':
      'Your passkey didn’t verify that it’s you. Log in with your password, and use the passkey as the second step.',
    'This link opens the account of an owner, and none has this address.':
      'This link is for an owner’s account, and no owner has this address. The server’s administrator can create another one.',
    'This invitation is not valid any more.':
      'This invitation has expired or was revoked. Ask the person who invited you for a new one.',
    'This link is not valid any more.': 'This link has expired or was already used. Ask for a new one.',
    'Email is already in use.': 'An account with this address already exists. Log in with it.',
    'Email addresses containing + are not allowed.':
      'Addresses with a + are not allowed in this organization. Enter it without that part.',
    'Disposable email addresses are not allowed in this organization':
      'Disposable addresses are not allowed in this organization. Enter another one.',
    'Email not allowed in this organization':
      'This organization doesn’t allow addresses from this domain. Enter another one, or ask an administrator.',
    'Email address changes are disabled in this organization.':
      'Changing your address is turned off in this organization. Ask an administrator.',
    'This address needs to be confirmed by mail first.':
      'This address must be confirmed first. Open the link in the email we sent to it.',
    'This organization admits addresses of certain domains, and this server can send no mail to confirm one.':
      'This organization only allows addresses from certain domains, and this server can’t send email to confirm one. Ask an administrator to invite your address.',
    'The password is too weak.': 'This password is too weak. Choose a longer one.',
    'Bad name or username': 'Enter a valid email address, such as name@example.com.',
    'Enter a name of 1 to 40 characters': 'Enter a name of 1 to 40 characters.',
    'Enter a name of 2 to 100 characters': 'Enter a name of 2 to 100 characters.',
    'Enter a valid e-mail address': 'Enter a valid email address, such as name@example.com.',
    'Invalid characters in name!': 'The name contains characters that aren’t allowed. Choose another one.',
    'Invalid format!': 'A name can’t end with | and a number. Choose another one.',
    'Name too short!': 'The name is too short. Enter at least two characters.',
    'Name too long!': 'The name is too long. Enter at most 100 characters.',
    'Unique names required in this organization.':
      'Someone here already has this name. Add to it, for example your middle name.',
    'The storage of this organization is full. Only reading and deleting are possible.':
      'This organization’s storage is full. Ask an administrator to free some space.',
    'The server cannot answer just now. Please try again in a moment.':
      'The server can’t respond right now. Try again in a moment.',
    'This request comes from a page of another site.':
      'Your browser says that this request came from another site. Open the page again and retry.',
    'BigBlueButton is not configured on this server.':
      'BigBlueButton isn’t set up on this server. Ask the server’s administrator.',
    'Invalid signature.':
      'This link isn’t for a call in this organization. Open the call from its message again.',
    'Error connecting to the BigBlueButton server.':
      'The BigBlueButton server isn’t responding. Try again in a moment.',
    'Error authenticating to the BigBlueButton server.':
      'The BigBlueButton server rejected this server’s secret. Ask the server’s administrator.',
    'BigBlueButton server returned an unexpected error.':
      'The BigBlueButton server reported an error. Try again, or ask the server’s administrator.',
    'Zoom is not configured on this server.':
      'Zoom isn’t set up on this server. Ask the server’s administrator.',
    'Invalid Zoom session identifier':
      'This Zoom login was started in another browser or account, or too long ago. Click the call button again.',
    'Invalid subdomain':
      'There’s no organization at this address. Check the address, or ask the person who sent it to you.',
    'There is no such organization here.':
      'That organization isn’t on this server, so it can’t show your unread messages. Go back to the page you came from.',
    'Zoom access was declined.':
      'Zoom says that you didn’t allow access. Click the call button again to allow it.',
    'Invalid Zoom credentials':
      'Zoom refused this login. Click the call button again. If that doesn’t help, ask the server’s administrator.',
    'Failed to create Zoom call': 'Zoom isn’t responding. Click the call button again in a moment.',
  },
  logIn: {
    title: 'Log in',
    button: 'Log in',
    with: (name: string) => `Log in with ${name}`,
    forgotten: 'Forgot your password?',
    readPublic: 'Read without an account',
    incomplete: 'This link is incomplete. Start again from the app.',
  },
  secondFactor: {
    title: 'Two-step verification',
    code: 'Code from your authenticator app, or a recovery code',
    passkey: 'Use a passkey',
    passkeyFailed: 'That didn’t work. Try again, or log in another way.',
    again: 'Log in again',
    setUpTitle: 'Set up two-step verification',
    setUpAbout: 'Your organization requires a second step when you log in: a code from an app on your phone.',
    scan: 'Scan this with an authenticator app:',
    orType: 'Or type this key into it:',
    firstCode: 'Code shown in the app',
    setUpButton: 'Turn on and log in',
    codesTitle: 'Your recovery codes',
    codesAbout:
      'Keep these codes in a safe place. If you lose your phone, each lets you log in once. They won’t be shown again.',
    onward: 'I have saved them',
  },
  desktop: {
    title: 'Log in to the desktop app',
    elsewhere: 'Log in with your browser, then come back to the app.',
    open: 'Open the browser',
    paste: 'Code from your browser',
    unreadable: 'This isn’t the code from your browser, or the browser was opened from another window.',
    copyIt: 'Copy this code and go back to the desktop app. No one else can read it.',
    token: 'For the desktop app',
    copy: 'Copy',
    copied: 'Copied. Go back to the desktop app.',
    used: 'This link has expired or was already used. Start again from the app.',
  },
  ownerLink: {
    about: (email: string) => `This link logs you in as ${email}, once.`,
    used: 'This link has expired or was already used. The server’s administrator can create a new one.',
  },
  provider: {
    again: 'Go to login',
    /** Each takes the provider's name, and the address that it gives for the user. */
    troubles: {
      unknown: () => 'This login method isn’t available here. Go back and choose another one.',
      expired: () => 'This login has expired or was started in another browser. Start again.',
      declined: (name) => `${name} didn’t let you in. Start again, or choose another way to log in.`,
      unreachable: (name) =>
        `${name} isn’t responding. Try again in a few minutes, or choose another way to log in.`,
      invalid: (name) =>
        `The response from ${name} can’t be accepted. Ask an administrator of this organization: the audit log says why.`,
      no_address: (name) =>
        `${name} didn’t share your email address. Add one there, or allow it to be shared, and start again.`,
      unverified_address: (name) =>
        `${name} hasn’t verified your email address. Verify it there, and start again.`,
      no_account: (name, email) =>
        `There’s no account here for ${email}. Ask an administrator for an invitation, or choose another account at ${name}.`,
      address_not_allowed: (name, email) =>
        `This organization doesn’t allow ${email}. Ask an administrator, or choose another account at ${name}.`,
      other_identity: (name) =>
        `This account is already connected to another one at ${name}. Use that one, or ask an administrator.`,
      unconfirmed_account: (_name, email) =>
        `There’s an account for ${email}, but the address hasn’t been confirmed. Log in with the password and confirm it, or ask an administrator.`,
      not_connected: (name, email) =>
        `There’s an account for ${email}, but it isn’t connected with ${name} yet. Log in once as you have until now, or open the link that was sent to the account’s address.`,
      no_name: (name) =>
        `The name that ${name} has for you can’t be used here. Change it there, and start again.`,
      account_deactivated: () =>
        'Your account is deactivated. Ask an administrator of this organization to reactivate it.',
      organization_deactivated: () =>
        'This organization has been deactivated. Ask one of its owners to reactivate it.',
      other_person: (name) =>
        `Your account at ${name} doesn’t belong to the account logged in here. Choose the other one there, and start again.`,
    } satisfies Record<string, (name: string, email: string) => string>,
  },
  /** Lets a provider, or (null) the tokens of another system, open an account that has been used without it. */
  connection: {
    title: 'Connect your account',
    question: (email: string, organization: string, name: string | null) =>
      `From now on, the account ${email} in ${organization} can be opened with ${name ?? 'the tokens of another system of the organization'}.`,
    button: 'Allow it',
    done: (name: string | null) =>
      name === null ? 'The other system can log in to your account now.' : `You can log in with ${name} now.`,
  },
  access: {
    absent: 'Cloudflare Access isn’t set up here. Log in another way.',
    notThrough:
      'Cloudflare Access didn’t let you through to this server. Open this page again. If that doesn’t help, ask the server’s administrator whether Access protects it.',
    nobody: 'Cloudflare Access let a service through, not a person with an email address.',
    noAccount: (email: string) =>
      `There’s no account for ${email} here. Ask someone in the organization to invite you.`,
    unreachable: 'Cloudflare Access isn’t responding. Try again in a moment.',
  },
  call: { title: 'Call' },
  zoom: {
    title: 'Zoom',
    done: 'You’re logged in to Zoom. You can close this window: your call is being made in the other one.',
  },
  unread: {
    title: 'Unread messages',
    ask: (here: string, page: string) =>
      `Show how many unread messages you have in ${here} on the page at ${page}? Nothing else is shared. It ends when you log out here.`,
    allow: 'Show the number',
    back: 'Back without it',
  },
  missing: {
    title: 'Page not found',
    about: 'There’s nothing at this address. Check it, or start from the beginning.',
  },
  mail: { title: 'Mail', broken: 'This link is invalid or incomplete. Open it again from the email.' },
  help: {
    title: 'Help',
    elsewhere: (host: string) =>
      `Help for clients that are compatible with Zulip is on another site, ${host}:`,
  },
  logOut: { title: 'Log out' },
  reset: {
    title: 'Reset your password',
    question: 'Enter your email address. We’ll send you a link to choose a new password.',
    sent: (email: string) => `If there’s an account for ${email}, you’ll get an email with a link.`,
    account: (email: string, organization: string) =>
      html`For the account ${email} in <strong>${organization}</strong>.`,
    button: 'Set password',
    done: (email: string, organization: string) =>
      html`Your password for ${email} in <strong>${organization}</strong> has been changed. Use it to log in here and in your apps.`,
  },
  newAddress: {
    title: 'Confirm your new email address',
    before: (name: string, organization: string, email: string) =>
      html`${name}’s account in <strong>${organization}</strong> uses ${email}. Its new address will be:`,
    button: 'Confirm',
    done: (email: string) =>
      `Your email address is now ${email}. Use it to log in. Apps that know the old one will ask you to log in again.`,
  },
  ownAddress: {
    title: 'Confirm your email address',
    question: (name: string, organization: string) =>
      html`Does this address belong to ${name}’s account in <strong>${organization}</strong>?`,
    button: 'Confirm',
    done: (email: string) => `The address ${email} is confirmed.`,
  },
  join: {
    title: 'Join',
    invited: (referrer: string, organization: string) =>
      html`${referrer} invited you to join <strong>${organization}</strong>.`,
    question: 'Enter your email address. We’ll send you a link to create your account.',
    sent: (email: string) => `We sent an email to ${email}. Open the link in it to create your account.`,
    with: (name: string) => `Join with ${name}`,
    button: 'Join',
    welcome: (organization: string) => html`Welcome to <strong>${organization}</strong>.`,
    how: 'Log in here or in your app, with the address of this server and your email address.',
  },
  setUp: {
    title: 'Create your organization',
    about: 'You’ll be its owner, and can invite everyone else.',
    organization: 'Organization name',
    location: 'Team location',
    locationHint: 'Where its data is kept. This can’t be changed later.',
    locations: {
      '': 'Near me',
      wnam: 'North America, west',
      enam: 'North America, east',
      sam: 'South America',
      weur: 'Europe, west',
      eeur: 'Europe, east',
      apac: 'Asia and Pacific',
      oc: 'Oceania',
      afr: 'Africa',
      me: 'Middle East',
    },
    kept: (jurisdiction: string) => `Its data is stored in the jurisdiction ${jurisdiction}.`,
    button: 'Create organization',
    used: 'This link has expired or was already used. The server’s administrator gets a new one by starting or deploying the server again.',
  },
  reactivation: {
    title: 'Reactivate this organization',
    question:
      'If this organization was deactivated, its owners can reactivate it until its data is deleted. Enter your email address. We’ll send you a link.',
    sent: (email: string) =>
      `If ${email} belongs to an owner of this organization, you’ll get an email with a link.`,
    isClosed: (organization: string) =>
      html`<strong>${organization}</strong> is deactivated. Once it’s reactivated, everyone with an account can log in again. Nothing was deleted.`,
    button: 'Reactivate',
    done: (organization: string) => html`<strong>${organization}</strong> is active again.`,
  },
  deactivated: {
    title: 'This organization was deactivated',
    about: 'No one can log in until one of its owners reactivates it.',
  },
}

export type DoorTexts = typeof ENGLISH
