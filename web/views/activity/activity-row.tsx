import { state, watch } from '../../chat.ts'
import { hrefOfConversation } from '../../navigation.ts'
import { type ActivityItem, reactionsOfOthers } from '../../state/activity.ts'
import { conversationOf } from '../../state/conversation.ts'
import type { Message } from '../../state/wire.ts'
import { r } from '../../texts/reading.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { sinceShort, wholeTime } from '../../ui/time.tsx'
import { tip } from '../../ui/tooltip.ts'
import { EmojiGlyph } from '../emoji/emoji-glyph.tsx'
import { previewPartsOf } from '../inbox/preview.ts'
import { safeNodes } from '../message/safe-html.ts'
import { now } from '../preferences.ts'
import { conversationName, listedBriefly, userName } from '../words.ts'

const NAMED = 3
const EMOJI = 5

/** One thing that concerns the user: who did what, where, and the words. Its link leads to the message. */
export function ActivityRow({ item }: { readonly item: ActivityItem }) {
  const { kind, message } = item
  watch(`message ${message.id}`)
  const reactions = kind === 'reactions' ? reactionsOfOthers(state, message) : []
  const actors =
    kind === 'reactions' ? [...new Set(reactions.map(({ user_id }) => user_id))] : [message.sender_id]
  const emoji = [...new Map(reactions.map((one) => [`${one.reaction_type} ${one.emoji_code}`, one])).values()]
  const isNew = kind !== 'reactions' && !message.flags.includes('read')
  const conversation = conversationOf(message, state.me)
  const [actor = message.sender_id] = actors
  const { text } = previewPartsOf(kind === 'replies' ? withoutQuotes(message) : message)
  return (
    <li class="inbox-row">
      <a
        class={isNew ? 'inbox-link inbox-link-new' : 'inbox-link'}
        href={hrefOfConversation(conversation, message.id)}
      >
        <span class="row-face" aria-hidden="true">
          <Avatar url={state.users.get(actor)?.avatar_url} name={userName(actor)} size={32} />
        </span>
        <span class="row-text">
          <span class="row-first">
            <span class="one-line row-name" dir="auto">
              {sentenceOf(item, actors)}
            </span>
            {emoji.length > 0 && (
              <span class="activity-emoji">
                {emoji.slice(0, EMOJI).map((one) => (
                  <EmojiGlyph key={one.emoji_code} emoji={one} />
                ))}
                <span class="hidden-text">{emoji.map(({ emoji_name }) => `:${emoji_name}:`).join(' ')}</span>
              </span>
            )}
            {isNew && (
              <span class="activity-new">
                <span class="hidden-text">{r.activity.unread}</span>
              </span>
            )}
          </span>
          <span class="row-preview one-line" dir="auto">
            <bdi class="activity-place">{conversationName(conversation)}</bdi> · {text}
          </span>
        </span>
        <time
          class="recent-time"
          dateTime={new Date(message.timestamp * 1_000).toISOString()}
          {...tip(wholeTime(message.timestamp))}
        >
          {sinceShort(message.timestamp, now.value)}
        </time>
      </a>
    </li>
  )
}

function sentenceOf({ kind, message }: ActivityItem, actors: readonly number[]): string {
  const name = userName(message.sender_id)
  switch (kind) {
    case 'mentions':
      return message.flags.includes('mentioned') ? r.activity.mentioned(name) : r.activity.mentionedAll(name)
    case 'replies':
      return r.activity.replied(name)
    case 'reactions':
      return r.activity.reacted(listedBriefly(actors.map(userName), NAMED))
    case 'followed':
      return r.activity.followed(name)
  }
}

/** Returns a reply with its own words alone. */
function withoutQuotes(message: Message): Message {
  const nodes = safeNodes(message.content)
  for (const quote of nodes.querySelectorAll('blockquote')) {
    const line = quote.previousElementSibling
    if (line?.querySelector('.user-mention.silent')) line.remove()
    quote.remove()
  }
  const frame = document.createElement('div')
  frame.append(nodes)
  return frame.textContent?.trim() ? { ...message, content: frame.innerHTML } : message
}
