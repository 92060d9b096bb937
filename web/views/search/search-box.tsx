import './search.css'
import { useEffect, useRef, useState } from 'preact/hooks'
import { state } from '../../chat.ts'
import { address, goToNarrow } from '../../navigation.ts'
import { type Narrow, narrowKey } from '../../state/narrow.ts'
import { completeSearch, isUnfinished, parseSearch, printSearch } from '../../state/search-text.ts'
import { t } from '../../texts/texts.ts'
import { Icon } from '../../ui/icon.tsx'
import { shownList } from '../conversation/selection.ts'

/** Focuses the box at once: what is typed next is for it. */
export function focusSearch(): void {
  const field = document.querySelector<HTMLInputElement>('.search input')
  field?.focus()
  field?.select()
}

const OPERATORS = [
  'is:unread',
  'is:mentioned',
  'is:starred',
  'channel:',
  'topic:',
  'sender:',
  'has:link',
  'has:image',
]

/**
 * Whether a narrow has a name of its own: a channel, a topic, people, one of the views. Anything else is a
 * search.
 */
function isConversation(narrow: Narrow): boolean {
  return narrow.every(
    ({ operator, negated }) =>
      !negated &&
      (operator === 'channel' ||
        operator === 'topic' ||
        operator === 'dm' ||
        (operator === 'is' && narrow.length === 1)),
  )
}

/** Returns what stands in the box while a narrow is shown. */
function textOf(narrow: Narrow): string {
  return isConversation(narrow) ? '' : printSearch(state, narrow)
}

/** Searches for messages by words and operators, and goes to any channel, topic or person. */
export function SearchBox() {
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  /** The choice that an arrow key has reached. */
  const [reached, setReached] = useState<number>()
  const field = useRef<HTMLInputElement>(null)
  const shown = address.value
  /** The narrow (`narrowKey`) that was searched for: more may have been typed until it is shown. */
  const asked = useRef<string>(undefined)
  // A search stays in the box while its results are shown.
  useEffect(() => {
    const narrow = shown.view === 'narrow' ? shown.narrow : []
    if (narrowKey(narrow) !== asked.current) setText(textOf(narrow))
    asked.current = undefined
  }, [shown])
  const choices = !isOpen
    ? []
    : text.trim() === ''
      ? OPERATORS
      : completeSearch(state, text).filter((choice) => choice !== text)
  // What Enter takes: a suggestion for a word that means nothing without one is chosen by itself.
  const chosen = reached ?? (choices.length > 0 && isUnfinished(state, text) ? 0 : -1)
  const toMessages = () => {
    setOpen(false)
    field.current?.blur()
    shownList.current?.focus()
  }
  const search = (query: string) => {
    setReached(undefined)
    const narrow = parseSearch(state, query.trim())
    if (narrow.length > 0) {
      asked.current = narrowKey(narrow)
      setText(textOf(narrow))
      goToNarrow(narrow)
    }
    // While results are shown, what is typed next changes the search.
    if (narrow.length > 0 && !isConversation(narrow)) setOpen(false)
    else toMessages()
  }
  const take = (choice: string) => {
    setText(choice)
    setReached(undefined)
    if (/^(is|has|channel|sender|dm|in|channels|topic):[^:]+$/.test(choice)) search(choice)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (event.key === 'ArrowDown' && !isOpen) {
      event.preventDefault()
      toMessages()
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      const step = event.key === 'ArrowDown' ? 1 : -1
      setReached(((chosen + 1 + step + choices.length + 1) % (choices.length + 1)) - 1)
    } else if (event.key === 'Tab' && choices.length > 0 && text.trim() !== '' && !event.shiftKey) {
      event.preventDefault()
      take(`${choices[Math.max(0, chosen)]!}`)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      const choice = choices[chosen] ?? text
      if (choice.endsWith(':')) take(choice)
      else search(choice)
    } else if (event.key === 'Escape') toMessages()
  }
  return (
    <search class="search">
      <Icon name="search" />
      <input
        ref={field}
        class="field"
        role="combobox"
        placeholder={t.search.placeholder}
        aria-label={t.search.placeholder}
        aria-expanded={choices.length > 0}
        aria-controls="search-choices"
        aria-autocomplete="list"
        aria-activedescendant={chosen >= 0 ? `search-${chosen}` : undefined}
        autocomplete="off"
        spellcheck={false}
        value={text}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onInput={(event) => {
          setText(event.currentTarget.value)
          setReached(undefined)
          setOpen(true)
        }}
        onKeyDown={onKeyDown}
      />
      <div
        id="search-choices"
        class="completions search-choices"
        role="listbox"
        aria-label={t.search.choices}
        hidden={choices.length === 0}
      >
        {choices.map((choice, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the box has the focus and names the chosen one
          <div
            key={choice}
            id={`search-${index}`}
            class="completion"
            role="option"
            aria-selected={index === chosen}
            onPointerDown={(event) => {
              event.preventDefault()
              take(choice)
            }}
          >
            {choice}
            {text.trim() === '' && (
              <span class="small soft">{(t.search.operators as Record<string, string>)[choice]}</span>
            )}
          </div>
        ))}
      </div>
    </search>
  )
}
