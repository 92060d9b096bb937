/**
 * Step `web-public` of the schema: an index for visitors without an account, whose requests then need not
 * read every channel.
 */
export const WEB_PUBLIC_STATEMENTS: readonly string[] = [
  `CREATE INDEX channel_web_public ON channel (id) WHERE is_web_public = 1 AND is_private = 0`,
]
