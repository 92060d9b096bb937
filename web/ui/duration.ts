import { locale } from '../texts/texts.ts'

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** Returns a number of seconds in the largest unit that needs no fraction: `90 minutes`. */
export function durationName(seconds: number): string {
  const [unit, size] = UNITS.find(([, size]) => seconds % size === 0) ?? (['second', 1] as const)
  return amount(seconds / size, unit)
}

/** Returns `45 days`. */
export function daysName(days: number): string {
  return amount(days, 'day')
}

function amount(value: number, unit: (typeof UNITS)[number][0]): string {
  return new Intl.NumberFormat(locale(), { style: 'unit', unit, unitDisplay: 'long' }).format(value)
}
