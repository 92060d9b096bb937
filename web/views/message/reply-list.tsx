import './reply-list.css'
import { state } from '../../chat.ts'
import { hrefOfConversation } from '../../navigation.ts'
import { conversationOf } from '../../state/conversation.ts'
import { t } from '../../texts/texts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Time } from '../../ui/time.tsx'
import { previewPartsOf } from '../inbox/preview.ts'
import { userName } from '../words.ts'

/** Replies to a message, each of which leads to its place. */
export function ReplyList({ ids }: { readonly ids: readonly number[] }) {
  const messages = ids.flatMap((id) => state.messages.get(id) ?? [])
  return (
    <ul class="reply-list" aria-label={t.replies.list}>
      {messages.map((message) => {
        const { id, sender_id, avatar_url, timestamp } = message
        const picture = state.users.get(sender_id)?.avatar_url ?? avatar_url
        const name = userName(sender_id)
        return (
          <li key={id}>
            <a href={hrefOfConversation(conversationOf(message, state.me), id)}>
              <Avatar url={picture} name={name} size={20} />
              <strong class="one-line" dir="auto">
                {name}
              </strong>
              <span class="one-line" dir="auto">
                {previewPartsOf(message).text}
              </span>
              <Time seconds={timestamp} />
            </a>
          </li>
        )
      })}
    </ul>
  )
}
