import './emoji.css'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { EmojiChoice } from '../../actions/reactions.ts'
import { state } from '../../chat.ts'
import { completeEmoji, customEmoji, type EmojiName } from '../../state/emoji.ts'
import { t } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, Loading } from '../../ui/empty.tsx'
import { Popover } from '../../ui/popover.tsx'
import { CategoryBar } from './category-bar.tsx'
import { allEmoji, emojiGroups, inTone, loadEmoji } from './emoji-data.ts'
import { choiceOf, EmojiGrid, glyphOf, reveal, rowHeight } from './emoji-grid.tsx'
import { emojiUses, keepSkinTone, noteUse, skinTone, usualEmoji } from './emoji-uses.ts'
import { CATEGORIES, type Category, cellAfter, firstCell, rowsOf, type Section } from './picker-rows.ts'
import { ToneButton } from './tone-button.tsx'

export { loadComposeTexts } from '../../texts/compose.ts'

/** Emoji that a search shows at most. */
const FOUND = 200

interface EmojiPickerProps {
  readonly anchor: Element
  /** Whether the choice is for a text, where emoji can have a skin tone. Reactions and a status have none. */
  readonly isForText?: boolean | undefined
  /** `text`: what stands for it in a message. */
  readonly onChoose: (emoji: EmojiChoice, text: string) => void
  readonly onClose: () => void
}

export function EmojiPicker({ anchor, isForText = false, onChoose, onClose }: EmojiPickerProps) {
  const [query, setQuery] = useState('')
  const [isLoaded, setLoaded] = useState<boolean | 'failed'>(false)
  const [columns, setColumns] = useState(9)
  const [cell, setCell] = useState<{ row: number; column: number }>()
  /** The category to show when a search has ended. */
  const goal = useRef<Category | undefined>(undefined)
  const [shown, setShown] = useState<Category>()
  const [keptTone, setTone] = useState(skinTone)
  const grid = useRef<HTMLDivElement>(null)
  const tone = isForText ? keptTone : 0
  const load = () => {
    setLoaded(false)
    loadEmoji().then(
      () => setLoaded(true),
      () => setLoaded('failed'),
    )
  }
  useEffect(load, [])
  const wanted = query.trim()
  const rows = useMemo(
    () => (isLoaded === true ? rowsOf(wanted === '' ? sections(columns) : found(wanted), columns) : []),
    [isLoaded, wanted, columns],
  )
  const show = (category: Category | undefined) => {
    const from = category ? rows.findIndex((row) => row.category === category) : 0
    setCell(firstCell(rows, from))
    grid.current?.scrollTo({ top: from * rowHeight() })
  }
  useLayoutEffect(() => {
    show(goal.current)
    goal.current = undefined
  }, [rows])
  const current = cell && rows[cell.row]?.emoji[cell.column]
  const choose = (emoji: EmojiName | undefined) => {
    if (!emoji) return
    noteUse(emoji.code)
    onClose()
    onChoose(choiceOf(emoji), inTone(emoji, tone) ?? `:${emoji.name}:`)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    if (event.key === 'Enter') {
      event.preventDefault()
      choose(current)
      return
    }
    const isSideways = event.key === 'ArrowLeft' || event.key === 'ArrowRight'
    const isMirrored = isSideways && document.documentElement.dir === 'rtl'
    const key = isMirrored ? (event.key === 'ArrowLeft' ? 'ArrowRight' : 'ArrowLeft') : event.key
    const next = cell && cellAfter(rows, cell, key)
    if (!next) return
    event.preventDefault()
    setCell(next)
    reveal(grid.current, next.row)
  }
  const goTo = (category: Category) => {
    if (wanted === '') return show(category)
    goal.current = category
    setQuery('')
  }
  // Without a keyboard on the desk, one that comes up would hide the emoji.
  const isTouch = matchMedia('(pointer: coarse)').matches
  const categories = CATEGORIES.filter((category) => category !== 'custom' || customEmoji(state).length > 0)
  return (
    <Popover
      anchor={anchor}
      class="emoji-picker"
      role="dialog"
      align="end"
      isFocused={isTouch}
      label={t.emoji.label}
      onClose={onClose}
    >
      <div class="emoji-head">
        <input
          class="field"
          role="combobox"
          autofocus={!isTouch}
          placeholder={t.emoji.search}
          aria-label={t.emoji.search}
          aria-haspopup="grid"
          aria-expanded={rows.length > 0}
          aria-autocomplete="list"
          aria-controls="emoji-found"
          aria-activedescendant={current && cell ? `emoji-${cell.row}-${cell.column}` : undefined}
          value={query}
          onKeyDown={onKeyDown}
          onInput={(event) => setQuery(event.currentTarget.value)}
        />
        {isForText && (
          <ToneButton
            tone={tone}
            onTone={(next) => {
              keepSkinTone(next)
              setTone(next)
            }}
          />
        )}
      </div>
      <CategoryBar categories={categories} shown={wanted === '' ? shown : undefined} onGo={goTo} />
      {isLoaded === 'failed' ? (
        <div class="emoji-rest">
          <Empty title={t.notLoaded.title}>
            <Button onClick={load}>{t.tryAgain}</Button>
          </Empty>
        </div>
      ) : isLoaded && rows.length > 0 ? (
        <EmojiGrid
          grid={grid}
          rows={rows}
          chosen={cell}
          tone={tone}
          onColumns={setColumns}
          onCategory={setShown}
          onPoint={setCell}
          onChoose={choose}
        />
      ) : (
        <div class="emoji-rest">
          {isLoaded ? <p class="soft">{t.emoji.none}</p> : <Loading label={t.loading} />}
        </div>
      )}
      <p class="emoji-name">
        {current && (
          <>
            <span class="emoji-large" aria-hidden="true">
              {glyphOf(current, tone)}
            </span>
            <span class="one-line">{current.label ?? current.name.replaceAll('_', ' ')}</span>
            <span class="one-line soft" dir="ltr">
              :{current.name}:
            </span>
          </>
        )}
      </p>
    </Popover>
  )
}

/** Rows of what the user has chosen most. */
const USUAL_ROWS = 2

function sections(columns: number): Section[] {
  const custom = customEmoji(state)
  const [, , ...named] = CATEGORIES
  const groups = emojiGroups()
  const all = [...custom, ...groups.flat()]
  return [
    { category: 'usual', emoji: usualEmoji(all, columns * USUAL_ROWS) },
    { category: 'custom', emoji: custom },
    ...groups.map((emoji, index) => ({ category: named[index]!, emoji })),
  ]
}

function found(query: string): Section[] {
  const emoji = completeEmoji(allEmoji(), query, { uses: emojiUses(), limit: FOUND })
  return [{ category: undefined, emoji }]
}
