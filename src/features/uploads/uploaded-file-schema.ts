import * as v from 'valibot'

/** The upload that was made from a file. Source: docs/interface/uploads.md#upload-a-file. */
export const uploadedFile = v.object({
  url: v.string(),
  uri: v.pipe(v.string(), v.description('The same value, under its older name.')),
  filename: v.string(),
})
