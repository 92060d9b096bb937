import { counted, listed, type MailReason, type MailTexts } from './mail-texts.ts'

export const ENGLISH: MailTexts = {
  language: 'en',
  emptyTopic: 'general chat',
  greeting: (name) => (name === undefined ? 'Hello,' : `Hello ${name},`),
  occasion: {
    device: (program, system) => `${program ?? 'an unknown program'} on ${system ?? 'an unknown system'}`,
    time: (time) => `When: ${time}`,
    by: (device) => `With: ${device}`,
    from: (network) => `From: ${network}`,
  },
  login: {
    subject: (device) => `New login from ${device}`,
    happened: (address, organization, origin) =>
      `Somebody has logged in as ${address} to ${organization} (${origin}), with a program that was not used for that before.`,
    wellKnown: 'If that was you, there is nothing to do.',
    unknown: (url) =>
      `If it was not, choose a new password at once, which also ends what was begun with the old one:\n${url}`,
    unsubscribe: 'No more mail of new logins',
  },
  credentials: {
    password: {
      subject: (organization) => `Your password for ${organization} was changed`,
      happened: (address, organization) => `The password of ${address} in ${organization} was changed.`,
    },
    apiKey: {
      subject: (organization) => `Your API key for ${organization} is a new one`,
      happened: (address, organization) =>
        `A new API key of ${address} in ${organization} was made. It takes the place of the old one, and programs that have that are logged out.`,
    },
    factorAdded: {
      subject: (organization) => `Two-step verification for ${organization}: new method`,
      happened: (address, organization) =>
        `An authenticator app or a passkey was added to the account ${address} in ${organization}. From now on, logging in takes more than the password.`,
    },
    factorRemoved: {
      subject: (organization) => `Two-step verification for ${organization}: method removed`,
      happened: (address, organization) =>
        `An authenticator app or a passkey was removed from the account ${address} in ${organization}.`,
    },
    factorsReset: {
      subject: (organization) => `Two-step verification for ${organization} was reset`,
      happened: (address, organization) =>
        `An administrator has removed the authenticator app, the passkeys and the recovery codes of ${address} in ${organization}. Set up two-step verification again in your settings.`,
    },
    recoveryCodes: {
      subject: (organization) => `New recovery codes for ${organization}`,
      happened: (address, organization) =>
        `New recovery codes were made for ${address} in ${organization}. The old ones no longer work.`,
    },
    loginConnected: {
      subject: (organization) => `New way to log in to ${organization}`,
      happened: (address, organization) =>
        `The account ${address} in ${organization} was connected with an account at a log-in provider. From now on, one can log in with that too.`,
    },
    unknown: (url) =>
      `If that was not your doing, choose a new password at once and write to an administrator:\n${url}`,
  },
  addressChange: {
    subject: (organization) => `Your address in ${organization} was changed`,
    happened: (organization, newAddress) =>
      `The e-mail address of your account in ${organization} is ${newAddress} from now on. One logs in with that, and mail goes there.`,
    byAdministrator: 'An administrator has changed it.',
    unknown: 'If that was not your doing, write to an administrator of the organization at once.',
  },
  addressCheck: {
    subject: (organization) => `Confirm your new address in ${organization}`,
    happened: (organization, oldAddress) =>
      `This is to be the new e-mail address of your account in ${organization}, which has been ${oldAddress} so far.`,
    link: (url) => `To confirm it, open this link:\n${url}`,
    validity: 'It is good for one day. If you did not ask for this, do nothing: nothing will change.',
  },
  addressProof: {
    subject: (organization) => `Confirm your address in ${organization}`,
    happened: (name, organization) =>
      `Somebody, probably you, has made the account of ${name} in ${organization} with this e-mail address. It gets no other mail from there until it is confirmed.`,
    validity: 'It is good for one day. If the account is not yours, do nothing.',
  },
  signUp: {
    subject: (organization) => `Join ${organization}`,
    happened: (referrer, organization) =>
      `Somebody, probably you, wants to join ${organization} with this e-mail address, by an invitation link of ${referrer}.`,
    link: (url) => `To make your account, open this link:\n${url}`,
    validity: 'It is good for one day. If you did not ask for this, do nothing: no account will be made.',
    hasAccount: (organization, url) =>
      `You have an account in ${organization} already. Log in to it at\n${url}`,
  },
  passwordReset: {
    subject: (organization) => `A new password for ${organization}`,
    happened: (organization) =>
      `Somebody, probably you, wants a new password for your account in ${organization}.`,
    link: (url) => `To choose one, open this link:\n${url}`,
    validity:
      'It is good for one day. If you did not ask for this, do nothing: your password stays as it is.',
  },
  importedAccount: {
    subject: (organization) => `Your account in ${organization}`,
    happened: (organization) =>
      `${organization} has moved here, with what your team has written so far. There is an account for you.`,
    link: (url) => `To choose a password and come in, open this link:\n${url}`,
    validity: (url) => `It is good for one day. Later you get another one at\n${url}`,
  },
  invitation: {
    subject: (referrer, organization) => `${referrer} has invited you to join ${organization}`,
    reminder: (organization) => `Reminder: join ${organization}`,
    happened: (referrer, address, organization) =>
      `${referrer} (${address}) wants you to join ${organization}, where the team talks.`,
    link: (url) => `To make your account, open this link:\n${url}`,
    until: (time) => `The link is good until ${time}.`,
    forEver: 'The link does not expire.',
  },
  closedAccount: {
    subject: (organization) => `Your account at ${organization} has been deactivated`,
    happened: (by, address, organization) =>
      `${by} has deactivated your account (${address}) at ${organization}. You can no longer log in.`,
    comment: (by) => `${by} writes:`,
  },
  closedOrganization: {
    subject: (organization) => `Your organization ${organization} has been deactivated`,
    happened: (by, organization, origin, day) =>
      `${by} has deactivated ${organization} (${origin}) on ${day} (UTC). Nobody can log in any more.`,
    kept: 'Its data is kept.',
    deleted: (day) => `All of its data will be deleted on ${day} (UTC), for good.`,
    reopen: (url) => `Until then any of its owners can open it again: ask for a link at\n${url}`,
  },
  reopenedOrganization: {
    subject: (organization) => `Reactivate your organization ${organization}`,
    happened: (organization) => `Somebody, probably you, wants to open ${organization} again.`,
    link: (url) => `To do so, open this link:\n${url}`,
    validity:
      'It is good for one day, and once. If you did not ask for this, do nothing: the organization stays closed.',
  },
  welcome: {
    subject: (organization) => `Welcome to ${organization}`,
    happened: (organization, origin, address) =>
      `You have an account in ${organization} now. It is here:\n${origin}/\nYou log in with ${address}.`,
    begin:
      'What is said there is in channels, and in each channel in topics: a topic is one conversation, to which one can come back. To begin, say hello in a topic of your own, or look through those that there are.',
    password: (url) => `If you ever forget your password, choose a new one here:\n${url}`,
  },
  guide: {
    subject: 'Topics keep conversations apart',
    said: (organization) => [
      `You have been in ${organization} for some days. One thing makes it easier than other chats, once one is used to it: each message in a channel has a topic.`,
      'Begin a new topic for each new question, with a name of a few words that says what it is about. Answer in the topic that is already there. So two conversations do not run into each other, and what was agreed on is found again.',
      'Reading topic by topic, you see what a conversation came to, and can leave out those that do not concern you: mute them, and follow those that do. A question that is answered is marked as resolved.',
    ],
    unsubscribe: 'No more hints on how to use this',
  },
  pausedAddress: (address, reason) =>
    `Mail to your address \`${address}\` does not arrive: its server has said that it never will (\`${reason}\`). No mail of missed messages, logins or digests is sent there any more. In your settings, under Account, give another address, or the same once more to have it tried again.`,
  missed: {
    senderName: (organization) => `${organization} notifications`,
    subject: {
      direct: (sender) => `Direct messages with ${sender}`,
      group: (others) => `Group conversation with ${listed(others, 'and', 'others')}`,
      channel: (channel, topic, isResolved) => `${isResolved ? '[resolved] ' : ''}#${channel} > ${topic}`,
      hidden: 'New messages',
    },
    before: 'Before that:',
    after: 'New:',
    hiddenSpoiler: '(A spoiler: it is shown where the message is.)',
    long: '(This message is too long for a mail.)',
    more: (count) => (count === 1 ? 'One more message is there.' : `${count} more messages are there.`),
    hiddenBy: (who, organization, count) =>
      `${count === 1 ? 'There is a new message' : `There are ${count} new messages`} for you in ${organization}. ${
        who === 'organization'
          ? 'The organization does not let messages be shown in mail.'
          : 'Your settings do not let messages be shown in mail.'
      }`,
    why,
    open: 'Open the conversation',
    answer: 'Answer this mail to write into the conversation.',
    noReply: (organization) => `Answers to this mail reach nobody: answer in ${organization}.`,
    settings: 'Settings of notifications',
    unsubscribe: 'No more of these mails',
  },
  digest: {
    senderName: (organization) => `${organization} digest`,
    subject: (organization) => `What you missed in ${organization}`,
    happened: (organization) =>
      `This has come in ${organization} while you were away, and you have not read it.`,
    missed: 'Direct messages and mentions',
    topics: 'Busy topics',
    channels: 'New channels',
    more: (count, isOpen, senders) =>
      `And ${isOpen ? 'at least ' : ''}${counted(count, 'more message', 'more messages')}${senders.length === 0 ? '' : ` by ${listed(senders, 'and', 'others')}`}.`,
    moreConversations: (count) =>
      `And ${counted(count, 'more conversation', 'more conversations')} with messages for you.`,
    moreChannels: (count) => `And ${counted(count, 'more', 'more')}.`,
    counts: (direct, topics, channels) => [
      ...(direct === 0
        ? []
        : [`${counted(direct, 'conversation', 'conversations')} with direct messages or mentions of you`]),
      ...(topics === 0 ? [] : [counted(topics, 'busy topic', 'busy topics')]),
      ...(channels === 0 ? [] : [counted(channels, 'new channel', 'new channels')]),
    ],
    hiddenBy: (who) =>
      who === 'organization'
        ? 'The organization does not let messages be shown in mail.'
        : 'Your settings do not let messages be shown in mail.',
    open: (organization) => `Open ${organization}`,
    unsubscribe: 'No more digests',
  },
  unsubscribed: {
    title: (organization) => `Mail from ${organization}`,
    ask: (organization, what) => `Do you want no more ${what} from ${organization}?`,
    button: (what) => `No more ${what}`,
    done: (organization, what) =>
      `You get no more ${what} from ${organization}. In your settings there you can have it again.`,
    what: {
      missed_messages: 'mail of missed messages',
      login: 'mail of new logins',
      digest: 'digests',
      marketing: 'hints on how to use it',
    },
  },
}

function why({ cause, group, channel, topic }: MailReason): string {
  const conversation = `#${channel} > ${topic}`
  switch (cause) {
    case 'mention':
      return group === null
        ? 'You get this because you were mentioned.'
        : `You get this because @${group} was mentioned, and you are in that group.`
    case 'topic_wildcard_mention':
      return `You get this because everyone who takes part in ${conversation} was mentioned.`
    case 'channel_wildcard_mention':
      return `You get this because everyone in #${channel} was mentioned.`
    case 'followed_topic':
      return `You get this because you follow ${conversation}, and want mail of topics that you follow.`
    case 'channel':
      return `You get this because you want mail of messages in #${channel}.`
    case 'direct_message':
      return ''
  }
}
