import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { NAME_LENGTH, WEB_ADDRESS_LENGTH } from '../../api/input-limits.ts'
import { described, pathInteger, trimmedTextUpTo } from '../../api/parameter-types.ts'
import { EVERYONE } from '../../core/audience.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { withinQuota } from '../../model/quotas/within-quota.ts'
import { presentPlaygrounds, requireUsablePlayground } from '../../model/realm/linkifiers-and-playgrounds.ts'
import { deletePlayground, insertPlayground } from '../../store/realm/realm-list-rows.ts'

/** Length of a language's name in the highlighter. */
const MAX_LANGUAGE_LENGTH = 40

/** Adds a site at which code blocks in a language can be opened. Source: docs/interface/organization.md#code-playgrounds. */
export const addCodePlaygroundEndpoint = defineEndpoint({
  operation: 'add-code-playground',
  route: 'POST /realm/playgrounds',
  access: 'administrator',
  params: {
    name: v.pipe(trimmedTextUpTo(NAME_LENGTH), v.nonEmpty()),
    pygments_language: v.pipe(trimmedTextUpTo(MAX_LANGUAGE_LENGTH), v.nonEmpty()),
    url_template: described(
      trimmedTextUpTo(WEB_ADDRESS_LENGTH),
      'A URL template (RFC 6570) with the variable `code` alone.',
    ),
  },
  returns: v.object({ id: v.number() }),
  apply(tx, caller, params) {
    const playground = requireUsablePlayground(tx.sql, params)
    const id = withinQuota(tx, caller, 'playgrounds', () => insertPlayground(tx.sql, playground))
    announce(tx)
    return { id }
  },
  audit: 'shown',
})

export const removeCodePlaygroundEndpoint = defineEndpoint({
  operation: 'remove-code-playground',
  route: 'DELETE /realm/playgrounds/:playground_id',
  access: 'administrator',
  params: { playground_id: pathInteger },
  apply(tx, _caller, { playground_id }) {
    if (!deletePlayground(tx.sql, playground_id)) throw new BadRequestError('Invalid playground')
    announce(tx)
  },
  audit: 'shown',
})

function announce(tx: RealmTransaction): void {
  tx.emit({ type: 'realm_playgrounds', realm_playgrounds: presentPlaygrounds(tx.sql) }, EVERYONE)
}
