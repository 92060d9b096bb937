import * as v from 'valibot'

/** The oldest supported level; the project has no record of what older clients expect. */
const OLDEST_CLIENT_LEVEL = 372

/** A language code as clients write it: `de`, `pt-br`, `zh-hans`. It is also used in paths. */
const languageCode = v.pipe(v.string(), v.regex(/^[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,2}$/i), v.maxLength(20))

const language = v.object({
  code: languageCode,
  locale: v.pipe(v.string(), v.maxLength(20)),
  name: v.pipe(v.string(), v.maxLength(100)),
  percent_translated: v.optional(v.number()),
})

/** The description of a web client, in `client.json` next to its page. */
export const webClientDescription = v.object({
  /** The API level for which it was written. */
  feature_level: v.pipe(v.number(), v.integer(), v.minValue(OLDEST_CLIENT_LEVEL)),
  languages: v.pipe(v.array(language), v.minLength(1), v.maxLength(200)),
  /** A Content-Security-Policy that replaces ours. */
  content_security_policy: v.optional(v.pipe(v.string(), v.regex(/^[\x20-\x7e]+$/), v.maxLength(4_000))),
})
export type WebClientDescription = v.InferOutput<typeof webClientDescription>

/** Placeholders in the page that the Worker fills, written as `{{name}}`. */
export const PLACEHOLDERS = ['page_params', 'csrf_token', 'language', 'color_scheme', 'realm_name'] as const
export const PLACEHOLDER = /\{\{(page_params|csrf_token|language|color_scheme|realm_name)\}\}/
export type PlaceholderName = (typeof PLACEHOLDERS)[number]

export const WEB_CLIENT_ASSETS = '/client'
