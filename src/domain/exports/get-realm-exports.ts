import type { Command } from '../../core/command.ts'
import { exportFor } from '../../events/realm-export.ts'
import type { Caller } from '../caller.ts'
import { listExports } from './export-rows.ts'
import { presentExports } from './present-export.ts'

/**
 * Lists all exports of the organization, the oldest first. Source: docs/interface/administration.md#exports.
 */
export const getRealmExports: Command<
  Caller,
  object,
  void,
  { readonly exports: ReturnType<typeof exportFor>[] }
> = {
  apply: (tx, { user, source }) => ({
    exports: presentExports(tx, user, listExports(tx.sql)).map((exported) => exportFor(source, exported)),
  }),
}
