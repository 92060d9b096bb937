import { useId, useRef, useState } from 'preact/hooks'
import { state, watch } from '../../chat.ts'
import type { User } from '../../state/wire.ts'
import { isUserNamed } from '../../state/words.ts'
import { s } from '../../texts/settings.ts'
import { t } from '../../texts/texts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Refusal } from '../../ui/refusal.tsx'
import { type Save, useSaving } from '../../ui/saving.ts'
import { SaveMark } from '../../ui/setting-row.tsx'

const SHOWN_CHOICES = 8

/** Returns open accounts whose name or address has the words, by name. */
function peopleNamed(words: string, isLeftOut: (user: User) => boolean): User[] {
  return [...state.users.values()]
    .filter((user) => user.is_active && !user.is_system_bot && !isLeftOut(user))
    .filter((user) => isUserNamed(user, words))
    .sort((a, b) => a.full_name.localeCompare(b.full_name))
}

interface PickPersonProps {
  readonly label: string
  /** The button of a person among the choices. */
  readonly button: string
  readonly isLeftOut: (user: User) => boolean
  readonly onPick: (userId: number) => void
}

/** A field to find a user, and the people found. */
export function PickPerson({ label, button, isLeftOut, onPick }: PickPersonProps) {
  watch('user')
  const [words, setWords] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const found = words.trim() === '' ? [] : peopleNamed(words, isLeftOut)
  const pick = ({ user_id }: User) => {
    setWords('')
    onPick(user_id)
    // The button goes with the list.
    field.current?.focus()
  }
  return (
    <div class="pick-person">
      <label class="labelled">
        <span>{label}</span>
        <input
          ref={field}
          class="field"
          type="search"
          value={words}
          placeholder={t.people.filter}
          onInput={(event) => setWords(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            if (found[0]) pick(found[0])
          }}
        />
      </label>
      {words.trim() !== '' && found.length === 0 && <p class="setting-nothing">{t.people.nobody}</p>}
      {found.length > 0 && (
        <ul class="items">
          {found.slice(0, SHOWN_CHOICES).map((user) => (
            <li key={user.user_id} class="item">
              <Avatar url={user.avatar_url} name={user.full_name} size={24} />
              <span class="item-main one-line">{user.full_name}</span>
              <button
                type="button"
                class="button"
                aria-label={`${button}: ${user.full_name}`}
                onClick={() => pick(user)}
              >
                {button}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** Names of the chosen people, each with a button to remove it. */
export function Picks({
  ids,
  disabled = false,
  onRemove,
}: {
  readonly ids: readonly number[]
  readonly disabled?: boolean
  readonly onRemove: (userId: number) => void
}) {
  if (ids.length === 0) return null
  return (
    <ul class="people-picks">
      {ids.map((id) => {
        const name = state.users.get(id)?.full_name ?? t.unknownPerson
        return (
          <li key={id} class="people-pick">
            {name}
            <IconButton
              icon="close"
              label={s.remove(name)}
              disabled={disabled}
              onClick={() => onRemove(id)}
            />
          </li>
        )
      })}
    </ul>
  )
}

interface PeopleRowProps {
  readonly label: string
  readonly hint?: string | undefined
  readonly value: readonly number[]
  readonly disabled?: boolean
  readonly onSave: Save<readonly number[]>
}

/** A setting that is a list of people. */
export function PeopleRow({ label, hint, value, disabled = false, onSave }: PeopleRowProps) {
  const { shown, state: saved, refusal, save } = useSaving(value, onSave)
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <fieldset class="setting-row" aria-labelledby={id}>
      <div class="setting-label">
        <span id={id}>{label}</span>
        {hint && <span class="setting-hint">{hint}</span>}
        <Picks
          ids={shown}
          disabled={disabled}
          onRemove={(one) => save(shown.filter((other) => other !== one))}
        />
        {isOpen && (
          <PickPerson
            label={t.people.filter}
            button={s.add}
            isLeftOut={({ user_id }) => shown.includes(user_id)}
            onPick={(one) => save([...shown, one])}
          />
        )}
        {!disabled && !isOpen && <Button onClick={() => setOpen(true)}>{s.add}</Button>}
      </div>
      <SaveMark state={saved} />
      <Refusal>{refusal}</Refusal>
    </fieldset>
  )
}
