import './search.css'
import { signal } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import { loadRecent } from '../../actions/message-windows.ts'
import { state, watch } from '../../chat.ts'
import { address, go } from '../../navigation.ts'
import type { Address } from '../../state/addresses.ts'
import { isNamedView, type Narrow, narrowKey, type SearchRange } from '../../state/narrow.ts'
import { printSearch } from '../../state/search-text.ts'
import { t } from '../../texts/texts.ts'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { shownList } from '../conversation/selection.ts'
import type { Choice } from './choices.ts'

/** Focuses the box at once, for the next keys. */
export function focusSearch(): void {
  const field = document.querySelector<HTMLInputElement>('.search input')
  field?.focus()
  field?.select()
}

/** Starts a search in a narrow, with its operators in the box before the cursor. */
export function searchWithin(narrow: Narrow): void {
  begun.value = { text: `${printSearch(state, narrow)} ` }
}

/** The text that another part of the page has put into the box. */
const begun = signal<{ readonly text: string } | undefined>(undefined)

type Choices = typeof import('./choices.ts')

/** The code for searching, loaded when a user is about to search. */
let choices: Choices | undefined

async function loadChoices(): Promise<Choices> {
  choices ??= await import('./choices.ts')
  return choices
}

function isResult(narrow: Narrow, range: SearchRange | undefined): boolean {
  return range !== undefined || !isNamedView(narrow)
}

/** Returns what stands in the box while a view is shown. */
function textOf(shown: Address): string {
  return shown.view === 'narrow' && isResult(shown.narrow, shown.range)
    ? printSearch(state, shown.narrow, shown.range)
    : ''
}

function keyOf(narrow: Narrow, { after = '', before = '' }: SearchRange = {}): string {
  return `${narrowKey(narrow)} ${after} ${before}`
}

/** Searches for messages by words and operators, and goes to any channel, topic or person. */
export function SearchBox() {
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [isLoaded, setLoaded] = useState(choices !== undefined)
  /** The choice that an arrow key has reached. */
  const [reached, setReached] = useState<number>()
  const field = useRef<HTMLInputElement>(null)
  const shown = address.value
  /** The key of the last search (`keyOf`); the text may have changed until its results are shown. */
  const asked = useRef<string>(undefined)
  // A search stays in the box while its results are shown.
  useEffect(() => {
    const [narrow, range] = shown.view === 'narrow' ? [shown.narrow, shown.range] : [[], undefined]
    if (keyOf(narrow, range) !== asked.current) setText(textOf(shown))
    asked.current = undefined
  }, [shown])
  useEffect(() => {
    const text = begun.value?.text
    if (text === undefined) return
    begun.value = undefined
    setText(text)
    field.current?.focus()
    // The box shows the text after the next drawing.
    setTimeout(() => field.current?.setSelectionRange(text.length, text.length))
  }, [begun.value])
  if (isOpen) watch('recent')
  const offered = isOpen && isLoaded && choices ? choices.choicesFor(state, text) : []
  // The choice that Enter takes, unless an arrow key has reached another.
  const chosen = reached ?? (text.trim() === '' ? -1 : 0)
  const toMessages = () => {
    setOpen(false)
    field.current?.blur()
    shownList.current?.focus()
  }
  const load = async () => {
    const loaded = await loadChoices()
    setLoaded(true)
    return loaded
  }
  const search = async (query: string) => {
    setReached(undefined)
    const { narrow, range } = (await load()).parseSearch(state, query.trim())
    const isAsked = narrow.length > 0 || Object.keys(range).length > 0
    const to = { view: 'narrow', narrow, ...(Object.keys(range).length > 0 ? { range } : {}) } as const
    if (isAsked) {
      asked.current = keyOf(narrow, range)
      setText(textOf(to))
      go(to)
    }
    // While results are shown, what is typed next changes the search.
    if (isAsked && isResult(narrow, to.range)) setOpen(false)
    else toMessages()
  }
  const take = (choice: Choice) => {
    setReached(undefined)
    if (choice.href !== undefined) {
      toMessages()
      location.hash = choice.href
    } else if (choice.isWhole) void search(choice.text)
    else setText(choice.text)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (event.key === 'ArrowDown' && !isOpen) {
      event.preventDefault()
      toMessages()
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      const step = event.key === 'ArrowDown' ? 1 : -1
      setReached(((chosen + 1 + step + offered.length + 1) % (offered.length + 1)) - 1)
    } else if (event.key === 'Tab' && offered.length > 0 && text.trim() !== '' && !event.shiftKey) {
      event.preventDefault()
      setText(offered[Math.max(0, chosen)]!.text)
      setReached(undefined)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      const choice = offered[chosen]
      if (choice) take(choice)
      else if (text.trim() !== '')
        void load().then((loaded) => take(loaded.choicesFor(state, text)[0] ?? { text, isWhole: true }))
    } else if (event.key === 'Escape') {
      setText(textOf(shown))
      toMessages()
    }
  }
  return (
    <search class="search">
      <Icon name="search" />
      <input
        ref={field}
        class="field"
        dir="auto"
        role="combobox"
        placeholder={t.search.placeholder}
        aria-label={t.search.placeholder}
        aria-expanded={offered.length > 0}
        aria-controls="search-choices"
        aria-autocomplete="list"
        aria-activedescendant={offered[chosen] ? `search-${chosen}` : undefined}
        autocomplete="off"
        spellcheck={false}
        value={text}
        onPointerEnter={() => void load().catch(() => {})}
        onFocus={() => {
          setOpen(true)
          void load().catch(() => {})
          // Topics are offered by their names.
          loadRecent().catch(() => {})
        }}
        onBlur={() => setOpen(false)}
        onInput={(event) => {
          setText(event.currentTarget.value)
          setReached(undefined)
          setOpen(true)
        }}
        onKeyDown={onKeyDown}
      />
      {text !== '' && (
        <IconButton
          icon="close"
          class="search-clear"
          label={t.search.clear}
          onClick={() => {
            setText('')
            field.current?.focus()
          }}
        />
      )}
      <div
        id="search-choices"
        class="completions search-choices"
        role="listbox"
        aria-label={t.search.choices}
        hidden={offered.length === 0}
      >
        {offered.map((choice, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the box has the focus and names the chosen one
          <div
            key={choice.href ?? choice.text}
            id={`search-${index}`}
            class="completion"
            role="option"
            aria-selected={index === chosen}
            onPointerDown={(event) => {
              event.preventDefault()
              take(choice)
            }}
          >
            <Icon name={choice.icon ?? 'search'} />
            <span class="one-line" dir="auto">
              {choice.label ?? choice.text}
            </span>
            {choice.note && <span class="small soft">{choice.note}</span>}
          </div>
        ))}
      </div>
    </search>
  )
}
