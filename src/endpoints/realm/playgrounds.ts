import * as v from 'valibot'
import { addPlayground, removePlayground } from '../../domain/playgrounds/playgrounds.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { NAME_LENGTH, WEB_ADDRESS_LENGTH } from '../input-limits.ts'
import { pathInteger, textUpTo, trimmedTextUpTo } from '../parameter-types.ts'

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
  command: addPlayground,
  audit: 'shown',
})

export const removeCodePlaygroundEndpoint = defineEndpoint({
  operation: 'remove-code-playground',
  method: 'DELETE',
  path: '/realm/playgrounds/:playground_id',
  access: 'administrator',
  params: { playground_id: pathInteger },
  returns: v.object({}),
  command: removePlayground,
  audit: 'shown',
})
