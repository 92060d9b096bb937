import './people-field.css'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { state, watch } from '../../chat.ts'
import { completePeople } from '../../state/completion.ts'
import type { User } from '../../state/wire.ts'
import { t } from '../../texts/texts.ts'
import { Icon } from '../../ui/icon.tsx'
import { userName } from '../words.ts'
import type { Choice } from './completion-list.ts'
import { CompletionList, nextOf } from './completions.tsx'
import { focusWanted } from './compose-state.ts'

interface PeopleFieldProps {
  readonly peers: readonly number[]
  readonly onChange: (peers: readonly number[]) => void
}

/** A field for names of people, chosen one by one. */
export function PeopleField({ peers, onChange }: PeopleFieldProps) {
  const [query, setQuery] = useState('')
  const [chosen, setChosen] = useState(0)
  const field = useRef<HTMLInputElement>(null)
  watch(...peers.map((id) => `user ${id}` as const))
  const wanted = focusWanted.value
  useLayoutEffect(() => {
    if (wanted?.at !== 'people') return
    field.current?.focus()
    focusWanted.value = undefined
  }, [wanted])
  const found =
    query.trim() === ''
      ? []
      : completePeople(state, query, { limit: 7 }).filter(({ user_id }) => !peers.includes(user_id))
  const take = (index: number) => {
    const user = found[index]
    if (!user) return
    onChange([...peers, user.user_id].sort((a, b) => a - b))
    setQuery('')
    setChosen(0)
  }
  const isNobody = query.trim() !== '' && found.length === 0
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      if (found.length > 0) setChosen(nextOf(chosen, found.length, event.key === 'ArrowDown'))
    } else if (event.key === 'Enter' || (event.key === 'Tab' && found.length > 0)) {
      event.preventDefault()
      if (query === '') focusWanted.value = { at: 'text' }
      else take(chosen)
    } else if (event.key === 'Backspace' && query === '') onChange(peers.slice(0, -1))
  }
  return (
    <div class="people-field field">
      {peers.map((id) => (
        <button
          key={id}
          type="button"
          class="person-pill"
          aria-label={t.compose.remove(userName(id))}
          onClick={() => onChange(peers.filter((one) => one !== id))}
        >
          {userName(id)}
          <Icon name="close" />
        </button>
      ))}
      <input
        ref={field}
        value={query}
        role="combobox"
        dir="auto"
        aria-expanded={found.length > 0}
        aria-controls="persons"
        aria-autocomplete="list"
        aria-activedescendant={found.length > 0 ? `person-${chosen}` : undefined}
        aria-label={t.compose.people}
        placeholder={peers.length === 0 ? t.compose.people : ''}
        onInput={(event) => {
          setQuery(event.currentTarget.value)
          setChosen(0)
        }}
        onKeyDown={onKeyDown}
      />
      {isNobody && (
        <p class="completions people-nobody" role="status">
          {t.people.nobody}
        </p>
      )}
      {found.length > 0 && (
        <CompletionList
          id="person"
          completion={{ choices: found.map(choiceOf) }}
          chosen={chosen}
          onTake={take}
        />
      )}
    </div>
  )
}

function choiceOf({ user_id, full_name, avatar_url }: User): Choice {
  return { key: String(user_id), label: full_name, avatar: avatar_url ?? '', text: '' }
}
