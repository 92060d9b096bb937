import { signal } from '@preact/signals'
import { keptEdit } from '../../actions/kept-edits.ts'
import { state } from '../../chat.ts'
import { mayEditContent } from '../../state/message-permissions.ts'
import { type Narrow, narrowKey } from '../../state/narrow.ts'

/** The message on which keys act: the last that was focused, or under the pointer. */
export const selectedId = signal<number | undefined>(undefined)

/** The message that is being edited. */
export const editedId = signal<number | undefined>(undefined)

/** Messages whose boxes open without the focus, since the reader may be elsewhere. */
export const quietlyEdited = new Set<number>()

/** Opens the box of an own message whose changed text was neither saved nor given up, unless another one is open. */
export function restoreEdit(id: number): void {
  const message = state.messages.get(id)
  const isOwn = message?.sender_id === state.me
  if (
    !isOwn ||
    !mayEditContent(state, message, Date.now() / 1_000) ||
    editedId.peek() !== undefined ||
    keptEdit(id) === undefined
  )
    return
  quietlyEdited.add(id)
  editedId.value = id
}

/** The displayed list, for keys; undefined without one. */
export interface ShownList {
  /** Moves by `by` rows; with an infinity to the first of all, which may have to be fetched, or the last loaded one. */
  moveBy(by: number): void
  scrollPages(pages: number): void
  toEnd(): void
  focus(): void
  /** Marks the chosen row as read, in a list of conversations. */
  readRow?(): void
  /** Gives up the choice of several conversations. Returns whether there was one. */
  leaveChoice?(): boolean
}

export const shownList: { current: ShownList | undefined } = { current: undefined }

export function rowElement(id: number): HTMLElement | null {
  return document.querySelector<HTMLElement>(`.message[data-id="${id}"]`)
}

/** Returns the last of the user's own messages in the list that may be edited. */
export function ownLastMessage(narrow: Narrow): number | undefined {
  const ids = state.windows.get(narrowKey(narrow))?.ids ?? []
  return ids.findLast((id) => {
    const message = state.messages.get(id)
    return message !== undefined && mayEditContent(state, message, Date.now() / 1_000)
  })
}
