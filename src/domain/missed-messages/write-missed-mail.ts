import type { MessageBody } from '../../core/command.ts'
import { Html, html } from '../../core/html.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { recipientOf } from '../../core/recipient-id.ts'
import { htmlForMail, textForMail } from '../../markdown/for-mail.ts'
import { RESOLVED_TOPIC_PREFIX } from '../../permissions/topic-rules.ts'
import { actorOf } from '../caller.ts'
import { findChannel } from '../channels/channel-rows.ts'
import { mailHtml } from '../emails/mail-layout.ts'
import type { OutgoingEmail } from '../emails/outgoing-email.ts'
import type { MailTexts } from '../emails/texts/mail-texts.ts'
import { textsFor } from '../emails/texts/texts-for.ts'
import { unsubscribeHeaders, unsubscribeUrl } from '../emails/unsubscribe-token.ts'
import { conversationById } from '../messages/conversation-rows.ts'
import { linkToMessage } from '../messages/link-to-message.ts'
import type { IndexedMessage } from '../messages/message-rows.ts'
import { topicOfMessage } from '../messages/topic-of-message.ts'
import { realmProperty } from '../realm/realm-setting-rows.ts'
import { findGroup } from '../user-groups/user-group-rows.ts'
import { UNKNOWN_USER_NAME } from '../users/present-unknown-user.ts'
import { findUsers, type User } from '../users/user-rows.ts'
import { userSetting } from '../users/user-setting-rows.ts'
import { seesUser } from '../users/visible-users.ts'
import type { MissedConversation } from './plan-missed-mail.ts'

/** Of more missed messages the mail says only how many they are. */
const MOST_SHOWN = 20
/** UTF-16 units of HTML of one message, and of all in a mail: providers cut longer ones off. */
const LONGEST_MESSAGE = 20_000
const LONGEST_MAIL = 80_000

/** `realm_name_in_email_notifications_policy`. */
const NAME_POLICY = { automatic: 1, always: 2, never: 3 } as const

/** What writing a mail has to know of beyond the organization. */
export interface MailSurroundings {
  readonly bodies: ReadonlyMap<number, MessageBody>
  /** Is the organization one of several in the deployment? */
  readonly isOneOfMany: boolean
}

/**
 * The mail of a conversation. Undefined when one of its messages has been edited since its text was looked up: what it said
 * before is nobody's business.
 */
export function writeMissedMail(
  tx: RealmTransaction,
  conversation: MissedConversation,
  { bodies, isOneOfMany }: MailSurroundings,
): OutgoingEmail | undefined {
  const { reader, missed, before } = conversation
  const all = [...before, ...missed.map(({ message }) => message)]
  if (all.some(({ id, version }) => bodies.get(id)?.version !== version)) return undefined
  const texts = textsFor(reader)
  const organization = realmProperty(tx.sql, 'name')
  const part = whoHides(tx, reader)
    ? hiddenPart(tx, conversation, texts, organization)
    : shownPart(tx, conversation, texts, bodies)
  const footer = footerOf(tx, conversation, texts, organization)
  const why = part.why === '' ? [] : [part.why]
  const subject = `${part.subject}${namesOrganization(reader, isOneOfMany) ? ` [${organization}]` : ''}`
  return {
    messageId: `<missed-${tx.realm.id}-${reader.id}-${missed[0]!.message.id}-${missed.at(-1)!.message.id}@${tx.realm.host}>`,
    recipient: reader.deliveryEmail,
    senderName: texts.missed.senderName(organization),
    subject,
    text: `${[part.text, '-- ', ...why, footer.text].join('\n')}\n`,
    html: mailHtml(
      texts.language,
      subject,
      part.html,
      html`${why.map((reason) => html`<p>${reason}</p>`)}${footer.html}`,
    ),
    headers: {
      ...threadHeaders(tx, conversation),
      'List-Id': `<messages.${tx.realm.host}>`,
      ...unsubscribeHeaders(footer.unsubscribe),
    },
    writtenAt: tx.now,
  }
}

/** What a mail says, in both forms. */
interface MailPart {
  readonly subject: string
  readonly text: string
  readonly html: Html
  /** '' where there is nothing to say. */
  readonly why: string
}

function whoHides(tx: RealmTransaction, reader: User): 'organization' | 'reader' | undefined {
  if (!realmProperty(tx.sql, 'message_content_allowed_in_email_notifications')) return 'organization'
  return userSetting(reader, 'message_content_in_email_notifications') ? undefined : 'reader'
}

/** Nothing of what was written, nor by whom, nor where. */
function hiddenPart(
  tx: RealmTransaction,
  { reader, missed }: MissedConversation,
  { missed: texts }: MailTexts,
  organization: string,
): MailPart {
  const said = texts.hiddenBy(whoHides(tx, reader)!, organization, missed.length)
  return { subject: texts.subject.hidden, text: `${said}\n`, html: html`<p>${said}</p>`, why: '' }
}

function shownPart(
  tx: RealmTransaction,
  conversation: MissedConversation,
  texts: MailTexts,
  bodies: ReadonlyMap<number, MessageBody>,
): MailPart {
  const { missed, before, origin, reader } = conversation
  const place = placeOf(tx, conversation, texts)
  const write = messageWriter(tx, reader, texts, origin, bodies, place.hasNames)
  const shown = missed.slice(0, MOST_SHOWN).map(({ message }) => message)
  const more = missed.length - shown.length
  const [above, below] = [write(before), write(shown)]
  const headings = before.length === 0 ? [] : [texts.missed.before, texts.missed.after]
  const moreText = more > 0 ? [texts.missed.more(more)] : []
  const heading = (text: string | undefined) =>
    text === undefined ? html`` : html`<p style="color:#555">${text}</p>`
  return {
    subject: place.subject,
    text: [
      ...(before.length === 0 ? [] : [`${headings[0]}\n`, above.text, `${headings[1]}\n`]),
      below.text,
      ...moreText.map((text) => `${text}\n`),
    ].join('\n'),
    html: html`${heading(headings[0])}${above.html}${heading(headings[1])}${below.html}${moreText.map((text) => html`<p>${text}</p>`)}`,
    why: place.why,
  }
}

interface Place {
  readonly subject: string
  readonly why: string
  /** Between two people it is clear who speaks. */
  readonly hasNames: boolean
}

function placeOf(tx: RealmTransaction, { reader, missed }: MissedConversation, texts: MailTexts): Place {
  const { message, why } = missed[0]!
  const recipient = recipientOf(message.recipientId)
  if (recipient.kind === 'channel') {
    const channel = findChannel(tx.sql, recipient.id)!.name
    // All are in one topic: the newest says how it is spelled now.
    const name = topicOfMessage(tx.sql, missed.at(-1)!.message)?.name ?? ''
    const isResolved = name.startsWith(RESOLVED_TOPIC_PREFIX)
    const topic = (isResolved ? name.slice(RESOLVED_TOPIC_PREFIX.length) : name) || texts.emptyTopic
    const group = why.groupId === null ? null : (findGroup(tx.sql, why.groupId)?.name ?? null)
    return {
      subject: texts.missed.subject.channel(channel, topic, isResolved),
      why: texts.missed.why({ cause: why.cause, group, channel, topic }),
      hasNames: true,
    }
  }
  const members = conversationById(tx.sql, recipient.id)?.members ?? []
  const names = namesFor(
    tx,
    reader,
    members.filter((id) => id !== reader.id),
  )
  return {
    subject:
      names.size === 1
        ? texts.missed.subject.direct([...names.values()][0]!)
        : texts.missed.subject.group([...names.values()]),
    why: '',
    hasNames: names.size > 1,
  }
}

/** Guests are told nothing of people they cannot see. */
function namesFor(tx: RealmTransaction, reader: User, userIds: readonly number[]): Map<number, string> {
  const viewer = { user: reader, actor: actorOf(tx.sql, reader, tx.now) }
  const users = findUsers(tx.sql, userIds)
  return new Map(
    userIds.map((id) => {
      const user = users.get(id)
      return [id, user && seesUser(tx, viewer, user) ? user.fullName : UNKNOWN_USER_NAME]
    }),
  )
}

type WriteMessages = (messages: readonly IndexedMessage[]) => { readonly text: string; readonly html: Html }

/** Writes messages one after the other, with the name where another begins to speak. All of a mail have its room together. */
function messageWriter(
  tx: RealmTransaction,
  reader: User,
  { missed: texts }: MailTexts,
  origin: string,
  bodies: ReadonlyMap<number, MessageBody>,
  hasNames: boolean,
): WriteMessages {
  const rendering = { origin, hidden: texts.hiddenSpoiler }
  let room = LONGEST_MAIL
  const write = ({ id }: IndexedMessage) => {
    const { renderedContent } = bodies.get(id)!
    room -= renderedContent.length
    if (renderedContent.length > LONGEST_MESSAGE || room < 0) {
      return { text: texts.long, html: html`<p><em>${texts.long}</em></p>` }
    }
    return {
      text: textForMail(renderedContent, rendering),
      html: new Html(htmlForMail(renderedContent, rendering)),
    }
  }
  return (messages) => {
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

function footerOf(
  tx: RealmTransaction,
  { reader, missed, origin }: MissedConversation,
  { missed: texts }: MailTexts,
  organization: string,
): { readonly text: string; readonly html: Html; readonly unsubscribe: string } {
  const links: [string, string][] = [
    [texts.open, linkToMessage(tx, missed[0]!.message, origin)],
    [texts.settings, `${origin}/#settings/notifications`],
  ]
  const unsubscribe = unsubscribeUrl(tx, origin, 'missed_messages', reader.id)
  links.push([texts.unsubscribe, unsubscribe])
  const noReply = texts.noReply(organization)
  return {
    text: [...links.map(([name, url]) => `${name}: ${url}`), noReply].join('\n'),
    html: html`${links.map(([name, url]) => html`<p><a href="${url}">${name}</a></p>\n`)}<p>${noReply}</p>`,
    unsubscribe,
  }
}

/** Mail programs put together what refers to the same mail, though there never was one. */
function threadHeaders(tx: RealmTransaction, { reader, missed }: MissedConversation): Record<string, string> {
  const { recipientId, topicId } = missed[0]!.message
  const root = `<conversation-${tx.realm.id}-${recipientId}-${topicId}-${reader.id}@${tx.realm.host}>`
  return { 'In-Reply-To': root, References: root }
}

function namesOrganization(reader: User, isOneOfMany: boolean): boolean {
  const policy = userSetting(reader, 'realm_name_in_email_notifications_policy')
  return policy === NAME_POLICY.always || (policy === NAME_POLICY.automatic && isOneOfMany)
}
