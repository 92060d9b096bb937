/** Zones that the engine still reports by former names: IANA has renamed them since, and clients know the present names. */
const PRESENT_NAMES: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
}

/**
 * Returns the IANA identifier in the spelling that clients know, whatever the case it was sent in; undefined
 * when the zone does not exist. Old names become the present one. Offsets such as `+01:00` are no zones.
 */
export function canonicalTimezone(name: string): string | undefined {
  if (!/^[a-z]/i.test(name)) return undefined
  try {
    const known = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
    return PRESENT_NAMES[known] ?? known
  } catch {
    return undefined
  }
}

const languageNames = new Intl.DisplayNames(['en'], {
  type: 'language',
  languageDisplay: 'standard',
  fallback: 'none',
})

/** Returns the English name of a language code such as `de` or `pt-br`; undefined when there is none. */
export function languageName(code: string): string | undefined {
  try {
    return languageNames.of(code)
  } catch {
    // The text does not have the form of a language code.
    return undefined
  }
}
