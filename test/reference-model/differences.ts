import type { Json } from '../support/json.ts'

/**
 * Returns the paths at which two JSON values differ, as `path: this | that`; [] if they are equal. Whole snapshots are too
 * large to be printed side by side.
 */
export function differencesBetween(left: Json, right: Json, path = ''): string[] {
  if (Object.is(left, right)) return []
  if (!isContainer(left) || !isContainer(right) || Array.isArray(left) !== Array.isArray(right)) {
    return [`${path}: ${shown(left)} | ${shown(right)}`]
  }
  const keys = new Set([...Object.keys(left), ...Object.keys(right)])
  return [...keys].flatMap((key) => differencesBetween(left[key], right[key], `${path}/${key}`))
}

function isContainer(value: Json): boolean {
  return typeof value === 'object' && value !== null
}

function shown(value: Json): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 200)
}
