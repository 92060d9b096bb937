/** Step `web-public` of the schema: visitors without an account are answered without a look at every channel. */
export const WEB_PUBLIC_STATEMENTS: readonly string[] = [
  `CREATE INDEX channel_web_public ON channel (id) WHERE is_web_public = 1 AND is_private = 0`,
]
