import { type Clock, timesInWords } from '../../../core/time.ts'
import { userSetting } from '../../../store/users/settings/user-setting-rows.ts'
import type { User } from '../../../store/users/user-rows.ts'

/** Returns the language, the clock and the zone in which a user reads times. */
export function clockOf(reader: Pick<User, 'settings' | 'timezone'>): Clock {
  return {
    language: userSetting(reader, 'default_language'),
    hour12: !userSetting(reader, 'twenty_four_hour_time'),
    timeZone: reader.timezone || 'UTC',
  }
}

/** Returns a function that writes the times in a message (ISO 8601) for a user; it returns undefined for anything else. */
export function momentsFor(
  reader: Pick<User, 'settings' | 'timezone'>,
): (moment: string) => string | undefined {
  // Most messages have no times, and making this takes far longer than using it.
  let write: ((time: number) => string) | undefined
  return (moment) => {
    const time = Date.parse(moment) / 1_000
    if (Number.isNaN(time)) return undefined
    write ??= timesInWords(clockOf(reader))
    return write(time)
  }
}
