import { html } from '../../../core/html.ts'

/**
 * Texts of the pages that people meet before they are logged in. Those in other languages have the same
 * names.
 */
export const ENGLISH = {
  language: 'en',
  email: 'Email address',
  password: 'Password',
  newPassword: 'A password, at least six characters',
  yourName: 'Your name',
  sendLink: 'Send the link',
  toLogIn: 'Go to login',
  tooMany: 'Too many requests. Try again later.',
  /** Translations of the server's refusals; English needs none. */
  refusals: {} as Readonly<Record<string, string>>,
  logIn: {
    title: 'Log in',
    button: 'Log in',
    with: (name: string) => `Log in with ${name}`,
    forgotten: 'Forgot your password?',
    readPublic: 'Read without an account',
    incomplete: 'This link is not complete. Start again from the app.',
  },
  secondFactor: {
    title: 'Two-step verification',
    code: 'Code from your authenticator app, or a recovery code',
    passkey: 'Use a passkey',
    passkeyFailed: 'That did not work. Try again, or log in another way.',
    again: 'Log in again',
    setUpTitle: 'Set up two-step verification',
    setUpAbout: 'Your organization requires a second step when you log in: a code from an app on your phone.',
    scan: 'Scan this with an authenticator app:',
    orType: 'Or type this key into it:',
    firstCode: 'The code that the app shows',
    setUpButton: 'Turn on and log in',
    codesTitle: 'Your recovery codes',
    codesAbout:
      'Keep these codes in a safe place. If you lose your phone, each lets you log in once. They are not shown again.',
    onward: 'I have saved them',
  },
  desktop: {
    title: 'Log in to the desktop app',
    elsewhere: 'Log in with your browser, and come back to the app.',
    open: 'Open the browser',
    paste: 'What your browser shows after that',
    unreadable: 'This is not what the browser shows, or the browser was opened from another window.',
    copyIt: 'Copy this, and go back to the desktop app. Nobody else can read it.',
    token: 'For the desktop app',
    copy: 'Copy',
    copied: 'Copied. Go back to the desktop app.',
    used: 'This link has been used, or is too old. Start again from the app.',
  },
  ownerLink: {
    about: (email: string) => `This link logs you in as ${email}, once.`,
    used: 'This link has been used, or is too old. Whoever runs this server can make another one.',
  },
  provider: {
    again: 'Go to the log-in page',
    /** Each with the provider's name, and the address that it gives for the person. */
    troubles: {
      unknown: () => 'There is no such way to log in here. Go back, and choose another one.',
      expired: () => 'This log-in has expired, or was begun in another browser. Begin again.',
      declined: (name) => `${name} has not let you in. Begin again, or choose another way to log in.`,
      unreachable: (name) =>
        `${name} does not answer. Try again in a few minutes, or choose another way to log in.`,
      invalid: (name) =>
        `The answer of ${name} cannot be accepted. Ask an administrator of this organization: the audit log says why.`,
      no_address: (name) =>
        `${name} does not say which e-mail address you have. Enter one there, or let it be passed on, and begin again.`,
      unverified_address: (name) =>
        `${name} has not verified your e-mail address. Have it verified there, and begin again.`,
      no_account: (name, email) =>
        `There is no account here for ${email}. Ask an administrator for an invitation, or choose another account at ${name}.`,
      address_not_allowed: (name, email) =>
        `This organization does not admit ${email}. Ask an administrator, or choose another account at ${name}.`,
      other_identity: (name) =>
        `This account is connected with another one at ${name} already. Use that one, or ask an administrator.`,
      unconfirmed_account: (_name, email) =>
        `There is an account for ${email}, but nobody has confirmed that this is its address. Log in with its password and confirm it, or ask an administrator.`,
      no_name: (name) =>
        `The name that ${name} gives for you cannot be used here. Change it there, and begin again.`,
      account_deactivated: () => 'Your account is deactivated. Ask an administrator of this organization.',
      organization_deactivated: () => 'This organization has been deactivated. Ask its owners.',
      other_person: (name) =>
        `At ${name} you are not who is logged in here. Choose the other account there, and begin again.`,
    } satisfies Record<string, (name: string, email: string) => string>,
  },
  access: {
    absent: 'Nobody logs in with Cloudflare Access here. Log in another way.',
    notThrough:
      'Cloudflare Access has not let you through, or for another server. Open this page again; if that does not help, ask whoever runs this server whether Access protects it.',
    nobody: 'Cloudflare Access has let through a service, and not a person with an address.',
    noAccount: (email: string) =>
      `There is no account with the address ${email} here. Ask somebody of the organization to invite you.`,
    unreachable: 'Cloudflare Access does not answer. Try again in a moment.',
  },
  call: { title: 'Call' },
  logOut: { title: 'Log out' },
  reset: {
    title: 'A new password',
    question: 'Which address does your account have? A link to choose a new password will be sent to it.',
    sent: (email: string) =>
      `If there is an account with the address ${email}, a mail with a link is on its way to it.`,
    account: (email: string, organization: string) =>
      html`For the account ${email} in <strong>${organization}</strong>.`,
    button: 'Set the password',
    done: (email: string, organization: string) =>
      html`The account ${email} in <strong>${organization}</strong> has its new password. Log in with it, here and in your apps.`,
  },
  newAddress: {
    title: 'Your new address',
    before: (name: string, organization: string, email: string) =>
      html`The account of ${name} in <strong>${organization}</strong> has the address ${email}. From now on it shall be:`,
    button: 'Confirm',
    done: (email: string) =>
      `Your address is ${email} now. Log in with it from now on: apps that know the old one will ask you to.`,
  },
  ownAddress: {
    title: 'Your address',
    question: (name: string, organization: string) =>
      html`Does this address belong to the account of ${name} in <strong>${organization}</strong>?`,
    button: 'Confirm',
    done: (email: string) => `The address ${email} is confirmed.`,
  },
  join: {
    title: 'Join',
    invited: (referrer: string, organization: string) =>
      html`${referrer} invites you to join <strong>${organization}</strong>.`,
    question: 'Which address is your account to have? A link with which you make it will be sent there.',
    sent: (email: string) =>
      `A mail with a link is on its way to ${email}. Open the link to make your account.`,
    with: (name: string) => `Join with ${name}`,
    button: 'Join',
    welcome: (organization: string) => html`Welcome to <strong>${organization}</strong>.`,
    how: 'Log in here or in your app: give it the address of this server, and your e-mail address.',
  },
  setUp: {
    title: 'A new organization',
    about: 'Nobody talks here yet. You will be the owner of the organization, and can invite the others.',
    organization: 'Name of the organization',
    location: 'Where most of its people are',
    locations: {
      '': 'Where I am',
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
    kept: (jurisdiction: string) => `What is written here is stored in the jurisdiction ${jurisdiction}.`,
    button: 'Begin',
    used: 'This link has been used, or is too old. Whoever runs this server gets another one by starting or deploying it again.',
  },
  reactivation: {
    title: 'Open this organization again',
    question:
      'If this organization has been closed, its owners can open it again until its data is deleted. Which address does your account have? A link will be sent to it.',
    sent: (email: string) =>
      `If an owner of this organization has the address ${email}, a mail with a link is on its way to it.`,
    isClosed: (organization: string) =>
      html`<strong>${organization}</strong> is closed. Everybody who had an account can log in again when it is open, and nothing of it is deleted.`,
    button: 'Open it again',
    done: (organization: string) => html`<strong>${organization}</strong> is open again.`,
  },
  deactivated: {
    title: 'This organization has been closed',
    about: 'If it was closed, nobody can log in to it until one of its owners opens it again.',
  },
}

export type DoorTexts = typeof ENGLISH
