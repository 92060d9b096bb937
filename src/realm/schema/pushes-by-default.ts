/** Step `pushes-by-default` of the schema: whether those who join a channel get pushes of its messages. */
export const PUSHES_BY_DEFAULT_STATEMENTS: readonly string[] = [
  `ALTER TABLE channel ADD COLUMN pushes_by_default INTEGER NOT NULL DEFAULT 0`,
]
