import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { pathInteger, textUpTo } from '../../api/parameter-types.ts'
import { getFileTemporaryUrl } from '../../model/uploads/find-file.ts'

/**
 * Gets an address at which anybody can read the file for a minute. Source:
 * docs/interface/uploads.md#read-a-file.
 */
export const getFileTemporaryUrlEndpoint = defineEndpoint({
  operation: 'get-file-temporary-url',
  method: 'GET',
  path: '/user_uploads/:realm_id_str/:filename+',
  access: 'user',
  rateLimit: 'none',
  params: {
    realm_id_str: pathInteger,
    filename: v.pipe(textUpTo(NAME_LENGTH), v.description('The rest of the file’s path.')),
  },
  returns: v.object({ url: v.string() }),
  command: getFileTemporaryUrl,
})
