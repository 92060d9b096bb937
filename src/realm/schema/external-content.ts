/** Step `external-content` of the schema: the key that signs addresses of other servers' pictures. */
export const EXTERNAL_CONTENT_STATEMENTS: readonly string[] = [
  `INSERT INTO meta (key, value) VALUES ('external_content_key', lower(hex(randomblob(32))))`,
]
