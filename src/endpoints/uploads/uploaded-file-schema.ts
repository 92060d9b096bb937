import * as v from 'valibot'

/** What became of a file that has come. Source: docs/interface/uploads.md#upload-a-file. */
export const uploadedFile = v.object({
  url: v.string(),
  uri: v.pipe(v.string(), v.description('The same, under its older name.')),
  filename: v.string(),
})
