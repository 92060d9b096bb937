/** Name of a program, and of its system, as far as it reports them. */
export interface ProgramWords {
  readonly program: string | undefined
  readonly system: string | undefined
}

/** The first match counts, since several programs also name others. */
const PROGRAMS: readonly (readonly [RegExp, string])[] = [
  [/\bZulipMobile\b|\bZulipFlutter\b/i, 'Zulip (mobile)'],
  [/\bZulipElectron\b/i, 'Zulip (desktop)'],
  [/\bZulipTerminal\b/i, 'Zulip Terminal'],
  [/\bZulip/i, 'Zulip'],
  [/\bEdgA?\/|\bEdgiOS\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b|\biPad\b|\biOS\b/, 'iOS'],
  [/\bAndroid\b/i, 'Android'],
  [/\bWindows\b/i, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac ?OS\b|\bMacintosh\b|\bdarwin\b/i, 'macOS'],
  [/\bLinux\b|\bX11\b/i, 'Linux'],
]

/** A name before a slash, with which many programs begin: `curl/8.5.0`. */
const NAMED = /^([A-Za-z][\w.-]{0,29})\//

/** Reads the User-Agent header; versions are left out. */
export function programOf(userAgent: string): ProgramWords {
  const find = (words: typeof PROGRAMS) => words.find(([sign]) => sign.test(userAgent))?.[1]
  const name = NAMED.exec(userAgent)?.[1]
  return { program: find(PROGRAMS) ?? (name === 'Mozilla' ? undefined : name), system: find(SYSTEMS) }
}
