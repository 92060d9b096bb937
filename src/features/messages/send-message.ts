import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { ADDRESSES_LENGTH, CLIENT_ID_LENGTH, NAME_LENGTH, WIDGET_LENGTH } from '../../api/input-limits.ts'
import { alias, described, json, textUpTo, wordOf } from '../../api/parameter-types.ts'
import { messageContent, sentTopic } from '../../api/shared-parameters.ts'
import { sendForCaller } from '../../model/sending/send-for-caller.ts'
import { warnOfMissingChannel } from '../../model/sending/warn-bot-owner.ts'

/** Sends a message to a channel's topic or to people. Source: docs/interface/messages.md#send-a-message. */
export const sendMessageEndpoint = defineEndpoint({
  operation: 'send-message',
  route: 'POST /messages',
  access: 'user',
  growsObject: true,
  takesWebhookBots: true,
  params: {
    type: wordOf(['direct', 'private', 'stream', 'channel']),
    sender: v.optional(
      described(
        textUpTo(NAME_LENGTH),
        'Only for bridges to other services, which Parley does not have; it is refused.',
      ),
    ),
    forged: v.optional(described(textUpTo(NAME_LENGTH), 'Like `sender`, only for bridges; it is refused.')),
    to: v.optional(
      described(
        textUpTo(ADDRESSES_LENGTH),
        'Channel name or id; user ids or addresses, as JSON or comma-separated.',
      ),
    ),
    topic: v.optional(alias('subject', sentTopic)),
    content: messageContent,
    widget_content: v.optional(textUpTo(WIDGET_LENGTH)),
    local_id: v.optional(textUpTo(CLIENT_ID_LENGTH)),
    queue_id: v.optional(textUpTo(CLIENT_ID_LENGTH)),
    read_by_sender: v.optional(json(v.nullable(v.boolean()))),
  },
  returns: v.object({
    id: v.number(),
    message_url: v.optional(v.string()),
    message_link: v.optional(v.string()),
    automatic_new_visibility_policy: v.optional(v.number()),
  }),
  command: {
    apply: sendForCaller,
    afterRefusal(tx, { user, source }, _params, refusal) {
      warnOfMissingChannel(tx, user, refusal, source.origin)
    },
  },
  audit: 'speech',
  // The message itself is found by the key with which it was sent
  // (docs/decisions/design.md#sends-are-exactly-once), and by the client's own id.
  idempotency: 'own',
  repeatable: ({ queue_id, local_id }) => queue_id !== undefined && local_id !== undefined,
})
