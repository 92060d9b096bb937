import { t } from '../texts/texts.ts'

/** Returns likely times for a scheduled message or reminder, in UNIX seconds. */
export function likelyTimes(): { readonly name: string; readonly at: number }[] {
  const at = (days: number, hour: number) => {
    const date = new Date()
    date.setDate(date.getDate() + days)
    date.setHours(hour, 0, 0, 0)
    return Math.floor(date.getTime() / 1_000)
  }
  const seconds = Math.floor(Date.now() / 1_000)
  const toMonday = (8 - new Date().getDay()) % 7 || 7
  return [
    { name: t.times.inMinutes(30), at: seconds + 1_800 },
    { name: t.times.inHours(3), at: seconds + 10_800 },
    { name: t.times.tomorrow, at: at(1, 9) },
    { name: t.times.nextMonday, at: at(toMonday, 9) },
  ]
}
