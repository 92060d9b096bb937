import { rewriteNext } from '../../store/schema/rewrites.ts'
import type { JobHandler } from './change-by-job.ts'

/** Pieces of one run, since other upkeep waits for it. */
const PIECES_PER_RUN = 20

/** Rewrites rows of earlier builds. Each piece is a commit that stores how far it came, and others are served in between. */
export const rewriteRows: JobHandler = async (runtime) => {
  for (let piece = 0; piece < PIECES_PER_RUN; piece += 1) {
    await runtime.pause()
    if (!runtime.change((tx) => rewriteNext(tx.sql, runtime.schemaSteps))) return undefined
  }
  return runtime.now()
}
