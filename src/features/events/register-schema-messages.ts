import * as v from 'valibot'
import { integer } from '../../api/parameter-types.ts'
import { draftSchema } from '../../events/drafts.ts'
import { reminderSchema } from '../../events/reminders.ts'
import { savedSnippetSchema } from '../../events/saved-snippets.ts'
import { scheduledMessageEntries } from '../../events/scheduled-messages.ts'

const ids = v.array(integer)

/** Keys about messages, sent and to be sent, by fetch type. Source: docs/interface/register.md#what-the-snapshot-has. */
export const messageKeys = {
  alert_words: { alert_words: v.array(v.string()) },
  drafts: { drafts: v.array(draftSchema) },
  message: { max_message_id: integer },
  recent_private_conversations: {
    recent_private_conversations: v.array(v.object({ user_ids: ids, max_message_id: integer })),
  },
  reminders: { reminders: v.array(reminderSchema) },
  saved_snippets: { saved_snippets: v.array(savedSnippetSchema) },
  scheduled_messages: { scheduled_messages: v.array(v.object(scheduledMessageEntries)) },
  starred_messages: { starred_messages: ids },
}

/** The keys of `message` and `update_message_flags` together. Source: docs/interface/reading.md#unread-messages. */
export const unreadKeys = {
  unread_msgs: v.object({
    count: integer,
    pms: v.array(v.object({ other_user_id: integer, sender_id: integer, unread_message_ids: ids })),
    streams: v.array(v.object({ stream_id: integer, topic: v.string(), unread_message_ids: ids })),
    huddles: v.array(v.object({ user_ids_string: v.string(), unread_message_ids: ids })),
    mentions: ids,
    old_unreads_missing: v.boolean(),
  }),
}
