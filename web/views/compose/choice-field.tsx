import { useState } from 'preact/hooks'
import { state } from '../../chat.ts'
import { completeTopics } from '../../state/completion.ts'
import { topicName } from '../words.ts'
import type { Choice } from './completion-list.ts'
import { CompletionList, NONE, nextOf } from './completions.tsx'

const TOPICS_SHOWN = 8

/** Returns the topics of a channel that match the typed text. */
export function topicChoices(channelId: number, typed: string): Choice[] {
  return completeTopics(state, channelId, typed, TOPICS_SHOWN, topicName('')).map((name) => ({
    key: name,
    label: topicName(name),
    text: name,
  }))
}

interface ChoiceFieldProps {
  readonly id: string
  readonly class?: string
  readonly field?: { current: HTMLInputElement | null }
  readonly label: string
  readonly placeholder?: string | undefined
  readonly maxLength?: number
  readonly disabled?: boolean
  readonly required?: boolean
  readonly value: string
  /** Whether only a choice counts, and not the typed text. */
  readonly isStrict?: boolean
  readonly choices: (typed: string) => Choice[]
  readonly onType?: (value: string) => void
  readonly onTake: (value: string) => void
  readonly onEnter?: () => void
}

/** A field with the page's own suggestions. Unless a suggestion is taken by an arrow or a click, the typed text counts. */
export function ChoiceField(props: ChoiceFieldProps) {
  const { id, value, isStrict = false, onType, onTake, onEnter } = props
  const [typed, setTyped] = useState<string>()
  const [chosen, setChosen] = useState(NONE)
  const isOpen = typed !== undefined
  const query = isOpen ? (typed.startsWith('#') && isStrict ? typed.slice(1) : typed) : ''
  const found = isOpen ? props.choices(query) : []
  // The only suggestion equals the typed text.
  const choices = found.length === 1 && found[0]!.text === query ? [] : found
  const close = () => {
    setTyped(undefined)
    setChosen(NONE)
  }
  const take = (index: number) => {
    const choice = choices[index]
    if (!choice) return
    close()
    onTake(choice.text)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const isArrow = event.key === 'ArrowDown' || event.key === 'ArrowUp'
    if (isArrow && !isOpen) {
      event.preventDefault()
      setTyped(isStrict ? '' : value)
    } else if (isArrow && choices.length > 0) {
      event.preventDefault()
      setChosen(nextOf(chosen, choices.length, event.key === 'ArrowDown'))
    } else if (
      event.key === 'Enter' ||
      (event.key === 'Tab' && isOpen && chosen !== NONE && !event.shiftKey)
    ) {
      event.preventDefault()
      if (isOpen && chosen !== NONE) take(chosen)
      else if (isStrict) take(0)
      else {
        close()
        onEnter?.()
      }
    } else if (event.key === 'Escape' && choices.length > 0) {
      event.preventDefault()
      event.stopPropagation()
      close()
    }
  }
  const first = isStrict && query !== '' && chosen === NONE ? 0 : chosen
  return (
    <div class={`choice-field ${props.class ?? ''}`}>
      <input
        ref={props.field}
        class="field"
        role="combobox"
        dir="auto"
        autocomplete="off"
        aria-label={props.label}
        aria-expanded={choices.length > 0}
        aria-controls={`${id}s`}
        aria-autocomplete="list"
        aria-activedescendant={choices.length > 0 && first !== NONE ? `${id}-${first}` : undefined}
        placeholder={props.placeholder}
        maxLength={props.maxLength}
        disabled={props.disabled}
        required={props.required}
        value={isStrict && isOpen ? typed : value}
        onFocus={(event) => isStrict && event.currentTarget.select()}
        onClick={() => !isOpen && setTyped(isStrict ? '' : value)}
        onInput={(event) => {
          setTyped(event.currentTarget.value)
          setChosen(NONE)
          onType?.(event.currentTarget.value)
        }}
        onKeyDown={onKeyDown}
        onBlur={close}
      />
      {choices.length > 0 && <CompletionList id={id} completion={{ choices }} chosen={first} onTake={take} />}
    </div>
  )
}
