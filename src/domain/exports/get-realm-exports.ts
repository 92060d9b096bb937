import type { Command } from '../../core/command.ts'
import type { PresentedExport } from '../../events/realm-export.ts'
import type { Caller } from '../caller.ts'
import { presentExports } from './present-export.ts'

/**
 * Lists all exports of the organization, the oldest first. Source: docs/interface/administration.md#exports.
 */
export const getRealmExports: Command<Caller, object, void, { readonly exports: PresentedExport[] }> = {
  apply: (tx) => ({ exports: presentExports(tx) }),
}
