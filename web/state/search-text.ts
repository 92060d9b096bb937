import type { ChatState } from './chat-state.ts'
import type { Narrow, NarrowTerm, SearchRange } from './narrow.ts'
import type { User } from './wire.ts'
import { plain, plainName } from './words.ts'

/** Returns the text that parses to the narrow and the range (`search-parse.ts`). */
export function printSearch(state: ChatState, narrow: Narrow, { after, before }: SearchRange = {}): string {
  const words = narrow.map((term) => {
    if (term.operator === 'search') return term.operand
    return `${term.negated ? '-' : ''}${term.operator}:${quoted(operandText(state, term))}`
  })
  if (after !== undefined) words.push(`after:${after}`)
  if (before !== undefined) words.push(`before:${before}`)
  return words.join(' ')
}

function operandText(state: ChatState, term: Exclude<NarrowTerm, { operator: 'search' }>): string {
  switch (term.operator) {
    case 'channel':
      return state.channels.get(term.operand)?.name ?? String(term.operand)
    case 'sender':
    case 'dm-including':
    case 'mentions':
      return nameOfId(state, term.operand)
    case 'dm':
      return term.operand.map((id) => nameOfId(state, id)).join(',')
    default:
      return String(term.operand)
  }
}

function nameOfId(state: ChatState, id: number): string {
  const user = state.users.get(id)
  return user ? nameOf(state, user) : String(id)
}

/** Returns the name of a user, with the id where the name alone is ambiguous. */
export function nameOf(state: ChatState, user: User): string {
  const isPlain = !/[",|]/.test(user.full_name) && idOf(user.full_name) === undefined
  const isOnly = isPlain && usersNamed(state, user.full_name).length === 1
  return isOnly ? user.full_name : `${user.full_name.replaceAll(/[",|]/g, ' ')}|${user.user_id}`
}

export function usersNamed(state: ChatState, name: string): User[] {
  const wanted = plain(name).trim()
  return [...state.users.values()].filter(
    (user) => plainName(user) === wanted || user.delivery_email?.toLowerCase() === wanted,
  )
}

export function idOf(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

export function quoted(text: string): string {
  return text === '' || /\s/.test(text) ? `"${text}"` : text
}
