import type { ChatState } from '../../state/chat-state.ts'
import { conversationOfNarrow } from '../../state/narrow.ts'
import { completeSearch, isUnfinished, parseSearch } from '../../state/search-parse.ts'
import { t } from '../../texts/texts.ts'
import type { IconName } from '../../ui/icon.tsx'
import { conversationName } from '../words.ts'
import { savedSearches } from './saved-searches-state.ts'

export { parseSearch }

/** The suggestions of the search box. */
export interface Choice {
  /** The text of the box once it is taken. */
  readonly text: string
  /** Whether it is a complete search; otherwise an operand has to follow. */
  readonly isWhole: boolean
  readonly icon?: IconName
  /** What is shown instead of the text. */
  readonly label?: string
  readonly note?: string
  /** The view to which it leads. */
  readonly href?: string
}

const OPERATORS = [
  'sender:',
  'channel:',
  'topic:',
  'dm:',
  'has:link',
  'has:image',
  'has:attachment',
  'is:unread',
  'is:mentioned',
  'is:starred',
  'after:',
  'before:',
]

/** Returns the choices, best first. For words the first is the search itself; an incomplete term comes after its completions. */
export function choicesFor(state: ChatState, text: string): Choice[] {
  if (text.trim() === '') {
    const saved = savedSearches(state).map(({ name, fragment }) => ({
      text: name,
      isWhole: true,
      icon: 'saveSearch' as const,
      href: `#${fragment}`,
    }))
    return [...saved.slice(0, 5), ...OPERATORS.map((operator) => choiceOf(state, operator))]
  }
  const own: Choice = { text, isWhole: true, note: t.search.messages }
  const others = completeSearch(state, text)
    .filter((choice) => choice.trim() !== text.trim())
    .map((choice) => choiceOf(state, choice))
  return isUnfinished(state, text) && others.length > 0 ? others : [own, ...others]
}

const ICONS: Readonly<Record<string, IconName>> = {
  sender: 'person',
  from: 'person',
  mentions: 'at',
  dm: 'direct',
  channel: 'hash',
  topic: 'within',
  is: 'star',
  has: 'attach',
  after: 'later',
  before: 'later',
}

function choiceOf(state: ChatState, text: string): Choice {
  const last = /(?:^|\s)-?([a-z-]+):(?:"[^"]*"|\S*)$/.exec(text)
  const operator = last?.[1] ?? ''
  const icon = ICONS[operator]
  const term = last?.[0].trim() ?? ''
  const notes: Readonly<Record<string, string>> = t.search.operators
  const note = notes[term] ?? notes[`${operator}:`]
  const conversation = conversationOfNarrow(parseSearch(state, text).narrow)
  return {
    text,
    isWhole: !text.endsWith(':'),
    ...(conversation?.kind === 'topic' ? { label: conversationName(conversation) } : {}),
    ...(icon ? { icon } : {}),
    ...(note === undefined ? {} : { note }),
  }
}
