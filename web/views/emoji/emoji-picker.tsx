import './emoji.css'
import { useEffect, useState } from 'preact/hooks'
import type { EmojiChoice } from '../../actions/messages.ts'
import { completeEmoji, type EmojiName } from '../../state/completion.ts'
import { t } from '../../texts/texts.ts'
import { Loading } from '../../ui/empty.tsx'
import { Popover } from '../../ui/popover.tsx'
import { allEmoji, distinctEmoji, emojiUses, loadEmoji, noteUse } from './emoji-data.ts'
import { EmojiGlyph } from './emoji-glyph.tsx'

/** Number of emoji drawn at once; a search shows the others. */
const SHOWN = 240
const COLUMNS = 8
/** Emoji that most people want first, by name. */
const COMMON = [
  '+1',
  'heart',
  'tada',
  'slight_smile',
  'joy',
  'check',
  'eyes',
  'working_on_it',
  'thank_you',
  'octopus',
  'rocket',
  'clap',
]

interface EmojiPickerProps {
  readonly anchor: Element
  readonly onChoose: (emoji: EmojiChoice) => void
  readonly onClose: () => void
}

export function EmojiPicker({ anchor, onChoose, onClose }: EmojiPickerProps) {
  const [query, setQuery] = useState('')
  const [isLoaded, setLoaded] = useState(false)
  const [chosen, setChosen] = useState(0)
  useEffect(() => {
    loadEmoji().then(() => setLoaded(true), onClose)
  }, [])
  const found = isLoaded
    ? query.trim() === ''
      ? usualFirst()
      : completeEmoji(allEmoji(), query.trim(), { uses: emojiUses(), limit: SHOWN })
    : []
  const choose = (emoji: EmojiName | undefined) => {
    if (!emoji) return
    noteUse(emoji.code)
    onClose()
    onChoose({ emoji_name: emoji.name, emoji_code: emoji.code, reaction_type: emoji.type })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, number> = {
      ArrowRight: 1,
      ArrowLeft: -1,
      ArrowDown: COLUMNS,
      ArrowUp: -COLUMNS,
    }
    const step = steps[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setChosen(Math.max(0, Math.min(found.length - 1, chosen + step)))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      choose(found[chosen])
    }
  }
  const current = found[chosen]
  return (
    <Popover
      anchor={anchor}
      class="emoji-picker"
      role="dialog"
      align="end"
      label={t.emoji.label}
      onClose={onClose}
    >
      <input
        class="field"
        type="search"
        autofocus
        placeholder={t.emoji.search}
        aria-label={t.emoji.search}
        aria-controls="emoji-found"
        aria-activedescendant={current ? `emoji-${chosen}` : undefined}
        value={query}
        onKeyDown={onKeyDown}
        onInput={(event) => {
          setQuery(event.currentTarget.value)
          setChosen(0)
        }}
      />
      {!isLoaded && <Loading label={t.loading} />}
      <div id="emoji-found" class="emoji-grid" role="listbox" aria-label={t.emoji.label} tabIndex={-1}>
        {found.slice(0, SHOWN).map((emoji, index) => (
          <button
            key={`${emoji.type} ${emoji.code}`}
            id={`emoji-${index}`}
            type="button"
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            aria-label={emoji.name.replaceAll('_', ' ')}
            onPointerEnter={() => setChosen(index)}
            onClick={() => choose(emoji)}
          >
            <EmojiGlyph
              emoji={{ emoji_name: emoji.name, emoji_code: emoji.code, reaction_type: emoji.type }}
            />
          </button>
        ))}
      </div>
      <p class="emoji-name one-line">{current ? `:${current.name}:` : isLoaded ? t.emoji.none : ''}</p>
    </Popover>
  )
}

function usualFirst(): EmojiName[] {
  const uses = emojiUses()
  const all = allEmoji()
  const common = COMMON.flatMap((name) => all.find((one) => one.name === name) ?? [])
  const used = distinctEmoji()
    .filter(({ code }) => uses.has(code))
    .sort((a, b) => uses.get(b.code)! - uses.get(a.code)!)
    .slice(0, COLUMNS * 2)
  const first = new Map([...used, ...common].map((one) => [`${one.type} ${one.code}`, one]))
  return [...first.values(), ...distinctEmoji().filter(({ type, code }) => !first.has(`${type} ${code}`))]
}
