import { signal } from '@preact/signals'
import type { EmojiChoice } from '../../actions/messages.ts'
import type { Narrow } from '../../state/narrow.ts'
import { onDemand } from '../../ui/on-demand.tsx'
import { UserCard } from '../people/user-card.tsx'

/** A surface above the room: one at a time, closed by going elsewhere. */
export type Surface =
  | { readonly kind: 'user'; readonly userId: number; readonly anchor: Element }
  | { readonly kind: 'emoji'; readonly anchor: Element; readonly onChoose: (emoji: EmojiChoice) => void }
  | {
      readonly kind: 'menu'
      readonly messageId: number
      readonly narrow: Narrow
      readonly anchor: Element
      readonly onHold: () => void
    }
  | { readonly kind: MessageDialogKind; readonly messageId: number }
  | { readonly kind: 'picture'; readonly opener: HTMLAnchorElement }

export type MessageDialogKind = 'history' | 'source' | 'move' | 'report' | 'remind' | 'readers'

export const surface = signal<Surface | undefined>(undefined)

export function close(): void {
  surface.value = undefined
}

export function openUserCard(userId: number, anchor: Element): void {
  surface.value = { kind: 'user', userId, anchor }
}

export function openEmojiPicker(anchor: Element, onChoose: (emoji: EmojiChoice) => void): void {
  surface.value = { kind: 'emoji', anchor, onChoose }
}

export function openDialog(kind: MessageDialogKind, messageId: number): void {
  surface.value = { kind, messageId }
}

const MessageMenu = onDemand(() => import('./message-menu.tsx').then(({ MessageMenu: menu }) => menu))
const EmojiPicker = onDemand(() =>
  import('../emoji/emoji-picker.tsx').then(({ EmojiPicker: picker }) => picker),
)
const MessageDialog = onDemand(() =>
  import('./message-dialogs.tsx').then(({ MessageDialog: dialog }) => dialog),
)
const PictureViewer = onDemand(async () => {
  const { PictureViewer: viewer, loadReadingTexts } = await import('./picture-viewer.tsx')
  await loadReadingTexts()
  return viewer
})

export function Surfaces() {
  const shown = surface.value
  if (!shown) return null
  switch (shown.kind) {
    case 'user':
      return <UserCard key={shown.userId} userId={shown.userId} anchor={shown.anchor} />
    case 'emoji':
      return <EmojiPicker anchor={shown.anchor} onChoose={shown.onChoose} onClose={close} />
    case 'menu':
      return <MessageMenu key={shown.messageId} {...shown} />
    case 'picture':
      return <PictureViewer opener={shown.opener} onClose={close} />
    default:
      return <MessageDialog key={shown.kind} kind={shown.kind} messageId={shown.messageId} onClose={close} />
  }
}
