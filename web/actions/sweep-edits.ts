import type { Message } from '../state/wire.ts'
import { call } from './call.ts'
import { forgetEdit, type KeptEdit, keptEdit, keptIds } from './kept-edits.ts'

/** As for what is kept for reading offline: an unused session ends then. */
const MAX_AGE_MS = 14 * 24 * 60 * 60_000
const MOST = 20

/** Ends edits that are too old or too many, and those of messages that are gone, which it returns. */
export async function sweepEdits(): Promise<KeptEdit[]> {
  const ageOf = (id: number) => Date.now() - (keptEdit(id)?.at ?? 0)
  const ids = keptIds().sort((a, b) => ageOf(a) - ageOf(b))
  for (const [at, id] of ids.entries()) if (at >= MOST || ageOf(id) > MAX_AGE_MS) forgetEdit(id)
  const asked = keptIds()
  if (asked.length === 0) return []
  const { messages } = await call('GET', '/messages', { message_ids: asked, allow_empty_topic_name: true })
  const found = new Set((messages as Message[]).map(({ id }) => id))
  return asked.flatMap((id) => {
    const kept = keptEdit(id)
    if (found.has(id) || !kept) return []
    forgetEdit(id)
    return [kept]
  })
}
