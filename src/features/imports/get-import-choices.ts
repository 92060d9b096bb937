import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { described, pathInteger, textUpTo, wordOf } from '../../api/parameter-types.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import { MAX_SOURCE_ID } from '../../imports/neutral.ts'
import { channelNameFor } from '../../model/imports/fit-text.ts'
import { refusalOfChannel } from '../../model/imports/import-rights.ts'
import { isOpen } from '../../model/imports/write-channel.ts'
import { accountToJoin } from '../../model/imports/write-person.ts'
import type { Author } from '../../model/messages/text/markdown-lookups.ts'
import { findChannelByName } from '../../store/channels/channel-rows.ts'
import {
  CHOICE_TYPES,
  hasNamesake,
  hasUserNamed,
  type ImportChoice,
  listChoices,
  sharesAddress,
} from '../../store/imports/import-choice-rows.ts'
import { findImport, type RealmImport } from '../../store/imports/import-rows.ts'
import { findImported, isImportedAs } from '../../store/imports/imported-rows.ts'
import { listProfileFields } from '../../store/profile-fields/profile-field-rows.ts'

const CHOICES_OF_PAGE = 200

const getImportChoicesParams = {
  import_id: pathInteger,
  type: wordOf(CHOICE_TYPES),
  after: described(
    v.optional(textUpTo(MAX_SOURCE_ID), ''),
    'The id of the last one of the page before; the first page without it.',
  ),
}

/** Lists the things about which an owner can decide. Source: docs/interface/administration.md#imports. */
export const getImportChoicesEndpoint = defineEndpoint({
  operation: 'get-import-choices',
  route: 'GET /imports/:import_id/choices',
  access: 'owner',
  params: getImportChoicesParams,
  returns: v.object({
    choices: v.array(
      v.object({
        id: v.string(),
        name: v.string(),
        email: v.nullable(v.string()),
        kind: v.string(),
        target_id: v.nullable(v.number()),
        is_imported: v.boolean(),
        clash: v.nullable(v.picklist(['name', 'address'])),
      }),
    ),
    is_last_page: v.boolean(),
  }),
  apply(
    tx,
    owner,
    { import_id, type, after },
  ): { readonly choices: ReturnType<typeof presentChoice>[]; readonly is_last_page: boolean } {
    const imported = findImport(tx.sql, import_id)
    if (!imported) throw new BadRequestError('Invalid import ID')
    const choices = listChoices(tx.sql, import_id, type, after, CHOICES_OF_PAGE)
    return {
      choices: choices.map((choice) => presentChoice(tx, owner, imported, choice)),
      is_last_page: choices.length < CHOICES_OF_PAGE,
    }
  },
})

/**
 * Returns a choice for owners. `target_id`: what it becomes unless an owner decides otherwise, if that is here already; `is_imported`: whether an
 * earlier import of the source has decided that; `clash`: why it may be wrong. Source: docs/interface/administration.md#imports.
 */
function presentChoice(tx: RealmReads, owner: Author, imported: RealmImport, choice: ImportChoice) {
  const { id, name, email, kind } = choice
  const decided = decidedTargetOf(tx, imported, choice)
  return {
    id,
    name,
    email,
    kind,
    target_id: decided ?? targetIdOf(tx, owner, imported, choice),
    is_imported: decided !== undefined,
    clash: decided === undefined ? clashOf(tx, owner, imported, choice) : null,
  }
}

/** Returns what an earlier import of the source has made of a thing. */
function decidedTargetOf(
  { sql }: RealmReads,
  { id: importId, sourceId }: RealmImport,
  { type, id }: ImportChoice,
): number | undefined {
  return sourceId === null || sourceId === importId ? undefined : findImported(sql, sourceId, type, id)
}

function targetIdOf(
  tx: RealmReads,
  owner: Author,
  imported: RealmImport,
  choice: ImportChoice,
): number | null {
  const { sql } = tx
  const { type, name, email, kind } = choice
  switch (type) {
    case 'user':
      return (email === null ? undefined : accountToJoin(tx, imported, email, kind === 'bot')?.id) ?? null
    case 'channel': {
      const namesake = findChannelByName(sql, channelNameFor(name))
      const joins =
        namesake &&
        isOpen(namesake) &&
        !(imported.sourceId !== null && isImportedAs(sql, imported.sourceId, 'channel', namesake.id)) &&
        refusalOfChannel(tx, owner, namesake) === undefined
      return joins && kind !== 'private' ? namesake.id : null
    }
    case 'profile_field':
      return listProfileFields(sql).find((field) => field.name === name)?.id ?? null
  }
}

function clashOf(
  tx: RealmReads,
  owner: Author,
  imported: RealmImport,
  choice: ImportChoice,
): 'name' | 'address' | null {
  const { sql } = tx
  const { id } = imported
  if (choice.type === 'user') {
    if (sharesAddress(sql, id, choice)) return 'address'
    return targetIdOf(tx, owner, imported, choice) === null && hasUserNamed(sql, choice.name) ? 'name' : null
  }
  if (choice.type !== 'channel') return null
  return findChannelByName(sql, channelNameFor(choice.name)) || hasNamesake(sql, id, choice) ? 'name' : null
}
