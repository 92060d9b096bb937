import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { textUpTo } from '../../api/parameter-types.ts'
import { shortNameProblem } from './short-name-rules.ts'

const TAKEN = 'Subdomain is already in use. Please choose a different one.'

/**
 * Says whether a new organization could have this short name: `available`, or why not, in `msg`. It succeeds
 * either way. Source: docs/interface/organization.md#close.
 */
export const checkSubdomainEndpoint = defineEndpoint({
  operation: 'check-subdomain',
  method: 'GET',
  path: '/realm/subdomain/:subdomain',
  access: 'anyone',
  params: { subdomain: textUpTo(NAME_LENGTH) },
  returns: v.object({ msg: v.string() }),
  command: { apply: () => ({}) },
  async finish(_raw, { subdomain }, worker) {
    const problem = shortNameProblem(subdomain)
    if (problem !== undefined) return { msg: problem }
    return { msg: (await worker.isShortNameTaken(subdomain)) ? TAKEN : 'available' }
  },
})
