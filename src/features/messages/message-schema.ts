import * as v from 'valibot'

/** An edit in a message's history, newest first (docs/interface/messages.md#the-message-object). */
const editHistoryEntry = v.object({
  user_id: v.nullable(v.number()),
  timestamp: v.number(),
  prev_content: v.optional(v.string()),
  prev_rendered_content: v.optional(v.string()),
  prev_stream: v.optional(v.number()),
  stream: v.optional(v.number()),
  prev_topic: v.optional(v.string()),
  topic: v.optional(v.string()),
})

/** A message as the API gives it (docs/interface/messages.md#the-message-object). */
export const messageSchema = v.object({
  id: v.number(),
  sender_id: v.number(),
  sender_full_name: v.string(),
  sender_email: v.string(),
  sender_realm_str: v.string(),
  client: v.string(),
  timestamp: v.number(),
  type: v.picklist(['stream', 'private']),
  stream_id: v.optional(v.number()),
  display_recipient: v.union([
    v.string(),
    v.array(
      v.object({ id: v.number(), email: v.string(), full_name: v.string(), is_mirror_dummy: v.boolean() }),
    ),
  ]),
  recipient_id: v.number(),
  subject: v.string(),
  topic_links: v.array(v.object({ text: v.string(), url: v.string() })),
  is_me_message: v.boolean(),
  avatar_url: v.nullable(v.string()),
  reactions: v.array(
    v.object({
      emoji_name: v.string(),
      emoji_code: v.string(),
      reaction_type: v.picklist(['unicode_emoji', 'realm_emoji', 'svc_extra_emoji', 'zulip_extra_emoji']),
      user_id: v.number(),
      user: v.object({
        id: v.number(),
        email: v.string(),
        full_name: v.string(),
        is_mirror_dummy: v.boolean(),
      }),
    }),
  ),
  submessages: v.array(
    v.object({
      id: v.number(),
      message_id: v.number(),
      sender_id: v.number(),
      msg_type: v.string(),
      content: v.string(),
    }),
  ),
  flags: v.array(v.string()),
  last_edit_timestamp: v.optional(v.number()),
  last_moved_timestamp: v.optional(v.number()),
  edit_history: v.optional(v.array(editHistoryEntry)),
  content: v.string(),
  content_type: v.picklist(['text/html', 'text/x-markdown']),
  match_content: v.optional(v.string()),
  match_subject: v.optional(v.string()),
})
