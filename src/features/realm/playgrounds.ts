import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { NAME_LENGTH, WEB_ADDRESS_LENGTH } from '../../api/input-limits.ts'
import { pathInteger, textUpTo, trimmedTextUpTo } from '../../api/parameter-types.ts'
import { EVERYONE } from '../../core/audience.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredRealmPlaygroundsEvent } from '../../events/realm-lists.ts'
import type { Caller } from '../../model/caller.ts'
import {
  type PlaygroundParams,
  presentPlaygrounds,
  requireUsablePlayground,
} from '../../model/playgrounds/usable-playground.ts'
import { withinQuota } from '../../model/quotas/within-quota.ts'
import { deletePlayground, insertPlayground } from '../../store/realm/realm-list-rows.ts'

/** Length of a highlighter's name for a language. */
const MAX_LANGUAGE_LENGTH = 40

/**
 * Adds a site at which code blocks of a language can be opened. Source:
 * docs/interface/organization.md#code-playgrounds.
 */
export const addCodePlaygroundEndpoint = defineEndpoint({
  operation: 'add-code-playground',
  method: 'POST',
  path: '/realm/playgrounds',
  access: 'administrator',
  params: {
    name: v.pipe(trimmedTextUpTo(NAME_LENGTH), v.nonEmpty()),
    pygments_language: v.pipe(trimmedTextUpTo(MAX_LANGUAGE_LENGTH), v.nonEmpty()),
    url_template: v.pipe(
      textUpTo(WEB_ADDRESS_LENGTH),
      v.description('A URL template (RFC 6570) with the variable `code` alone.'),
    ),
  },
  returns: v.object({ id: v.number() }),
  command: { apply: addPlayground },
  audit: 'shown',
})

export const removeCodePlaygroundEndpoint = defineEndpoint({
  operation: 'remove-code-playground',
  method: 'DELETE',
  path: '/realm/playgrounds/:playground_id',
  access: 'administrator',
  params: { playground_id: pathInteger },
  returns: v.object({}),
  command: { apply: removePlayground },
  audit: 'shown',
})

/** Adds a site at which code can be tried out. Source: docs/interface/organization.md#code-playgrounds. */
function addPlayground(
  tx: RealmTransaction,
  caller: Caller,
  params: PlaygroundParams,
): { readonly id: number } {
  const playground = requireUsablePlayground(params)
  const id = withinQuota(tx, caller, 'playgrounds', () => insertPlayground(tx.sql, playground))
  announce(tx)
  return { id }
}

function removePlayground(
  tx: RealmTransaction,
  _caller: Caller,
  { playground_id }: { readonly playground_id: number },
): object {
  if (!deletePlayground(tx.sql, playground_id)) throw new BadRequestError('Invalid playground')
  announce(tx)
  return {}
}

function announce(tx: RealmTransaction): void {
  const event: StoredRealmPlaygroundsEvent = {
    type: 'realm_playgrounds',
    realm_playgrounds: presentPlaygrounds(tx.sql),
  }
  tx.emit(event, EVERYONE)
}
