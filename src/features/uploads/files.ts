import * as v from 'valibot'
import { defineEndpoint, defineStep } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { described, pathInteger, textUpTo } from '../../api/parameter-types.ts'
import { inAddress } from '../../api/step-types.ts'
import { BadRequestError } from '../../core/errors.ts'
import { mayReadAttachment } from '../../model/messages/read/attachment-access.ts'
import { findFile, findTemporaryFile, getFileTemporaryUrl } from '../../model/uploads/find-file.ts'
import { findAttachmentAt } from '../../store/uploads/attachment-rows.ts'

/** The step behind the URLs of files outside the API. */
export const findFileStep = defineStep({
  operation: 'find-file',
  access: 'user',
  madeInCopies: true,
  params: { path: inAddress },
  apply: findFile,
  audit: 'read-only',
  shed: { step: 'previews', afterwards: true },
})

export const findTemporaryFileStep = defineStep({
  operation: 'find-temporary-file',
  access: 'anyone',
  madeInCopies: true,
  params: { token: inAddress },
  apply: findTemporaryFile,
  audit: 'read-only',
})

/** Gets a URL at which anyone can read the file for a minute. Source: docs/interface/uploads.md#read-a-file. */
export const getFileTemporaryUrlEndpoint = defineEndpoint({
  operation: 'get-file-temporary-url',
  route: 'GET /user_uploads/:realm_id_str/:filename+',
  access: 'user',
  rateLimit: 'none',
  params: {
    realm_id_str: pathInteger,
    filename: described(textUpTo(NAME_LENGTH), 'The rest of the file’s path.'),
  },
  returns: v.object({ url: v.string() }),
  apply: getFileTemporaryUrl,
})

/**
 * Says that a picture's smaller forms can be read. They can as soon as it is stored: each is made when it is first read, and a picture
 * without one, such as an animation, is sent unchanged. So nobody has to wait, and any other upload is refused. Source:
 * docs/interface/uploads.md#read-a-file.
 */
export const checkThumbnailStatusEndpoint = defineEndpoint({
  operation: 'check-thumbnail-status',
  route: 'GET /thumbnail/status/:realm_id_str/:filename+',
  access: 'user',
  params: {
    realm_id_str: pathInteger,
    filename: described(textUpTo(NAME_LENGTH), 'The rest of the file’s path.'),
  },
  returns: v.object({ has_thumbnail: v.boolean() }),
  apply(tx, caller, { realm_id_str, filename }) {
    const attachment = findAttachmentAt(tx.sql, `${realm_id_str}/${filename}`)
    if (!attachment?.image || !mayReadAttachment(tx, caller, attachment)) {
      throw new BadRequestError('Invalid attachment')
    }
    return { has_thumbnail: true }
  },
})
