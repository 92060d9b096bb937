import * as v from 'valibot'

/**
 * A key or secret in an answer or event: with it, somebody else can act for an account, or join as more than a member. A browser gets one
 * only after a proof of who is there (test/house/secrets-in-answers.test.ts).
 */
export function secretText() {
  return v.pipe(v.string(), v.metadata({ secret: true }))
}

/** Whether the schema was made by `secretText`. */
export function isSecretText(schema: v.GenericSchema): boolean {
  return 'pipe' in schema && (v.getMetadata(schema as Secret) as { secret?: boolean }).secret === true
}

type Secret = ReturnType<typeof secretText>
