import * as v from 'valibot'
import { defineEndpoint, type ParametersOf } from '../../api/define-endpoint.ts'
import {
  described,
  integer,
  json,
  jsonBoolean,
  mapUpTo,
  partsOf,
  pathInteger,
  textUpTo,
  trimmedTextUpTo,
  wordOf,
} from '../../api/parameter-types.ts'
import { BadRequestError } from '../../core/errors.ts'
import { nameKey } from '../../core/names.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { MAX_SOURCE_ID } from '../../imports/neutral.ts'
import type { Caller } from '../../model/caller.ts'
import { requireUndoable } from '../../model/imports/check-undo.ts'
import { requireMayImportInto } from '../../model/imports/import-rights.ts'
import { isByOwner } from '../../model/imports/import-work.ts'
import { MAX_TOPIC_LENGTH, normaliseTopic } from '../../model/messages/text/compose.ts'
import { findChannel } from '../../store/channels/channel-rows.ts'
import {
  type ChoiceType,
  findChoices,
  findNoAccount,
  findUnread,
} from '../../store/imports/import-choice-rows.ts'
import {
  advanceImport,
  beginUndo,
  findImport,
  findUnfinishedImport,
  giveImport,
  type ImportMapping,
  type ImportProgress,
  nameSource,
  type RealmImport,
  setPaused,
  writeMapping,
} from '../../store/imports/import-rows.ts'
import { findImportedOtherwise } from '../../store/imports/imported-rows.ts'
import { listProfileFields } from '../../store/profile-fields/profile-field-rows.ts'

const ACTIONS = ['run', 'pause', 'resume', 'cancel', 'undo'] as const
const PEOPLE_MAPPED = 20_000
const CHANNELS_MAPPED = 20_000
const FIELDS_MAPPED = 1_000
const FIELD_NAME = 40

const sourceId = textUpTo(MAX_SOURCE_ID)

const mapping = partsOf({
  users: v.optional(mapUpTo(PEOPLE_MAPPED, sourceId, integer)),
  channels: v.optional(mapUpTo(CHANNELS_MAPPED, sourceId, integer)),
  profile_fields: v.optional(
    mapUpTo(FIELDS_MAPPED, sourceId, v.pipe(trimmedTextUpTo(FIELD_NAME), v.minLength(1, 'cannot be blank'))),
  ),
  topic: v.optional(trimmedTextUpTo(MAX_TOPIC_LENGTH)),
  private_channels: v.optional(v.boolean()),
  direct_messages: v.optional(v.boolean()),
  settings: v.optional(v.boolean()),
})

/** Characters of all decisions, which each run of the import reads from one row. */
const MAX_MAPPING_LENGTH = 500_000

/**
 * Changes decisions about the things of an archive. Each key of the change replaces the earlier decision.
 * @throws BadRequestError for a thing that is not in the archive, or a target that is not here
 */
function decideMapping(
  tx: RealmTransaction,
  owner: Caller,
  imported: RealmImport,
  change: Partial<ImportMapping>,
): void {
  const { id, mapping, progress } = imported
  if (progress?.stage === 'recognise' || progress?.stage === 'read') {
    throw new BadRequestError('This import is still being read')
  }
  if (progress?.stage !== 'wait') throw new BadRequestError('This import is being written already')
  requireRead(tx, id, 'user', change.users)
  requireRead(tx, id, 'channel', change.channels)
  requireRead(tx, id, 'profile_field', change.profile_fields)
  requireAccounts(tx, change.users)
  requireChannels(tx, owner, id, change.channels)
  requireUndecided(tx, imported, 'user', change.users)
  requireUndecided(tx, imported, 'channel', change.channels)
  requireUndecided(tx, imported, 'profile_field', idsOfFields(tx, change.profile_fields))
  const { topic } = change
  const decided = {
    ...mapping,
    ...change,
    ...(topic === undefined ? {} : { topic: normaliseTopic(topic) }),
  }
  if (JSON.stringify(decided).length > MAX_MAPPING_LENGTH) {
    throw new BadRequestError('These are more decisions than an import can have')
  }
  writeMapping(tx.sql, id, decided)
}

const NAME_OF_TYPE: Readonly<Record<ChoiceType, string>> = {
  user: 'person',
  channel: 'channel',
  profile_field: 'profile field',
}

function requireRead(
  { sql }: RealmTransaction,
  importId: number,
  type: ChoiceType,
  mapped: Readonly<Record<string, unknown>> = {},
): void {
  const unread = findUnread(sql, importId, type, Object.keys(mapped))
  if (unread === undefined) return
  throw new BadRequestError(`The archive has no ${NAME_OF_TYPE[type]} with the id ${JSON.stringify(unread)}`)
}

/** @throws BadRequestError for a thing that an earlier import of the source has brought, and which would become something else */
function requireUndecided(
  { sql }: RealmTransaction,
  { id, sourceId }: RealmImport,
  type: ChoiceType,
  targets: Readonly<Record<string, number>> = {},
): void {
  if (sourceId === null || sourceId === id) return
  const decided = findImportedOtherwise(sql, sourceId, type, targets)
  if (decided === undefined) return
  const name = findChoices(sql, id, type, [decided])[0]!.name
  throw new BadRequestError(
    `An earlier import has brought the ${NAME_OF_TYPE[type]} ${JSON.stringify(name)}: leave this decision out, or say with known_source that the archive is from another place`,
  )
}

/** Returns the ids of the fields that have the given names; 0 for a name that no field has. */
function idsOfFields(
  { sql }: RealmTransaction,
  names: ImportMapping['profile_fields'] = {},
): Record<string, number> {
  const ids = new Map(listProfileFields(sql).map((field) => [nameKey(field.name), field.id]))
  return Object.fromEntries(Object.entries(names).map(([id, name]) => [id, ids.get(nameKey(name)) ?? 0]))
}

function requireAccounts({ sql }: RealmTransaction, users: ImportMapping['users'] = {}): void {
  const unknown = findNoAccount(sql, [...new Set(Object.values(users))])
  if (unknown !== undefined) throw new BadRequestError(`Invalid user ID: ${unknown}`)
}

/** @throws BadRequestError for a target in which the owner may not write, or that would expose a private channel */
function requireChannels(
  tx: RealmTransaction,
  owner: Caller,
  importId: number,
  channels: ImportMapping['channels'] = {},
): void {
  const choices = findChoices(tx.sql, importId, 'channel', Object.keys(channels))
  for (const { id, name, kind } of choices) {
    const channel = requireMayImportInto(tx, owner, findChannel(tx.sql, channels[id]!))
    if (kind === 'private' && !channel.isPrivate) {
      throw new BadRequestError(
        `The channel ${JSON.stringify(name)} is private: it can only go into a private one`,
      )
    }
  }
}

const updateImportParams = {
  import_id: pathInteger,
  action: described(
    v.optional(wordOf(ACTIONS)),
    '`run` writes what was read, in the caller’s name and with the caller’s rights; `pause` stops after the present step, and `resume` continues, in the caller’s name if the import has paused because the user who ran it is no owner any more; `cancel` ends the import, and leaves what it has written; `undo` deletes all that an import which has ended has made, unless something depends on it.',
  ),
  mapping: described(
    v.optional(json(mapping)),
    'What becomes of things of the source, by their ids there: `users`: ids of accounts; `channels`: ids of channels; `profile_fields`: names; `topic`: that of messages without one; `private_channels`, `direct_messages`: whether they are imported; `settings`: whether the organization takes over name, settings and permissions of the source, and the caller’s account the profile and settings there. A key that is left out stays as it was.',
  ),
  known_source: described(
    v.optional(jsonBoolean),
    'With `run`, where the import has an `earlier_import_id`: true if the archive is from the same place, so that what is new is added, and what has changed there is changed; false if it is from another, which may be said before `run` too, so that all of it can be decided.',
  ),
}
type UpdateImportParams = ParametersOf<typeof updateImportParams>

/** Decides whether and how an archive is imported. Source: docs/interface/administration.md#imports. */
export const updateImportEndpoint = defineEndpoint({
  operation: 'update-import',
  route: 'PATCH /imports/:import_id',
  access: 'owner',
  needsProof: ({ action }) => action === 'run' || action === 'undo',
  params: updateImportParams,
  returns: v.object({}),
  apply(tx, caller, params): object {
    const found = findImport(tx.sql, params.import_id)
    if (!found) throw new BadRequestError('Invalid import ID')
    const { progress } = found
    if (params.action === 'undo') return undo(tx, found, params)
    if (!progress || progress.stage === 'tidy') throw new BadRequestError('This import has ended')
    const imported = params.known_source === false ? separateFromEarlier(tx, found) : found
    if (params.mapping) decideMapping(tx, caller, imported, params.mapping)
    // Who runs it has the rights to what it does.
    const isTaken = params.action === 'run' || (params.action === 'resume' && !isByOwner(tx, imported))
    if (isTaken) giveImport(tx.sql, imported.id, caller.user.id)
    act(tx, imported, progress, params)
    return {}
  },
  audit: {
    whenChanged: ({ params }) => ({
      action: 'import_changed',
      details: { import_id: params.import_id, ...(params.action ? { import_action: params.action } : {}) },
    }),
  },
})

/** Makes the source of a waiting import one of its own, of which nothing is here yet. */
function separateFromEarlier({ sql }: RealmTransaction, imported: RealmImport): RealmImport {
  const { id, source, sourceId, progress } = imported
  if (progress?.stage !== 'wait') throw new BadRequestError(NOT_WAITING)
  if (sourceId === id) return imported
  nameSource(sql, id, source!, id)
  return { ...imported, sourceId: id }
}

const NOT_WAITING = 'This import does not wait for anybody'

function undo(tx: RealmTransaction, imported: RealmImport, { mapping: given }: UpdateImportParams): object {
  if (given) throw new BadRequestError('This import has ended')
  if (findUnfinishedImport(tx.sql)) throw new BadRequestError('Another import is under way')
  requireUndoable(tx, imported)
  beginUndo(tx.sql, imported.id, { stage: 'check', step: 0, after: '' })
  tx.schedule({ kind: 'import-organization', key: '', dueAt: tx.now })
  return {}
}

function act(
  tx: RealmTransaction,
  imported: RealmImport,
  progress: ImportProgress,
  { action, known_source }: UpdateImportParams,
): void {
  const { id, isPaused } = imported
  switch (action) {
    case 'run':
      if (progress.stage !== 'wait') throw new BadRequestError(NOT_WAITING)
      requireSourceKnown(imported, known_source)
      advanceImport(tx.sql, id, progress, { stage: 'things', step: 0, piece: 0, line: 0 })
      break
    case 'pause':
      setPaused(tx.sql, id, true)
      return
    case 'resume':
      if (!isPaused) return
      setPaused(tx.sql, id, false)
      if (progress.stage === 'messages') {
        const { mark: _before, ...goesOn } = progress
        advanceImport(tx.sql, id, progress, goesOn)
      }
      break
    case 'cancel':
      if (progress.stage === 'undo') throw new BadRequestError('What is being undone cannot be kept')
      setPaused(tx.sql, id, false)
      if (progress.stage === 'check') advanceImport(tx.sql, id, progress, null)
      else advanceImport(tx.sql, id, progress, { stage: 'tidy', outcome: 'cancelled' })
      break
    case undefined:
      return
  }
  tx.schedule({ kind: 'import-organization', key: '', dueAt: tx.now })
}

/** Two places may have the same name, and only the owner knows whether they are one. Otherwise things would be taken for those of another place. */
function requireSourceKnown({ id, source, sourceId }: RealmImport, isKnown: boolean | undefined): void {
  if (sourceId === null || sourceId === id || isKnown !== undefined) return
  throw new BadRequestError(
    `Something was imported from ${JSON.stringify(source)} before: say with known_source whether this is the same place`,
  )
}
