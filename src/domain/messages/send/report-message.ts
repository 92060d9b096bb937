import type { Command } from '../../../core/command.ts'
import { BadRequestError } from '../../../core/errors.ts'
import type { RealmReads } from '../../../core/realm-transaction.ts'
import { countPoints } from '../../../core/text-length.ts'
import { mentionText } from '../../../markdown/mention-text.ts'
import { effectiveTopicsPolicy } from '../../../permissions/topic-rules.ts'
import type { Caller } from '../../caller.ts'
import { type Channel, findChannel } from '../../channels/channel-rows.ts'
import { realmProperty } from '../../realm/realm-setting-rows.ts'
import type { IndexedMessage } from '../message-rows.ts'
import { requireReadableMessage } from '../read/message-access.ts'
import { linkToMessage } from './addresses-of-message.ts'
import { cutTopic, MAX_MESSAGE_LENGTH } from './message-text.ts'
import { block, cutSource, quotedConversation, senderOf } from './quote-message.ts'
import { REPORT_REASONS, type ReportType } from './report-reasons.ts'
import { sendNotice } from './send-notice.ts'

export interface ReportMessageParams {
  readonly message_id: number
  readonly report_type: ReportType
  readonly description: string
}

/** Characters for the fences of the block and for what replaces its end. */
const BLOCK_MARGIN = 50

/**
 * Reports a message to the moderators, in their channel for that. Source:
 * docs/interface/messages.md#report-a-message.
 */
export const reportMessage: Command<Caller, ReportMessageParams, void, object> = {
  readsBodies: true,

  apply(tx, caller, params) {
    if (params.report_type === 'other' && params.description === '') {
      throw new BadRequestError('An explanation is required.')
    }
    const channel = requireModerationChannel(tx)
    const message = requireReadableMessage(tx, caller, params.message_id)
    const { content: source } = tx.bodyOf(message)
    const policy = effectiveTopicsPolicy(channel.topicsPolicy, realmProperty(tx.sql, 'topics_policy'))
    const topic =
      policy === 'empty_topic_only' ? '' : cutTopic(`${senderOf(tx, message).fullName} moderation`)
    sendNotice(tx, {
      to: { channel, topic },
      content: reportText(tx, caller, { message, params, source }),
      cause: caller,
      origin: caller.source.origin,
      mentionsNobody: true,
    })
    return {}
  },
}

function requireModerationChannel({ sql }: RealmReads): Channel {
  const channel = findChannel(sql, realmProperty(sql, 'moderation_request_channel_id'))
  if (!channel || channel.isArchived) {
    throw new BadRequestError('Message reporting is not enabled in this organization.')
  }
  return channel
}

interface Report {
  readonly message: IndexedMessage
  readonly params: ReportMessageParams
  readonly source: string
}

function reportText(tx: RealmReads, caller: Caller, { message, params, source }: Report): string {
  const conversation = quotedConversation(tx, message)
  const to = conversation.kind === 'direct' ? ` to ${conversation.recipients}` : ''
  const time = `<time:${new Date(message.sentAt * 1_000).toISOString().replace('.000Z', '+00:00')}>`
  const author = mentionText({ user: senderOf(tx, message) })
  const original =
    conversation.kind === 'direct'
      ? `[Original message](${linkToMessage(tx, message, caller.source.origin)})`
      : `Original message at ${conversation.link}`
  const head = [
    `${mentionText({ user: caller.user })} reported a message sent by ${author}${to} at ${time}.`,
    block('quote', `**${REPORT_REASONS[params.report_type]}**. ${params.description}`.trimEnd()),
  ].join('\n')
  const room = MAX_MESSAGE_LENGTH - countPoints(head) - countPoints(original) - BLOCK_MARGIN
  return `${head}\n${block(`spoiler ${original}`, cutSource(source, room))}`
}
