import { firstPoints, isLongerThan } from '../../core/text-length.ts'
import type { ImportTally } from './import-report.ts'

/** Returns a text of the source as one line without what cannot be shown, cut to what `field` may have here; what is cut is counted. */
export function lineUpTo(
  { tally }: { readonly tally: ImportTally },
  given: string,
  limit: number,
  field: string,
): string {
  const line = given
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
  if (!isLongerThan(line, limit)) return line
  tally.count('passedOver', `${field}, cut`)
  return firstPoints(line, limit).trim()
}
