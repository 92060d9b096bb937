import './format-toolbar.css'
import {
  ALargeSmall,
  Bold,
  Code,
  EyeOff,
  type IconNode,
  Italic,
  Link,
  List,
  ListOrdered,
  Quote,
  Radical,
  Strikethrough,
} from 'lucide'
import { useState } from 'preact/hooks'
import { type Format, formatted } from '../../state/markdown-edit.ts'
import { c } from '../../texts/compose.ts'
import { t } from '../../texts/texts.ts'
import { IconButton } from '../../ui/button.tsx'
import { isNarrow } from '../preferences.ts'
import { change, selectedIn } from './editing.ts'

export const FORMATS: readonly (readonly [Format, IconNode, string?])[] = [
  ['bold', Bold, 'Ctrl+B'],
  ['italic', Italic, 'Ctrl+I'],
  ['strike', Strikethrough, 'Ctrl+Shift+X'],
  ['link', Link, 'Ctrl+Shift+L'],
  ['bullets', List, 'Ctrl+Shift+8'],
  ['numbers', ListOrdered, 'Ctrl+Shift+7'],
  ['quote', Quote, 'Ctrl+Shift+9'],
  ['code', Code, 'Ctrl+Shift+C'],
  ['spoiler', EyeOff],
  ['formula', Radical],
]

interface FormatToolbarProps {
  readonly box: { readonly current: HTMLTextAreaElement | null }
  /** A preview has taken the place of the text. */
  readonly disabled?: boolean
}

/** Buttons that give the selected words a format: one stop of Tab, with arrows between them. In a small window a button opens them. */
export function FormatToolbar({ box, disabled = false }: FormatToolbarProps) {
  const [current, setCurrent] = useState(0)
  const [isOpen, setOpen] = useState(false)
  const onKeyDown = (event: KeyboardEvent) => {
    const isBackwards = (event.key === 'ArrowLeft') !== (document.documentElement.dir === 'rtl')
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    event.preventDefault()
    const next = (current + (isBackwards ? FORMATS.length - 1 : 1)) % FORMATS.length
    setCurrent(next)
    const toolbar = event.currentTarget as HTMLElement
    toolbar.querySelectorAll<HTMLElement>('button')[next]?.focus()
  }
  return (
    <>
      {isNarrow.value && (
        <IconButton
          icon={ALargeSmall}
          label={c.formatting}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        />
      )}
      <div class="format-place" hidden={isNarrow.value && !isOpen}>
        <div class="format-toolbar" role="toolbar" aria-label={c.formatting} onKeyDown={onKeyDown}>
          {FORMATS.map(([format, icon, keys], index) => (
            <IconButton
              key={format}
              icon={icon}
              label={c.formats[format]}
              {...(keys ? { hint: keys } : {})}
              tabIndex={index === current ? 0 : -1}
              disabled={disabled}
              onClick={() => {
                setCurrent(index)
                if (box.current)
                  change(box.current, formatted(selectedIn(box.current), format, t.compose.linkWords))
              }}
            />
          ))}
        </div>
      </div>
    </>
  )
}
