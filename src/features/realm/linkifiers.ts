import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { WEB_ADDRESS_LENGTH } from '../../api/input-limits.ts'
import { described, json, jsonIds, listUpTo, pathInteger, textUpTo } from '../../api/parameter-types.ts'
import { EVERYONE } from '../../core/audience.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { linkifierSchema } from '../../events/realm-lists.ts'
import { withinQuota } from '../../model/quotas/within-quota.ts'
import {
  compileLinkifiers,
  presentLinkifiers,
  requireUsableLinkifier,
} from '../../model/realm/linkifiers-and-playgrounds.ts'
import {
  changeLinkifier,
  deleteLinkifierRow,
  insertLinkifier,
  listLinkifiers,
  putLinkifierOrder,
  type StoredLinkifier,
} from '../../store/realm/realm-list-rows.ts'

/** Lists the rules that turn text into links, in order. Source: docs/interface/organization.md#linkifiers. */
export const getLinkifiersEndpoint = defineEndpoint({
  operation: 'get-linkifiers',
  route: 'GET /realm/linkifiers',
  access: 'user',
  returns: v.object({
    linkifiers: v.array(linkifierSchema),
  }),
  query: ({ sql }) => ({ linkifiers: presentLinkifiers(sql) }),
})

/** Length of an example, against which the pattern is matched. */
const EXAMPLE_LENGTH = 200

const MAX_ALTERNATIVES = 20

const linkifier = {
  pattern: described(textUpTo(WEB_ADDRESS_LENGTH), 'A regular expression of RE2.'),
  url_template: described(
    textUpTo(WEB_ADDRESS_LENGTH),
    'A URL template (RFC 6570) with the groups of the pattern.',
  ),
  example_input: described(
    v.optional(textUpTo(EXAMPLE_LENGTH)),
    'A text that the pattern matches. Empty: none.',
  ),
  reverse_template: described(
    v.optional(textUpTo(EXAMPLE_LENGTH)),
    'The text of an address, with `{group}` for groups of the pattern. Empty: none.',
  ),
  alternative_url_templates: described(
    v.optional(json(listUpTo(MAX_ALTERNATIVES, textUpTo(WEB_ADDRESS_LENGTH)))),
    'URL templates of further addresses that clients turn into that text.',
  ),
}

export const addLinkifierEndpoint = defineEndpoint({
  operation: 'add-linkifier',
  route: 'POST /realm/filters',
  access: 'administrator',
  params: linkifier,
  returns: v.object({ id: v.number() }),
  apply(tx, caller, params) {
    compileLinkifiers(tx)
    const linkifier = requireUsableLinkifier(tx.sql, undefined, params)
    const id = withinQuota(tx, caller, 'linkifiers', () => insertLinkifier(tx.sql, linkifier))
    announce(tx)
    return { id }
  },
  audit: 'shown',
})

export const updateLinkifierEndpoint = defineEndpoint({
  operation: 'update-linkifier',
  route: 'PATCH /realm/filters/:filter_id',
  access: 'administrator',
  params: { filter_id: pathInteger, ...linkifier },
  apply(tx, caller, { filter_id, ...params }) {
    compileLinkifiers(tx)
    const present = requireLinkifier(tx.sql, filter_id)
    const linkifier = { id: filter_id, ...requireUsableLinkifier(tx.sql, present, params) }
    withinQuota(tx, caller, 'linkifiers', () => changeLinkifier(tx.sql, linkifier))
    announce(tx)
  },
  audit: 'shown',
})

export const removeLinkifierEndpoint = defineEndpoint({
  operation: 'remove-linkifier',
  route: 'DELETE /realm/filters/:filter_id',
  access: 'administrator',
  params: { filter_id: pathInteger },
  apply(tx, _caller, { filter_id }) {
    requireLinkifier(tx.sql, filter_id)
    deleteLinkifierRow(tx.sql, filter_id)
    announce(tx)
  },
  audit: 'shown',
})

export const reorderLinkifiersEndpoint = defineEndpoint({
  operation: 'reorder-linkifiers',
  route: 'PATCH /realm/linkifiers',
  access: 'administrator',
  params: { ordered_linkifier_ids: jsonIds },
  apply(tx, _caller, { ordered_linkifier_ids: ids }) {
    const known = listLinkifiers(tx.sql).map(({ id }) => id)
    if (ids.length !== known.length || known.some((id) => !ids.includes(id))) {
      throw new BadRequestError('Invalid order mapping.')
    }
    putLinkifierOrder(tx.sql, ids)
    announce(tx)
  },
  audit: 'shown',
})

function requireLinkifier(sql: Sql, id: number): StoredLinkifier {
  const linkifier = listLinkifiers(sql).find((one) => one.id === id)
  if (!linkifier) throw new BadRequestError('Linkifier not found.')
  return linkifier
}

function announce(tx: RealmTransaction): void {
  tx.emit({ type: 'realm_linkifiers', realm_linkifiers: presentLinkifiers(tx.sql) }, EVERYONE)
}
