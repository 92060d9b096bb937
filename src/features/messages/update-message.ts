import * as v from 'valibot'
import { attachment } from '../../api/attachment-schema.ts'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { WORD_LENGTH } from '../../api/input-limits.ts'
import { messageContent, sentTopic } from '../../api/message-parameters.ts'
import { alias, jsonBoolean, jsonInteger, pathInteger, textUpTo, wordOf } from '../../api/parameter-types.ts'
import { updateMessage } from './edit/update-message.ts'

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
})
