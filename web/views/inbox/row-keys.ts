import { useEffect, useRef } from 'preact/hooks'
import { loadMessages } from '../../actions/message-windows.ts'
import { state } from '../../chat.ts'
import { type Conversation, conversationKey } from '../../state/conversation.ts'
import { indexFrom, type RowPlace } from '../../state/row-place.ts'
import { type ShownList, selectedId, shownList } from '../conversation/selection.ts'

import { chosenRows, clearChoice, shownRows } from './row-choice.ts'

/** What the keys go through: conversations, and headings in place of those that they hide. The one that was just opened stays until it is left. */
const STOPS = '.inbox-link, .inbox-fold[aria-expanded="false"], .inbox-fold:focus'

/** Registers the conversations of a list; when the list is removed, the choice is cleared. */
export function useShownRows(shown: readonly { readonly conversation: Conversation }[]): void {
  shownRows.current = shown.map(({ conversation }) => [conversationKey(conversation), conversation])
  useEffect(() => clearChoice, [])
}

/** Fetches the newest messages of conversations, of which lists show the beginning. */
export function usePreviews(shown: readonly { readonly newestId: number }[]): void {
  const missing = shown.flatMap(({ newestId }) => (state.messages.has(newestId) ? [] : [newestId]))
  useEffect(() => {
    if (missing.length > 0) loadMessages(missing).catch(() => {})
  }, [missing.join()])
}

/** Where the user was in each view before going elsewhere. */
const places = new Map<string, RowPlace>()

/**
 * Lets the keys of lists (`web/views/help/keyboard.ts`) go through the links of a view; returns the ref of the element that scrolls them.
 */
export function useRowKeys(view: 'inbox' | 'recent' | 'direct' | 'activity') {
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
    const moveBy = (by: number) => {
      const at = chosen()
      const hrefs = links().map((link) => link.getAttribute('href')!)
      choose(at === -1 ? indexFrom(hrefs, places.get(view), by) : at + by)
    }
    const note = () => {
      const index = chosen()
      const href = links()[index]?.getAttribute('href')
      if (href) places.set(view, { href, index })
    }
    document.addEventListener('focusin', note)
    const list: ShownList = {
      moveBy,
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
      leaveChoice: () => {
        const isChoice = chosenRows.value.size > 0
        clearChoice()
        return isChoice
      },
    }
    shownList.current = list
    // What was chosen among messages is not on the screen.
    selectedId.value = undefined
    return () => {
      document.removeEventListener('focusin', note)
      if (shownList.current === list) shownList.current = undefined
    }
  }, [])
  return around
}
