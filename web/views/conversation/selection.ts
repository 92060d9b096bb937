import { signal } from '@preact/signals'
import { state } from '../../chat.ts'
import { type Narrow, narrowKey } from '../../state/narrow.ts'
import { mayEditContent } from '../../state/permissions.ts'

/** The message that keys act on: the last that was focused, or that the pointer was on. */
export const selectedId = signal<number | undefined>(undefined)

/** The list that is shown, as keys use it; undefined while none is. */
export interface ShownList {
  /** `by` rows further; the first or last loaded one at an infinity. */
  moveBy(by: number): void
  scrollPages(pages: number): void
  toEnd(): void
  focus(): void
}

export const shownList: { current: ShownList | undefined } = { current: undefined }

export function rowElement(id: number): HTMLElement | null {
  return document.querySelector<HTMLElement>(`.message[data-id="${id}"]`)
}

/** The last of one's own messages in the list that may be edited. */
export function ownLastMessage(narrow: Narrow): number | undefined {
  const ids = state.windows.get(narrowKey(narrow))?.ids ?? []
  return ids.findLast((id) => {
    const message = state.messages.get(id)
    return message !== undefined && mayEditContent(state, message, Date.now() / 1_000)
  })
}
