import { computed } from '@preact/signals'
import { useMemo, useState } from 'preact/hooks'
import { state, watch } from '../../chat.ts'
import { hrefOfMessage } from '../../navigation.ts'
import { isMutedPerson } from '../../state/muted-people.ts'
import type { Message } from '../../state/wire.ts'
import { t } from '../../texts/texts.ts'
import { Icon } from '../../ui/icon.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import { replyBlockIn } from './reply-block.ts'
import { safeNodes } from './safe-html.ts'

const ReplyList = onDemand(() => import('./reply-list.tsx').then(({ ReplyList: list }) => list))

/** How the rendering of a reply begins: others are not looked at. */
const BEGINNING = '<p><span class="user-mention silent"'

/** What loaded messages answer, by their content. */
const answered = new WeakMap<Message, { readonly content: string; readonly id: number | undefined }>()

function answeredBy(message: Message): number | undefined {
  const { content } = message
  if (!content.startsWith(BEGINNING)) return undefined
  const known = answered.get(message)
  if (known?.content === content) return known.id
  const id = replyBlockIn(safeNodes(content))?.id
  answered.set(message, { content, id })
  return id
}

/** Ids of the loaded replies to each message, ascending. */
const repliesByMessage = computed(() => {
  watch('message', 'window', 'muted users')
  const found = new Map<number, number[]>()
  for (const message of state.messages.values()) {
    const id = answeredBy(message)
    if (id !== undefined && id < message.id && !isMutedPerson(state, message.sender_id))
      found.set(id, [...(found.get(id) ?? []), message.id])
  }
  for (const ids of found.values()) ids.sort((a, b) => a - b)
  return found
})

/** Says how many of the loaded messages answer this one, and leads there. */
export function Replies({ id }: { readonly id: number }) {
  const [isOpen, setOpen] = useState(false)
  // The same text again draws nothing.
  const joined = useMemo(() => computed(() => repliesByMessage.value.get(id)?.join() ?? ''), [id]).value
  if (joined === '') return null
  const ids = joined.split(',').map(Number)
  const words = (
    <>
      <Icon name="reply" />
      {t.replies.count(ids.length)}
    </>
  )
  if (ids.length === 1) {
    return (
      <a class="replies-count" href={hrefOfMessage(ids[0]!)} tabIndex={-1}>
        {words}
      </a>
    )
  }
  return (
    <>
      <button
        type="button"
        class="replies-count"
        aria-expanded={isOpen}
        tabIndex={-1}
        onClick={() => setOpen(!isOpen)}
      >
        {words}
      </button>
      {isOpen && <ReplyList ids={ids} />}
    </>
  )
}
