import * as v from 'valibot'
import { displayRecipientUser, messageEntries } from '../../events/message.ts'

/** An edit in a message's history (docs/interface/messages.md#the-message-object). */
export const editEntries = {
  user_id: v.nullable(v.number()),
  timestamp: v.number(),
  prev_content: v.optional(v.string()),
  prev_rendered_content: v.optional(v.string()),
  prev_stream: v.optional(v.number()),
  stream: v.optional(v.number()),
  prev_topic: v.optional(v.string()),
  topic: v.optional(v.string()),
}

/** A message as the API gives it (docs/interface/messages.md#the-message-object). */
export const messageSchema = v.object({
  ...messageEntries,
  reactions: v.array(
    v.object({
      emoji_name: v.string(),
      emoji_code: v.string(),
      reaction_type: v.picklist(['unicode_emoji', 'realm_emoji', 'svc_extra_emoji', 'zulip_extra_emoji']),
      user_id: v.number(),
      user: displayRecipientUser,
    }),
  ),
  flags: v.array(v.string()),
  last_edit_timestamp: v.optional(v.number()),
  last_moved_timestamp: v.optional(v.number()),
  edit_history: v.optional(v.array(v.object(editEntries))),
  match_content: v.optional(v.string()),
  match_subject: v.optional(v.string()),
})
