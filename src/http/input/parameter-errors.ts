import type * as v from 'valibot'
import { type ApiError, BadRequestError, MissingParameterError } from '../../core/errors.ts'

/**
 * Texts of type errors, by the valibot schema that failed. Source: docs/interface/conventions.md#parameters.
 */
const WRONG_TYPE: Record<string, string> = {
  boolean: 'is not a boolean',
  string: 'is not a string',
  number: 'is not an integer',
  safe_integer: 'is not an integer',
  integer: 'is not an integer',
  array: 'is not a list',
  tuple: 'is not a list',
  object: 'is not a dict',
  strict_object: 'is not a dict',
  loose_object: 'is not a dict',
  record: 'is not a dict',
}

/** Returns the API's error for the first problem that valibot has found in the parameters. */
export function parameterError(issue: v.BaseIssue<unknown>): ApiError {
  const path = (issue.path ?? []).map((item) => item.key)
  const name = parameterName(path)
  if (isMissingKey(issue)) {
    // For valibot a list is an object that lacks the keys.
    if (Array.isArray(issue.path?.at(-1)?.input)) {
      return new BadRequestError(`${parameterName(path.slice(0, -1))} is not a dict`)
    }
    return path.length === 1
      ? new MissingParameterError(String(path[0]))
      : new BadRequestError(`${name} field is missing: Field required`)
  }
  if (issue.type === 'strict_object' && issue.expected === 'never') {
    return new BadRequestError(
      `Argument "${String(path.at(-1))}" at ${parameterName(path.slice(0, -1))} is unexpected`,
    )
  }
  const deep = deepestUnionIssue(issue)
  if (deep !== issue) return parameterError(deep)
  return new BadRequestError(textFor(issue, name))
}

/**
 * Returns the text. A schema's own message is used if it begins like the API's: `v.number('is not a float')`.
 */
function textFor({ type, requirement, message }: v.BaseIssue<unknown>, name: string): string {
  if (message.startsWith('is ')) return `${name} ${message}`
  switch (type) {
    case 'max_length':
      return `${name} is too long (limit: ${requirement} characters)`
    case 'min_length':
      return `${name} is too short.`
    case 'non_empty':
      return `${name} cannot be blank`
    case 'min_value':
      return `${name} is too small`
    case 'max_value':
      return `${name} is too large`
    case 'regex':
      return `${name} has invalid format`
    case 'check':
    case 'raw_check':
    case 'raw_transform':
      return message.startsWith('Invalid ') ? `Invalid ${name}` : `Invalid ${name}: Value error, ${message}`
    default:
      return WRONG_TYPE[type] ? `${name} ${WRONG_TYPE[type]}` : `Invalid ${name}`
  }
}

function isMissingKey(issue: v.BaseIssue<unknown>): boolean {
  return (
    ['object', 'strict_object', 'loose_object'].includes(issue.type) &&
    issue.received === 'undefined' &&
    issue.expected !== null &&
    issue.expected !== 'Object'
  )
}

/** Returns the issue of the branch of a union that matched furthest, since that branch was meant. */
function deepestUnionIssue(issue: v.BaseIssue<unknown>): v.BaseIssue<unknown> {
  if (issue.type !== 'union' || !issue.issues) return issue
  const nested = issue.issues.filter((inner) => (inner.path?.length ?? 0) > 0)
  const best = nested[0]
  if (!best) return issue
  return { ...best, path: [...(issue.path ?? []), ...best.path!] as [v.IssuePathItem, ...v.IssuePathItem[]] }
}

/** Returns a parameter's path as a name: `subscriptions[0]["name"]`. */
function parameterName(path: readonly unknown[]): string {
  return path
    .map((key, depth) =>
      depth === 0 ? String(key) : typeof key === 'number' ? `[${key}]` : `["${String(key)}"]`,
    )
    .join('')
}
