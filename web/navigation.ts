import { computed, signal } from '@preact/signals'
import { state } from './chat.ts'
import { type Address, type AddressNames, addressOf, parseAddress, printAddress } from './state/addresses.ts'
import { channelNamed } from './state/channels.ts'
import type { Conversation } from './state/conversation.ts'
import { COMBINED_FEED, type Narrow, narrowOf } from './state/narrow.ts'

/** The part of the page's address that names the view. */
export const fragment = signal(location.hash)
/** A number that grows with every visit, so that a link to the present view opens it again. */
export const visit = signal(0)

export const names: AddressNames = {
  get me() {
    return state.me
  },
  channelNamed: (name) => channelNamed(state, name)?.stream_id,
  channelName: (id) => state.channels.get(id)?.name,
  userName: (id) => state.users.get(id)?.full_name,
}

/** The address of the view. The settings name the home view. */
export const address = computed<Address>(() => {
  visit.value
  const parsed = parseAddress(fragment.value, names)
  return parsed.view === 'home' ? homeAddress() : parsed
})

function homeAddress(): Address {
  switch (state.settings.web_home_view) {
    case 'all_messages':
      return { view: 'narrow', narrow: [] }
    case 'recent':
      return { view: 'recent' }
    default:
      return { view: 'inbox' }
  }
}

/** Views above the others: closing one leads to what was below it. */
const ABOVE: ReadonlySet<Address['view']> = new Set(['settings', 'organization', 'groups'])

export function isAbove({ view }: Address): boolean {
  return ABOVE.has(view)
}

/** The address of the view below: the last one that was not above another. */
export const placeBelow = signal('#')

/** Returns what the address says that is for this page and no view, and removes it from there. */
export function takeArriving(): string {
  if (!/^#(?:unread|organizations)\?/.test(location.hash)) return ''
  const arriving = location.hash
  history.replaceState(history.state, '', location.pathname)
  fragment.value = ''
  return arriving
}

export function followAddress(): void {
  window.addEventListener('hashchange', () => {
    // Before the first login there is no view, and no state that an address is read with.
    if ((state as unknown) && !isAbove(address.value)) placeBelow.value = fragment.value || '#'
    fragment.value = location.hash
    visit.value += 1
  })
}

export function go(to: Address): void {
  const hash = printAddress(to, names)
  if (hash === location.hash) visit.value += 1
  else location.hash = hash
}

/** Goes to the view before this one; where there is none in this page, to the inbox. */
export function goBack(): void {
  if (visit.value > 0) history.back()
  else go({ view: 'inbox' })
}

/** Replaces the present address, in the history too: the same view under another name. */
export function replaceAddress(to: Address): void {
  const hash = printAddress(to, names)
  if (hash === location.hash) return
  history.replaceState(history.state, '', hash)
  fragment.value = location.hash
}

export function goToNarrow(narrow: Narrow, near?: number): void {
  go({ view: 'narrow', narrow, ...(near === undefined ? {} : { near }) })
}

export function goToConversation(conversation: Conversation, near?: number): void {
  goToNarrow(narrowOf(conversation), near)
}

export function hrefOf(narrow: Narrow, near?: number): string {
  return addressOf(narrow, names, near)
}

export function hrefOfConversation(conversation: Conversation, near?: number): string {
  return hrefOf(narrowOf(conversation), near)
}

/** Returns the address of a message, which leads to its conversation even after a move. */
export function hrefOfMessage(id: number): string {
  return hrefOf(COMBINED_FEED, id)
}

/** Returns the address for the clipboard, which opens the same view for everyone who may see it. */
export function wholeAddress(hash: string): string {
  return `${location.origin}${location.pathname}${hash}`
}
