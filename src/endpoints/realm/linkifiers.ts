import * as v from 'valibot'
import {
  addLinkifier,
  getLinkifiers,
  removeLinkifier,
  reorderLinkifiers,
  updateLinkifier,
} from '../../domain/linkifiers/linkifiers.ts'
import { linkifierSchema } from '../../events/realm-linkifiers.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { WEB_ADDRESS_LENGTH } from '../input-limits.ts'
import { json, jsonIds, listUpTo, pathInteger, textUpTo } from '../parameter-types.ts'

/**
 * Lists the rules that turn text into links, in their order. Source:
 * docs/interface/organization.md#linkifiers.
 */
export const getLinkifiersEndpoint = defineEndpoint({
  operation: 'get-linkifiers',
  method: 'GET',
  path: '/realm/linkifiers',
  access: 'user',
  params: {},
  returns: v.object({
    linkifiers: v.array(linkifierSchema),
  }),
  command: getLinkifiers,
})

/** Length of an example, which the pattern is matched with. */
const EXAMPLE_LENGTH = 200
const MAX_ALTERNATIVES = 20

const linkifier = {
  pattern: v.pipe(textUpTo(WEB_ADDRESS_LENGTH), v.description('A regular expression of RE2.')),
  url_template: v.pipe(
    textUpTo(WEB_ADDRESS_LENGTH),
    v.description('A URL template (RFC 6570) with the groups of the pattern.'),
  ),
  example_input: v.pipe(
    v.optional(textUpTo(EXAMPLE_LENGTH)),
    v.description('A text that the pattern matches. Empty: none.'),
  ),
  reverse_template: v.pipe(
    v.optional(textUpTo(EXAMPLE_LENGTH)),
    v.description('The text of an address, with `{group}` for groups of the pattern. Empty: none.'),
  ),
  alternative_url_templates: v.pipe(
    v.optional(json(listUpTo(MAX_ALTERNATIVES, textUpTo(WEB_ADDRESS_LENGTH)))),
    v.description('URL templates of further addresses that clients turn into that text.'),
  ),
}

export const addLinkifierEndpoint = defineEndpoint({
  operation: 'add-linkifier',
  method: 'POST',
  path: '/realm/filters',
  access: 'administrator',
  params: linkifier,
  returns: v.object({ id: v.number() }),
  command: addLinkifier,
  audit: 'shown',
})

export const updateLinkifierEndpoint = defineEndpoint({
  operation: 'update-linkifier',
  method: 'PATCH',
  path: '/realm/filters/:filter_id',
  access: 'administrator',
  params: { filter_id: pathInteger, ...linkifier },
  returns: v.object({}),
  command: updateLinkifier,
  audit: 'shown',
})

export const removeLinkifierEndpoint = defineEndpoint({
  operation: 'remove-linkifier',
  method: 'DELETE',
  path: '/realm/filters/:filter_id',
  access: 'administrator',
  params: { filter_id: pathInteger },
  returns: v.object({}),
  command: removeLinkifier,
  audit: 'shown',
})

export const reorderLinkifiersEndpoint = defineEndpoint({
  operation: 'reorder-linkifiers',
  method: 'PATCH',
  path: '/realm/linkifiers',
  access: 'administrator',
  params: { ordered_linkifier_ids: jsonIds },
  returns: v.object({}),
  command: reorderLinkifiers,
  audit: 'shown',
})
