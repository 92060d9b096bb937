import * as v from 'valibot'
import { defineEndpoint, type ParametersOf } from '../../api/define-endpoint.ts'
import { pathInteger, trimmedTextUpTo, wordOf } from '../../api/parameter-types.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import { countPoints } from '../../core/text-length.ts'
import { block, mentionText } from '../../markdown/mention-text.ts'
import type { Caller } from '../../model/caller.ts'
import { topicsPolicyIn } from '../../model/channels/read/present-channel.ts'
import { linkToMessage, quotedConversation } from '../../model/messages/read/addresses-of-message.ts'
import { requireReadableMessage } from '../../model/messages/read/message-access.ts'
import { contentUpTo, cutTopic, MAX_MESSAGE_LENGTH } from '../../model/messages/text/compose.ts'
import { noticeTexts } from '../../model/notices/channel-notice-texts.ts'
import { REPORT_TYPES } from '../../model/notices/report-reasons.ts'
import { sendNotice } from '../../model/sending/send-notice.ts'
import { type Channel, findChannel } from '../../store/channels/channel-rows.ts'
import type { IndexedMessage } from '../../store/messages/message-rows.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { findUser } from '../../store/users/user-rows.ts'

const MAX_DESCRIPTION_LENGTH = 1_000

const reportMessageParams = {
  message_id: pathInteger,
  report_type: wordOf(REPORT_TYPES),
  description: v.optional(trimmedTextUpTo(MAX_DESCRIPTION_LENGTH), ''),
}
type ReportMessageParams = ParametersOf<typeof reportMessageParams>

/** Reports a message to the moderators, in their channel for reports. Source: docs/interface/messages.md#report-a-message. */
export const reportMessageEndpoint = defineEndpoint({
  operation: 'report-message',
  route: 'POST /messages/:message_id/report',
  access: 'user',
  growsObject: true,
  params: reportMessageParams,
  command: {
    asks: true,
    apply(tx, caller, params) {
      if (params.report_type === 'other' && params.description === '') {
        throw new BadRequestError('An explanation is required.')
      }
      const channel = requireModerationChannel(tx)
      const message = requireReadableMessage(tx, caller, params.message_id)
      const { content: source } = tx.bodyOf(message)
      const topic =
        topicsPolicyIn(tx.sql, channel) === 'empty_topic_only'
          ? ''
          : cutTopic(`${findUser(tx.sql, message.senderId)!.fullName} moderation`)
      sendNotice(tx, {
        to: { channel, topic },
        content: reportText(tx, caller, { message, params, source }),
        cause: caller,
        origin: caller.source.origin,
        mentionsNobody: true,
      })
    },
  },
  audit: 'speech',
})

/** Characters for the block's fences and for the mark that the text was cut. */
const BLOCK_MARGIN = 50

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
  const texts = noticeTexts(tx).report
  const to = conversation.kind === 'direct' ? conversation.recipients : undefined
  const time = `<time:${new Date(message.sentAt * 1_000).toISOString().replace('.000Z', '+00:00')}>`
  const author = mentionText({ user: findUser(tx.sql, message.senderId)! })
  const original =
    conversation.kind === 'direct'
      ? `[${texts.original}](${linkToMessage(tx, message, caller.source.origin)})`
      : texts.originalAt(conversation.link)
  const head = [
    texts.line({ who: mentionText({ user: caller.user }), author, time, to }),
    block('quote', `**${texts.reasons[params.report_type]}**. ${params.description}`.trimEnd()),
  ].join('\n')
  const room = MAX_MESSAGE_LENGTH - countPoints(head) - countPoints(original) - BLOCK_MARGIN
  return `${head}\n${block(`spoiler ${original}`, contentUpTo(source, room))}`
}
