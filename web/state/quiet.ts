/** The times in which this browser shows and plays no notifications. */
export interface Quiet {
  /** Milliseconds since 1970 until which they are paused by hand; 0 for not. */
  readonly until: number
  /** Times of the day as `HH:MM` between which they are paused; past midnight if `to` is the smaller, and all day if both are equal. */
  readonly from: string
  readonly to: string
  readonly isDaily: boolean
}

export const NEVER_QUIET: Quiet = { until: 0, from: '22:00', to: '08:00', isDaily: false }

export type Pause = 'half' | 'hour' | 'tomorrow'

/** Returns the milliseconds until which a pause lasts; tomorrow begins at 9. */
export function endOfPause(pause: Pause, now: Date): number {
  if (pause !== 'tomorrow') return now.getTime() + (pause === 'half' ? 30 : 60) * 60_000
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, 9).getTime()
}

export function isQuiet({ until, from, to, isDaily }: Quiet, now: Date): boolean {
  if (until > now.getTime()) return true
  if (!isDaily) return false
  const [begin, end] = [minutesOf(from), minutesOf(to)]
  const minute = now.getHours() * 60 + now.getMinutes()
  return begin < end ? begin <= minute && minute < end : minute >= begin || minute < end
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}
