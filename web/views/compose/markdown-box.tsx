import type { RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Conversation } from '../../state/conversation.ts'
import { type Format, formatted, nextLine } from '../../state/markdown-edit.ts'
import { heldKey } from '../../state/pressed-key.ts'
import { t } from '../../texts/texts.ts'
import { onDemand } from '../../ui/on-demand.tsx'
import { loadEmoji } from '../emoji/emoji-data.ts'
import type { WritingAction } from './actions.ts'
import { type Completion, completionsFor } from './completion-list.ts'
import { CompletionList, NONE, nextOf } from './completions.tsx'
import { change, selectedIn } from './editing.ts'
import { type CellForm, takePaste } from './paste.ts'

const PasteMenu = onDemand(async () => {
  const { PasteMenu: menu, loadComposeTexts } = await import('./paste-menu.tsx')
  await loadComposeTexts()
  return menu
})

interface MarkdownBoxProps {
  readonly box: RefObject<HTMLTextAreaElement | null>
  readonly value: string
  readonly label: string
  readonly placeholder?: string | undefined
  readonly id?: string
  readonly name?: string
  readonly maxLength?: number | undefined
  readonly required?: boolean
  readonly disabled?: boolean
  readonly class: string
  /** The destination of the text, whose people are suggested first. */
  readonly where: Conversation | undefined
  readonly onValue: (value: string) => void
  readonly onFiles?: ((files: readonly File[]) => void) | undefined
  /** Called with keys that the box does not handle. Returns whether it has handled the key. */
  readonly onKey: (event: KeyboardEvent) => boolean
  /** The actions that `/` offers besides commands. */
  readonly offered?: readonly WritingAction[]
  readonly onAction?: ((action: WritingAction, words?: string) => void) | undefined
  /** Called when the selection may have changed. */
  readonly onSelect?: (() => void) | undefined
}

interface CellQuestion {
  readonly forms: readonly CellForm[]
  readonly answer: (form: CellForm | undefined) => void
}

const KEYS: Readonly<Record<string, Format>> = { b: 'bold', i: 'italic' }
const SHIFTED: Readonly<Record<string, Format>> = {
  x: 'strike',
  c: 'code',
  l: 'link',
  '7': 'numbers',
  '8': 'bullets',
  '9': 'quote',
}

/** A box for Markdown: it completes names, continues lists, formats words by keys, and keeps the formats of pasted text. */
export function MarkdownBox(props: MarkdownBoxProps) {
  const { box, value, where, onValue, onFiles, onKey, onSelect } = props
  const [completion, setCompletion] = useState<Completion>()
  const [chosen, setChosen] = useState(0)
  const [question, setQuestion] = useState<CellQuestion>()
  /** Whether the key for a paste without form is down. */
  const isPlain = useRef(false)
  useLayoutEffect(() => {
    const element = box.current
    if (!element || CSS.supports('field-sizing', 'content')) return
    element.style.blockSize = 'auto'
    element.style.blockSize = `${element.scrollHeight + 2}px`
  }, [value])
  const look = () => {
    onSelect?.()
    const element = box.current
    if (!element) return
    const found =
      element.selectionStart === element.selectionEnd
        ? completionsFor(element.value.slice(0, element.selectionStart), where, props.offered)
        : undefined
    setCompletion(found)
    setChosen(found?.choices[0]?.isLoud ? NONE : 0)
  }
  const take = (index: number) => {
    const choice = completion?.choices[index]
    const element = box.current
    if (!completion || !choice || !element) return
    const at = completion.from + choice.text.length
    const to = element.selectionEnd
    change(element, { from: completion.from, to, inserted: choice.text, start: at, end: at })
    setCompletion(undefined)
    onSelect?.()
    if (choice.action) props.onAction?.(choice.action, choice.words)
  }
  const completes = (event: KeyboardEvent): boolean => {
    if (!completion) return false
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      setChosen(nextOf(chosen, completion.choices.length, event.key === 'ArrowDown'))
      return true
    }
    const takes = event.key === 'Tab' || (event.key === 'Enter' && chosen !== NONE)
    if (takes && !event.shiftKey && !event.ctrlKey && !event.metaKey) {
      take(Math.max(chosen, 0))
      return true
    }
    if (event.key !== 'Escape') return false
    event.stopPropagation()
    setCompletion(undefined)
    return true
  }
  const ask = (forms: readonly CellForm[]) =>
    new Promise<CellForm | undefined>((answer) => setQuestion({ forms, answer }))
  const formats = (event: KeyboardEvent, element: HTMLTextAreaElement): boolean => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return false
    const format = (event.shiftKey ? SHIFTED : KEYS)[heldKey(event)]
    if (!format) return false
    change(element, formatted(selectedIn(element), format, t.compose.linkWords))
    return true
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const element = box.current
    if (!element) return
    isPlain.current = event.shiftKey && (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'v'
    if (completes(event) || onKey(event) || formats(event, element)) {
      event.preventDefault()
      return
    }
    const next = event.key === 'Enter' ? nextLine(selectedIn(element)) : undefined
    if (!next) return
    event.preventDefault()
    change(element, next)
  }
  return (
    <>
      {completion && <CompletionList completion={completion} chosen={chosen} onTake={take} />}
      <textarea
        ref={box}
        id={props.id}
        name={props.name}
        maxLength={props.maxLength}
        required={props.required}
        disabled={props.disabled}
        class={props.class}
        rows={1}
        dir="auto"
        value={value}
        placeholder={props.placeholder}
        aria-label={props.label}
        aria-autocomplete="list"
        aria-controls={completion ? 'completions' : undefined}
        aria-activedescendant={completion && chosen !== NONE ? `completion-${chosen}` : undefined}
        onInput={(event) => {
          onValue(event.currentTarget.value)
          look()
        }}
        onFocus={() => loadEmoji().catch(() => {})}
        onKeyDown={onKeyDown}
        onKeyUp={() => {
          isPlain.current = false
          onSelect?.()
        }}
        onClick={look}
        onBlur={() => {
          onSelect?.()
          setCompletion(undefined)
        }}
        onPaste={(event) => {
          if (!isPlain.current) takePaste(event, { attach: onFiles, ask })
        }}
      />
      {question && (
        <PasteMenu
          anchor={box.current!}
          forms={question.forms}
          onChoose={question.answer}
          onClose={() => {
            setQuestion(undefined)
            question.answer(undefined)
          }}
        />
      )}
    </>
  )
}
