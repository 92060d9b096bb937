import type { MailTexts } from '../../../texts/compiled/mail.ts'
import type { MessageBody } from '../../core/message-bodies.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { DAY } from '../../core/time.ts'
import { type Html, html } from '../../core/written-languages.ts'
import { mailHtml, type OutgoingEmail } from '../../model/emails/letter.ts'
import { textsFor } from '../../model/emails/texts-for.ts'
import { unsubscribeHeaders, unsubscribeUrl } from '../../model/emails/unsubscribe-token.ts'
import { signedLocalPart } from '../../model/incoming-mail/mail-address.ts'
import { linkToMessage } from '../../model/messages/read/addresses-of-message.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { findGroup } from '../../store/user-groups/user-group-rows.ts'
import {
  conversationInMail,
  footerOf,
  type MailContext,
  messageWriter,
  subjectFor,
  whoHides,
} from './messages-in-mail.ts'
import type { MissedConversation } from './plan-missed-mail.ts'

/** Number of missed messages that a mail shows; others are only counted. */
export const MAX_SHOWN = 20

/**
 * Writes the mail about a conversation. Undefined when a message was edited after its text was looked up: the old text must
 * not be sent. `domain`: the domain for replies; undefined where none are accepted.
 */
export function writeMissedMail(
  tx: RealmTransaction,
  conversation: MissedConversation,
  { bodies, isOneOfMany, domain }: MailContext & { readonly domain: string | undefined },
): OutgoingEmail | undefined {
  const { reader, missed, before, origin } = conversation
  const all = [...before, ...missed.map(({ message }) => message)]
  if (all.some(({ id, version }) => bodies.get(id)?.version !== version)) return undefined
  const texts = textsFor(reader)
  const organization = realmProperty(tx.sql, 'name')
  const part = whoHides(tx, reader)
    ? hiddenPart(tx, conversation, texts, organization)
    : shownPart(tx, conversation, texts, bodies)
  const replyTo = domain === undefined ? undefined : `${replyLocalPart(tx, conversation)}@${domain}`
  const unsubscribe = unsubscribeUrl(tx, origin, 'missed_messages', reader.id)
  const links = [
    [texts.missed.open, linkToMessage(tx, missed[0]!.message, origin)],
    [texts.missed.settings, `${origin}/#settings/notifications`],
    [texts.missed.unsubscribe, unsubscribe],
  ] as const
  const footer = footerOf(links, replyTo ? texts.missed.answer : texts.missed.noReply(organization))
  const why = part.why === '' ? [] : [part.why]
  const subject = subjectFor(reader, part.subject, organization, isOneOfMany)
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
      ...(replyTo === undefined ? {} : { 'Reply-To': replyTo }),
      ...unsubscribeHeaders(unsubscribe),
    },
    writtenAt: tx.now,
  }
}

/** The content of a mail, in both forms. */
interface MailPart {
  readonly subject: string
  readonly text: string
  readonly html: Html
  /** '' without a reason to give. */
  readonly why: string
}

/** Writes a part without texts, senders and the conversation. */
function hiddenPart(
  tx: RealmReads,
  { reader, missed }: MissedConversation,
  texts: MailTexts,
  organization: string,
): MailPart {
  const reason = texts.hiddenBy[whoHides(tx, reader)!]
  const said = texts.missed.hiddenBy({ reason, organization, count: missed.length })
  return { subject: texts.missed.subject.hidden, text: `${said}\n`, html: html`<p>${said}</p>`, why: '' }
}

function shownPart(
  tx: RealmReads,
  conversation: MissedConversation,
  texts: MailTexts,
  bodies: ReadonlyMap<number, MessageBody>,
): MailPart {
  const { missed, before, origin, reader } = conversation
  const frame = frameOf(tx, conversation, texts)
  const write = messageWriter(tx, reader, texts, origin, bodies)
  const shown = missed.slice(0, MAX_SHOWN).map(({ message }) => message)
  const more = missed.length - shown.length
  const [above, below] = [write(before, frame.hasNames), write(shown, frame.hasNames)]
  const headings = before.length === 0 ? [] : [texts.missed.before, texts.missed.after]
  const moreText = more > 0 ? [texts.missed.more(more)] : []
  const heading = (text: string | undefined) =>
    text === undefined ? html`` : html`<p style="color:#555">${text}</p>`
  return {
    subject: frame.subject,
    text: [
      ...(before.length === 0 ? [] : [`${headings[0]}\n`, above.text, `${headings[1]}\n`]),
      below.text,
      ...moreText.map((text) => `${text}\n`),
    ].join('\n'),
    html: html`${heading(headings[0])}${above.html}${heading(headings[1])}${below.html}${moreText.map((text) => html`<p>${text}</p>`)}`,
    why: frame.why,
  }
}

function frameOf(tx: RealmReads, { reader, missed }: MissedConversation, texts: MailTexts) {
  const { why } = missed[0]!
  // All messages are in one topic, and the newest has the topic's present spelling.
  const { title, hasNames, place } = conversationInMail(tx, reader, texts, missed.at(-1)!.message)
  const group = why.groupId === null ? null : (findGroup(tx.sql, why.groupId)?.name ?? null)
  return {
    subject: title,
    why: place && why.cause !== 'direct_message' ? reason(texts, why.cause, { group, ...place }) : '',
    hasNames,
  }
}

interface About {
  /** The mentioned group; null if the reader was mentioned by name. */
  readonly group: string | null
  readonly channel: string
  /** The channel and the topic, as a subject names them. */
  readonly conversation: string
}

/** Returns why the reader gets the mail. */
function reason(
  { missed: { why } }: MailTexts,
  cause: keyof MailTexts['missed']['why'],
  { group, channel, conversation }: About,
): string {
  if (cause === 'mention') return why.mention(group)
  const isOfChannel = cause === 'channel' || cause === 'channel_wildcard_mention'
  return why[cause](isOfChannel ? channel : conversation)
}

/** Returns the local part of the address for replies, which go to the present conversation of the mail's newest message. */
function replyLocalPart(tx: RealmTransaction, { reader, missed }: MissedConversation): string {
  const lastDay = Math.floor(tx.now / DAY) + REPLY_DAYS
  return signedLocalPart(tx, 'reply', [reader.id, missed.at(-1)!.message.id, lastDay])
}

/** Returns headers that refer to a mail that never existed, so that mail programs group the conversation. */
function threadHeaders(tx: RealmReads, { reader, missed }: MissedConversation): Record<string, string> {
  const { recipientId, topicId } = missed[0]!.message
  const root = `<conversation-${tx.realm.id}-${recipientId}-${topicId}-${reader.id}@${tx.realm.host}>`
  return { 'In-Reply-To': root, References: root }
}

/** Days for which mail about missed messages can be answered. */
const REPLY_DAYS = 90
