import { ApiError } from '../../src/core/errors.ts'

/** Returns the text of the refusal, null if the rule allows it. Throws any error that is not a refusal of the API. */
export function refusal(rule: () => unknown): string | null {
  return refusalError(rule)?.message ?? null
}

export function refusalError(rule: () => unknown): ApiError | null {
  try {
    rule()
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  return null
}
