import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { toggleStar } from '../../actions/flags.ts'
import { hasReacted } from '../../actions/reactions.ts'
import { state, watch } from '../../chat.ts'
import type { Narrow } from '../../state/narrow.ts'
import { t } from '../../texts/texts.ts'
import { IconButton } from '../../ui/button.tsx'
import { tip } from '../../ui/tooltip.ts'
import { attempt } from '../announcement.tsx'
import { answer } from '../compose/answer.ts'
import { editedId, selectedId } from '../conversation/selection.ts'
import { EmojiGlyph } from '../emoji/emoji-glyph.tsx'
import { openCardsOnRest } from '../people/hover-card.ts'
import { quickReactions, react } from './quick-reactions.ts'
import { keysBetween } from './row-keys.ts'
import { openEmojiPicker, surface } from './surface.ts'

/** Milliseconds after the last scroll event. */
const AT_REST_MS = 100

interface RowActionsProps {
  readonly narrow: Narrow
  /** Called with the first message that is marked as unread. Returns what takes back its effect on the list. */
  readonly onHold: (id: number) => () => void
}

/**
 * The actions on the message under the pointer, or the focused one: one set of buttons for all rows, above
 * them.
 */
export function RowActions({ narrow, onHold }: RowActionsProps) {
  const [id, setId] = useState<number>()
  const bar = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const list = bar.current!.parentElement!
    let scrolledAt = Number.NEGATIVE_INFINITY
    let timer: ReturnType<typeof setTimeout> | undefined
    const over = (event: Event) => {
      if (surface.value) return
      const row = (event.target as Element).closest<HTMLElement>('.message[data-id]')
      clearTimeout(timer)
      if (!row) return
      const show = () => row.isConnected && setId(Number(row.dataset.id))
      // While the list scrolls under a resting pointer, one row after another would get the buttons.
      const isMoving = event.type === 'pointerover' && performance.now() - scrolledAt < AT_REST_MS
      if (isMoving) timer = setTimeout(show, AT_REST_MS)
      else show()
    }
    const onScroll = () => {
      scrolledAt = performance.now()
    }
    const leave = (event: Event) => {
      if (surface.value || (event as MouseEvent).relatedTarget === null) return
      setId(undefined)
    }
    list.parentElement!.addEventListener('scroll', onScroll, { passive: true })
    list.addEventListener('pointerover', over)
    list.addEventListener('focusin', over)
    list.addEventListener('pointerleave', leave)
    // The pointer, or the focus, may have come before these buttons were loaded.
    const under = list.querySelector<HTMLElement>('.message[data-id]:is(:hover, :focus-within)')
    if (under) setId(Number(under.dataset.id))
    return () => {
      clearTimeout(timer)
      list.parentElement?.removeEventListener('scroll', onScroll)
      list.removeEventListener('pointerover', over)
      list.removeEventListener('focusin', over)
      list.removeEventListener('pointerleave', leave)
    }
  }, [])
  useEffect(() => keysBetween(bar.current!), [])
  useEffect(() => openCardsOnRest(bar.current!.parentElement!), [])
  const message = id === undefined ? undefined : state.messages.get(id)
  watch(`message ${id ?? 0}`)
  useLayoutEffect(() => {
    if (id === undefined) return
    const row = bar.current?.parentElement?.querySelector<HTMLElement>(`.message[data-id="${id}"]`)
    if (!row || !bar.current) return
    const begins = row.classList.contains('message-begins')
    const place = (lift: number) => {
      bar.current!.style.insetBlockStart = `${row.offsetTop + lift}px`
    }
    place(begins ? -2 : -13)
    // In a small window they lie above the line that has the name and the time.
    const time = row.querySelector('.message-head > .message-time')
    if (time && covers(bar.current, time)) place(4 - bar.current.offsetHeight)
  })
  // They keep their places while the pointer is on the row.
  const quick = useMemo(quickReactions, [id])
  const isHidden = !message || editedId.value === id
  return (
    <div
      ref={bar}
      class="row-actions"
      role="toolbar"
      aria-label={t.message.actions}
      data-of={id}
      hidden={isHidden}
    >
      {message && (
        <>
          {quick.map((emoji) => (
            <button
              key={emoji.emoji_code}
              type="button"
              class="icon-button quick-reaction"
              tabIndex={-1}
              aria-pressed={hasReacted(message, emoji)}
              aria-label={t.message.reactWith(emoji.emoji_name)}
              {...tip(`:${emoji.emoji_name}:`)}
              onClick={() => react(message.id, emoji)}
            >
              <EmojiGlyph emoji={emoji} />
            </button>
          ))}
          <IconButton
            icon="react"
            label={t.message.react}
            hint=":"
            tabIndex={-1}
            onClick={(event) =>
              openEmojiPicker(event.currentTarget as Element, (emoji) => react(message.id, emoji))
            }
          />
          <IconButton icon="reply" label={t.replies.reply} tabIndex={-1} onClick={() => answer(message)} />
          <IconButton
            icon="star"
            filled={message.flags.includes('starred')}
            label={message.flags.includes('starred') ? t.message.unstar : t.message.star}
            hint="*"
            tabIndex={-1}
            onClick={() => attempt(toggleStar(message.id))}
          />
          <IconButton
            icon="more"
            label={t.message.more}
            tabIndex={-1}
            aria-haspopup="menu"
            onClick={(event) => {
              selectedId.value = message.id
              surface.value = {
                kind: 'menu',
                messageId: message.id,
                narrow,
                anchor: event.currentTarget as Element,
                onHold,
              }
            }}
          />
        </>
      )}
    </div>
  )
}

function covers(bar: Element, time: Element): boolean {
  const [above, below] = [bar.getBoundingClientRect(), time.getBoundingClientRect()]
  return above.left < below.right && below.left < above.right
}
