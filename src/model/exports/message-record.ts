import { parseJson } from '../../core/json.ts'
import type { Edit, Reaction, RecordOf } from '../../imports/neutral.ts'
import { referenceTo } from '../../imports/references.ts'
import { type Referable, withReferences } from '../../imports/server-texts.ts'
import type { CompleteMessage } from '../messages/in-worker/complete-message.ts'

/** Edits of a message that are exported, the newest. */
const MAX_EDITS = 1_000

/** Returns the record of a message, with references in place of the ids in its text. */
export function messageRecord(message: CompleteMessage, within: Referable): RecordOf<'message'> {
  const { edit_history = [], last_edit_timestamp, reactions, submessages } = message
  const edits = edit_history.slice(0, MAX_EDITS).map(editOf)
  return {
    type: 'message',
    id: String(message.id),
    sender: String(message.sender_id),
    time_ms: message.timestamp * 1_000,
    content: withReferences(message.content, within),
    ...placeOf(message),
    ...(edits.length > 0 && { edits }),
    ...(last_edit_timestamp !== undefined && { edited_ms: last_edit_timestamp * 1_000 }),
    ...(reactions.length > 0 && { reactions: reactions.map(reactionOf) }),
    ...(submessages.length > 0 && {
      widget: submessages.map(({ sender_id, content }) => ({
        user: String(sender_id),
        content: withPeople(content),
      })),
    }),
  }
}

function placeOf({
  stream_id,
  subject,
  display_recipient,
}: CompleteMessage): Pick<RecordOf<'message'>, 'channel' | 'topic' | 'to'> {
  return typeof display_recipient === 'string'
    ? { channel: String(stream_id), topic: subject }
    : { to: display_recipient.map(({ id }) => String(id)) }
}

function editOf(edit: NonNullable<CompleteMessage['edit_history']>[number]): Edit {
  const { user_id, prev_content, prev_topic, prev_stream } = edit
  return {
    time_ms: edit.timestamp * 1_000,
    user: String(user_id),
    ...(prev_content !== undefined && { content: prev_content }),
    ...(prev_topic !== undefined && { topic: prev_topic }),
    ...(prev_stream !== undefined && { channel: String(prev_stream) }),
  }
}

function reactionOf(reaction: CompleteMessage['reactions'][number]): Reaction {
  const { user_id, emoji_name: emoji, emoji_code: code, reaction_type } = reaction
  const user = String(user_id)
  return reaction_type === 'unicode_emoji'
    ? { user, emoji, kind: 'unicode', code }
    : { user, emoji, kind: 'custom' }
}

/** Returns an entry of a poll or a to-do list. The keys of options and tasks contain the id of the user who added them. */
function withPeople(content: string): string {
  const entry = parseJson(content) as { readonly type?: unknown; readonly key?: unknown }
  const { type, key } = entry
  if (typeof key !== 'string' || (type !== 'vote' && type !== 'strike')) return content
  const named = key.replace(type === 'vote' ? /^\d{1,15}(?=,)/ : /\d{1,15}$/, (id) => referenceTo('user', id))
  return JSON.stringify({ ...entry, key: named })
}
