import type { MessageBody } from '../../../core/message-bodies.ts'
import { lineOfBody } from '../../../model/backups/backup-form.ts'
import type { BackupProgress } from '../../../store/backups/backup-rows.ts'
import { messageVersionsWithin } from '../../../store/messages/message-rows.ts'
import type { BackupWork } from './backup-work.ts'

/** Ids of messages whose texts are in one chunk, from a multiple of it on, so that other chunks stay as they are. */
const IDS_OF_CHUNK = 512

/** Copies the texts of some messages. */
export async function copyTexts(
  work: BackupWork,
  progress: Extract<BackupProgress, { stage: 'texts' }>,
): Promise<void> {
  const { sql } = work.runtime
  const above = progress.after
  const [first] = messageVersionsWithin(sql, { above, upTo: Number.MAX_SAFE_INTEGER, limit: 1 })
  if (!first) return work.advance(progress, { stage: 'changes', round: 1 })
  const upTo = (Math.floor(first.id / IDS_OF_CHUNK) + 1) * IDS_OF_CHUNK - 1
  const wanted = messageVersionsWithin(sql, { above, upTo, limit: IDS_OF_CHUNK })
  const { lines, last } = await linesOfBodies(work, wanted)
  const after = last === wanted.at(-1)!.id ? upTo : last
  work.advance(progress, { ...progress, after }, [await work.store('texts', lines)])
}

/** Reads as many of the texts as fit into memory, in their order, and returns the id of the last of them. */
async function linesOfBodies(
  work: BackupWork,
  wanted: readonly { readonly id: number; readonly version: number }[],
): Promise<{ readonly lines: readonly string[]; readonly last: number }> {
  const bodies = await work.runtime.bodies().read(wanted)
  const missing = wanted.findIndex(({ id }) => !bodies.has(id))
  if (missing === 0) return linesOfBodies(work, wanted.slice(0, 1))
  const read = missing < 0 ? wanted : wanted.slice(0, missing)
  return { lines: read.flatMap(({ id }) => linesOfBody(bodies.get(id)!)), last: read.at(-1)!.id }
}

/** Returns the line of a text; none for one that D1 does not have, since its message was deleted meanwhile. */
function linesOfBody(body: MessageBody): string[] {
  return body.version < 0 ? [] : [lineOfBody(body)]
}
