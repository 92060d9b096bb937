import * as v from 'valibot'

/** A location in a value, as a dotted path, and what is wrong there. */
export interface Mismatch {
  readonly where: string
  readonly problem: string
}

/** Returns the fields that have another type than the schema's, are missing, or are not declared. */
export function mismatches(schema: v.GenericSchema, value: unknown): Mismatch[] {
  const result = v.safeParse(schema, value)
  if (result.success) return undeclared(value, result.output)
  return result.issues.map((issue) => ({ where: v.getDotPath(issue) ?? '', problem: issue.message }))
}

export function describeMisfits(found: readonly Mismatch[]): string {
  return found.map(({ where, problem }) => `${where}: ${problem}`).join('\n')
}

/** Returns the fields that valibot left out: an object keeps only what its schema declares. */
function undeclared(value: unknown, declared: unknown, path = ''): Mismatch[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, item]) => {
    const where = path === '' ? name : `${path}.${name}`
    const isDeclared = typeof declared === 'object' && declared !== null && name in declared
    if (!isDeclared) return [{ where, problem: 'is not declared' }]
    return undeclared(item, (declared as Record<string, unknown>)[name], where)
  })
}
