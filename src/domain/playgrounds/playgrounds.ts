import { EVERYONE } from '../../core/audience.ts'
import type { Command } from '../../core/command.ts'
import { BadRequestError, ValidationFailedError } from '../../core/errors.ts'
import { firstUnfitInName } from '../../core/names.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredRealmPlaygroundsEvent } from '../../events/realm-playgrounds.ts'
import { templateVariables } from '../../markdown/linkifiers.ts'
import type { Caller } from '../caller.ts'
import { withinQuota } from '../quotas/within-quota.ts'
import { deletePlayground, insertPlayground } from './playground-rows.ts'
import { presentPlaygrounds } from './present-playgrounds.ts'

export interface AddPlaygroundParams {
  readonly name: string
  readonly pygments_language: string
  readonly url_template: string
}

/** Adds a site at which code can be tried out. Source: docs/interface/organization.md#code-playgrounds. */
export const addPlayground: Command<Caller, AddPlaygroundParams, void, { readonly id: number }> = {
  apply(tx, caller, { name, pygments_language, url_template }) {
    if (!/^[ a-zA-Z0-9_+.#/-]*$/.test(pygments_language)) {
      throw new ValidationFailedError({ pygments_language: ['Invalid characters in pygments language'] })
    }
    if (firstUnfitInName(name) !== undefined)
      throw new ValidationFailedError({ name: ['Invalid characters in name!'] })
    requireCodeTemplate(url_template)
    const playground = { name, pygmentsLanguage: pygments_language, urlTemplate: url_template }
    const id = withinQuota(tx, caller, 'playgrounds', () => insertPlayground(tx.sql, playground))
    announce(tx)
    return { id }
  },
}

export const removePlayground: Command<Caller, { readonly playground_id: number }, void, object> = {
  apply(tx, _caller, { playground_id }) {
    if (!deletePlayground(tx.sql, playground_id)) throw new BadRequestError('Invalid playground')
    announce(tx)
    return {}
  },
}

/** Requires that the address has the code as its only variable. */
function requireCodeTemplate(urlTemplate: string): void {
  const variables = templateVariables(urlTemplate)
  const refuse = (text: string) => new ValidationFailedError({ url_template: [text] })
  if (variables === undefined) throw refuse('Invalid URL template.')
  if (!variables.includes('code')) throw refuse('Missing the required variable "code" in the URL template')
  if (variables.length > 1) throw refuse('"code" should be the only variable present in the URL template')
}

function announce(tx: RealmTransaction): void {
  const event: StoredRealmPlaygroundsEvent = {
    type: 'realm_playgrounds',
    realm_playgrounds: presentPlaygrounds(tx.sql),
  }
  tx.emit(event, EVERYONE)
}
