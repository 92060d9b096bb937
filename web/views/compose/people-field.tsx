import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { state, watch } from '../../chat.ts'
import { completePeople } from '../../state/completion.ts'
import { t } from '../../texts/texts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Icon } from '../../ui/icon.tsx'
import { userName } from '../words.ts'
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
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      setChosen((chosen + (event.key === 'ArrowDown' ? 1 : found.length - 1)) % Math.max(1, found.length))
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
        aria-expanded={found.length > 0}
        aria-controls="people-found"
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
      <div
        id="people-found"
        class="completions"
        role="listbox"
        aria-label={t.people.label}
        hidden={found.length === 0}
      >
        {found.map((user, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus and names the chosen one
          <div
            key={user.user_id}
            id={`person-${index}`}
            class="completion"
            role="option"
            aria-selected={index === chosen}
            onPointerDown={(event) => {
              event.preventDefault()
              take(index)
            }}
          >
            <Avatar url={user.avatar_url} name={user.full_name} size={20} />
            <span class="one-line">{user.full_name}</span>
          </div>
        ))}
      </div>
    </div>
  )
}
