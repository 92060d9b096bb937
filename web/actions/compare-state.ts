import type { Api, Cursor } from '../api/index.ts'
import type { ChatState } from '../state/chat-state.ts'
import { comparedTexts, driftedSections, type StateDigests } from '../state/compared-state.ts'

interface DigestAnswer {
  readonly last_event_id: number
  readonly sections: StateDigests
}

/**
 * Returns the sections of the state that are not as the server has them, though all events up to `cursor` are applied; none while further
 * events are on their way, since they may be the difference.
 */
export async function driftOf(
  api: Pick<Api, 'get'>,
  state: ChatState,
  cursor: Cursor,
): Promise<readonly string[]> {
  const texts = comparedTexts(state)
  const { last_event_id, sections } = (await api.get('/realm/digest')) as DigestAnswer
  const { events } = (await api.get('/events', {
    queue_id: cursor.queueId,
    last_event_id: cursor.lastEventId,
    dont_block: true,
  })) as { events: readonly { readonly id: number }[] }
  if (events.some(({ id }) => id <= last_event_id)) return []
  return driftedSections(texts, sections)
}

/** Milliseconds after which a difference is looked at again: a change that is shown before the server has it is none by then. */
const AGAIN_MS = 5_000

/** Whether the state has drifted from the server's, and does not come back. */
export async function hasDrifted(
  api: Api,
  state: ChatState,
  cursorNow: () => Cursor | undefined,
): Promise<boolean> {
  for (let look = 1; look <= 2; look += 1) {
    if (look > 1) await api.browserApi.wait(AGAIN_MS, new AbortController().signal)
    const cursor = cursorNow()
    if (!cursor || (await driftOf(api, state, cursor)).length === 0) return false
  }
  return true
}
