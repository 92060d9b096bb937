import * as v from 'valibot'
import { MOVED_IN_ONE_COMMIT } from '../../core/commit-budgets.ts'
import { ServiceUnavailableError } from '../../core/errors.ts'
import {
  type PartlyMoved,
  type UpdatedMessage,
  updateMessage,
} from '../../domain/messages/edit/update-message.ts'
import { defineEndpoint, defineStep } from '../define-endpoint.ts'
import { inSeveralCommits } from '../in-several-commits.ts'
import { WORD_LENGTH } from '../input-limits.ts'
import {
  alias,
  integer,
  jsonBoolean,
  jsonInteger,
  listUpTo,
  nonNegativeInteger,
  pathInteger,
  textUpTo,
  wordOf,
} from '../parameter-types.ts'
import { attachment } from '../uploads/attachment-schema.ts'
import { messageContent, sentTopic } from './message-parameters.ts'

/**
 * Edits a message's content, or moves it to another topic or channel.
 * Source: docs/interface/messages.md#edit-or-move-a-message.
 */
export const updateMessageEndpoint = defineEndpoint({
  operation: 'update-message',
  method: 'PATCH',
  path: '/messages/:message_id',
  access: 'user',
  growsObject: true,
  params: {
    message_id: pathInteger,
    stream_id: v.optional(v.pipe(jsonInteger, v.description('The channel to move to.'))),
    topic: v.optional(alias('subject', v.pipe(sentTopic, v.description('The new topic.')))),
    propagate_mode: v.optional(wordOf(['change_one', 'change_later', 'change_all']), 'change_one'),
    send_notification_to_old_thread: v.optional(jsonBoolean, 'false'),
    send_notification_to_new_thread: v.optional(jsonBoolean, 'true'),
    content: v.optional(v.pipe(messageContent, v.description('The new Markdown text.'))),
    prev_content_sha256: v.optional(
      v.pipe(
        textUpTo(WORD_LENGTH),
        v.description('SHA-256, in lower-case hex, of the source that the client knows.'),
      ),
    ),
  },
  returns: v.object({ detached_uploads: v.array(attachment) }),
  command: updateMessage,
  audit: 'speech',
  idempotency: 'last-step',
  isLast: isWhole,
  async finish(first, params, worker) {
    const last = await inSeveralCommits<UpdatedMessage | PartlyMoved>(first, isWhole, async (before) => {
      const { operation } = updateMessageStep
      return (await worker.run(operation, { ...params, ...before })) as UpdatedMessage | PartlyMoved
    })
    // The moved part stays moved, and the same request repeated moves the rest.
    if (!isWhole(last)) throw new ServiceUnavailableError()
    return last
  },
})

/** Moves a further part of thousands of messages, in a commit of its own. */
export const updateMessageStep = defineStep({
  operation: 'update-message-step',
  access: 'user',
  params: {
    message_id: integer,
    stream_id: v.optional(integer),
    topic: v.optional(sentTopic),
    propagate_mode: v.picklist(['change_one', 'change_later', 'change_all']),
    send_notification_to_old_thread: v.boolean(),
    send_notification_to_new_thread: v.boolean(),
    content: v.optional(messageContent),
    prev_content_sha256: v.optional(textUpTo(WORD_LENGTH)),
    earlier: v.optional(
      v.strictObject({
        gone: nonNegativeInteger,
        targetHadMessages: v.boolean(),
        readAhead: v.optional(
          v.strictObject({
            since: nonNegativeInteger,
            ids: listUpTo(MOVED_IN_ONE_COMMIT, integer),
            upTo: nonNegativeInteger,
          }),
        ),
      }),
    ),
  },
  command: updateMessage,
  audit: 'speech',
  idempotency: 'last-step',
  isLast: isWhole,
})

function isWhole(result: UpdatedMessage | PartlyMoved): result is UpdatedMessage {
  return !('earlier' in result)
}
