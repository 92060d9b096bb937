/**
 * The IANA identifier in the spelling clients know, whatever the case it was sent in; undefined when the
 * zone does not exist. Old names lead to the present one. Offsets such as `+01:00` are no zones.
 */
export function canonicalTimezone(name: string): string | undefined {
  if (!/^[a-z]/i.test(name)) return undefined
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}
