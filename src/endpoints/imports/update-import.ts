import * as v from 'valibot'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../../domain/caller.ts'
import { IMPORT_ORGANIZATION, type ImportProgress } from '../../domain/imports/import-progress.ts'
import {
  advanceImport,
  findImport,
  type RealmImport,
  setPaused,
  writeMapping,
} from '../../domain/imports/import-rows.ts'
import { findUsers } from '../../domain/users/user-rows.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { integer, json, jsonBoolean, mapUpTo, pathInteger, textUpTo, wordOf } from '../parameter-types.ts'

const ACTIONS = ['run', 'pause', 'resume', 'cancel'] as const
const MAX_SOURCE_ID = 200
const PEOPLE_MAPPED = 20_000

interface UpdateImportParams {
  readonly import_id: number
  readonly action?: (typeof ACTIONS)[number] | undefined
  readonly users?: Readonly<Record<string, number>> | undefined
  readonly private_channels?: boolean | undefined
  readonly direct_messages?: boolean | undefined
}

/** Decides what is imported, and whether. Source: docs/interface/administration.md#imports. */
export const updateImportEndpoint = defineEndpoint({
  operation: 'update-import',
  method: 'PATCH',
  path: '/imports/:import_id',
  access: 'owner',
  needsProof: ({ action }) => action === 'run',
  params: {
    import_id: pathInteger,
    action: v.pipe(
      v.optional(wordOf(ACTIONS)),
      v.description(
        '`run` writes what was read; `pause` stops after the present step, and `resume` continues; `cancel` ends the import, and leaves what it has written.',
      ),
    ),
    users: v.pipe(
      v.optional(json(mapUpTo(PEOPLE_MAPPED, textUpTo(MAX_SOURCE_ID), integer))),
      v.description('Ids of accounts, by the ids of people in the source whose accounts they are.'),
    ),
    private_channels: v.optional(jsonBoolean),
    direct_messages: v.optional(jsonBoolean),
  },
  returns: v.object({}),
  command: { apply: updateImport },
  audit: {
    whenChanged: ({ params }) => ({
      action: 'import_changed',
      details: { import_id: params.import_id, ...(params.action ? { import_action: params.action } : {}) },
    }),
  },
})

function updateImport(tx: RealmTransaction, _owner: Caller, params: UpdateImportParams): object {
  const imported = findImport(tx.sql, params.import_id)
  if (!imported) throw new BadRequestError('Invalid import ID')
  const { progress } = imported
  if (!progress || progress.stage === 'tidy') throw new BadRequestError('This import has ended')
  decide(tx, imported, progress, params)
  act(tx, imported, progress, params.action)
  return {}
}

function decide(
  tx: RealmTransaction,
  { id, mapping }: RealmImport,
  progress: ImportProgress,
  { users, private_channels, direct_messages }: UpdateImportParams,
): void {
  if (users === undefined && private_channels === undefined && direct_messages === undefined) return
  if (progress.stage === 'things' || progress.stage === 'files' || progress.stage === 'messages') {
    throw new BadRequestError('This import is being written already')
  }
  const ids = [...new Set(Object.values(users ?? {}))]
  const known = findUsers(tx.sql, ids)
  if (ids.some((userId) => known.get(userId)?.isSystemBot ?? true)) throw new BadRequestError('No such user')
  writeMapping(tx.sql, id, {
    users: users ?? mapping.users,
    private_channels: private_channels ?? mapping.private_channels,
    direct_messages: direct_messages ?? mapping.direct_messages,
  })
}

function act(
  tx: RealmTransaction,
  { id, isPaused }: RealmImport,
  progress: ImportProgress,
  action: UpdateImportParams['action'],
): void {
  switch (action) {
    case 'run':
      if (progress.stage !== 'wait') throw new BadRequestError('This import does not wait for anybody')
      advanceImport(tx.sql, id, progress, { stage: 'things', step: 0, piece: 0, line: 0 })
      break
    case 'pause':
      setPaused(tx.sql, id, true)
      return
    case 'resume':
      if (!isPaused) return
      setPaused(tx.sql, id, false)
      break
    case 'cancel':
      setPaused(tx.sql, id, false)
      advanceImport(tx.sql, id, progress, { stage: 'tidy', outcome: 'cancelled' })
      break
    case undefined:
      return
  }
  tx.schedule({ kind: IMPORT_ORGANIZATION, key: '', dueAt: tx.now })
}
