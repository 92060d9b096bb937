import type { MailTexts } from '../../../texts/compiled/mail.ts'
import type { MessageBody } from '../../core/message-bodies.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import { recipientOf } from '../../core/recipient-id.ts'
import { Html, html } from '../../core/written-languages.ts'
import { htmlForMail, textForMail } from '../../markdown/for-mail.ts'
import { actorOf } from '../../model/caller.ts'
import { namesIn } from '../../model/emails/texts-for.ts'
import { topicOfMessage } from '../../model/messages/topic-of-message.ts'
import { momentsFor } from '../../model/users/settings/reader-clock.ts'
import { seesUser, UNKNOWN_USER_NAME } from '../../model/users/visibility/visible-users.ts'
import { RESOLVED_TOPIC_PREFIX } from '../../rules/topic-rules.ts'
import { findChannel } from '../../store/channels/channel-rows.ts'
import { conversationById } from '../../store/messages/conversation-rows.ts'
import type { IndexedMessage } from '../../store/messages/message-rows.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { userSetting } from '../../store/users/settings/user-setting-rows.ts'
import { findUsers, type User } from '../../store/users/user-rows.ts'

/** Limits of the HTML of a message, and of all messages of a mail, in UTF-16 units: providers cut off longer mails. */
const MAX_MESSAGE_LENGTH = 20_000
const MAX_MAIL_LENGTH = 80_000

/** Values of `realm_name_in_email_notifications_policy`. */
const NAME_POLICY = { automatic: 1, always: 2, never: 3 } as const

/** Facts for writing a mail that do not come from the organization's storage. */
export interface MailContext {
  readonly bodies: ReadonlyMap<number, MessageBody>
  /** Whether the organization is one of several in the deployment. */
  readonly isOneOfMany: boolean
}

/** Returns whose setting keeps messages out of mail to this reader; undefined if they may be shown. */
export function whoHides(tx: RealmReads, reader: User): 'organization' | 'reader' | undefined {
  if (!realmProperty(tx.sql, 'message_content_allowed_in_email_notifications')) return 'organization'
  return userSetting(reader, 'message_content_in_email_notifications') ? undefined : 'reader'
}

/** Returns the subject, with the organization's name if the reader's setting wants it there. */
export function subjectFor(
  reader: User,
  subject: string,
  organization: string,
  isOneOfMany: boolean,
): string {
  const policy = userSetting(reader, 'realm_name_in_email_notifications_policy')
  const isNamed = policy === NAME_POLICY.always || (policy === NAME_POLICY.automatic && isOneOfMany)
  return isNamed ? `${subject} [${organization}]` : subject
}

/** Returns the end of a mail: its links, and a sentence about answers to it. */
export function footerOf(links: readonly (readonly [name: string, url: string])[], answers: string) {
  return {
    text: [...links.map(([name, url]) => `${name}: ${url}`), answers].join('\n'),
    html: html`${links.map(([name, url]) => html`<p><a href="${url}">${name}</a></p>\n`)}<p>${answers}</p>`,
  }
}

export interface ConversationInMail {
  readonly title: string
  /** Whether senders are named: between two people there is no need. */
  readonly hasNames: boolean
  /** Undefined for a direct conversation. The topic is without the mark of a resolved one. */
  readonly place?: { readonly channel: string; readonly conversation: string }
}

/** Returns a conversation's name. `newest`: its newest mailed message, which has the topic's present spelling. */
export function conversationInMail(
  tx: RealmReads,
  reader: User,
  texts: MailTexts,
  newest: IndexedMessage,
): ConversationInMail {
  const recipient = recipientOf(newest.recipientId)
  const { subject } = texts.missed
  if (recipient.kind === 'channel') {
    const channel = findChannel(tx.sql, recipient.id)!.name
    const name = topicOfMessage(tx.sql, newest)?.name ?? ''
    const isResolved = name.startsWith(RESOLVED_TOPIC_PREFIX)
    const topic = (isResolved ? name.slice(RESOLVED_TOPIC_PREFIX.length) : name) || texts.emptyTopic
    return {
      title: subject.channel({ channel, topic, isResolved }),
      hasNames: true,
      place: { channel, conversation: subject.channel({ channel, topic, isResolved: false }) },
    }
  }
  const members = conversationById(tx.sql, recipient.id)?.members ?? []
  const others = members.filter((id) => id !== reader.id)
  const names = [...namesFor(tx, reader, others).values()]
  return names.length === 1
    ? { title: subject.direct(names[0]!), hasNames: false }
    : { title: subject.group(namesIn(texts, names)), hasNames: names.length > 1 }
}

/** Returns names of users, with a placeholder for users whom the reader cannot see. */
export function namesFor(tx: RealmReads, reader: User, userIds: readonly number[]): Map<number, string> {
  const viewer = { user: reader, actor: actorOf(tx.sql, reader, tx.now) }
  const users = findUsers(tx.sql, userIds)
  return new Map(
    userIds.map((id) => {
      const user = users.get(id)
      return [id, user && seesUser(tx, viewer, user) ? user.fullName : UNKNOWN_USER_NAME]
    }),
  )
}

/** Returns a function that writes messages, if `hasNames` with the sender where it changes. They share the mail's space. */
export function messageWriter(
  tx: RealmReads,
  reader: User,
  { missed: texts }: MailTexts,
  origin: string,
  bodies: ReadonlyMap<number, MessageBody>,
) {
  const rendering = { origin, hidden: texts.hiddenSpoiler, momentOf: momentsFor(reader) }
  let room = MAX_MAIL_LENGTH
  const write = ({ id }: IndexedMessage) => {
    const { renderedContent } = bodies.get(id)!
    room -= renderedContent.length
    if (renderedContent.length > MAX_MESSAGE_LENGTH || room < 0) {
      return { text: texts.long, html: html`<p><em>${texts.long}</em></p>` }
    }
    return {
      text: textForMail(renderedContent, rendering),
      html: new Html(htmlForMail(renderedContent, rendering)),
    }
  }
  return (messages: readonly IndexedMessage[], hasNames: boolean) => {
    const names = namesFor(tx, reader, [...new Set(messages.map(({ senderId }) => senderId))])
    let [speaker, text] = [0, '']
    const blocks: Html[] = []
    for (const message of messages) {
      const written = write(message)
      const isNext = hasNames && message.senderId !== speaker
      speaker = message.senderId
      const name = names.get(message.senderId)!
      text += `${isNext ? `${name}:\n` : ''}${written.text.replace(/^/gm, '> ')}\n\n`
      blocks.push(
        html`${isNext ? html`<p style="margin-bottom:0"><strong>${name}</strong></p>` : html``}${written.html}\n`,
      )
    }
    return { text, html: html`${blocks}` }
  }
}
