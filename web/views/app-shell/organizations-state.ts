import { signal } from '@preact/signals'
import { call } from '../../actions/call.ts'
import { mailOrganizations } from '../../api/find.ts'
import { state } from '../../chat.ts'
import { f, loadFrameTexts } from '../../texts/frame.ts'
import { readStored, store } from '../../ui/stored.ts'
import { announce } from '../announcement.tsx'

/** An organization elsewhere. */
export interface KnownOrganization {
  /** Its origin. */
  readonly url: string
  readonly name: string
  /** With it the server counts the user's unread messages there: that organization has given it to this browser. */
  readonly key?: string
  /** Whose key it is. */
  readonly user?: number
}

export const MAX_ORGANIZATIONS = 20
const KEY = 'organizations'

/**
 * The other organizations of the user, kept by this browser for this organization. Each has an address of its own, and browsers keep
 * addresses apart, so that nothing of them is known here but what the user has written, and what each lets this page know.
 */
export const otherOrganizations = signal<readonly KnownOrganization[]>(
  (readStored<{ all: KnownOrganization[] }>(KEY)?.all ?? []).flatMap(({ url, name, key, user }) => {
    const origin = originOf(String(url))
    return origin
      ? [
          {
            url: origin,
            name: String(name),
            ...(key === undefined ? {} : { key: String(key), user: Number(user) }),
          },
        ]
      : []
  }),
)

/** Returns the address of an organization; undefined for what is none. A scheme need not be written. */
export function originOf(written: string): string | undefined {
  const text = written.trim()
  const address = /^[a-z]+:\/\//i.test(text) ? text : `https://${text}`
  if (text === '' || !URL.canParse(address)) return undefined
  const { protocol, origin, hostname } = new URL(address)
  const isWeb = protocol === 'https:' || protocol === 'http:'
  return isWeb && (hostname.includes('.') || hostname === 'localhost') ? origin : undefined
}

export function addOrganization(organization: KnownOrganization): void {
  keep([...otherOrganizations.value.filter(({ url }) => url !== organization.url), organization])
}

export function removeOrganization(url: string): void {
  keep(otherOrganizations.value.filter((one) => one.url !== url))
}

export function keep(all: readonly KnownOrganization[]): void {
  otherOrganizations.value = all.slice(0, MAX_ORGANIZATIONS)
  store(KEY, { all: otherOrganizations.value })
}

/** Numbers of unread messages in other organizations, by address, as far as they let this page know them. */
export const unreadElsewhere = signal<ReadonlyMap<string, number>>(new Map())

/** How an address of this page begins with which another organization gives its key. */
const ARRIVING = '#unread?'
const ASKED = 'organization asked'
/** The same for an address from the list that was mailed. */
const MAILED = '#organizations?'
const ASKED_BY_MAIL = 'organizations asked by mail'
const COUNTED_EVERY_MS = 5 * 60_000

/** Leads to the other organization, where the user allows this page to show how many unread messages they have there. */
export function askForCount(url: string): void {
  const nonce = crypto.randomUUID()
  store(ASKED, { url, nonce })
  location.assign(`${url}/accounts/unread/?${new URLSearchParams({ for: location.origin, state: nonce })}`)
}

/** Takes the key that an organization has given to this page, which has asked for it. `hash`: of the address that it led to. */
async function takeKey(hash: string): Promise<void> {
  const given = new URLSearchParams(hash.slice(ARRIVING.length))
  const asked = readStored<{ url: string; nonce: string }>(ASKED)
  localStorage.removeItem(ASKED)
  const [url, key] = [given.get('url'), given.get('key')]
  if (!asked || !key || url !== asked.url || given.get('state') !== asked.nonce) return
  const known = otherOrganizations.value.find((one) => one.url === url)
  const organization = {
    url,
    name: known?.name ?? given.get('name') ?? new URL(url).host,
    key,
    user: state.me,
  }
  keep(
    known
      ? otherOrganizations.value.map((one) => (one === known ? organization : one))
      : [...otherOrganizations.value, organization],
  )
  await loadFrameTexts()
  announce(f.organizations.countShown(organization.name))
}

/**
 * Has the user's organizations on this server mailed to them, each with a link that adds it to the list of this browser. The page itself does not
 * get them: that an account here has an address does not prove whose mailbox it is.
 */
export async function askByMail(email: string): Promise<boolean> {
  const asked = { state: crypto.randomUUID() }
  store(ASKED_BY_MAIL, asked)
  return mailOrganizations(email, asked.state)
}

/** Adds an organization by a link in the mail that this browser has asked for. */
async function takeMailed(hash: string): Promise<void> {
  const given = new URLSearchParams(hash.slice(MAILED.length))
  const asked = readStored<{ state: string }>(ASKED_BY_MAIL)
  const url = originOf(given.get('url') ?? '')
  if (!url || url === location.origin || !asked || given.get('state') !== asked.state) return
  const name = given.get('name') || new URL(url).host
  if (!otherOrganizations.value.some((one) => one.url === url)) addOrganization({ url, name })
  await loadFrameTexts()
  announce(f.organizations.added(name))
}

/** Asks for the numbers of unread messages in all organizations that give them. */
export async function countElsewhere(): Promise<void> {
  const all = otherOrganizations.value.filter(({ key, user }) => key !== undefined && user === state.me)
  if (all.length === 0) return
  const organizations = all.map(({ url, key }) => ({ url, key }))
  const { counts } = await call<{ counts: (number | null)[] }>('POST', '/organizations/unread', {
    organizations,
  })
  unreadElsewhere.value = new Map(
    all.flatMap(({ url }, at) => (counts[at] == null ? [] : [[url, counts[at]] as const])),
  )
}

/** Keeps the numbers up to date from now on. `hash`: of the address with which the page was opened. */
export async function followElsewhere(hash: string): Promise<void> {
  if (hash.startsWith(ARRIVING)) await takeKey(hash)
  if (hash.startsWith(MAILED)) await takeMailed(hash)
  const count = () => {
    if (document.visibilityState === 'visible') countElsewhere().catch(() => {})
  }
  count()
  setInterval(count, COUNTED_EVERY_MS)
}
