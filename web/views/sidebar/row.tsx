import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { watch } from '../../chat.ts'
import type { Conversation } from '../../state/conversation.ts'
import type { Narrow } from '../../state/narrow.ts'
import { t } from '../../texts/texts.ts'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useLongPress } from '../../ui/long-press.ts'
import { onDemand } from '../../ui/on-demand.tsx'
import { draftsIn, draftsWhere } from '../compose/compose-state.ts'

const RowMenu = onDemand(() => import('./row-menu.tsx').then(({ RowMenu: menu }) => menu))

/** The row whose menu is open. */
const open = signal<OpenRow | undefined>(undefined)

interface OpenRow {
  readonly narrow: Narrow
  readonly section: readonly number[] | undefined
  readonly anchor: Element | DOMRect
}

interface RowProps {
  readonly narrow: Narrow
  /** For a channel, the ids of its section in their order. */
  readonly section?: readonly number[]
  /** What its menu is about. */
  readonly name: string
  readonly class?: string
  readonly href: string
  readonly isChosen: boolean
  readonly children: ComponentChildren
}

/** A row with a menu: by its button, which is seen when the row is pointed at or has the focus, by a right click, or by a finger that rests on it. */
export function Row({ narrow, section, name, class: kind, href, isChosen, children }: RowProps) {
  const show = ({ clientX, clientY }: MouseEvent) => {
    open.value = { narrow, section, anchor: new DOMRect(clientX, clientY, 0, 0) }
  }
  // Whatever is pressed while a menu opens closes the menu when it is released.
  const showAgain = (event: MouseEvent) => setTimeout(show, 0, event)
  const press = useLongPress(show, showAgain)
  return (
    <div
      class="sidebar-line"
      role="none"
      {...press}
      onContextMenu={(event) => {
        press.onContextMenu(event)
        if (event.shiftKey || event.defaultPrevented) return
        event.preventDefault()
        // On some systems the event comes while the button is down.
        if (event.buttons === 0) show(event)
        else document.addEventListener('pointerup', () => showAgain(event), { once: true })
      }}
    >
      <a
        class={kind ? `sidebar-row ${kind}` : 'sidebar-row'}
        href={href}
        aria-current={isChosen ? 'page' : undefined}
      >
        {children}
      </a>
      <IconButton
        icon="more"
        class="sidebar-more"
        label={t.sidebar.more(name)}
        aria-haspopup="menu"
        tabIndex={-1}
        onClick={(event) => {
          open.value = { narrow, section, anchor: event.currentTarget as Element }
        }}
      />
    </div>
  )
}

/** The menu of the row for which it was opened. */
export function OpenRowMenu() {
  const shown = open.value
  if (!shown) return null
  return (
    <RowMenu
      key={shown.anchor}
      narrow={shown.narrow}
      section={shown.section}
      anchor={shown.anchor}
      onClose={() => {
        open.value = undefined
      }}
    />
  )
}

/** Marks a conversation with a draft. */
export function DraftMark({ conversation }: { readonly conversation: Conversation }) {
  watch('drafts')
  return <Mark isShown={draftsIn(conversation).length > 0} />
}

/** Marks a channel whose topics are not shown, where one of them has a draft. */
export function ChannelDraftMark({ channelId }: { readonly channelId: number }) {
  watch('drafts')
  const drafts = draftsWhere((where) => where.kind === 'topic' && where.channelId === channelId)
  return <Mark isShown={drafts.length > 0} />
}

function Mark({ isShown }: { readonly isShown: boolean }) {
  return isShown ? (
    <span class="sidebar-mark" role="img" aria-label={t.sidebar.draft}>
      <Icon name="draft" />
    </span>
  ) : null
}
