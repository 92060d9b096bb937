import { counted, listed } from '../../../core/written-languages.ts'

/** The channel message about which a reader gets mail. */
interface MailedMessage {
  /** The mentioned group; null if the reader was mentioned by name. */
  readonly group: string | null
  readonly channel: string
  /** The channel and the topic, as a subject names them. */
  readonly conversation: string
}

/** The texts that the server writes in mail, in one language. */
export type MailTexts = typeof ENGLISH

/** The other catalogues have these keys. */
export const ENGLISH = {
  language: 'en',
  emptyTopic: 'general chat',
  greeting: (name?: string) => (name === undefined ? 'Hello,' : `Hello ${name},`),
  /** The time, the program and the network of an action. */
  occasion: {
    device: (program: string | undefined, system: string | undefined) =>
      `${program ?? 'an unknown program'} on ${system ?? 'an unknown system'}`,
    time: (time: string) => `When: ${time}`,
    by: (device: string) => `With: ${device}`,
    from: (network: string) => `From: ${network}`,
  },
  /** For organizations in which nobody logs in with a password. */
  unknownWithoutPassword: (url: string) =>
    `If this was not you, log out everywhere here, secure your account with the login provider, and contact an administrator:\n${url}`,
  login: {
    subject: (device: string) => `New login from ${device}`,
    happened: (address: string, organization: string, origin: string) =>
      `There was a login as ${address} to ${organization} (${origin}) from a program that had not been used before.`,
    wellKnown: 'If this was you, there is nothing to do.',
    unknown: (url: string) =>
      `If not, choose a new password now. This also ends all sessions that began with the old one:\n${url}`,
    unsubscribe: 'Stop emails about new logins',
  },
  credentials: {
    password: {
      subject: (organization: string) => `Your password for ${organization} was changed`,
      happened: (address: string, organization: string) =>
        `The password of ${address} in ${organization} was changed.`,
    },
    apiKey: {
      subject: (organization: string) => `New API key for ${organization}`,
      happened: (address: string, organization: string) =>
        `A new API key was created for ${address} in ${organization}. It replaces the old one, and programs that used the old key have been logged out.`,
    },
    factorAdded: {
      subject: (organization: string) => `Two-step verification for ${organization}: new method`,
      happened: (address: string, organization: string) =>
        `An authenticator app or a passkey was added to the account ${address} in ${organization}. From now on, logging in takes more than the password.`,
    },
    factorRemoved: {
      subject: (organization: string) => `Two-step verification for ${organization}: method removed`,
      happened: (address: string, organization: string) =>
        `An authenticator app or a passkey was removed from the account ${address} in ${organization}.`,
    },
    factorsReset: {
      subject: (organization: string) => `Two-step verification for ${organization} was reset`,
      happened: (address: string, organization: string) =>
        `An administrator removed the authenticator app, the passkeys and the recovery codes of ${address} in ${organization}. Set up two-step verification again in your settings.`,
    },
    recoveryCodes: {
      subject: (organization: string) => `New recovery codes for ${organization}`,
      happened: (address: string, organization: string) =>
        `New recovery codes were created for ${address} in ${organization}. The old ones no longer work.`,
    },
    loginConnected: {
      subject: (organization: string) => `New way to log in to ${organization}`,
      happened: (address: string, organization: string) =>
        `The account ${address} in ${organization} was connected to an account with a login provider, which can be used to log in from now on.`,
    },
    tokensConnected: {
      subject: (organization: string) => `New way to log in to ${organization}`,
      happened: (address: string, organization: string) =>
        `The account ${address} in ${organization} can be opened by another system of the organization from now on, with its tokens.`,
    },
    unknown: (url: string) =>
      `If this was not you, choose a new password now and contact an administrator:\n${url}`,
  },
  /** Mail to the old address. */
  addressChange: {
    subject: (organization: string) => `Your address in ${organization} was changed`,
    happened: (organization: string, newAddress: string) =>
      `The email address of your account in ${organization} is now ${newAddress}. Use it to log in; emails are sent there.`,
    /** In place of that, where the address is still to be confirmed by the account's person. */
    given: (organization: string, newAddress: string) =>
      `The email address of your account in ${organization} was set to ${newAddress}. It opens your account only when you have confirmed it. Until then you log in as before, and emails about your account come here.`,
    confirm: (url: string) =>
      `If this is your address now, confirm it within a day with this link, or log in with it and your password:\n${url}`,
    byAdministrator: 'An administrator changed it.',
    unknown: 'If this was not you, contact an administrator of the organization now.',
  },
  /** Mail to the new address. */
  addressCheck: {
    subject: (organization: string) => `Confirm your new address in ${organization}`,
    happened: (organization: string, oldAddress: string) =>
      `This will be the new email address of your account in ${organization}, in place of ${oldAddress}.`,
    link: (url: string) => `To confirm it, open this link:\n${url}`,
    validity: 'The link is valid for one day. If you did not ask for this, do nothing: nothing will change.',
  },
  /** Mail to an unconfirmed address of an account; the line with its link is that of `addressCheck`. */
  addressProof: {
    subject: (organization: string) => `Confirm your address in ${organization}`,
    happened: (name: string, organization: string) =>
      `Someone, probably you, created the account of ${name} in ${organization} with this email address. Until the address is confirmed, nothing else is sent to it.`,
    validity: 'The link is valid for one day. If the account is not yours, do nothing.',
  },
  /** Mail to an address that was entered on the page of an invitation link. */
  signUp: {
    subject: (organization: string) => `Join ${organization}`,
    happened: (referrer: string, organization: string) =>
      `Someone, probably you, wants to join ${organization} with this email address, through an invitation link from ${referrer}.`,
    link: (url: string) => `To create your account, open this link:\n${url}`,
    validity:
      'The link is valid for one day. If you did not ask for this, do nothing: no account will be created.',
    /** In place of the link and its validity. */
    hasAccount: (organization: string, url: string) =>
      `You already have an account in ${organization}. Log in here:\n${url}`,
  },
  passwordReset: {
    subject: (organization: string) => `A new password for ${organization}`,
    happened: (organization: string) =>
      `Someone, probably you, asked for a new password for your account in ${organization}.`,
    link: (url: string) => `To choose one, open this link:\n${url}`,
    validity:
      'The link is valid for one day. If you did not ask for this, do nothing: your password stays the same.',
  },
  /** Mail to the user of an account that somebody wanted to open in a new way. `name`: of the provider; null for another system's tokens. */
  connection: {
    subject: (organization: string) => `Allow a new way to log in to ${organization}?`,
    happened: (address: string, organization: string, name: string | null) =>
      `Someone, probably you, wanted to log in as ${address} to ${organization} through ${name ?? 'another system of the organization'}. You have used this account without it until now, so it has to be allowed once.`,
    link: (url: string) => `To allow it, open this link:\n${url}`,
    validity:
      'The link is valid for one day. If this was not you, do nothing: nobody can log in this way, but tell an administrator.',
  },
  /** Mail to owners about the accounts of others. */
  ofAccounts: {
    address: {
      subject: (name: string, organization: string) =>
        `The address of ${name} in ${organization} was changed`,
      happened: (name: string, before: string, address: string, by: string | null) =>
        `${by ?? 'The identity provider (SCIM)'} changed the email address of ${name} from ${before} to ${address}.`,
      unconfirmed: (name: string) =>
        `It opens the account only when ${name} has confirmed it. You get this email because you are an owner of the organization.`,
    },
    opened: {
      subject: (name: string, organization: string) =>
        `The account of ${name} in ${organization} was opened in a new way`,
      happened: (name: string, address: string, way: string | null) =>
        `Someone logged in as ${name} (${address}) through ${way ?? 'a token of another system'}, which this account had not been connected with.`,
    },
    allowed:
      'The operator of the server allows that (OWNER_ACCOUNT_ACCESS). You get this email because you are an owner of the organization.',
  },
  importedAccount: {
    subject: (organization: string) => `Your account in ${organization}`,
    happened: (organization: string) =>
      `${organization} has moved here, with everything that your team has written so far. An account is waiting for you.`,
    link: (url: string) => `To choose a password and log in, open this link:\n${url}`,
    validity: (url: string) => `The link is valid for one day. After that, get a new one here:\n${url}`,
    // Where passwords are off. `ways`: names of what people log in with; empty where there is no name.
    logIn: (url: string, ways: string) =>
      `To log in${ways === '' ? '' : ` with ${ways}`}, open this page:\n${url}`,
    address: (address: string) => `Use your account there that has the email address ${address}.`,
  },
  /** The line with its link is that of `signUp`. */
  invitation: {
    subject: (referrer: string, organization: string) =>
      `${referrer} has invited you to join ${organization}`,
    reminder: (organization: string) => `Reminder: join ${organization}`,
    happened: (referrer: string, address: string, organization: string) =>
      `${referrer} (${address}) has invited you to join ${organization}, where the team talks.`,
    until: (time: string) => `The link is valid until ${time}.`,
    forEver: 'The link does not expire.',
  },
  closedAccount: {
    subject: (organization: string) => `Your account at ${organization} has been deactivated`,
    happened: (by: string, address: string, organization: string) =>
      `${by} has deactivated your account (${address}) at ${organization}. You can no longer log in.`,
    /** Line above a user's comment. */
    comment: (by: string) => `${by} writes:`,
  },
  closedOrganization: {
    subject: (organization: string) => `Your organization ${organization} has been deactivated`,
    happened: (by: string, organization: string, origin: string, day: string) =>
      `${by} has deactivated ${organization} (${origin}) on ${day} (UTC). No one can log in any more.`,
    kept: 'Its data is kept.',
    deleted: (day: string) => `All of its data will be permanently deleted on ${day} (UTC).`,
    reopen: (url: string, ends: boolean) =>
      `${ends ? 'Until then, any' : 'Any'} of its owners can reactivate it: get a link here:\n${url}`,
  },
  reopenedOrganization: {
    subject: (organization: string) => `Reactivate your organization ${organization}`,
    happened: (organization: string) => `Someone, probably you, wants to reactivate ${organization}.`,
    link: (url: string) => `To do so, open this link:\n${url}`,
    validity:
      'The link is valid for one day, and works once. If you did not ask for this, do nothing: the organization stays deactivated.',
  },
  welcome: {
    subject: (organization: string) => `Welcome to ${organization}`,
    happened: (organization: string, origin: string, address: string) =>
      `You now have an account in ${organization}. It is here:\n${origin}/\nYou log in with ${address}.`,
    begin:
      'Conversations take place in channels, and within each channel in topics: a topic is one conversation that you can always come back to. To begin, say hello in a topic of your own, or look through the existing ones.',
    password: (url: string) => `If you ever forget your password, choose a new one here:\n${url}`,
  },
  /** Mail some days after joining. */
  guide: {
    subject: 'Topics keep conversations apart',
    said: (organization: string) => [
      `You have been in ${organization} for a few days. One thing makes it easier than other chats once you are used to it: each message in a channel has a topic.`,
      'Begin a new topic for each new question, with a name of a few words that says what it is about. Answer in the topic that already exists. That way, conversations do not get mixed up, and decisions can be found again.',
      'Reading topic by topic, you see where a conversation ended, and can skip those that do not concern you: mute them, and follow those that do. Mark a topic as resolved once its question has been answered.',
    ],
    unsubscribe: 'Stop usage tips',
  },
  /** Notice to a user whose address takes no mail. Markdown. */
  pausedAddress: (address: string, reason: string) =>
    `Emails to your address \`${address}\` cannot be delivered: its server says that they never will be (\`${reason}\`). No emails about missed messages or logins and no digests will be sent there. In your settings, under Account, enter another address, or the same one to try again.`,
  missed: {
    senderName: (organization: string) => `${organization} notifications`,
    subject: {
      direct: (sender: string) => `Direct messages with ${sender}`,
      /** The other people of the conversation, without the reader. */
      group: (others: readonly string[]) => `Group conversation with ${listed(others, 'and', 'others')}`,
      /** The topic without the mark of a resolved one. */
      channel: (channel: string, topic: string, isResolved: boolean) =>
        `${isResolved ? '[resolved] ' : ''}#${channel} > ${topic}`,
      /** Subject of a mail that may show no content. */
      hidden: 'New messages',
    },
    /** Lines above the messages before the one that the mail is about, and above that one. */
    before: 'Before that:',
    after: 'New:',
    hiddenSpoiler: '(Spoiler: open the message to see it.)',
    /** Line for a text that is too long for a mail. */
    long: '(This message is too long for an email.)',
    more: (count: number) =>
      count === 1 ? 'There is one more message.' : `There are ${count} more messages.`,
    /** Line in place of the messages. `reason`: one of `hiddenBy`. */
    hiddenBy: (reason: string, organization: string, count: number) =>
      `You have ${counted(count, 'new message', 'new messages')} in ${organization}. ${reason}`,
    why: {
      mention: ({ group }: MailedMessage) =>
        group === null
          ? 'You are receiving this because you were mentioned.'
          : `You are receiving this because @${group} was mentioned, and you are in that group.`,
      topic_wildcard_mention: ({ conversation }: MailedMessage) =>
        `You are receiving this because everyone who takes part in ${conversation} was mentioned.`,
      channel_wildcard_mention: ({ channel }: MailedMessage) =>
        `You are receiving this because everyone in #${channel} was mentioned.`,
      followed_topic: ({ conversation }: MailedMessage) =>
        `You are receiving this because you follow ${conversation} and get emails about followed topics.`,
      channel: ({ channel }: MailedMessage) =>
        `You are receiving this because you get emails about messages in #${channel}.`,
    },
    open: 'Open the conversation',
    /** Lines about replies, where they are accepted and where not. */
    answer: 'Reply to this email to write in the conversation.',
    noReply: (organization: string) => `Replies to this email are not read: reply in ${organization}.`,
    settings: 'Notification settings',
    unsubscribe: 'Stop these emails',
  },
  digest: {
    senderName: (organization: string) => `${organization} digest`,
    subject: (organization: string) => `What you missed in ${organization}`,
    happened: (organization: string) =>
      `Here is what happened in ${organization} while you were away, and you have not read yet.`,
    /** Headings. */
    missed: 'Direct messages and mentions',
    topics: 'Busy topics',
    channels: 'New channels',
    /** Number of a conversation's messages that are not shown. `isOpen`: there may be more. */
    more: (count: number, isOpen: boolean, senders: readonly string[]) =>
      `And ${isOpen ? 'at least ' : ''}${counted(count, 'more message', 'more messages')}${senders.length === 0 ? '' : ` by ${listed(senders, 'and', 'others')}`}.`,
    moreConversations: (count: number) =>
      `And ${counted(count, 'more conversation', 'more conversations')} with messages for you.`,
    moreChannels: (count: number) => `And ${count} more.`,
    /** Lines in place of all content, for each kind of which there is any. */
    count: {
      conversations: (count: number) =>
        `${counted(count, 'conversation', 'conversations')} with direct messages or mentions of you`,
      topics: (count: number) => counted(count, 'busy topic', 'busy topics'),
      channels: (count: number) => counted(count, 'new channel', 'new channels'),
    },
    open: (organization: string) => `Open ${organization}`,
    unsubscribe: 'Stop digests',
  },
  /** Why a mail shows no messages. */
  hiddenBy: {
    organization: 'The organization does not allow messages to be shown in emails.',
    reader: 'Your settings do not allow messages to be shown in emails.',
  },
  unsubscribed: {
    title: (organization: string) => `Emails from ${organization}`,
    ask: (organization: string, what: string) => `Do you want to stop ${what} from ${organization}?`,
    button: (what: string) => `Stop ${what}`,
    done: (organization: string, what: string) =>
      `You will get no more ${what} from ${organization}. You can turn them back on in your settings.`,
    what: {
      missed_messages: 'emails about missed messages',
      login: 'emails about new logins',
      digest: 'digests',
      marketing: 'usage tips',
    },
  },
}
