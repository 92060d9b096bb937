import { t } from '../texts/texts.ts'
import { clock } from '../ui/time.tsx'
import { nextMornings } from '../ui/zoned-time.ts'

/** Returns likely times for a scheduled message or reminder, in UNIX seconds. Nine o'clock is that of the zone in which times are shown. */
export function likelyTimes(): { readonly name: string; readonly at: number }[] {
  const seconds = Math.floor(Date.now() / 1_000)
  const { tomorrow, monday } = nextMornings(seconds, clock.zone)
  return [
    { name: t.times.inMinutes(30), at: seconds + 1_800 },
    { name: t.times.inHours(3), at: seconds + 10_800 },
    { name: t.times.tomorrow, at: tomorrow },
    ...(monday === undefined ? [] : [{ name: t.times.nextMonday, at: monday }]),
  ]
}
