import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { state, watch } from '../../chat.ts'
import type { User } from '../../state/wire.ts'
import { isUserNamed } from '../../state/words.ts'
import { s } from '../../texts/settings.ts'
import { t } from '../../texts/texts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { type Question, QuestionDialog } from '../../ui/question.tsx'
import { Refusal } from '../../ui/refusal.tsx'
import { type Save, useSaving } from '../../ui/saving.ts'
import { SaveMark } from '../../ui/setting-row.tsx'

const SHOWN_CHOICES = 8

/** Returns accounts whose name or address has the words, by name. */
function peopleNamed(words: string, isLeftOut: (user: User) => boolean): User[] {
  return [...state.users.values()]
    .filter((user) => !user.is_system_bot && !isLeftOut(user))
    .filter((user) => isUserNamed(user, words))
    .sort((a, b) => a.full_name.localeCompare(b.full_name))
}

interface PickPersonProps {
  readonly label: string
  /** The button of a person among the choices. */
  readonly button: string
  readonly isLeftOut: (user: User) => boolean
  /** Whether deactivated accounts are found too. */
  readonly hasClosed?: boolean
  /** Whether the field takes the focus. */
  readonly isFocused?: boolean
  readonly onPick: (userId: number) => void
  /** Called for Escape in an empty field. */
  readonly onCancel?: () => void
}

/** A field to find a user, and the people found. */
export function PickPerson(props: PickPersonProps) {
  const { label, button, isLeftOut, hasClosed = false, isFocused, onPick, onCancel } = props
  watch('user')
  const [words, setWords] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    if (isFocused) field.current?.focus()
  }, [])
  const found =
    words.trim() === ''
      ? []
      : peopleNamed(words, (user) => (!user.is_active && !hasClosed) || isLeftOut(user))
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
            if (event.key === 'Escape' && words === '' && onCancel) {
              event.preventDefault()
              event.stopPropagation()
              onCancel()
            }
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

interface PersonRowProps {
  readonly label: string
  /** Null: nobody. */
  readonly value: number | null
  readonly isLeftOut: (user: User) => boolean
  /** What is asked before this person is saved; undefined: nothing. */
  readonly questionFor?: (userId: number) => Question | undefined
  readonly onSave: Save<number | null>
}

/** A setting that is one person, whom another one found by name replaces. */
export function PersonRow({ label, value, isLeftOut, questionFor, onSave }: PersonRowProps) {
  const { shown, state: saved, refusal, save } = useSaving(value, onSave)
  const [isOpen, setOpen] = useState(false)
  const [asked, setAsked] = useState<{ readonly question: Question; readonly userId: number }>()
  const row = useRef<HTMLFieldSetElement>(null)
  const id = useId()
  const pick = (userId: number) => {
    setOpen(false)
    const question = questionFor?.(userId)
    if (question) setAsked({ question, userId })
    else save(userId)
  }
  // The field that had the focus is gone.
  const isChoosing = isOpen || asked !== undefined
  const wasChoosing = useRef(false)
  useLayoutEffect(() => {
    if (wasChoosing.current && !isChoosing) row.current?.querySelector('button')?.focus()
    wasChoosing.current = isChoosing
  }, [isChoosing])
  return (
    <fieldset ref={row} class="setting-row" aria-labelledby={id}>
      <div class="setting-label">
        <span id={id}>{label}</span>
        <div class="person-chosen">
          {shown !== null && <bdi>{state.users.get(shown)?.full_name ?? t.unknownPerson}</bdi>}
          {!isOpen && (
            <Button label={`${s.change}: ${label}`} onClick={() => setOpen(true)}>
              {s.change}
            </Button>
          )}
        </div>
        {isOpen && (
          <PickPerson
            label={t.people.filter}
            button={s.choose}
            isFocused
            isLeftOut={(user) => user.user_id === shown || isLeftOut(user)}
            onPick={pick}
            onCancel={() => setOpen(false)}
          />
        )}
      </div>
      <SaveMark state={saved} />
      <Refusal>{refusal}</Refusal>
      {asked && (
        <QuestionDialog
          question={asked.question}
          button={state.users.get(asked.userId)?.full_name ?? t.unknownPerson}
          onAct={async () => {
            save(asked.userId)
            return undefined
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </fieldset>
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
