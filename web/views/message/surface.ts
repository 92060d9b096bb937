import { signal } from '@preact/signals'
import type { EmojiChoice } from '../../actions/reactions.ts'
import type { Narrow } from '../../state/narrow.ts'

/** A surface above the room: one at a time, closed by going elsewhere. */
export type Surface =
  | {
      readonly kind: 'user'
      readonly userId: number
      readonly anchor: Element
      /** Whether it opened because the pointer rests there: then the focus stays where it is. */
      readonly onRest?: boolean
    }
  | { readonly kind: 'group'; readonly groupId: number; readonly anchor: Element }
  | {
      readonly kind: 'emoji'
      readonly anchor: Element
      readonly onChoose: (emoji: EmojiChoice) => void
    }
  | {
      readonly kind: 'menu'
      readonly messageId: number
      readonly narrow: Narrow
      readonly anchor: Element
      readonly onHold: (id: number) => () => void
    }
  | { readonly kind: MessageDialogKind; readonly messageId: number }
  | { readonly kind: 'picture' | 'pdf'; readonly opener: HTMLAnchorElement }

export type MessageDialogKind =
  | 'history'
  | 'source'
  | 'move'
  | 'forward'
  | 'report'
  | 'remind'
  | 'readers'
  | 'reactions'
  | 'votes'

export const surface = signal<Surface | undefined>(undefined)

export function close(): void {
  surface.value = undefined
}

export function openUserCard(userId: number, anchor: Element, { onRest = false } = {}): void {
  surface.value = { kind: 'user', userId, anchor, onRest }
}

export function openEmojiPicker(anchor: Element, onChoose: (emoji: EmojiChoice) => void): void {
  surface.value = { kind: 'emoji', anchor, onChoose }
}

export function openDialog(kind: MessageDialogKind, messageId: number): void {
  surface.value = { kind, messageId }
}
