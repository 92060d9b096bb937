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
import { importSchema, importUploadSchema } from './import-schema.ts'
import { presentImport, presentImportUpload } from './present-import.ts'

const IMPORTS_SHOWN = 20

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
