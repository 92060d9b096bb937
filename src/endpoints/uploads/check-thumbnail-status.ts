import * as v from 'valibot'
import { checkThumbnailStatus } from '../../domain/uploads/check-thumbnail-status.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { NAME_LENGTH } from '../input-limits.ts'
import { pathInteger, textUpTo } from '../parameter-types.ts'

/** Tells clients that wait for it whether the smaller forms of a picture can be read. Source: docs/interface/uploads.md#read-a-file. */
export const checkThumbnailStatusEndpoint = defineEndpoint({
  operation: 'check-thumbnail-status',
  method: 'GET',
  path: '/thumbnail/status/:realm_id_str/:filename+',
  access: 'user',
  params: {
    realm_id_str: pathInteger,
    filename: v.pipe(textUpTo(NAME_LENGTH), v.description('The rest of the file’s path.')),
  },
  returns: v.object({ has_thumbnail: v.boolean() }),
  command: checkThumbnailStatus,
})
