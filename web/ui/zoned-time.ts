/** Times as people choose them: a day and an hour on the clock of a zone. `zone`: undefined for the computer's own. */

/** Returns `2026-03-01T09:30`: the Swedish format is what fields for times need. */
export function textOfTime(seconds: number, zone: string | undefined): string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' })
  return format.format(seconds * 1_000).replace(' ', 'T')
}

/** Returns the UNIX seconds of `2026-03-01T09:30`; not a number for anything else. */
export function secondsOfTime(text: string, zone: string | undefined): number {
  const wanted = Date.parse(`${text}Z`) / 1_000
  if (Number.isNaN(wanted)) return wanted
  // The zone's offset depends on the time: two rounds are enough, except when a clock is set back.
  let seconds = wanted
  for (let pass = 0; pass < 2; pass += 1) {
    seconds += wanted - Date.parse(`${textOfTime(seconds, zone)}Z`) / 1_000
  }
  return seconds
}

/** Returns nine o'clock of the next day, and of the next Monday, which is left out where that is the next day. */
export function nextMornings(
  seconds: number,
  zone: string | undefined,
): { readonly tomorrow: number; readonly monday: number | undefined } {
  const today = Date.parse(`${textOfTime(seconds, zone).slice(0, 10)}T00:00Z`)
  const morningAfter = (days: number) =>
    secondsOfTime(`${new Date(today + days * 86_400_000).toISOString().slice(0, 10)}T09:00`, zone)
  const toMonday = (8 - new Date(today).getUTCDay()) % 7 || 7
  return { tomorrow: morningAfter(1), monday: toMonday === 1 ? undefined : morningAfter(toMonday) }
}
