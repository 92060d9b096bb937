import { useEffect, useRef } from 'preact/hooks'
import { type Conversation, conversationKey } from '../../state/conversation.ts'
import { type ShownList, selectedId, shownList } from '../conversation/selection.ts'

import { clearChoice, shownRows } from './row-choice.ts'

/** What the keys go through: conversations, and headings in place of those that they hide. The one that was just opened stays until it is left. */
const STOPS = '.inbox-link, .inbox-fold[aria-expanded="false"], .inbox-fold:focus'

/** Says which conversations a list shows; when it goes, none of them is chosen any more. */
export function useShownRows(shown: readonly { readonly conversation: Conversation }[]): void {
  shownRows.current = shown.map(({ conversation }) => [conversationKey(conversation), conversation])
  useEffect(() => clearChoice, [])
}

/**
 * Lets the keys of lists (`web/views/help/keyboard.ts`) go through the links of a view; returns the ref of the element that scrolls them.
 */
export function useRowKeys() {
  const around = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const links = () => [...(around.current?.querySelectorAll<HTMLElement>(STOPS) ?? [])]
    const chosen = () => links().findIndex((link) => link.parentElement?.contains(document.activeElement))
    const choose = (index: number) => {
      const all = links()
      const link = all[Math.max(0, Math.min(index, all.length - 1))]
      link?.focus({ preventScroll: true })
      link?.scrollIntoView({ block: 'nearest' })
    }
    const list: ShownList = {
      moveBy: (by) => choose(chosen() === -1 && by > 0 && by < Number.POSITIVE_INFINITY ? 0 : chosen() + by),
      scrollPages: (pages) => around.current?.scrollBy({ top: pages * around.current.clientHeight * 0.9 }),
      toEnd: () => choose(Number.POSITIVE_INFINITY),
      focus: () => choose(0),
      readRow: () => {
        const at = chosen()
        const button = links()[at]?.parentElement?.querySelector<HTMLElement>('.inbox-read')
        if (!button) return
        // The row goes: the next one is chosen, or the last.
        choose(at + 1 < links().length ? at + 1 : at - 1)
        button.click()
      },
    }
    shownList.current = list
    // What was chosen among messages is not on the screen.
    selectedId.value = undefined
    return () => {
      if (shownList.current === list) shownList.current = undefined
    }
  }, [])
  return around
}
