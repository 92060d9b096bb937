import type { MailTexts } from '../../../texts/compiled/mail.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { type Html, html } from '../../core/written-languages.ts'
import { channelLink } from '../../markdown/message-links.ts'
import { mailHtml, type OutgoingEmail } from '../../model/emails/letter.ts'
import { namesIn, textsFor } from '../../model/emails/texts-for.ts'
import { unsubscribeHeaders, unsubscribeUrl } from '../../model/emails/unsubscribe-token.ts'
import { linkToMessage } from '../../model/messages/read/addresses-of-message.ts'
import type { Digest } from '../../store/digests/digest-rows.ts'
import type { IndexedMessage } from '../../store/messages/message-rows.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import {
  conversationInMail,
  footerOf,
  type MailContext,
  messageWriter,
  namesFor,
  subjectFor,
  whoHides,
} from './messages-in-mail.ts'
import type { DigestConversation, DigestPlan } from './plan-digest.ts'

/** The week of a digest, its period, and the organization's address for its reader. */
export type DigestOccasion = Pick<Digest, 'round' | 'since' | 'origin'>

/** A part of a digest, as text and as HTML. */
interface Said {
  readonly text: string
  readonly html: Html
}

export function messagesIn({ missed, topics }: DigestPlan): IndexedMessage[] {
  return [...missed, ...topics].flatMap(({ shown }) => shown)
}

/** Writes the mail. Undefined when a message was edited after its text was looked up: the old text must not be sent. */
export function writeDigest(
  tx: RealmTransaction,
  plan: DigestPlan,
  { round, origin }: DigestOccasion,
  { bodies, isOneOfMany }: MailContext,
): OutgoingEmail | undefined {
  if (messagesIn(plan).some(({ id, version }) => bodies.get(id)?.version !== version)) return undefined
  const { reader } = plan
  const texts = textsFor(reader)
  const organization = realmProperty(tx.sql, 'name')
  const write = messageWriter(tx, reader, texts, origin, bodies)
  const parts = whoHides(tx, reader)
    ? hiddenParts(tx, plan, texts)
    : [
        ...missedPart(tx, plan, texts, { write, origin }),
        ...topicsPart(tx, plan, texts, { write, origin }),
        ...channelsPart(plan, texts, origin),
      ]
  const said = [paragraph(texts.digest.happened(organization)), ...parts]
  const unsubscribe = unsubscribeUrl(tx, origin, 'digest', reader.id)
  const links = [
    [texts.digest.open(organization), `${origin}/`],
    [texts.missed.settings, `${origin}/#settings/notifications`],
    [texts.digest.unsubscribe, unsubscribe],
  ] as const
  const footer = footerOf(links, texts.missed.noReply(organization))
  const subject = subjectFor(reader, texts.digest.subject(organization), organization, isOneOfMany)
  return {
    messageId: `<digest-${tx.realm.id}-${reader.id}-${round}@${tx.realm.host}>`,
    recipient: reader.deliveryEmail,
    senderName: texts.digest.senderName(organization),
    subject,
    text: `${[...said.map(({ text }) => text), `-- \n${footer.text}`].join('\n\n')}\n`,
    html: mailHtml(texts.language, subject, html`${said.map((part) => part.html)}`, footer.html),
    headers: { 'List-Id': `<digest.${tx.realm.host}>`, ...unsubscribeHeaders(unsubscribe) },
    writtenAt: tx.now,
  }
}

/** Returns the parts of a digest without texts, senders and conversations. */
function hiddenParts(tx: RealmReads, plan: DigestPlan, { digest, hiddenBy }: MailTexts): Said[] {
  const numbers = {
    conversations: plan.missed.length + plan.moreMissed,
    topics: plan.topics.length,
    channels: plan.channels.length + plan.moreChannels,
  }
  const kinds = ['conversations', 'topics', 'channels'] as const
  const counts = kinds.filter((kind) => numbers[kind] > 0).map((kind) => digest.count[kind](numbers[kind]))
  return [
    {
      text: counts.map((count) => `- ${count}`).join('\n'),
      html: html`<ul>${counts.map((count) => html`<li>${count}</li>`)}</ul>\n`,
    },
    paragraph(hiddenBy[whoHides(tx, plan.reader)!]),
  ]
}

interface Writing {
  readonly write: ReturnType<typeof messageWriter>
  readonly origin: string
}

function missedPart(tx: RealmReads, plan: DigestPlan, texts: MailTexts, writing: Writing): Said[] {
  if (plan.missed.length === 0) return []
  return [
    heading(texts.digest.missed),
    ...plan.missed.flatMap((one) => conversationPart(tx, plan, texts, writing, one)),
    ...(plan.moreMissed === 0 ? [] : [paragraph(texts.digest.moreConversations(plan.moreMissed))]),
  ]
}

function topicsPart(tx: RealmReads, plan: DigestPlan, texts: MailTexts, writing: Writing): Said[] {
  if (plan.topics.length === 0) return []
  return [
    heading(texts.digest.topics),
    ...plan.topics.flatMap((one) => conversationPart(tx, plan, texts, writing, one)),
  ]
}

/** Writes a conversation: its name as a link, the first messages, and how many more there are. */
function conversationPart(
  tx: RealmReads,
  { reader }: DigestPlan,
  texts: MailTexts,
  { write, origin }: Writing,
  { shown, more, isOpen, otherSenders }: DigestConversation,
): Said[] {
  const { title, hasNames } = conversationInMail(tx, reader, texts, shown.at(-1)!)
  const messages = write(shown, hasNames)
  const senders = hasNames ? namesIn(texts, [...namesFor(tx, reader, otherSenders).values()]) : ''
  return [
    linked(title, linkToMessage(tx, shown[0]!, origin)),
    { text: messages.text.trimEnd(), html: messages.html },
    ...(more === 0 ? [] : [paragraph(texts.digest.more({ count: more, isOpen, senders }))]),
  ]
}

function channelsPart({ channels, moreChannels }: DigestPlan, { digest }: MailTexts, origin: string): Said[] {
  if (channels.length === 0) return []
  return [
    heading(digest.channels),
    ...channels.map((channel) => linked(`#${channel.name}`, `${origin}${channelLink(channel)}`)),
    ...(moreChannels === 0 ? [] : [paragraph(digest.moreChannels(moreChannels))]),
  ]
}

function heading(text: string): Said {
  return {
    text: `${text}\n${'='.repeat(text.length)}`,
    html: html`<h2 style="font-size:17px;margin:24px 0 8px">${text}</h2>\n`,
  }
}

function paragraph(text: string): Said {
  return { text, html: html`<p>${text}</p>\n` }
}

function linked(name: string, url: string): Said {
  return {
    text: `${name}\n${url}`,
    html: html`<p style="margin-bottom:0"><a href="${url}">${name}</a></p>\n`,
  }
}
