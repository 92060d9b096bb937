import type { Command } from '../../core/command.ts'
import { NotFoundError } from '../../core/errors.ts'
import { recipientOf } from '../../core/recipient-id.ts'
import { findMessage, findMessages } from '../../store/messages/message-rows.ts'
import { endsOfTopic, idsOfTopicBefore, idsOfTopicFrom } from '../../store/messages/public-topic-rows.ts'
import type { Anyone } from '../anyone.ts'
import { type PresentedMessage, presentMessages } from '../messages/read/present-message.ts'
import { topicOfMessage } from '../messages/topic-of-message.ts'
import { inPublicForm } from './public-form.ts'
import {
  type PublicChannel,
  type PublicOrganization,
  publicChannel,
  publicOrganization,
  requirePublicChannel,
} from './public-organization.ts'
import { spectatorCaller } from './spectator.ts'

const MESSAGES_OF_A_PAGE = 50

export interface PublicTopicPage {
  readonly organization: PublicOrganization
  readonly channel: PublicChannel
  readonly topic: { readonly name: string; readonly first: number; readonly newest: number }
  /** Messages in the form for spectators, without their texts; the first is the one that was asked for. */
  readonly messages: readonly PresentedMessage[]
  /** The first message of the previous page, and of the next; null where there is none. */
  readonly older: number | null
  readonly newer: number | null
}

/**
 * Returns a page of a topic of a web-public channel, by the message with which it begins, so that it is found
 * wherever the message has moved.
 * @throws NotFoundError for any other message, and for an unknown one.
 */
export const showPublicTopic: Command<Anyone, { readonly messageId: number }, void, PublicTopicPage> = {
  apply(tx, { source }, { messageId }) {
    const { sql } = tx
    const asked = findMessage(sql, messageId)
    const recipient = asked && recipientOf(asked.recipientId)
    if (recipient?.kind !== 'channel') throw new NotFoundError('Not found')
    const channel = requirePublicChannel(sql, recipient.id)
    const { topicId } = asked!
    const ids = idsOfTopicFrom(sql, topicId, messageId, MESSAGES_OF_A_PAGE + 1)
    const before = idsOfTopicBefore(sql, topicId, messageId, MESSAGES_OF_A_PAGE)
    const ends = endsOfTopic(sql, topicId)
    const messages = findMessages(sql, ids.slice(0, MESSAGES_OF_A_PAGE))
    return {
      organization: publicOrganization(tx, source.origin),
      channel: publicChannel(channel),
      topic: { ...ends, name: topicOfMessage(sql, findMessage(sql, ends.newest)!)!.name },
      messages: inPublicForm(
        tx,
        presentMessages(tx, spectatorCaller(tx, source), messages, {
          clientGravatar: false,
          allowEmptyTopic: true,
        }),
      ),
      older: before.at(-1) ?? null,
      newer: ids[MESSAGES_OF_A_PAGE] ?? null,
    }
  },
}
