/** The clock by which a user reads times. */
export interface Clock {
  /** A language tag, which may be one that nobody knows. */
  readonly language: string
  readonly hour12: boolean
  /** IANA name. */
  readonly timeZone: string
}

/** Returns the function that writes times (UNIX seconds) by a clock: `Monday, 18 May 2026 at 16:00 GMT+2`. */
export function timesInWords({ language, ...clock }: Clock): (time: number) => string {
  const format = new Intl.DateTimeFormat(localeOf(language), {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
    ...clock,
  })
  return (time) => format.format(time * 1_000)
}

function localeOf(language: string): string {
  try {
    const [locale = 'en'] = Intl.DateTimeFormat.supportedLocalesOf(language.replaceAll('_', '-'))
    return locale === 'en' ? 'en-GB' : locale
  } catch {
    return 'en-GB'
  }
}
