import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks'
import { findLinked } from '../../actions/links.ts'
import { loadAround } from '../../actions/message-windows.ts'
import { connection } from '../../actions/session.ts'
import { state } from '../../chat.ts'
import { replaceAddress, visit } from '../../navigation.ts'
import type { Address } from '../../state/addresses.ts'
import { conversationKey } from '../../state/conversation.ts'
import { showsMessage } from '../../state/links.ts'
import { conversationOfNarrow, type Narrow, narrowKey } from '../../state/narrow.ts'
import { windowOf } from '../../state/windows.ts'
import { keptPosition } from './kept-position.ts'

export interface Linked {
  /** `gone`: deleted, or not to be seen. */
  readonly status: 'here' | 'coming' | 'gone' | 'failed'
  /** The message at which the view opens. */
  readonly near: number | undefined
  readonly retry: () => void
}

/**
 * Finds the message that an address names, and puts the address of its present conversation in place of one
 * from before a move. It is looked up once a visit, so that later changes move nothing.
 */
export function useLinked({ narrow, near, with: withId }: Extract<Address, { view: 'narrow' }>): Linked {
  const id = near ?? withId
  const [tries, setTries] = useState(0)
  const [answer, setAnswer] = useState<{ readonly question: string; readonly status: Linked['status'] }>()
  const key = narrowKey(narrow)
  // A position that was left before is known to be here.
  const isAsked = useMemo(() => id !== undefined && !keptPosition(key), [visit.value, id, key])
  const question = `${visit.value} ${tries} ${isAsked ? id : ''} ${key}`
  const isHere = useMemo(() => !isAsked || showsMessage(state, narrow, id ?? 0), [question])
  const status = isHere ? 'here' : answer?.question === question ? answer.status : 'coming'

  useLayoutEffect(() => {
    if (isHere || id === undefined) return
    let isOver = false
    const settle = (next: Linked['status']) => {
      if (!isOver) setAnswer({ question, status: next })
    }
    findLinked(narrow, id).then(
      async (found) => {
        if (isOver) return
        if (!found) return settle('gone')
        if (near === undefined && hasUnread(found)) {
          await loadAround(windowOf(state, found), 'first_unread').catch(() => {})
        }
        if (isOver) return
        if (narrowKey(found) === key) settle('here')
        replaceAddress({
          view: 'narrow',
          narrow: found,
          ...(near === undefined ? { with: id } : { near: id }),
        })
      },
      () => settle('failed'),
    )
    return () => {
      isOver = true
    }
  }, [question])
  const retry = () => setTries((count) => count + 1)
  const isLive = connection.value.kind === 'live'
  useEffect(() => {
    if (isLive && status === 'failed') retry()
  }, [isLive])

  const opensAt = useMemo(() => {
    if (status === 'gone' && id !== undefined) return nextTo(narrow, id)
    // A link to a conversation opens at what is new there.
    return near ?? (hasUnread(narrow) ? undefined : withId)
  }, [question, status])
  return { status, near: opensAt, retry }
}

function hasUnread(narrow: Narrow): boolean {
  const conversation = conversationOfNarrow(narrow)
  return conversation !== undefined && state.unread.conversations.has(conversationKey(conversation))
}

/** Returns the message next to the place of one that is gone. */
function nextTo(narrow: Narrow, id: number): number | undefined {
  const { ids } = windowOf(state, narrow)
  return ids.find((one) => one > id) ?? ids.at(-1)
}
