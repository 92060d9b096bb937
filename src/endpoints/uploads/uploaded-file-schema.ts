import * as v from 'valibot'

/** What became of a file that has come. Source: core-endpoints 22. */
export const uploadedFile = v.object({
  url: v.string(),
  uri: v.pipe(v.string(), v.description('The same, under its older name.')),
  filename: v.string(),
})
