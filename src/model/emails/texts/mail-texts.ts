import type { NotificationCause } from '../../../store/notifications/causes.ts'

/** Why someone gets mail about a channel message. */
export interface MailReason {
  readonly cause: NotificationCause
  /** The group that was mentioned; null if the reader was. */
  readonly group: string | null
  readonly channel: string
  readonly topic: string
}

interface ChangedCredential {
  subject(organization: string): string
  happened(address: string, organization: string): string
}

/** All texts that the server writes in mail, in one language. */
export interface MailTexts {
  /** The language, as for `lang` in HTML. */
  readonly language: string
  /** Name of the empty topic. */
  readonly emptyTopic: string
  /** Undefined: the name is not known. */
  greeting(name?: string): string
  /** The time, the program and the network of an action. */
  readonly occasion: {
    device(program: string | undefined, system: string | undefined): string
    time(time: string): string
    by(device: string): string
    from(network: string): string
  }
  readonly login: {
    subject(device: string): string
    happened(address: string, organization: string, origin: string): string
    readonly wellKnown: string
    unknown(newPasswordUrl: string): string
    readonly unsubscribe: string
  }
  readonly credentials: {
    readonly password: ChangedCredential
    readonly apiKey: ChangedCredential
    readonly factorAdded: ChangedCredential
    readonly factorRemoved: ChangedCredential
    readonly factorsReset: ChangedCredential
    readonly recoveryCodes: ChangedCredential
    readonly loginConnected: ChangedCredential
    unknown(newPasswordUrl: string): string
  }
  /** Mail to the old address. */
  readonly addressChange: {
    subject(organization: string): string
    happened(organization: string, newAddress: string): string
    readonly byAdministrator: string
    readonly unknown: string
  }
  /** Mail to the new address. */
  readonly addressCheck: {
    subject(organization: string): string
    happened(organization: string, oldAddress: string): string
    link(url: string): string
    readonly validity: string
  }
  /** Mail to the address of an account that nobody has confirmed; the line with its link is that of `addressCheck`. */
  readonly addressProof: {
    subject(organization: string): string
    happened(name: string, organization: string): string
    readonly validity: string
  }
  /** Mail to an address that was typed where an invitation link leads. */
  readonly signUp: {
    subject(organization: string): string
    happened(referrer: string, organization: string): string
    link(url: string): string
    readonly validity: string
    /** In place of the link and its validity. */
    hasAccount(organization: string, url: string): string
  }
  readonly passwordReset: {
    subject(organization: string): string
    happened(organization: string): string
    link(url: string): string
    readonly validity: string
  }
  readonly importedAccount: {
    subject(organization: string): string
    happened(organization: string): string
    link(url: string): string
    validity(url: string): string
  }
  readonly invitation: {
    subject(referrer: string, organization: string): string
    reminder(organization: string): string
    happened(referrer: string, address: string, organization: string): string
    link(url: string): string
    until(time: string): string
    readonly forEver: string
  }
  readonly closedAccount: {
    subject(organization: string): string
    happened(by: string, address: string, organization: string): string
    /** Line above a user's comment. */
    comment(by: string): string
  }
  readonly closedOrganization: {
    subject(organization: string): string
    happened(by: string, organization: string, origin: string, day: string): string
    readonly kept: string
    deleted(day: string): string
    reopen(url: string): string
  }
  readonly reopenedOrganization: {
    subject(organization: string): string
    happened(organization: string): string
    link(url: string): string
    readonly validity: string
  }
  readonly welcome: {
    subject(organization: string): string
    happened(organization: string, origin: string, address: string): string
    readonly begin: string
    password(newPasswordUrl: string): string
  }
  /** Mail some days after joining. */
  readonly guide: {
    readonly subject: string
    said(organization: string): readonly string[]
    readonly unsubscribe: string
  }
  /** Notice of the organization's own bot to a user whose address takes no mail. Markdown. */
  pausedAddress(address: string, reason: string): string
  readonly missed: {
    senderName(organization: string): string
    readonly subject: {
      direct(sender: string): string
      /** The other people of the conversation, without the reader. */
      group(others: readonly string[]): string
      /** The topic without the mark of a resolved one. */
      channel(channel: string, topic: string, isResolved: boolean): string
      /** Line of a mail that may show no content. */
      readonly hidden: string
    }
    /** Line above the messages before the one that the mail is about. */
    readonly before: string
    /** Line above the message itself, after those before it. */
    readonly after: string
    readonly hiddenSpoiler: string
    /** Line for a text that is too long for a mail. */
    readonly long: string
    more(count: number): string
    /** Line in place of the messages. */
    hiddenBy(who: 'organization' | 'reader', organization: string, count: number): string
    why(reason: MailReason): string
    readonly open: string
    /** Line about replies, where they are accepted. */
    readonly answer: string
    /** Line where replies are not accepted. */
    noReply(organization: string): string
    readonly settings: string
    readonly unsubscribe: string
  }
  readonly digest: {
    senderName(organization: string): string
    subject(organization: string): string
    happened(organization: string): string
    /** Headings. */
    readonly missed: string
    readonly topics: string
    readonly channels: string
    /** Number of a conversation's messages that are not shown. `isOpen`: there may be more. */
    more(count: number, isOpen: boolean, senders: readonly string[]): string
    moreConversations(count: number): string
    moreChannels(count: number): string
    /** Line in place of all content: how many messages of which kind there are. */
    counts(direct: number, topics: number, channels: number): readonly string[]
    hiddenBy(who: 'organization' | 'reader'): string
    open(organization: string): string
    readonly unsubscribe: string
  }
  readonly unsubscribed: {
    title(organization: string): string
    ask(organization: string, what: string): string
    button(what: string): string
    done(organization: string, what: string): string
    readonly what: {
      readonly missed_messages: string
      readonly login: string
      readonly digest: string
      readonly marketing: string
    }
  }
}

/** Returns names as a sentence lists them: up to three, else two and how many `more` there are. */
export function listed(names: readonly string[], and: string, more: string): string {
  const last = names.length > 3 ? `${names.length - 2} ${more}` : names.at(-1)
  const before = names.slice(0, names.length > 3 ? 2 : -1).join(', ')
  return before === '' ? (last ?? '') : `${before} ${and} ${last}`
}

/** Returns a number and what is counted, in a language that has one form for one thing and one for all other numbers. */
export function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}
