import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { pathInteger, textUpTo, wordOf } from '../../api/parameter-types.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import { MAX_SOURCE_ID } from '../../imports/neutral.ts'
import type { Caller } from '../../model/caller.ts'
import { CHOICE_TYPES, type ChoiceType, listChoices } from '../../store/imports/import-choice-rows.ts'
import { findImport } from '../../store/imports/import-rows.ts'
import { presentChoice } from './present-choice.ts'

const CHOICES_OF_PAGE = 200

/** Lists what an owner may decide about. Source: docs/interface/administration.md#imports. */
export const getImportChoicesEndpoint = defineEndpoint({
  operation: 'get-import-choices',
  method: 'GET',
  path: '/imports/:import_id/choices',
  access: 'owner',
  params: {
    import_id: pathInteger,
    type: wordOf(CHOICE_TYPES),
    after: v.pipe(
      v.optional(textUpTo(MAX_SOURCE_ID), ''),
      v.description('The id of the last one of the page before; the first page without it.'),
    ),
  },
  returns: v.object({
    choices: v.array(
      v.object({
        id: v.string(),
        name: v.string(),
        email: v.nullable(v.string()),
        kind: v.string(),
        target_id: v.nullable(v.number()),
        clash: v.nullable(v.picklist(['name', 'address'])),
      }),
    ),
    is_last_page: v.boolean(),
  }),
  command: { apply: getImportChoices },
})

interface GetImportChoicesParams {
  readonly import_id: number
  readonly type: ChoiceType
  readonly after: string
}

function getImportChoices(
  tx: RealmReads,
  _owner: Caller,
  { import_id, type, after }: GetImportChoicesParams,
): { readonly choices: ReturnType<typeof presentChoice>[]; readonly is_last_page: boolean } {
  const imported = findImport(tx.sql, import_id)
  if (!imported) throw new BadRequestError('Invalid import ID')
  const choices = listChoices(tx.sql, import_id, type, after, CHOICES_OF_PAGE)
  return {
    choices: choices.map((choice) => presentChoice(tx, imported, choice)),
    is_last_page: choices.length < CHOICES_OF_PAGE,
  }
}
