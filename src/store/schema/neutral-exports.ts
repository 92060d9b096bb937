/**
 * Step `neutral-exports`: an export that an earlier build has begun starts again, since its archive has another form. Its chunks in R2 are
 * deleted with the others when it ends.
 */
export const NEUTRAL_EXPORTS: readonly string[] = [
  `DELETE FROM realm_export_chunk`,
  `UPDATE realm_export SET tries = 0,
     progress = '{"stage":"collect","source":0,"cursor":[],"files":0,"chunks":0,"length":0}'
   WHERE progress->>'stage' IN ('collect', 'assemble')`,
]
