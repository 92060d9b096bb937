import { state } from '../chat.ts'
import { mayEditContent } from '../state/message-permissions.ts'
import type { Message } from '../state/wire.ts'
import { call } from './call.ts'
import { forgetEdit, type KeptEdit, keptEdit, keptIds } from './kept-edits.ts'

/** As for what is kept for reading offline: an unused session ends then. */
const MAX_AGE_MS = 14 * 24 * 60 * 60_000
const MOST = 20

interface EndedEdit {
  readonly kept: KeptEdit
  /** Whether its message is gone; otherwise it may not be edited any more. */
  readonly isGone: boolean
}

/** Ends edits that are too old or too many, and those that can no longer be saved, which it returns. */
export async function sweepEdits(): Promise<EndedEdit[]> {
  const ageOf = (id: number) => Date.now() - (keptEdit(id)?.at ?? 0)
  const ids = keptIds().sort((a, b) => ageOf(a) - ageOf(b))
  for (const [at, id] of ids.entries()) if (at >= MOST || ageOf(id) > MAX_AGE_MS) forgetEdit(id)
  const asked = keptIds()
  if (asked.length === 0) return []
  const { messages } = await call('GET', '/messages', { message_ids: asked, allow_empty_topic_name: true })
  const found = new Map((messages as Message[]).map((message) => [message.id, message]))
  return asked.flatMap((id) => {
    const [kept, message] = [keptEdit(id), found.get(id)]
    if (!kept || (message && mayEditContent(state, message, Date.now() / 1_000))) return []
    forgetEdit(id)
    return [{ kept, isGone: message === undefined }]
  })
}
