import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { pathInteger } from '../../api/parameter-types.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { listProblems } from '../../store/imports/import-piece-rows.ts'
import type { ImportProblem } from '../../store/imports/import-report.ts'
import { findImport, listNewestImports } from '../../store/imports/import-rows.ts'
import { findPresentImportUpload } from '../../store/imports/import-upload-rows.ts'
import { presentImport, presentImportUpload } from './present-import.ts'

const IMPORTS_SHOWN = 20

const counts = v.array(v.object({ name: v.string(), count: v.number() }))

/** An import as owners see it. */
const importSchema = v.object({
  id: v.number(),
  acting_user_id: v.number(),
  name: v.string(),
  size: v.number(),
  format: v.nullable(v.string()),
  source: v.nullable(v.string()),
  started_at: v.number(),
  ended_at: v.nullable(v.number()),
  state: v.picklist([
    'reading',
    'waiting',
    'writing',
    'ending',
    'finished',
    'cancelled',
    'failed',
    'checking',
    'undoing',
    'undone',
  ]),
  is_paused: v.boolean(),
  failure: v.nullable(v.string()),
  undo_refusal: v.nullable(v.string()),
  parts_read: v.nullable(v.number()),
  parts: v.nullable(v.number()),
  earlier_import_id: v.nullable(v.number()),
  messages_written: v.nullable(v.number()),
  messages_total: v.nullable(v.number()),
  messages_per_second: v.nullable(v.number()),
  seconds_left: v.nullable(v.number()),
  mapping: v.nullable(
    v.object({
      users: v.record(v.string(), v.number()),
      channels: v.record(v.string(), v.number()),
      profile_fields: v.record(v.string(), v.string()),
      topic: v.string(),
      private_channels: v.boolean(),
      direct_messages: v.boolean(),
      settings: v.boolean(),
    }),
  ),
  estimate: v.nullable(
    v.object({
      seconds: v.number(),
      object_rows: v.number(),
      d1_rows: v.number(),
      object_bytes: v.number(),
      d1_bytes: v.number(),
      file_bytes: v.number(),
      dollars_once: v.number(),
      dollars_a_month: v.number(),
    }),
  ),
  report: v.object({
    records: counts,
    found: counts,
    passed_over: counts,
    problems: counts,
    written: counts,
  }),
})

/** The archive that was uploaded for imports. */
const importUploadSchema = v.object({
  id: v.string(),
  user_id: v.number(),
  name: v.string(),
  size: v.number(),
  received: v.number(),
  part_size: v.number(),
  expires_at: v.number(),
})

/** Lists the last imports, the newest first. Source: docs/interface/administration.md#imports. */
export const getImportsEndpoint = defineEndpoint({
  operation: 'get-imports',
  method: 'GET',
  path: '/imports',
  access: 'owner',
  params: {},
  returns: v.object({ imports: v.array(importSchema), upload: v.nullable(importUploadSchema) }),
  command: { apply: getImports },
})

interface ShownImports {
  readonly imports: ReturnType<typeof presentImport>[]
  readonly upload: ReturnType<typeof presentImportUpload> | null
}

function getImports(tx: RealmReads): ShownImports {
  const upload = findPresentImportUpload(tx.sql, tx.now)
  return {
    imports: listNewestImports(tx.sql, IMPORTS_SHOWN).map((imported) => presentImport(imported, tx.now)),
    upload: upload ? presentImportUpload(upload) : null,
  }
}

/** Lists the problems of an import, with their places. Source: docs/interface/administration.md#imports. */
export const getImportProblemsEndpoint = defineEndpoint({
  operation: 'get-import-problems',
  method: 'GET',
  path: '/imports/:import_id/problems',
  access: 'owner',
  params: { import_id: pathInteger },
  returns: v.object({
    problems: v.array(
      v.object({
        kind: v.string(),
        detail: v.string(),
        file: v.nullable(v.string()),
        line: v.nullable(v.number()),
      }),
    ),
  }),
  command: { apply: getImportProblems },
})

function getImportProblems(
  tx: RealmReads,
  _owner: Caller,
  { import_id }: { readonly import_id: number },
): { readonly problems: ImportProblem[] } {
  if (!findImport(tx.sql, import_id)) throw new BadRequestError('Invalid import ID')
  return { problems: listProblems(tx.sql, import_id) }
}
