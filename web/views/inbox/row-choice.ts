import { signal } from '@preact/signals'
import type { Conversation, ConversationKey } from '../../state/conversation.ts'

/** The conversations that are chosen in a list, for an action on all of them. */
export const chosenRows = signal<ReadonlyMap<ConversationKey, Conversation>>(new Map())

/** The last chosen row, from which Shift extends the choice. */
let lastChosen: ConversationKey | undefined

export function clearChoice(): void {
  lastChosen = undefined
  chosenRows.value = new Map()
}

/** The conversations of the shown list, from top to bottom. */
export const shownRows: { current: readonly (readonly [ConversationKey, Conversation])[] } = { current: [] }

/** Chooses a row, or no longer; with Shift, all between it and the last chosen one too. */
export function chooseRow(key: ConversationKey, conversation: Conversation, { shiftKey }: MouseEvent): void {
  const chosen = new Map(chosenRows.value)
  const isChosen = !chosen.has(key)
  const keys = shownRows.current.map(([one]) => one)
  const [from, to] = [keys.indexOf(lastChosen ?? ''), keys.indexOf(key)].sort((a, b) => a - b)
  const all: readonly (readonly [ConversationKey, Conversation])[] =
    shiftKey && from !== undefined && from >= 0
      ? shownRows.current.slice(from, to! + 1)
      : [[key, conversation]]
  for (const [one, where] of all) {
    if (isChosen) chosen.set(one, where)
    else chosen.delete(one)
  }
  lastChosen = key
  chosenRows.value = chosen
}
