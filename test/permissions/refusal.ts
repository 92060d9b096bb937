import { ApiError } from '../../src/core/errors.ts'

/** The text of the refusal, null when the rule lets it pass. Anything but a refusal of the API fails. */
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
