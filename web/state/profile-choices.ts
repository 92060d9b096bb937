/** The types of profile fields that have a form of their own, by their API numbers. */
export const FIELD = { longText: 2, choice: 3, date: 4, link: 5, people: 6, account: 7 } as const

/** A choice of a profile field, as the server keeps it: by its key, which is what people's values name. */
export interface ProfileChoice {
  readonly key: string
  readonly text: string
}

type FieldData = Readonly<Record<string, { readonly text: string; readonly order: string }>>

/** Returns the choices in their order. */
export function choicesIn(data: FieldData): readonly ProfileChoice[] {
  return Object.entries(data)
    .sort(([, a], [, b]) => Number(a.order) - Number(b.order))
    .map(([key, { text }]) => ({ key, text }))
}

export function dataOfChoices(choices: readonly ProfileChoice[]): FieldData {
  return Object.fromEntries(choices.map(({ key, text }, at) => [key, { text, order: String(at + 1) }]))
}

/**
 * Returns the choices with another at the end. Its key is the time, in milliseconds, so that no removed choice has had it: among thousands of
 * people, some may still have a removed one.
 */
export function withChoice(
  choices: readonly ProfileChoice[],
  text: string,
  now: number,
): readonly ProfileChoice[] {
  return [...choices, { key: String(now), text }]
}

/** The place of the name in the address of a profile elsewhere. */
const USERNAME = '%(username)s'

/** The data of a field for accounts elsewhere: a site that the server knows, or `custom` with an address. */
export interface AccountData {
  readonly subtype: string
  readonly url_pattern?: string
}

/** A site that the server knows. */
export interface AccountSite {
  readonly text: string
  readonly url_pattern: string
}

/** The site of accounts elsewhere that the organization has described itself. */
export const OWN_SITE = 'custom'

/** Returns the address of somebody's profile elsewhere; undefined if the site is not known. */
export function accountAddress(
  { subtype, url_pattern }: AccountData,
  sites: Readonly<Record<string, AccountSite>>,
  username: string,
): string | undefined {
  const known = Object.hasOwn(sites, subtype) ? sites[subtype]!.url_pattern : undefined
  const pattern = subtype === OWN_SITE ? url_pattern : known
  return pattern?.replace(USERNAME, () => encodeURIComponent(username))
}
