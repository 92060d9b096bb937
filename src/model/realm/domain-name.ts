import { BadRequestError } from '../../core/errors.ts'

const LABEL = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/

/** Returns the name in its stored form: lower case. */
export function requireDomainName(name: string): string {
  const domain = name.trim().toLowerCase()
  const labels = domain.split('.')
  const problem =
    domain === ''
      ? "Domain can't be empty."
      : labels.length < 2
        ? 'Domain must have at least one dot (.)'
        : labels.every((label) => LABEL.test(label))
          ? undefined
          : "Domain can only have letters, numbers, '.' and '-'s."
  if (problem !== undefined) throw new BadRequestError(`Invalid domain: ${problem}`)
  return domain
}
