import { locale } from '../texts/texts.ts'

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** Returns the size of a file in words. */
export function sizeOf(bytes: number): string {
  const step = Math.min(UNITS.length - 1, bytes < 1_000 ? 0 : Math.floor(Math.log10(bytes) / 3))
  return new Intl.NumberFormat(locale(), {
    style: 'unit',
    unit: UNITS[step]!,
    // Its short form has no plural.
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumSignificantDigits: 3,
  }).format(bytes / 1_000 ** step)
}
